"""Texts of cards in the words of the four languages: what a plain sentence does, and what any other may change.

A sentence that fits a form of `text/<language>/card_texts.toml` does what it says and nothing else. Of any other
sentence only its subjects are known: a text that nowhere speaks of costs changes no cost. A text that is no sentence
of these languages may change everything.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache, lru_cache
from typing import Literal, cast, get_args

from msgspec import Struct

from audit.core.catalogue import LANGUAGES, words
from audit.core.plain_sentences import PlainSentences, Said, plain_sentences, small_letters
from audit.core.typography import without_accents
from audit.games.altered.state import NO_LIMIT, Deed, DeedKind, Who
from audit.games.altered.vocabulary import Status
from audit.games.altered.wording import PACKAGE

Targets = Literal["all_opponents", "one_opponent", "own", "expedition", "character"]
Subject = Literal["cost", "region", "stats", "zones", "rest"]

MAX_LENGTH = 1_000
"""No text of a card is longer; one that is takes long to search, and is not read."""
EVERYTHING: frozenset[Subject] = frozenset(get_args(Subject))


_SUBJECTS: dict[DeedKind, tuple[Subject, ...]] = {"boost": ("stats",), "status": ("stats", "rest"), "exhaust": ()}
"""What a deed changes, where that is not what lies in a zone, or is ready there."""


class _Wording(Struct, frozen=True):
    """How one language words the texts of cards."""

    plain: PlainSentences
    when: re.Pattern[str]
    enters: re.Pattern[str]
    on_entering: re.Pattern[str]
    single: frozenset[str]
    itself: re.Pattern[str]
    later: re.Pattern[str]
    said_before: re.Pattern[str]
    """A single sentence that ends with the moment."""
    all_of: tuple[str, ...]
    up_to: str
    subjects: dict[Subject, re.Pattern[str]]
    common: frozenset[str]
    keywords: re.Pattern[str]
    targets: dict[Targets, re.Pattern[str]]
    support: re.Pattern[str]
    cheaper: re.Pattern[str]
    mana: re.Pattern[str]
    fleeting: re.Pattern[str]
    statuses: dict[Status, re.Pattern[str]]
    explains: re.Pattern[str]


_OBJECT = r"(?P<object>[\w' /-]{1,60}?)"


@cache
def _wordings() -> tuple[_Wording, ...]:
    return tuple(map(_wording, LANGUAGES))


def _wording(language: str) -> _Wording:
    data = words(PACKAGE, language, "card_texts")
    player = (
        rf"(?:(?:(?P<each>{data['each']})|(?P<opponent>{data['opponent']})|{data['you']}) )?"
        rf"(?:{data['may']} )?"
    )
    status = "(?:" + "|".join([f"(?P<{name}>{data[name]})" for name in get_args(Status)]) + ")"
    return _Wording(
        plain_sentences(data, get_args(DeedKind), {"player": player, "object": _OBJECT, "status": status}),
        re.compile(rf"(?:{data['when']}|\{{\w+\}}:?) *"),
        re.compile(rf"(?:{data['enters']}) ?[,:] *|\{{[jhr]\}}:? *"),
        re.compile(rf"(.+?),? (?:{data['enters']})"),
        frozenset(data["single"].split()),
        re.compile(data["itself"]),
        re.compile(rf"\b(?:{data['later']})\b"),
        re.compile(rf"([^.;!]+?),? (?:{data['later']})"),
        tuple(data["all"]),
        data["up_to"],
        {"cost": re.compile(data["cost"]), "region": re.compile(data["region"])},
        frozenset(data["common"].split()),
        re.compile(data["keywords"]),
        {kind: re.compile(data[kind]) for kind in get_args(Targets)},
        re.compile(data["support"]),
        re.compile(data["cheaper"]),
        re.compile(data["mana"]),
        re.compile(data["fleeting"]),
        {name: re.compile(data[name]) for name in get_args(Status)},
        re.compile(without_accents(data["explains"])),
    )


@lru_cache(maxsize=1024)
def deeds(text: str) -> tuple[Deed, ...] | None:
    """All that a text does, in its order; None where one is not plain or waits for a moment, or there is none."""
    low = small_letters(text[: MAX_LENGTH + 1])
    if len(text) > MAX_LENGTH or any(wording.later.search(low) for wording in _wordings()):
        return None
    for wording in _wordings():
        if (found := wording.plain.read(wording.plain.split(low))) is not None:
            return tuple([_deed(wording, one) for one in found])
    return None


@lru_cache(maxsize=1024)
def when_played(texts: tuple[str, ...], *, is_spell: bool) -> tuple[Deed, ...] | None:
    """All that the texts of a card do as it is played; None where one of them is not plain.

    `When I enter play` is then, `At Noon` is not. Any other text of a card that stays in play acts in its own time.
    """
    found: list[Deed] = []
    for low in map(small_letters, texts):
        if _acts_later(low) or (not is_spell and _later(low) is not None and not _entering(low)):
            continue
        said = _entering(low)
        done = deeds(said or low) if said or is_spell else None
        if done is None:
            return None
        found += done
    return tuple(found)


def _acts_later(low: str) -> bool:
    """Whether a text does nothing as its card is played: it acts in its own time, or is a keyword or about costs."""
    is_alone = any(one.keywords.fullmatch(low) or one.cheaper.fullmatch(low) for one in _wordings())
    return is_alone or bool(_at_a_moment(low))


def _entering(low: str) -> str:
    """What a text says to do as its card enters play; "" where it is no such text."""
    begins = [entered.end() for wording in _wordings() if (entered := wording.enters.match(low))]
    if begins:
        return low[max(begins) :]
    behind = [found.group(1) for wording in _wordings() if (found := wording.on_entering.fullmatch(low))]
    return behind[0] if behind else ""


@lru_cache(maxsize=1024)
def is_done_entering(text: str) -> bool:
    """Whether a text is plain and all done as its card enters play: afterwards it changes nothing."""
    said = _entering(small_letters(text[:MAX_LENGTH]))
    return bool(said) and deeds(said) is not None


@lru_cache(maxsize=1024)
def is_of_a_phase(text: str) -> bool:
    """Whether a text acts as a phase begins, or ends."""
    return bool(_at_a_moment(small_letters(text[:MAX_LENGTH])))


@lru_cache(maxsize=1024)
def moves_itself(texts: tuple[str, ...]) -> bool:
    """Whether the texts of a Spell may say where it goes: one of them is not plain, or moves the card itself."""
    done = when_played(texts, is_spell=True)
    return done is None or any(one.is_own and one.kind in ("reserve", "hand", "discard") for one in done)


@lru_cache(maxsize=1024)
def done_in_play(text: str) -> tuple[Deed, ...] | None:
    """What a text does once its card is in play, at whatever moment; None where it is not read."""
    low = small_letters(text[:MAX_LENGTH])
    is_keyword = any(wording.keywords.fullmatch(low) for wording in _wordings())
    if is_keyword or is_done_entering(text) or deeds(text) is not None:
        return ()  # a sentence without a condition is carried out as its card is played
    return _later(low)


@lru_cache(maxsize=1024)
def subjects(text: str) -> frozenset[Subject]:
    """What a text may change, also later: `when you play a Spell, draw a card` changes zones.

    Hands, decks, Reserves and orbs are `zones`, boosts and statuses `stats`; `rest` is where Rest brings a Character.
    """
    if len(text) > MAX_LENGTH:
        return EVERYTHING
    low = small_letters(text)
    if (plain := deeds(text) or _later(low)) is not None:
        return frozenset([subject for one in plain for subject in _SUBJECTS.get(one.kind, ("zones",))])
    if any(wording.cheaper.fullmatch(low) for wording in _wordings()):
        return frozenset(["cost"])
    if any(wording.keywords.fullmatch(low) for wording in _wordings()):
        return EVERYTHING - {"cost", "region"}
    said = re.findall(r"\w+", low)
    if len(said) < 3 or not any(wording.common.intersection(said) for wording in _wordings()):
        return EVERYTHING
    spoken_of = {name for wording in _wordings() for name, pattern in wording.subjects.items() if pattern.search(low)}
    return EVERYTHING - ({"cost", "region"} - spoken_of)


def _later(low: str) -> tuple[Deed, ...] | None:
    """What a text does once something has happened; None where it does not begin so, or the rest is not plain."""
    begun = [low[found.end() :] for wording in _wordings() if (found := wording.when.match(low))]
    return next((done for said in (*begun, *_at_a_moment(low)) if (done := deeds(said)) is not None), None)


@lru_cache(maxsize=1024)
def _at_a_moment(low: str) -> tuple[str, ...]:
    """What a text says to do at a moment of the day, `At Noon` before or behind it; none where it names no moment.

    Where no sign stands after the moment, it may end at any word but `I` and its like: `at the end of the day I …`.
    """
    said: list[str] = []
    for wording in _wordings():
        if begun := wording.later.match(low):
            ends = [at for at in range(begun.end(), 0, -1) if low[at : at + 1] in (" ", ",", ":")]
            ends = [at for at in ends if low[:at].rpartition(" ")[2] not in wording.single]
            said += [low[at:].lstrip(" ,:") for at in ends if wording.later.fullmatch(low, 0, at)]
        if (ending := wording.said_before.fullmatch(low)) and deeds(ending.group(1)) is not None:
            said.append(ending.group(1))
    return tuple(said)


def targets_of(wording: str) -> Targets | None:
    """Whom or what a wording such as `target Character` means; None where it is not read here."""
    low = small_letters(wording[:MAX_LENGTH])
    known = [(kind, pattern) for language in _wordings() for kind, pattern in language.targets.items()]
    return next((kind for kind, pattern in known if pattern.search(low)), None)


@lru_cache(maxsize=1024)
def is_support(action: str) -> bool:
    """Whether an action goes by the name of those that work from the Reserve."""
    return any(wording.support.fullmatch(small_letters(action)) for wording in _wordings())


def is_fleeting(traits: Iterable[str]) -> bool:
    """Whether a card with these statuses and abilities is Fleeting wherever it is played from."""
    return any(wording.fleeting.fullmatch(small_letters(trait)) for trait in traits for wording in _wordings())


@lru_cache(maxsize=256)
def status_meant(word: str) -> str:
    """The status that a word of the four languages means; "" where it means none that is known here."""
    low = small_letters(word[:MAX_LENGTH])
    known = [(name, pattern) for wording in _wordings() for name, pattern in wording.statuses.items()]
    return low if low in get_args(Status) else next((name for name, one in known if one.fullmatch(low)), "")


@lru_cache(maxsize=1024)
def may_place_itself(text: str) -> bool:
    """Whether a text may say where its card is played: it is not read here, and is more than a keyword or a cost."""
    low = small_letters(text[:MAX_LENGTH])
    return done_in_play(text) is None and not any(wording.cheaper.fullmatch(low) for wording in _wordings())


def speaks_of_mana(text: str) -> bool:
    """Whether a text that is not plain may ready Mana Orbs."""
    low = small_letters(text[:MAX_LENGTH])
    return deeds(text) is None and any(wording.mana.search(low) for wording in _wordings())


def speaking_of(texts: Iterable[str], subject: Subject) -> str | None:
    """The first of these texts that may change that; None where none can."""
    return next((text for text in texts if subject in subjects(text)), None)


@lru_cache(maxsize=1024)
def explains_by_words(remark: str) -> bool:
    """Whether a remark names a cost, an effect or something else by which a rule may be set aside."""
    low = without_accents(small_letters(remark[:MAX_LENGTH]))
    return any(wording.explains.search(low) for wording in _wordings())


@lru_cache(maxsize=1024)
def statuses_named(remark: str) -> frozenset[Status]:
    """The statuses that a remark names."""
    low = small_letters(remark[:MAX_LENGTH])
    known = [(name, pattern) for wording in _wordings() for name, pattern in wording.statuses.items()]
    return frozenset([name for name, pattern in known if pattern.search(low)])


def _deed(wording: _Wording, one: Said) -> Deed:
    kind, said = one
    who: Who = "each" if "each" in said else _opponent(wording, said["opponent"]) if "opponent" in said else "you"
    phrase = said.get("object", "")
    is_own = "itself" in said or bool(wording.itself.fullmatch(phrase))
    count = wording.plain.number(said["n"]) if "n" in said else 1
    if phrase and not is_own:
        count = min(NO_LIMIT, count * _number(wording, phrase))
    count = NO_LIMIT if "several" in said else count
    status = next((name for name in get_args(Status) if name in said), "")
    return Deed(cast(DeedKind, kind), count, who, is_own=is_own, status=status)


def _opponent(wording: _Wording, said: str) -> Who:
    return "opponents" if wording.targets["all_opponents"].fullmatch(said) else "opponent"


def _number(wording: _Wording, phrase: str) -> int:
    """How many, by the first word; as many as there are where it is neither a number nor a word for one."""
    first, _, _ = phrase.removeprefix(wording.up_to).partition(" ")
    if first in wording.single or first.startswith("l'"):
        return 1
    is_number = first.isdecimal() or first in wording.plain.numbers
    return wording.plain.number(first) if is_number else NO_LIMIT
