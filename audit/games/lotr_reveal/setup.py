"""Reads the setup of a header, and positions; what cannot be understood is an error that names the field."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import cast

from msgspec import UNSET
from msgspec.structs import replace

from audit.core.errors import SetupError
from audit.core.model import Header
from audit.core.typed_setup import fields_of, read_typed, without_free_keys
from audit.games.lotr_reveal.cards import (
    ITSELF,
    KNOWN,
    Card,
    Does,
    Enters,
    Forced,
    Outcome,
    Passive,
    Source,
    enters_play,
    is_ruled,
    kinds_of,
    unknown_keywords,
    usual_destination,
    without_copy,
)
from audit.games.lotr_reveal.names import canonical, gain_called, keyword_called, kind_called, names_of, spelt
from audit.games.lotr_reveal.setup_entries import CardEntry, OutcomeEntry, RevealSetup, SourceEntry, TableEntry
from audit.games.lotr_reveal.state import UNKNOWN, GameSetup, State
from audit.games.lotr_reveal.table_entry import cards_of, state_of
from audit.games.lotr_reveal.texts import read, read_enters, read_text, says, type_said
from audit.games.lotr_reveal.zones import with_characters, with_sources

NOTHING_KNOWN = Source()
"""Most cards in play: the procedure itself says nothing of them."""

IN_POSITION = tuple(name for name in fields_of(TableEntry) if name != "in_play")
"""What a setup says of the table, unless a `position` says it."""
OF_A_POSITION = frozenset((*fields_of(TableEntry), "position"))
"""What a position says."""


def opening(header: Header, switches: frozenset[str]) -> State:
    """The position before the first event; raises `SetupError` naming the field and what was expected."""
    entry, setup = _read(header, switches)
    base = State(setup=setup, first=header.first or setup.seats[0], hidden=frozenset({"in_play"}))
    base = _in_play(entry, base, "")
    if entry.position is None:
        return with_characters(state_of(entry, base))
    if doubled := next((name for name in IN_POSITION if name in header.setup), None):
        raise SetupError(doubled, "nothing beside a position, which says it itself")
    return _positioned(entry.position, base)


def position(data: Mapping[str, object], state: State) -> State:
    """The position that the data describe, in the game of that state; raises `SetupError` with the path."""
    return _positioned(read_typed(data, TableEntry, "position"), state)


def _positioned(table: TableEntry, base: State) -> State:
    _check(table, base.setup, "position.")
    return with_characters(state_of(table, _in_play(table, base, "position.")))


def _read(header: Header, switches: frozenset[str]) -> tuple[RevealSetup, GameSetup]:
    """The whole setup, and what of it does not change."""
    given = cast(dict[str, object], without_free_keys(header.setup))
    single = {
        key: value for key, value in given.items() if isinstance(value, bool) and key not in fields_of(RevealSetup)
    }
    entry = read_typed({key: value for key, value in given.items() if key not in single}, RevealSetup)
    _check_facts(single, entry)
    facts = {**entry.facts, **single}
    tables: list[TableEntry] = [entry, entry.position] if entry.position else [entry]
    lying = [card for one in tables for card in (*(one.in_play or ()), *one.characters, *cards_of(one))]
    names = names_of((*entry.cards, *lying, *entry.encounter_cards))
    copied = frozenset([without_copy(name) for name in names if "#" in name])
    cards = {card: _card(card, one, facts) for card, one in entry.cards.items()}
    setup = GameSetup(
        seats=_seats(entry, header), facts=facts, switches=switches, reveals=entry.reveals, names=names,
        cards={copy: cards[card] for copy in names.values() if (card := without_copy(copy)) in cards} | cards,
        sources={card: _source(card, one) for card, one in (entry.in_play or {}).items()},
        copied=copied,
        exact=frozenset([name for name, id in names.items() if name == id and name not in copied]),
        acting=any(_own_source(card, one) for card, one in entry.cards.items()),
        encounter_cards=frozenset(spelt(names, card) for card in entry.encounter_cards),
    )  # fmt: skip
    _check(entry, setup, "")
    if header.first is not None and header.first not in setup.seats:
        raise SetupError("first", _one_of(setup.seats))
    return entry, setup


def _seats(entry: RevealSetup, header: Header) -> tuple[str, ...]:
    seats = entry.players or tuple(player.seat for player in header.players)
    if not seats:
        raise SetupError("players", "at least one player")
    if len(set(seats)) < len(seats):
        raise SetupError("players", "each player once")
    return seats


def _card(card: str, entry: CardEntry, facts: Mapping[str, bool]) -> Card:
    keywords = {keyword_called(name): value for name, value in entry.keywords.items()}
    resistance = keywords.get("resistance", 0)
    text, type = read_text(entry.text, card), type_said(entry.type)
    return Card(
        type=type, traits=tuple(map(kind_called, entry.traits)), hit_points=entry.hit_points,
        quest_points=entry.quest_points,
        keywords=keywords, immune=_immune(entry.immune, facts), conditional=isinstance(entry.immune, str),
        resistance=entry.resistance or (resistance if isinstance(resistance, int) else 0),
        has_when_revealed=entry.has_when_revealed,
        text=text if entry.gains is None else replace(text, gains=tuple(map(gain_called, entry.gains))),
        outcomes=tuple(map(_outcome, entry.outcome_effects)), source=_own_source(card, entry), kinds=kinds_of(type),
        is_ruled=is_ruled(type), enters_play=enters_play(type), destination=entry.enters or usual_destination(type),
        unknown_keywords=unknown_keywords(keywords),
    )  # fmt: skip


def _immune(value: bool | str, facts: Mapping[str, bool]) -> bool | None:
    if isinstance(value, bool):
        return value
    return next((truth for fact, truth in facts.items() if says(value, fact)), None)


def _outcome(entry: OutcomeEntry) -> Outcome:
    does = read(entry.effect)
    if entry.to is not None or entry.threat or entry.draws:
        does = Does(entry.to, entry.threat, entry.draws, who=does.who)
    return Outcome(entry.trigger, entry.effect, does)


def _own_source(card: str, entry: CardEntry) -> Source | None:
    if not (entry.on_reveal or entry.enters_with or entry.forced):
        return None
    forced = _forced(entry.forced)
    if forced and forced.to and canonical(forced.to) == canonical(without_copy(card)):
        forced = replace(forced, to=ITSELF)
    return Source(on_reveal=_passive(entry.on_reveal), enters_with=_enters(entry.enters_with), forced=forced)


def _in_play(table: TableEntry, base: State, where: str) -> State:
    """The position with the cards of the players that are in play; as it is where nobody says which they are."""
    some = table.partly_known.in_play
    entries = some if table.in_play is None else table.in_play
    if entries is None:
        return base
    for card, one in entries.items():
        if one.owner is not None and one.owner not in base.setup.seats:
            raise SetupError(f"{where}in_play.{card}.owner", _one_of(base.setup.seats))
    hidden = base.hidden - {"in_play"} | ({"in_play"} if table.in_play is None else frozenset())
    sources = {card: _source(card, one) for card, one in entries.items() if not one.not_yet}
    return with_sources(replace(base, hidden=hidden), sources)


def _source(card: str, entry: SourceEntry) -> Source:
    known = KNOWN.get(canonical(without_copy(card)), NOTHING_KNOWN)
    is_told = entry.committed is not UNSET and entry.commits is not None
    commits = True if is_told or known.commits else entry.commits
    return Source(
        owner=entry.owner, committed=_committed(entry, known), commits=commits, on_reveal=_passive(entry.on_reveal),
        response=entry.response or known.response, step=entry.step or known.step, cost=entry.cost or known.cost,
        enters_with=_enters(entry.enters_with), forced=_forced(entry.forced), attached_to=entry.attached_to,
        disposition=entry.disposition or known.disposition,
        replacement=known.replacement if entry.replacement is None else entry.replacement,
    )  # fmt: skip


def _committed(entry: SourceEntry, known: Source) -> bool | None:
    """Whether it quests, as told; of a card that is known to be a character nobody knows unless it is told."""
    if entry.committed is not UNSET:
        return entry.committed
    return None if entry.commits is None or (known.commits and not entry.commits) else True


def _passive(entry: Passive | None) -> Passive | None:
    if entry is None:
        return None
    keyword = keyword_called(entry.keyword) if entry.keyword else entry.keyword
    return replace(entry, keyword=keyword, to=_kind(entry.to))


def _enters(entry: Enters | str | None) -> Enters | None:
    if entry is None or isinstance(entry, str):
        return read_enters(entry) if entry is not None else None
    return replace(entry, to=_kind(entry.to))


def _forced(entry: Forced | None) -> Forced | None:
    return replace(entry, to=_kind(entry.to)) if entry else None


def _kind(to: str | None) -> str | None:
    return kind_called(to) if to else None


# What does not hold together


def _check_facts(single: Mapping[str, bool], entry: RevealSetup) -> None:
    """A key that is true or false is a fact if some card asks for it; any other is a mistyped key."""
    conditions = [card.immune for card in entry.cards.values() if isinstance(card.immune, str)]
    for key in single:
        if not any(says(condition, key) for condition in conditions):
            raise SetupError(
                key, f"one of {', '.join(fields_of(RevealSetup))}, or a fact that `immune` of a card asks for"
            )


def _check(table: TableEntry, setup: GameSetup, where: str) -> None:
    seats = setup.seats
    if table.first_player is not None and table.first_player not in seats:
        raise SetupError(f"{where}first_player", _one_of(seats))
    for field in ("threat", "hand_size", "engaged"):
        if strangers := [seat for seat in getattr(table, field) or () if seat not in seats]:
            raise SetupError(f"{where}{field}.{strangers[0]}", _one_of(seats))
    cards = [spelt(setup.names, card) for card in cards_of(table)]
    if twice := next((card for card in cards if cards.count(card) > 1 and card != UNKNOWN), None):
        raise SetupError(f"{where}encounter_deck", f"each card once, a copy of {twice} as {twice}#2")
    for field in ("damage", "progress", "threat_strength", "attachments"):
        _check_cards(getattr(table, field), {*setup.names, *cards}, f"{where}{field}")


def _check_cards(counted: Iterable[str], known: set[str], where: str) -> None:
    """Tokens lie on cards that the setup tells of."""
    for card in counted:
        if card not in known and canonical(card) not in known and without_copy(card) not in known:
            raise SetupError(f"{where}.{card}", "a card that this setup describes or that lies on the table")


def _one_of(seats: Iterable[str]) -> str:
    return f"one of {', '.join(seats)}"
