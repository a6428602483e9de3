"""Reads the setup of a header as the first position; what cannot be understood is an error that names the field."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import TypeVar

import msgspec
from msgspec import Struct

from audit.errors import SetupError
from audit.lotr_reveal.cards import KNOWN, Card, CardType, Does, Enters, Forced, Outcome, Passive, Source, without_copy
from audit.lotr_reveal.events import Amount, Disposition, Zone
from audit.lotr_reveal.procedure import acting_sources
from audit.lotr_reveal.state import Character, GameSetup, State
from audit.lotr_reveal.steps import StepName
from audit.lotr_reveal.texts import read, read_enters, says
from audit.model import Card as CardId
from audit.model import Header, Seat

_UNKNOWN = "Object contains unknown field"
Strict = TypeVar("Strict", bound=Struct)

NOTHING_KNOWN = Source()
"""Most cards in play: the procedure itself says nothing of them."""


class OutcomeEntry(Struct, forbid_unknown_fields=True):
    """An outcome effect; what it does may be declared or read from the text."""

    trigger: str
    effect: str = ""
    to: Zone | None = None
    threat: Amount = 0
    draws: Amount = 0


class CardEntry(Struct, forbid_unknown_fields=True):
    """An encounter card as a setup describes it."""

    type: CardType | None = None
    traits: tuple[str, ...] = ()
    hit_points: int | None = None
    quest_points: int | None = None
    keywords: dict[str, bool | Amount | str] = {}
    immune: bool | str = False
    resistance: Amount = 0
    has_when_revealed: bool = False
    text: str = ""
    gains: tuple[str, ...] | None = None
    outcome_effects: tuple[OutcomeEntry, ...] = ()
    enters: Zone | None = None
    on_reveal: Passive | None = None
    enters_with: Enters | str | None = None
    forced: Forced | None = None


class SourceEntry(Struct, forbid_unknown_fields=True):
    """A card in play as a setup describes it."""

    owner: str | None = None
    side: str | None = None
    committed: bool = True
    on_reveal: Passive | None = None
    response: str | None = None
    step: StepName | None = None
    enters_with: Enters | str | None = None
    forced: Forced | None = None
    attached_to: str | None = None
    disposition: Disposition | None = None
    replacement: bool | None = None
    type: str | None = None
    traits: tuple[str, ...] = ()


class Entry(Struct, forbid_unknown_fields=True):
    """The whole setup. Further keys that are true or false are facts that a condition may look at."""

    players: tuple[Seat, ...] = ()
    first_player: str | None = None
    encounter_deck: tuple[CardId, ...] | None = None
    encounter_discard: tuple[CardId, ...] = ()
    staging_area: tuple[CardId, ...] = ()
    engaged: dict[str, tuple[CardId, ...]] = {}
    attachments: dict[str, tuple[str, ...]] = {}
    cards: dict[str, CardEntry] = {}
    in_play: dict[str, SourceEntry] | None = None
    threat: dict[str, int] = {}
    hand_size: dict[str, int] = {}
    damage: dict[str, int] = {}
    progress: dict[str, int] = {}
    characters: dict[str, Character] = {}
    shuffles: tuple[tuple[CardId, ...], ...] = ()
    reveals: int | None = None


def opening(header: Header, switches: frozenset[str]) -> State:
    """The position before the first event; raises `SetupError` naming the field and what was expected."""
    given = _plain(header.setup)
    facts = {key: value for key, value in given.items() if isinstance(value, bool)}
    entry = _understood({key: value for key, value in given.items() if key not in facts}, header)
    seats = _seats(entry, header)
    _check(entry, seats)
    setup = _setup(entry, seats, header.first, facts, switches)
    return State(
        setup=setup, deck=entry.encounter_deck, discard=entry.encounter_discard, staging=entry.staging_area,
        engaged={seat: entry.engaged.get(seat, ()) for seat in seats}, attachments=entry.attachments,
        threat={seat: entry.threat.get(seat, 0) for seat in seats}, hands=entry.hand_size, damage=entry.damage,
        progress=entry.progress, shuffles=entry.shuffles,
        characters=entry.characters,
        encounter_sources=tuple([card for card in _in_play(entry) if setup.card(card).source]),
    )  # fmt: skip


def _understood(given: dict[str, object], header: Header) -> Entry:
    """The whole setup at once; where that fails, one part after the other, to say which card is not understood."""
    try:
        return msgspec.convert(given, Entry)
    except msgspec.ValidationError:
        parts = {key: inner for key in ("cards", "in_play") if isinstance(inner := given.get(key), dict)}
    entry = _read({**given, **{key: {} for key in parts}}, Entry, "")
    seats = _seats(entry, header)
    _check(entry, seats)
    entry.cards = {card: _read(value, CardEntry, f"cards.{card}") for card, value in parts.get("cards", {}).items()}
    if "in_play" in parts:
        entry.in_play = {card: _read_source(card, value, seats) for card, value in parts["in_play"].items()}
    return entry


def _seats(entry: Entry, header: Header) -> tuple[str, ...]:
    seats = entry.players or tuple(player.seat for player in header.players)
    if not seats:
        raise SetupError("players", "at least one player")
    if len(set(seats)) < len(seats):
        raise SetupError("players", "each player once")
    return seats


def _setup(
    entry: Entry, seats: tuple[str, ...], first: str | None, facts: dict[str, bool], switches: frozenset[str]
) -> GameSetup:
    sources = {card: _source(card, one, seats) for card, one in (entry.in_play or {}).items()}
    return GameSetup(
        seats=seats, first=entry.first_player or first or seats[0], facts=facts, switches=switches,
        reveals=entry.reveals, knows_sources=entry.in_play is not None,
        cards={card: _card(one, facts) for card, one in entry.cards.items()},
        sources=sources, acting=acting_sources(sources.items()),
    )  # fmt: skip


def _card(entry: CardEntry, facts: Mapping[str, bool]) -> Card:
    resistance = entry.keywords.get("resistance", 0)
    return Card(
        type=entry.type, traits=entry.traits, hit_points=entry.hit_points, quest_points=entry.quest_points,
        keywords=entry.keywords, immune=_immune(entry.immune, facts), conditional=isinstance(entry.immune, str),
        resistance=entry.resistance or (resistance if isinstance(resistance, int) else 0),
        has_when_revealed=entry.has_when_revealed, does=read(entry.text), gains=entry.gains,
        outcomes=tuple(map(_outcome, entry.outcome_effects)), enters=entry.enters, source=_own_source(entry),
    )  # fmt: skip


def _immune(value: bool | str, facts: Mapping[str, bool]) -> bool | None:
    if isinstance(value, bool):
        return value
    return next((truth for fact, truth in facts.items() if says(value, fact)), None)


def _outcome(entry: OutcomeEntry) -> Outcome:
    is_declared = entry.to is not None or entry.threat or entry.draws
    does = Does(entry.to, entry.threat, entry.draws) if is_declared else read(entry.effect)
    return Outcome(entry.trigger, entry.effect, does)


def _own_source(entry: CardEntry) -> Source | None:
    if not (entry.on_reveal or entry.enters_with or entry.forced):
        return None
    return Source(None, True, entry.on_reveal, None, None, _enters(entry.enters_with), entry.forced)


def _read_source(card: str, value: object, seats: tuple[str, ...]) -> SourceEntry:
    return _owned(card, _read(value, SourceEntry, f"in_play.{card}"), seats)


def _owned(card: str, entry: SourceEntry, seats: tuple[str, ...]) -> SourceEntry:
    if entry.owner is not None and entry.owner not in seats:
        raise SetupError(f"in_play.{card}.owner", f"one of {', '.join(seats)}")
    return entry


def _source(card: str, entry: SourceEntry, seats: tuple[str, ...]) -> Source:
    _owned(card, entry, seats)
    known = KNOWN.get(without_copy(card), NOTHING_KNOWN)
    return Source(
        owner=entry.owner, committed=entry.committed, on_reveal=entry.on_reveal,
        response=entry.response or known.response, step=entry.step or known.step,
        enters_with=_enters(entry.enters_with), forced=entry.forced, attached_to=entry.attached_to,
        disposition=entry.disposition or known.disposition,
        replacement=known.replacement if entry.replacement is None else entry.replacement,
    )  # fmt: skip


def _enters(entry: Enters | str | None) -> Enters | None:
    return read_enters(entry) if isinstance(entry, str) else entry


def _in_play(entry: Entry) -> Iterable[str]:
    return (*entry.staging_area, *(card for cards in entry.engaged.values() for card in cards))


def _check(entry: Entry, seats: tuple[str, ...]) -> None:
    if entry.first_player is not None and entry.first_player not in seats:
        raise SetupError("first_player", f"one of {', '.join(seats)}")
    for field in ("threat", "hand_size", "engaged"):
        if strangers := [seat for seat in getattr(entry, field) if seat not in seats]:
            raise SetupError(f"{field}.{strangers[0]}", f"one of {', '.join(seats)}")
    cards = [*(entry.encounter_deck or ()), *entry.encounter_discard, *_in_play(entry)]
    if len(set(cards)) < len(cards):
        (twice, _), *_ = Counter(cards).most_common(1)
        raise SetupError("encounter_deck", f"each card once, a copy of {twice} as {twice}#2")
    if entry.reveals is not None and entry.reveals < 0:
        raise SetupError("reveals", "a number from 0")


def _read(value: object, kind: type[Strict], where: str) -> Strict:
    try:
        return msgspec.convert(value, kind)
    except msgspec.ValidationError as error:
        what, _, place = str(error).partition(" - at `$")
        if what.startswith(_UNKNOWN):
            place, what = f"{place.rstrip('`')}.{what.removeprefix(_UNKNOWN).strip(' `')}", "no field of that name"
        below = place.strip("`.")
        raise SetupError(".".join(part for part in (where, below) if part), what.removeprefix("Expected ")) from None


def _plain(setup: dict[str, object]) -> dict[str, object]:
    """The setup without keys that begin with `x-`, which are never read."""
    return _without_own(setup) if b'"x-' in msgspec.json.encode(setup) else setup


def _without_own(value: Mapping[str, object]) -> dict[str, object]:
    return {
        key: _without_own(inner) if isinstance(inner, dict) else inner
        for key, inner in value.items()
        if not key.startswith("x-")
    }
