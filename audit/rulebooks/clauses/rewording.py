"""What was put in place of what between two editions of a sentence, although no word of the first one is kept.

Of each word one of 26 letters is kept: enough to see which words stayed, and too little to tell the word. A capital
stands for a word that the tables or the terms know. So a fact that is missing can be told from a fact that was said in
words which no table knows: the second is not read, and gives no finding.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from functools import cache
from hashlib import blake2b
from string import ascii_lowercase

from msgspec import Struct

from audit.rulebooks.checks.markers import MarkerTableError, table
from audit.rulebooks.clauses.frames import Fact
from audit.rulebooks.terms import TermBase

_WORD = re.compile(r"\w+")
_STEM = 2
"""Letters that an ending takes off a word, of which at least four remain."""
_LITTLE = "."
"""An article, a preposition: a word that is read and states nothing."""
JOINING = {"contrast:join-and": "&", "contrast:join-or": "|"}
"""Little words of which one is not the other."""
_CONTRAST = "contrast"
_LITTLES = frozenset({_LITTLE, *JOINING.values()})
_SHORTEST_KEPT = 2
"""Fewer words that stayed between two changes, little ones not counted, do not part them."""
_ALIKE = (
    frozenset({"modality", "negation", "ability"}), frozenset({"whose", "actor", "side"}),
    frozenset({"number", "amount", "quantity", "ordinal"}), frozenset({"exception", "condition", "negation"}),
    frozenset({"time", "ordinal", "amount"}),
)  # fmt: skip
"""Slots that answer one question, so that a fact of one can stand in place of a fact of the other."""

_SELDOM_REWORDED = ("number:", "ordinal:", "quantity:only")
"""Facts of which the tables know nearly all words, so that an unread word says none of these."""
_SELDOM_PUT_IN = ("quantity:only", "side:face-")
_FEW = 3
"""Words in place of which as few others say nothing new."""
_SHARE_OF_SEVERAL = 0.3
_SHARE_OF_ONE = 0.7
"""Of the words of a sentence so many are gone, from several places or from one, where it was worded anew."""
_EXCLUSIVE = frozenset({"number", "ordinal", "side", "whose", "actor", "quantity", "name", "reference"})
_WORDED_EITHER_WAY = frozenset({"quantity:each", "quantity:any", "quantity:instead", "whose:ofowner"})
_LIMIT = "amount:at-"
_TURNED = frozenset({"join", "polarity", "wish"})
"""Groups whose words a denial turns round: "only A may" is "without A nobody can"."""
_CANNOT = "modality:cannot"
_NOTS = frozenset({"negation:not", "contrast:polarity-not"})
_PIVOTS = frozenset({"negation:not", "time:before", "contrast:size-greater", "quantity:instead"})
"""Words of which the two sides say two things."""
_SHORTEST_BUT = 8
"""Letters beside a not within which a "but" stands."""
_NAMING = frozenset({"term", "name"})

Span = tuple[int, int]
Words = tuple[int, int]
"""The first word of some and the one behind the last."""


class Change(Struct, frozen=True):
    """Words of the known edition that are gone, and the words that stand in their place, either may be none."""

    was: Words
    now: Words


class Kept(Struct, frozen=True):
    """A sentence without its words: a letter for each word, and its facts with the words they take."""

    letters: str
    names: tuple[str, ...]
    places: tuple[Words, ...]


class Touched(Struct, frozen=True):
    """The facts that were lost, those that are new, and of the nots those that a word has lost or got."""

    lost: frozenset[str]
    new: frozenset[str]
    denials: frozenset[str] = frozenset()
    is_in_place: bool = True
    """Whether some words that were put in stand in place of others."""


def kept(text: str, found: Sequence[Fact], language: str, base: TermBase) -> Kept:
    """What is kept of a sentence with these facts."""
    spans = [match.span() for match in _WORD.finditer(text)]
    places = tuple(_words(fact, spans) for fact in found)
    pairs = list(zip(found, places, strict=True))
    taken = {at for fact, (start, end) in pairs if fact.slot != _CONTRAST for at in range(start, end)}
    joining = {start: JOINING[fact.name] for fact, (start, _) in pairs if fact.name in JOINING}
    words = [text[slice(*span)].casefold() for span in spans]
    letters = "".join(
        joining.get(at, "") if at in joining and at not in taken else _letter(word, at in taken, language, base)
        for at, word in enumerate(words)
    )
    return Kept(letters, tuple(fact.name for fact in found), places)


def touched(before: Kept, after: Kept) -> Touched:
    """The facts that were lost and those that are new, as far as the words put in and left out are read.

    What is said nowhere any more is lost only if each new word is read: else one of them may say it. A number or an
    "only" is lost all the same, and so is a not if the word behind it stayed. Of a sentence that was worded anew only
    what contradicts what it said is told.
    """
    changes = _changes(before.letters, after.letters)
    if is_worded_anew(before, after):
        return _contradicted({*before.names}, {*after.names})
    lost, new, denials = set[str](), set[str](), set[str]()
    all_read = all(_is_read(after.letters[slice(*change.now)], before.letters) for change in changes)
    for change in changes:
        was, now = _inside(before, change.was), _inside(after, change.now)
        gone, come = was - now, now - was
        there, here = before.letters[slice(*change.was)], after.letters[slice(*change.now)]
        read = _is_read(here, there) and (_is_read(there, here) or not here)
        void = _is_void(here, there) or (not come and _CANNOT not in was and _weight(there) <= _FEW)
        lost |= _told(gone, come, read, all_read and void)
        lost |= gone if _is_too_brief(here, there, gone) else set()
        lost |= {name for name in gone if name.startswith(_SELDOM_REWORDED)}
        new |= _told(come, gone, read, _is_void(there, here))
        new |= {name for name in come if name.startswith(_SELDOM_PUT_IN)}
        denials |= _denials(before, change.was, here, gone) | _denials(after, change.now, there, come)
    for was, now in _of_one_letter(before, after):
        lost |= {name for name in was - now if any(_answers(name, other) for other in now - was)}
        new |= {name for name in now - was if any(_answers(name, other) for other in was - now)}
    in_place = any(change.was[0] < change.was[1] for change in changes)
    return Touched(frozenset(lost), frozenset(new), frozenset(denials), in_place)


def is_worded_anew(before: Kept, after: Kept) -> bool:
    """Whether so much of a sentence is new, in several places or nearly everywhere, that its author reworded it.

    Who leaves words out, or writes one thing in place of another, leaves the rest as it was.
    """
    changes = _changes(before.letters, after.letters)
    gone = sum(_weight(before.letters[slice(*change.was)]) for change in changes)
    come = sum(_weight(after.letters[slice(*change.now)]) for change in changes)
    share = gone / max(1, _weight(before.letters))
    return 2 * come >= gone > 0 and share >= (_SHARE_OF_ONE if len(changes) == 1 else _SHARE_OF_SEVERAL)


def _is_too_brief(here: str, there: str, gone: Collection[str]) -> bool:
    """Whether one word stands for several that stated different things, so that it cannot say them all."""
    stated = {name.partition(":")[0] for name in gone} - {_CONTRAST}
    return _weight(here) == 1 and _weight(there) >= _FEW and len(stated) > 1


def _pairs(sentence: Kept) -> Iterator[tuple[str, Words]]:
    return zip(sentence.names, sentence.places, strict=True)


def _weight(letters: str) -> int:
    """How many words there are, without little ones."""
    return sum(letter not in _LITTLES for letter in letters)


def _contradicted(was: set[str], now: set[str]) -> Touched:
    """What a sentence no longer says and what it says instead, of things of which only one can be so."""
    pairs = [(one, other) for one in was - now for other in now - was if _exclude_each_other(one, other)]
    return Touched(frozenset(one for one, _ in pairs), frozenset(other for _, other in pairs))


def _exclude_each_other(one: str, other: str) -> bool:
    slot = one.partition(":")[0]
    if slot != other.partition(":")[0] or {one, other} & _WORDED_EITHER_WAY:
        return False
    if slot == "amount":
        return one.startswith(_LIMIT) and other.startswith(_LIMIT)
    return slot in _EXCLUSIVE or (slot == _CONTRAST and contrast_group(one) == contrast_group(other) not in _TURNED)


def contrast_group(name: str) -> str:
    """The group of words that exclude each other, `join` of `contrast:join-and`; nothing for another fact."""
    slot, _, value = name.partition(":")
    return value.partition("-")[0] if slot == _CONTRAST else ""


def _denials(sentence: Kept, words: Words, against: str, names: Collection[str]) -> set[str]:
    """The nots among these words whose next word stayed: it stands behind them, or begins or ends the other words.

    The not of a "cannot" is no other word than that.
    """
    denied = {at for name, place in _pairs(sentence) if name == _CANNOT for at in range(*place)}
    edges = {against.strip(_LITTLE)[:1], against.strip(_LITTLE)[-1:]}
    for name, (start, end) in _pairs(sentence):
        is_one_word = name in _NOTS & {*names} and words[0] <= start < words[1] and {*range(start, end)} == {start}
        is_one_word = is_one_word and start not in denied
        if is_one_word and (end == words[1] or sentence.letters[end : end + 1] in edges):
            return {*_NOTS} & {*names}
    return set()


def are_exchanged(before: Kept, after: Kept) -> bool:
    """Whether a few words before a "not", a "before" or a "more than" are now behind it, and those behind it before."""
    for name, (start, end) in _pairs(before):
        pivot = before.letters[start:end]
        if name not in _PIVOTS or sorted(before.letters.casefold()) != sorted(after.letters.casefold()):
            continue
        for at in (at for at in range(len(after.letters)) if after.letters.startswith(pivot, at)):
            left, right = Counter(before.letters[:start]), Counter(before.letters[end:])
            went = left - Counter(after.letters[:at])
            came = right - Counter(after.letters[at + len(pivot) :])
            if 0 < went.total() == came.total() <= _FEW and not {*went, *came} & _LITTLES:
                return True
    return False


def in_place_of(lost: Collection[str], before: Kept, after: Kept, text: str) -> tuple[Span, ...]:
    """Where the words stand in the text that were put in place of those which stated the lost facts."""
    spans = [match.span() for match in _WORD.finditer(text)]
    changes = [one for one in _changes(before.letters, after.letters) if one.now[0] < one.now[1]]
    return tuple(
        (spans[one.now[0]][0], spans[one.now[1] - 1][1])
        for one in changes if not _inside(before, one.was).isdisjoint(lost)
    )  # fmt: skip


def is_read(text: str, language: str, base: TermBase) -> bool:
    """Whether each word of the text is little, or known to the tables or the terms."""
    return not any(_letter(word, False, language, base).islower() for word in _WORD.findall(text.casefold()))


def _letter(word: str, taken: bool, language: str, base: TermBase) -> str:
    if not taken and word in _little(language):
        return _LITTLE
    letter = ascii_lowercase[blake2b(word.encode(), digest_size=1).digest()[0] % len(ascii_lowercase)]
    known = taken or word.isdigit() or any(word.startswith(stem) for stem in _stems(language, base).get(word[:2], ()))
    return letter.upper() if known else letter


@cache
def _little(language: str) -> frozenset[str]:
    return _little_words(language, "words")


def has_relative_clause(text: str, language: str) -> bool:
    """Whether a word of the text may begin a relative clause."""
    return not _little_words(language, "relative").isdisjoint(_WORD.findall(text.casefold()))


def has_pronoun(text: str, language: str) -> bool:
    """Whether a word of the text may stand for a thing that was named before."""
    return not _little_words(language, "pronoun").isdisjoint(_WORD.findall(text.casefold()))


def is_but(text: str, start: int, language: str) -> bool:
    """Whether a not at that place is a "but not"."""
    words = _WORD.finditer(text.casefold(), max(0, start - _SHORTEST_BUT), start + _SHORTEST_BUT)
    near = [match[0] for match in words if match.start() <= start][-2:]
    return not _little_words(language, "but").isdisjoint(near)


def _little_words(language: str, kind: str) -> frozenset[str]:
    try:
        return frozenset(table(language).get("little", {}).get(kind, ()))
    except MarkerTableError:
        return frozenset()


@cache
def _stems(language: str, base: TermBase) -> Mapping[str, tuple[str, ...]]:
    """The words of the tables and of the terms without their endings, by their first two letters.

    Words that count only in place of their opposite need not be read.
    """
    try:
        families = [entries for family, entries in table(language).items() if family != _CONTRAST]
        listed = [phrase for entries in families for some in entries.values() for phrase in some]
    except MarkerTableError:
        listed = []
    listed += [word for id in base.concepts for word in base.words(id, language)]
    found: dict[str, set[str]] = {}
    for word in {word for phrase in listed for word in _WORD.findall(phrase.casefold())} - _little(language):
        stem = word[: max(4, len(word) - _STEM)]
        found.setdefault(stem[:2], set()).add(stem)
    return {start: tuple(stems) for start, stems in found.items()}


def _words(fact: Fact, spans: Sequence[Span]) -> Words:
    inside = [number for number, (start, end) in enumerate(spans) if start < fact.end and fact.start < end]
    return (inside[0], inside[-1] + 1) if inside else (0, 0)


def _changes(before: str, after: str) -> list[Change]:
    """What was changed; changes with next to nothing between them are one."""
    found: list[Change] = []
    for name, a, b, c, d in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        if name == "equal":
            continue
        between = before[found[-1].was[1] : a] if found else ""
        if found and sum(letter not in _LITTLES for letter in between) < _SHORTEST_KEPT:
            found[-1] = Change((found[-1].was[0], b), (found[-1].now[0], d))
        else:
            found.append(Change((a, b), (c, d)))
    return found


def _of_one_letter(before: Kept, after: Kept) -> Iterator[tuple[set[str], set[str]]]:
    """The facts, terms and names apart, of words that have one letter in both: one word in 26 does that is another."""
    for block in SequenceMatcher(None, before.letters, after.letters, autojunk=False).get_matching_blocks():
        for at in range(block.size):
            was, now = (block.a + at, block.a + at + 1), (block.b + at, block.b + at + 1)
            yield _counting(before, was), _counting(after, now)


def _counting(sentence: Kept, words: Words) -> set[str]:
    return {name for name in _inside(sentence, words) if name.partition(":")[0] not in _NAMING}


def _inside(sentence: Kept, words: Words) -> set[str]:
    """The facts that some of these words carry."""
    return {name for name, (start, end) in _pairs(sentence) if start < words[1] and words[0] < end}


def _is_read(letters: str, instead_of: str) -> bool:
    """Whether each word there is known, little, or one that stood there before."""
    return not any(letter.islower() and letter not in instead_of for letter in letters)


def _told(some: set[str], others: set[str], read: bool, void: bool) -> set[str]:
    """The facts of some that count: another stands in their place, nothing does, or a known word for a thing's name."""
    if read and void:
        return some
    return {
        name for name in some
        if any(_answers(name, other) for other in others) or (read and name.partition(":")[0] in _NAMING)
    }  # fmt: skip


def _is_void(letters: str, against: str) -> bool:
    """Whether nothing stands there but little words, and words of the other side."""
    return all(letter in _LITTLES or letter in against for letter in letters)


def _answers(one: str, other: str) -> bool:
    slots = {one.partition(":")[0], other.partition(":")[0]}
    return len(slots) == 1 or any(slots <= alike for alike in _ALIKE)
