"""What an edition says otherwise than the edition that the project knows, sentence by sentence.

Of a known edition the facts of each sentence are kept, and none of its words. A sentence that was found again and
states another fact gives one finding, whatever other languages say.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence, Set
from itertools import pairwise

from msgspec.structs import replace

from audit.rulebooks.checks.concepts import stem
from audit.rulebooks.clauses.frames import Fact, facts, steps
from audit.rulebooks.clauses.known_sentences import KnownSentence
from audit.rulebooks.clauses.rewording import (
    Kept,
    are_exchanged,
    has_pronoun,
    in_place_of,
    is_worded_anew,
    kept,
    touched,
)
from audit.rulebooks.clauses.same_meaning import (
    LIMIT_SAID,
    are_joined_otherwise,
    contrasted,
    denied_in_a_word,
    in_a_clause,
    is_alternative_lost,
    is_even_if_denied,
    is_reflexive,
    is_unless,
    of_either,
    only,
    turned_limit,
    turned_with_a_not,
    unsaid,
    weighed,
)
from audit.rulebooks.findings import SINCE_KNOWN, Finding, Kind, Quote, Severity, Span
from audit.rulebooks.segments import Placed, Sentences
from audit.rulebooks.terms import TermBase

_KINDS = {
    "negation": Kind.NEGATION, "modality": Kind.MODALITY, "ability": Kind.MODALITY, "number": Kind.NUMBER,
    "amount": Kind.QUANTITY, "ordinal": Kind.NUMBER, "quantity": Kind.QUANTITY, "actor": Kind.ACTOR,
    "whose": Kind.ACTOR, "side": Kind.ACTOR, "time": Kind.TIME, "condition": Kind.EXCEPTION,
    "exception": Kind.EXCEPTION, "name": Kind.REFERENCE, "reference": Kind.REFERENCE, "term": Kind.TERM,
    "contrast": Kind.QUANTITY,
}  # fmt: skip
"""The kind of a finding by the slot that differs; the gravest stands first."""
_UNLESS = LIMIT_SAID + Counter({"condition:if": 99, "exception:except": 99})
_DENYING = frozenset({
    "modality:must", "modality:cannot", "negation:not", "contrast:which-same", "contrast:which-unlike",
})  # fmt: skip
_PREVAILS = "contrast:over-prevails"
_JOINS = Counter({"contrast:join-and": 1, "time:then": 1})
_EVEN_IF_DENIED = Counter({"condition:even-if": 99, "negation:not": 99, "contrast:polarity-not": 99})
_GRAVE_ALONE = frozenset({
    "negation", "modality", "exception", "condition", "amount", "number", "whose", "side", "quantity:only",
    "time:before", "time:after", "contrast:polarity-not",
})  # fmt: skip
_OF_ALL = frozenset({"quantity:each", "quantity:all"})
_GRAVE_IN_PLACE = frozenset({"ordinal", "actor", "quantity", "time", "name", "reference"})
_PERSON_OF = {
    "term:owner": "actor:owner", "term:opponent": "actor:opponent", "term:turn-player": "actor:turn-player",
    "term:face-up": "side:face-up", "term:face-down": "side:face-down",
}  # fmt: skip
"""The fact beside a term that other words may state as well: the owner is also the player a card belongs to."""


def since_known(
    known: Mapping[str, KnownSentence], language: str, sentences: Sentences, base: TermBase
) -> Iterator[Finding]:
    """What an edition states otherwise than the sentences of the known one, each sentence once."""
    for address, before in known.items():
        if address not in sentences:
            yield _gone(before, language)
        elif not sentences[address].worded_anew:
            after = sentences[address]
            found = _changed(before, after, language, base)
            if found and not _is_meant(found, after, sentences.values(), base):
                yield found
    yield from _moved(known, sentences, language)


def reworded(
    known: Mapping[str, KnownSentence], language: str, sentences: Sentences, base: TermBase
) -> Mapping[str, tuple[str, ...]]:
    """The sentences that were found again and worded anew, each with the rules that it said."""
    found = {before: sentences[address].text for address, before in known.items() if address in sentences}
    return {
        text: before.rules for before, text in found.items()
        if is_worded_anew(before.stated, kept(text, facts(text, language, base), language, base))
    }  # fmt: skip


def _changed(before: KnownSentence, after: Placed, language: str, base: TermBase) -> Finding | None:
    now = facts(after.text, language, base)
    was, are = weighed(before.names), weighed(fact.name for fact in now)
    stated = kept(after.text, now, language, base)
    edit = touched(before.stated, stated)
    gone, come = edit.lost | edit.denials, edit.new | edit.denials
    said_alike = unsaid(before.stated, stated) + (_JOINS if are_joined_otherwise(was - are, are - was) else Counter())
    said_alike += in_a_clause(before.stated, stated, after.text, language) + of_either(now, base)
    said_alike += denied_in_a_word(before.names, [fact.name for fact in now])
    said_alike += _EVEN_IF_DENIED if is_even_if_denied(was - are, are - was) else Counter()
    said_alike += turned_with_a_not(was - are, are - was) + turned_limit(was, are)
    said_alike += _UNLESS if is_unless(was, are) or is_unless(are, was) else Counter()
    still = Counter({term: 99 for term, person in _PERSON_OF.items() if person in stated.names})
    lost, new = contrasted(only(was - are, gone) - said_alike - still, only(are - was, come) - said_alike, edit.denials)
    if is_reflexive({*lost, *new}, {*before.names, *stated.names}):
        return None
    if _denied_otherwise(before, now, {*lost, *new}) or (not lost and edit.is_in_place and _are_terms(new)):
        return None
    if _are_of_one_stem(lost, [fact for fact in now if fact.name in new], after.text, language, base):
        return None
    if (
        not is_alternative_lost(lost, was - are)
        and all(_is_action(name, base) for name in {*lost, *new})
        and not (lost and new)
    ):
        return _turned_round(before, after, language, now, base)
    if turned := _steps_turned(before, after, language, now):
        return turned
    kind = _gravest({*lost, *new})
    data = (("was", _listed(lost)), ("now", _listed(new)))
    spans = tuple(dict.fromkeys((fact.start, fact.end) for fact in now if fact.name in new))
    spans = spans or in_place_of(lost, before.stated, stated, after.text)
    found = _finding(kind, SINCE_KNOWN, before, language, data, after, spans)
    return replace(found, severity=Severity.CHANGES) if _changes_a_game({*lost}, {*new}, bool(spans), base) else found


def _changes_a_game(lost: Set[str], new: Set[str], is_in_place: bool, base: TermBase) -> bool:
    """Whether something that excludes what was said stands in its place, or what bounds or denies it came or went.

    So does any word in place of an "each" or an "all", and a term in place of another one of its family.
    """
    slots = [{name.partition(":")[0] for name in some} for some in (lost, new)]
    families = [{base.family(name.partition(":")[2]) for name in some if _is_term(name, base)} for some in (lost, new)]
    return (
        not _GRAVE_ALONE.isdisjoint(lost | new | slots[0] | slots[1])
        or not _GRAVE_IN_PLACE.isdisjoint(slots[0] & slots[1])
        or bool(families[0] & families[1])
        or (is_in_place and not _OF_ALL.isdisjoint(lost))
    )


def _is_term(name: str, base: TermBase) -> bool:
    slot, _, concept = name.partition(":")
    return slot == "term" and concept in base.concepts


def _is_meant(found: Finding, after: Placed, sentences: Iterable[Placed], base: TermBase) -> bool:
    """Whether nothing but names of things is gone for which a pronoun stands, as the text around it has the names."""
    said = dict(found.data)
    lost = said.get("was", "").split()
    if said.get("now") != "-" or not all(name.startswith("term:") for name in lost):
        return False
    language = found.languages[0]
    before = [one.text for one in sentences if one.passage == after.passage and one.order == after.order - 1]
    named = {fact.name for text in (*before, after.text) for fact in facts(text, language, base)}
    put = " ".join(after.text[slice(*span)] for span in found.quotes[0].marks)
    return named.issuperset(lost) and has_pronoun(put or after.text, language)


def _denied_otherwise(before: KnownSentence, now: Iterable[Fact], changed: set[str]) -> bool:
    """Whether "must be different" became "cannot be the same", or the other way round."""
    unlike = before.names.count("negation:un") != sum(fact.name == "negation:un" for fact in now)
    return unlike and "modality:must" in changed and "modality:cannot" in changed and changed <= _DENYING


def _are_terms(names: Collection[str]) -> bool:
    return bool(names) and all(name.startswith("term:") for name in names)


def _are_of_one_stem(lost: Collection[str], new: Sequence[Fact], text: str, language: str, base: TermBase) -> bool:
    """Whether the noun stands for the verb, or the verb for the noun: each new term has the one word of a lost one.

    Terms of several words share one of them without being the same: a top command is no middle command.
    """
    words = [word for name in lost for word in base.words(name.partition(":")[2], language)] if _are_terms(lost) else []
    stems = {stem(word) for word in words if " " not in word}
    said = [text[fact.start : fact.end] for fact in new]
    return bool(said) and bool(stems) and all(" " not in word and stem(word) in stems for word in said)


def _is_action(name: str, base: TermBase) -> bool:
    """Whether the fact is an action, which other words may stand for; one action for another is a change."""
    slot, _, value = name.partition(":")
    return slot == "term" and value in base.concepts and base[value].action


def _turned_round(
    before: KnownSentence, after: Placed, language: str, now: tuple[Fact, ...], base: TermBase
) -> Finding | None:
    """The steps on the two sides of "then", or of "takes precedence over", in each other's place."""
    named = _turned_names(before, now)
    stated = kept(after.text, now, language, base)
    if named or _precedence_turned(before.stated, stated) or are_exchanged(before.stated, stated):
        return _in_other_order(before, after, language, now, named)
    return None


def _steps_turned(before: KnownSentence, after: Placed, language: str, now: Sequence[Fact]) -> Finding | None:
    """The steps on the two sides of a "then" in each other's place, whatever else was left out or put in."""
    then = all("time:then" in names and "time:after" not in names for names in (before.names, [f.name for f in now]))
    named = _turned_names(before, now) if then else set()
    return _in_other_order(before, after, language, now, named) if named else None


def _turned_names(before: KnownSentence, now: Sequence[Fact]) -> set[str]:
    """The steps that stood on one side of a "then" and stand on the other one now."""
    was, are = steps(before.names), steps([fact.name for fact in now])
    pairs = ((was, are), (was[::-1], are[::-1])) if was and are else ()
    return {name for one, other in pairs for name in (one[0] - one[1]) & (other[1] - other[0])}


def _in_other_order(
    before: KnownSentence, after: Placed, language: str, now: Sequence[Fact], named: Collection[str]
) -> Finding:  # fmt: skip
    spans = tuple((fact.start, fact.end) for fact in now if fact.name in named)
    data = (("was", "1-2"), ("now", "2-1"))
    found = _finding(Kind.ORDER, SINCE_KNOWN, before, language, data, after, spans)
    return replace(found, severity=Severity.CHANGES)


def _precedence_turned(before: Kept, after: Kept) -> bool:
    """Whether what took precedence is now behind, whatever names the words have."""
    was, are = _around_precedence(before), _around_precedence(after)
    if not (was and are):
        return False
    stayed, turned = (sum((a & b).total() for a, b in zip(was, there, strict=True)) for there in (are, are[::-1]))
    return turned > stayed


def _around_precedence(stated: Kept) -> tuple[Counter[str], Counter[str]] | None:
    """The words before "takes precedence over" and those behind it, by their letters, without little ones."""
    for name, (start, end) in zip(stated.names, stated.places, strict=True):
        if name == _PREVAILS:
            sides = (stated.letters[:start], stated.letters[end:])
            return Counter(filter(str.isalpha, sides[0])), Counter(filter(str.isalpha, sides[1]))
    return None


def _gone(before: KnownSentence, language: str) -> Finding:
    data = (("addresses", before.address),)
    return Finding(
        kind=Kind.MISSING, code="sentence", severity=Severity.CHANGES, segment=before.address, rule=before.rules[0],
        rules=before.rules, languages=(language,), data=data,
        quotes=(Quote(language, "", (int(before.address.split(".")[0]),) * 2, ""),),
    )  # fmt: skip


def _moved(known: Mapping[str, KnownSentence], sentences: Sentences, language: str) -> Iterator[Finding]:
    """Neighbouring sentences of one passage that stand in each other's place."""
    there = [replace(sentences[address], address=address) for address in known if address in sentences]
    for one, other in pairwise(there):
        if one.passage == other.passage and other.order < one.order:
            data = (("was", one.address), ("now", other.address))
            yield _finding(Kind.ORDER, SINCE_KNOWN, known[one.address], language, data, one)


def _finding(
    kind: Kind, code: str, before: KnownSentence, language: str, data: tuple[tuple[str, str], ...], after: Placed,
    spans: tuple[Span, ...] = (),
) -> Finding:  # fmt: skip
    return Finding(
        kind=kind, code=code, severity=Severity.MISLEADS, segment=before.address, rule=before.rules[0],
        rules=before.rules, languages=(language,), data=data,
        quotes=(Quote(language, after.passage, after.lines, after.text, spans, ""),),
    )  # fmt: skip


def _gravest(names: Iterable[str]) -> Kind:
    slots = {name.partition(":")[0] for name in names}
    return next((kind for slot, kind in _KINDS.items() if slot in slots), Kind.TERM)


def _listed(names: Mapping[str, int]) -> str:
    return " ".join(sorted(names)) or "-"
