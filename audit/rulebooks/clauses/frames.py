"""A sentence as a row of facts in no language: `modality:must`, `number:5`, `term:hand`.

Two sentences that say the same in other words have the same facts, as far as the tables know the words. A row of
facts holds no word of a document, so that it can be kept beside the mark of a sentence.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import pairwise

from msgspec import Struct

from audit.rulebooks.checks.markers import ALL_NOUNS_IN_CAPITALS, FAMILIES, MarkerTableError, marks, table
from audit.rulebooks.passages import fingerprint
from audit.rulebooks.terms import TermBase

_QUOTED = re.compile(r"[«„“\"‘]\s*(?P<said>[^«»„”“\"]{2,40}?)\s*[»”\"]")
_CARD = re.compile(
    r"(?:(?<=[\wà-ÿ,:(«] |.['’])(?P<said>[A-ZÀ-ÝŁŚŻŹ][a-zà-ÿ]+ \d{1,2})|(?P<title>\b[A-ZÀ-ÝŁŚŻŹ]{2,} \d{1,2}))\b"
    r"|^(?P<head>[A-ZÀ-Ý][a-zà-ÿ]+ \d{1,2})(?= ?:)"
)
_REFERENCE = re.compile(r"\s*(?:n[°ºo.] ?|nr\.? ?|no\. ?)?(?P<number>\d+(?:[.-]\d+)*(?:\.?[a-z]\b)?|[IVX]{1,5}\b)")
"""The number behind a word such as "page" or "section": 12, 4.3, 4.2.b, IV."""
_ROMAN = {"I": 1, "V": 5, "X": 10}
_SLOTS = tuple(family for family in FAMILIES if family not in ("reference", "little"))
_SAME = {
    "modality:choice": "", "actor:player": "", "quantity:any": "", "ability:orders": "modality:must",
    "ability:compulsory": "modality:must", "ability:obliges": "modality:must", "ability:possible": "modality:may",
    "ability:allows": "modality:may", "exception:until": "amount:up-to", "number:both": "number:2",
    "condition:although": "", "quantity:at-most": "quantity:only", "term:all": "",
    "term:each": "", "term:simultaneous": "",
}  # fmt: skip
"""What is said under another name, and what says nothing by itself."""
_LIMITS = {
    "more": ("at-least", 1),
    "fewer": ("at-most", -1),
    "only": ("at-most", 0),
    "at-least": ("at-least", 0),
    "at-most": ("at-most", 0),
}
_TURNS = (frozenset({"contrast:over-prevails"}), frozenset({"time:then", "time:after"}))
"""Words of which the two sides cannot change places."""
_STEM = 5
"""Letters of a quoted word that an ending does not touch."""
_LONGEST_NAME = 3
"""Words of a name; more words in quotation marks are text of a card, and are read as such."""
NEAR = 16
"""Letters between the word for a limit and its number."""
BOTH = "both"
"""What a two says that was written as "both": no number that another could stand for."""
OF_A_TEXT = "text"
"""What a modality says that is told of a text, as where a card orders: it is no duty that the sentence states."""
_TOLD = frozenset({"ability:orders", "ability:allows"})
_DENIED = 40
"""Letters between a not and the limit that it turns round: not more than five is at most five."""
_FORBIDDEN = 4
"""Letters between a not and the "cannot" that it takes back."""
CLAUSE_END = re.compile(r"[,;:.]")
_SENTENCE_END = re.compile(r"[.!?:]\s+$")
_VERB_FIRST = re.compile(r"(\w+)[^,;:.]*, (?:so|dann|dan)\b")
VERB_FIRST = frozenset({"de", "nl"})
"""Languages in which a condition may begin with its verb."""
DENIALS = frozenset({"negation:not", "modality:cannot"})
"""What says that something is not so, or may not be."""


class Fact(Struct, frozen=True, order=True):
    """One thing a sentence says: its slot (modality, number, term, …), the value, and where the words stand.

    `said` is the number that stands beside a limit: "more than 5" is `amount:at-least-6`, and says 5.
    """

    start: int
    end: int
    slot: str
    value: str
    said: str = ""

    @property
    def name(self) -> str:
        """Slot and value in one word."""
        return f"{self.slot}:{self.value}"


def facts(text: str, language: str, base: TermBase) -> tuple[Fact, ...]:
    """What a sentence says, in its order; a language without a table gives only numbers, names and terms."""
    return _facts(text, language, base)


@lru_cache(maxsize=20_000)
def _facts(text: str, language: str, base: TermBase) -> tuple[Fact, ...]:
    found = [*_slots(text, language), *_names(text, language)]
    found += [Fact(mark.start, mark.end, "term", mark.marker) for mark in base.marks(text, language)]
    if language in VERB_FIRST:
        found = [*_verb_first(text), *(_asked(fact, text) for fact in found)]
    return tuple(_stated(found, text))


def limits_said(text: str, language: str) -> dict[str, str]:
    """The limits of a sentence with the number that it names for each: `at-least-6` names 5 in "more than 5"."""
    stated = _stated(list(_slots(text, language)), text)
    return {fact.value: fact.said for fact in stated if fact.slot == "amount" and fact.said.isdigit()}


def _stated(found: Iterable[Fact], text: str) -> Iterator[Fact]:
    plain = list(_once(sorted(filter(None, map(_plain, _excepted(sorted(found)))))))
    return _limits(list(_not_forbidden(plain, text)), text)


def _not_forbidden(found: Sequence[Fact], text: str) -> Iterator[Fact]:
    """A "forbid" right behind a not is a "may": nothing forbids it. A "cannot" of several words has its own not."""
    nots = [fact for fact in found if fact.name == "negation:not"]
    forbids = [one for one in found if one.name == "modality:cannot" and " " not in text[one.start : one.end]]
    denied = {
        one: fact for fact in forbids for one in nots
        if 0 <= fact.start - one.end <= _FORBIDDEN and not CLAUSE_END.search(text, one.end, fact.start)
    }  # fmt: skip
    for fact in found:
        if fact not in denied:
            yield Fact(fact.start, fact.end, fact.slot, "may") if fact in denied.values() else fact


def _verb_first(text: str) -> Iterator[Fact]:
    """The condition that a sentence begins with where its verb stands first: "is it covered, so"."""
    if begins := _VERB_FIRST.match(text):
        yield Fact(begins.start(1), begins.end(1), "condition", "if")


def _asked(fact: Fact, text: str) -> Fact:
    """A modal word that begins a sentence is a condition: "can you not, then"."""
    begins = fact.slot == "modality" and (not fact.start or _SENTENCE_END.search(text, 0, fact.start))
    return Fact(fact.start, fact.end, "condition", "if") if begins else fact


def row(found: Iterable[Fact]) -> str:
    """The facts as they are kept: names with a blank between."""
    return " ".join(fact.name for fact in found)


def counted(names: Iterable[str]) -> Counter[str]:
    """How often each fact is stated."""
    return Counter(names)


def steps(names: Sequence[str]) -> tuple[frozenset[str], frozenset[str]] | None:
    """What a sentence names before "takes precedence over", or "then", and behind it; nothing without such a word."""
    places = [number for turn in _TURNS for number, name in enumerate(names) if name in turn]
    if not places:
        return None
    at = places[0]
    terms = [name if name.startswith("term:") else "" for name in names]
    return frozenset(filter(None, terms[:at])), frozenset(filter(None, terms[at:]))


def each_of_a_number(names: Sequence[str], places: Sequence[tuple[int, int]], near: int) -> bool:
    """Whether "each" stands at most so far before a number of things: each of your three is all three."""
    said = [
        (name, *place)
        for name, place in zip(names, places, strict=True)
        if not name.startswith(("whose:", "contrast:"))
    ]
    return any(
        one == "quantity:each" and other.startswith("number:") and other != "number:1" and start - end <= near
        for (one, _, end), (other, start, _) in pairwise(said)
    )


def _slots(text: str, language: str) -> Iterator[Fact]:
    try:
        table(language)
    except MarkerTableError:
        return
    referred = list(_references(text, language))
    yield from referred
    for family in _SLOTS:
        for mark in marks(text, language, family):
            if not any(one.start <= mark.start < one.end for one in referred):
                yield Fact(mark.start, mark.end, family, mark.marker)


def _references(text: str, language: str) -> Iterator[Fact]:
    """Where a sentence sends the reader: `reference:page-12`, `reference:section-4.3`."""
    for mark in marks(text, language, "reference"):
        if number := _REFERENCE.match(text, mark.end):
            yield Fact(mark.start, number.end(), "reference", f"{mark.marker}-{_in_digits(number['number'])}")


def _in_digits(number: str) -> str:
    if not number.isupper():
        return number
    values = [_ROMAN[letter] for letter in number]
    return str(sum(-one if one < after else one for one, after in zip(values, [*values[1:], 0], strict=True)))


def _names(text: str, language: str) -> Iterator[Fact]:
    """Names of cards and words in quotation marks, each as a mark that holds no word."""
    for pattern in (_QUOTED,) if language in ALL_NOUNS_IN_CAPITALS else (_QUOTED, _CARD):
        for match in pattern.finditer(text):
            group = match.lastgroup or "said"
            if len(match[group].split()) > _LONGEST_NAME:
                continue
            yield Fact(match.start(group), match.end(group), "name", name_mark(match[group]))


def name_mark(said: str) -> str:
    """Six hexadecimal digits that stand for a name or a quoted word, whatever its ending."""
    return fingerprint(_uninflected(said))[:6]


def _uninflected(said: str) -> str:
    """A quoted word without its ending: a name begins with a capital letter, and other words are inflected."""
    return said[:_STEM] if said.islower() and " " not in said else said


def _plain(fact: Fact) -> Fact | None:
    """The fact under the one name that all ways of saying it share."""
    name = _SAME.get(fact.name, fact.name)
    slot, _, value = name.partition(":")
    said = BOTH if fact.name == "number:both" else OF_A_TEXT if fact.name in _TOLD else ""
    return Fact(fact.start, fact.end, slot, value, said) if name else None


def _excepted(found: Sequence[Fact]) -> Iterator[Fact]:
    """Without the "if" that belongs to an exception: "except if" and "unless" are one."""
    for number, fact in enumerate(found):
        before = [one for one in found[:number] if one.name == "exception:except"]
        if fact.name != "condition:if" or not any(0 <= fact.start - one.end <= 1 for one in before):
            yield fact


def _once(found: Iterable[Fact]) -> Iterator[Fact]:
    """Each fact once where two tables have the same words."""
    ends: dict[str, int] = {}
    for fact in found:
        if fact.start >= ends.get(fact.name, 0):
            ends[fact.name] = fact.end
            yield fact


def _limits(found: Sequence[Fact], text: str) -> Iterator[Fact]:
    """More than five is six or more, not more than five at most five: a limit beside its number, as one fact."""
    taken: set[Fact] = set()
    for fact in found:
        if fact.slot == "quantity" and fact.value in _LIMITS and fact not in taken:
            numbers = (one for one in found if one not in taken and _beside(fact, one))
            number = next((one for one in numbers if not _has_nearer(one, fact, found)), None)
            if number:
                taken |= {fact, number}
                limit, more = _LIMITS["only" if _is_turned_round(fact, number, found, text) else fact.value]
                start, end = min(fact.start, number.start), max(fact.end, number.end)
                yield Fact(start, end, "amount", f"{limit}-{int(number.value) + more}", number.value)
    yield from (fact for fact in found if fact not in taken)


def _is_turned_round(limit: Fact, number: Fact, found: Sequence[Fact], text: str) -> bool:
    """Whether a not makes "at most" of "more than": shortly before it, or behind where the text begins with it."""
    if limit.value != "more":
        return False
    denied = [fact for fact in found if fact.name in DENIALS]
    before = [text[fact.end : limit.start] for fact in denied if 0 <= limit.start - fact.end <= _DENIED]
    begins = not text[: limit.start].strip()
    behind = [text[number.end : fact.start] for fact in denied if begins and fact.start >= number.end]
    return any(not CLAUSE_END.search(between) for between in (*before, *behind))


def _beside(limit: Fact, number: Fact) -> bool:
    return number.slot == "number" and number.value.isdigit() and _gap(limit, number) <= NEAR


def _has_nearer(number: Fact, limit: Fact, found: Iterable[Fact]) -> bool:
    """Whether the number belongs to a word for another limit: that of "greater in two or more" to "or more"."""
    limits = (one for one in found if one.slot == "quantity" and one.value in ("at-least", "at-most"))
    return limit.value in ("more", "fewer") and _gap(limit, number) > 1 and any(_beside(one, number) for one in limits)


def _gap(one: Fact, other: Fact) -> int:
    return max(other.start - one.end, one.start - other.end)
