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
from audit.rulebooks.clauses.frames import DENIALS, Fact, counted, each_of_a_number, facts, steps
from audit.rulebooks.clauses.known_sentences import KnownSentence
from audit.rulebooks.clauses.rewording import (
    JOINING,
    Kept,
    are_exchanged,
    contrast_group,
    has_pronoun,
    has_relative_clause,
    in_place_of,
    is_worded_anew,
    kept,
    touched,
)
from audit.rulebooks.findings import SINCE_KNOWN, Finding, Kind, Quote, Severity, Span
from audit.rulebooks.segments import Placed, Sentences
from audit.rulebooks.terms import PART_OF_TURN, TermBase

_KINDS = {
    "negation": Kind.NEGATION, "modality": Kind.MODALITY, "ability": Kind.MODALITY, "number": Kind.NUMBER,
    "amount": Kind.QUANTITY, "ordinal": Kind.NUMBER, "quantity": Kind.QUANTITY, "actor": Kind.ACTOR,
    "whose": Kind.ACTOR, "side": Kind.ACTOR, "time": Kind.TIME, "condition": Kind.EXCEPTION,
    "exception": Kind.EXCEPTION, "name": Kind.REFERENCE, "reference": Kind.REFERENCE, "term": Kind.TERM,
    "contrast": Kind.QUANTITY,
}  # fmt: skip
"""The kind of a finding by the slot that differs; the gravest stands first."""

_ONE_NAME = {"time:first": "time:before", "term:reshuffle": "term:shuffle"}
"""What says the same of a sentence that was edited."""
_LIMIT_SAID = Counter({
    "modality:may": 99, "modality:cannot": 99, "negation:not": 99, "quantity:only": 99, "amount:beyond": 99,
    "contrast:polarity-not": 99, "contrast:polarity-only": 99, "contrast:wish-able": 99, "number:1": 99,
})  # fmt: skip
"""Words around a limit that stayed: one may take one only, one cannot take more than one."""
_UNLESS = _LIMIT_SAID + Counter({"condition:if": 99, "exception:except": 99})
_OTHER_LIMIT = {"at-least": ("at-most", -1), "at-most": ("at-least", 1)}
_LIMIT_TURNED = _LIMIT_SAID + Counter({
    "condition:if": 99, "condition:while": 99, "exception:except": 99, "contrast:limit-no-less": 99,
    "contrast:limit-no-more": 99, "modality:must": 99,
})  # fmt: skip
"""Words around a limit that was turned round with its sentence: not from five on, only with fewer than five."""
_ONCE = frozenset({"quantity:only", "modality:may", "time:then"})
_DENYING = frozenset({
    "modality:must", "modality:cannot", "negation:not", "contrast:which-same", "contrast:which-unlike",
})  # fmt: skip
_PREVAILS = "contrast:over-prevails"
_JOINS = Counter({"contrast:join-and": 1, "time:then": 1})
_EITHER = Counter(dict.fromkeys(JOINING, 1))
_FACES = {"term:face-up", "term:face-down"}
_DENIED = frozenset({"negation:not", "contrast:polarity-not"})
_BOUND = frozenset({"condition:if", "exception:except", "condition:while"})
_EVEN_IF_DENIED = Counter({"condition:even-if": 99, "negation:not": 99, "contrast:polarity-not": 99})
_IF = Counter({"condition:if": 99})
_AS_LONG = 0.8
"""Of the words of a sentence so many remain where a clause was only worded anew."""
_OF_ONESELF = frozenset({"whose:own", "contrast:person-self", "contrast:person-you"})
_OF_ANOTHER = frozenset({
    "whose:theirs", "whose:ofowner", "actor:opponent", "actor:owner", "actor:both", "actor:turn-player",
    "side:other", "side:both-sides", "number:2", "quantity:each", "quantity:all",
})  # fmt: skip
"""Whom a sentence may speak of beside the player who acts."""
_GRAVE_ALONE = frozenset({
    "negation", "modality", "exception", "condition", "amount", "number", "whose", "side", "quantity:only",
    "time:before", "time:after", "contrast:polarity-not",
})  # fmt: skip
_OF_ALL = frozenset({"quantity:each", "quantity:all"})
_GRAVE_IN_PLACE = frozenset({"ordinal", "actor", "quantity", "time", "name", "reference"})
_MUST = Counter({"modality:must": 99})
_EACH = Counter({"quantity:each": 99, "quantity:all": 99, "contrast:share-all": 99})
_ALSO = Counter({"contrast:polarity-too": 99, "contrast:polarity-with": 99})
_TO_THE_END = Counter({"amount:up-to": 99, "amount:rest": 99})
"""What says the same beside "the game": to its end, for the rest of it."""
_THEN_BEFORE = Counter({"time:then": 99, "time:before": 99, "ordinal:previous": 99})
"""What says the same of two steps that stayed in their order: "this, then that", "this before that"."""
_PERSONS = Counter({"contrast:person-you": 99, "contrast:person-self": 99})
"""Two ways to name whose it is, of which one is another only where a sentence speaks of the opponent as well."""
_LATER = frozenset({"time:after", "quantity:only"})
_FIRST = Counter({
    "modality:must": 99, "time:before": 99, "time:first": 99, "time:after": 99, "quantity:only": 99,
    "contrast:polarity-only": 99, "contrast:polarity-not": 99, "contrast:step-before": 99, "negation:not": 99,
})  # fmt: skip
"""What says the same order of two steps: "this must come before that", "that comes only after this"."""
_BOTH = Counter({"quantity:each": 99, "number:2": 99, "contrast:party-both": 99})
"""What says the same of the players, who are two: each of them, both of them."""
_PERSON_OF = {
    "term:owner": "actor:owner", "term:opponent": "actor:opponent", "term:turn-player": "actor:turn-player",
    "term:face-up": "side:face-up", "term:face-down": "side:face-down",
}  # fmt: skip
"""The fact beside a term that other words may state as well: the owner is also the player a card belongs to."""
_UNPLAIN = frozenset({"modality", "negation", "ability"})
"""A plain statement of a rulebook obliges as well as one with "must"; one with a word of these may not."""
_WORDS_BETWEEN = 2
_UNWEIGHED = Counter({"negation:un": 99})


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
    was, are = _weighed(before.names), _weighed(fact.name for fact in now)
    stated = kept(after.text, now, language, base)
    edit = touched(before.stated, stated)
    gone, come = edit.lost | edit.denials, edit.new | edit.denials
    said_alike = _unsaid(before.stated, stated) + (_JOINS if _are_joined_otherwise(was - are, are - was) else Counter())
    said_alike += _in_a_clause(before.stated, stated, after.text, language) + _of_either(now, base)
    said_alike += _denied_in_a_word(before.names, [fact.name for fact in now])
    said_alike += _EVEN_IF_DENIED if _is_even_if_denied(was - are, are - was) else Counter()
    said_alike += _turned_with_a_not(was - are, are - was) + _turned_limit(was, are)
    said_alike += _UNLESS if _is_unless(was, are) or _is_unless(are, was) else Counter()
    still = Counter({term: 99 for term, person in _PERSON_OF.items() if person in stated.names})
    lost, new = _contrasted(
        _only(was - are, gone) - said_alike - still, _only(are - was, come) - said_alike, edit.denials
    )
    if _is_reflexive({*lost, *new}, {*before.names, *stated.names}):
        return None
    if _denied_otherwise(before, now, {*lost, *new}) or (not lost and edit.is_in_place and _are_terms(new)):
        return None
    if _are_of_one_stem(lost, [fact for fact in now if fact.name in new], after.text, language, base):
        return None
    if (
        not _is_alternative_lost(lost, was - are)
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


def _weighed(names: Iterable[str]) -> Counter[str]:
    """How often each fact is stated; once, where a second time says nothing more."""
    found = counted(_ONE_NAME.get(name, name) for name in names)
    once = {name: 1 if name in _ONCE else number for name, number in found.items()}
    return Counter(once) - _UNWEIGHED


def _only(found: Counter[str], names: Collection[str]) -> Counter[str]:
    return Counter({name: number for name, number in found.items() if name in names})


def _are_joined_otherwise(lost: Counter[str], new: Counter[str]) -> bool:
    """Whether "then" stands for "and", or the other way round: two things one after the other are joined by either."""
    return any("contrast:join-and" in one and "time:then" in other for one, other in ((lost, new), (new, lost)))


def _is_reflexive(changed: Set[str], named: Set[str]) -> bool:
    """Whether "one's own" alone came or went where no other player is named: one fills one's own hand."""
    return bool(changed) and changed <= _OF_ONESELF and named.isdisjoint(_OF_ANOTHER)


def _is_alternative_lost(lost: Mapping[str, int], gone: Mapping[str, int]) -> bool:
    """Whether one of two things is gone together with the "or" between them."""
    return "contrast:join-or" in gone and any(name.startswith("term:") for name in lost)


def _in_a_clause(before: Kept, after: Kept, text: str, language: str) -> Counter[str]:
    """A condition that a relative clause may say: "a player who" for "if a player", in about as many words."""
    is_as_long = len(after.letters) >= _AS_LONG * len(before.letters)
    return _IF if is_as_long and has_relative_clause(text, language) else Counter()


def _of_either(now: Sequence[Fact], base: TermBase) -> Counter[str]:
    """The "and" or "or" between two times, or between the two faces that a card may have.

    In the Start and the End phase, or in the Start or the End phase; it may lie face up as well as face down.
    """
    found = [fact for fact in now if fact.name in JOINING or fact.slot == "term"]
    may = any(fact.name == "modality:may" for fact in now)
    for one, join, other in zip(found, found[1:], found[2:], strict=False):
        times = {base.family(each.value) for each in (one, other) if each.slot == "term"}
        if join.name in JOINING and (times == {PART_OF_TURN} or (may and {one.name, other.name} == _FACES)):
            return _EITHER
    return Counter()


def _denied_in_a_word(was: Sequence[str], are: Sequence[str]) -> Counter[str]:
    """The not that a word with a not in it says as well: "is no longer" for "ceases to be"."""
    more = was.count("negation:un") - are.count("negation:un")
    nots = was.count("negation:not") - are.count("negation:not")
    return Counter(dict.fromkeys(_DENIED, 99)) if more * nots < 0 else Counter()


def _turned_with_a_not(lost: Counter[str], new: Counter[str]) -> Counter[str]:
    """Words for their opposites in a sentence that got or lost a not as well: "undone" for "not done"."""
    if "negation:not" not in lost + new:
        return Counter()
    groups = {contrast_group(name) for name in lost} & {contrast_group(name) for name in new} - {"", "polarity"}
    return Counter({name: 99 for name in lost + new if contrast_group(name) in groups})


def _is_even_if_denied(lost: Counter[str], new: Counter[str]) -> bool:
    """Whether "even if it is so" became "that it is so does not hinder it"."""
    return "condition:even-if" in lost and not _DENIED.isdisjoint(new) and _BOUND.isdisjoint(new)


def _contrasted(lost: Counter[str], new: Counter[str], denials: Collection[str]) -> tuple[Counter[str], Counter[str]]:
    """Without words that count only where one that excludes them stands in their place: and for or, even for odd."""
    counting = {"", *({contrast_group(name) for name in lost} & {contrast_group(name) for name in new})}
    one, other = (
        Counter({name: count for name, count in side.items() if name in denials or contrast_group(name) in counting})
        for side in (lost, new)
    )
    return one, other


def _unsaid(before: Kept, after: Kept) -> Counter[str]:
    """What says nothing more in one of two wordings.

    "Must" in a plain statement, "each" before a number for "all", and "not more than" for "only".
    """
    found = Counter[str]()
    if all(not any(name.partition(":")[0] in _UNPLAIN for name in {*one.names} - {*_MUST}) for one in (before, after)):
        found += _MUST
    counted_out = any(each_of_a_number(one.names, one.places, _WORDS_BETWEEN) for one in (before, after))
    if counted_out and {"quantity:each", "quantity:all"} <= {*before.names, *after.names}:
        found += _EACH
    if any("actor:opponent" not in one.names for one in (before, after)):
        found += _PERSONS
    if all(not _ALSO.keys().isdisjoint(one.names) for one in (before, after)):
        found += _ALSO
    says_rest = {"amount:rest" in one.names for one in (before, after)}
    if all("time:game-end" in one.names for one in (before, after)) and len(says_rest) > 1:
        found += _TO_THE_END
    if "time:then" in before.names and "contrast:step-before" in after.names and "time:before" not in before.names:
        found += _THEN_BEFORE
    for one, other in ((before, after), (after, before)):
        if {"modality:must", "time:before"} <= {*one.names} and {*other.names} >= _LATER:
            found += _FIRST
    if all("actor:both" in one.names for one in (before, after)):
        found += _BOTH
    limits = ({name for name in one.names if name.startswith("amount:at-most-")} for one in (before, after))
    is_asked = all("condition:if" in one.names for one in (before, after))
    if next(limits) & next(limits) and not (is_asked and _affirms(before.names) != _affirms(after.names)):
        found += _LIMIT_SAID
    return found


def _affirms(names: Collection[str]) -> bool:
    """Whether a sentence says what may be, or what may not be except in a case."""
    return DENIALS.isdisjoint(names) or "exception:except" in names


def _is_unless(one: Counter[str], other: Counter[str]) -> bool:
    """Whether "not, unless" in one sentence is "only if" in the other."""
    denied, asked = not DENIALS.isdisjoint(one), "condition:if" in other or "quantity:only" in other
    excepted = "exception:except" in one and "exception:except" not in other
    return denied and excepted and asked and DENIALS.isdisjoint(other) and "modality:may" in other


def _turned_limit(was: Counter[str], are: Counter[str]) -> Counter[str]:
    """The limit of which the other side is denied: what is not so from five on is so only with fewer than five."""
    if _affirms(was) == _affirms(are):
        return Counter()
    pairs = [(name, other) for name in was - are if (other := _other_side(name)) and other in are - was]
    return _LIMIT_TURNED + Counter({name: 99 for pair in pairs for name in pair}) if pairs else Counter()


def _other_side(limit: str) -> str:
    """The limit that begins where this one ends: at most four for at least five."""
    slot, _, value = limit.partition(":")
    sort, _, number = value.rpartition("-")
    if slot != "amount" or sort not in _OTHER_LIMIT or not number.isdigit():
        return ""
    other, more = _OTHER_LIMIT[sort]
    return f"amount:{other}-{int(number) + more}"


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
