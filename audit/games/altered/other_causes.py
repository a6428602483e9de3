"""What else may have done something that the text under way does not: nobody is accused where there is such a thing."""

from __future__ import annotations

from collections.abc import Iterator

from audit.core.event_rules import Violation, Violations
from audit.games.altered.game_data import Ability, Cards
from audit.games.altered.places import in_reserves, on_the_field
from audit.games.altered.rules import timing_of_play
from audit.games.altered.state import RESERVE, Deed, DeedKind, State
from audit.games.altered.texts import deeds, done_in_play, is_of_a_phase, subjects
from audit.games.altered.triggers import trigger_of

RECENT = 8
"""What left so many events ago may have done something as it left."""


def other_causes(state: State, kind: DeedKind | None) -> Violations:
    """The first thing that may have done something of this kind besides the texts under way; () if there is none.

    Words of which the log does not say what they did; a card in play whose text nobody has told, or may do it; what is
    there at all, where that is not known.
    """
    return tuple(_causes(state, kind))[:1]


def _causes(state: State, kind: DeedKind | None) -> Iterator[Violation]:
    played, earlier = state.moment.resolving, state.moment.earlier
    read = {one.seq for one in state.open_effects if one.deeds is not None}
    read |= {one.seq for one in earlier if one.deeds is not None}
    if played and played.deeds is not None:
        read.add(played.seq)
    if words := [seq for seq in state.untold if seq not in read]:
        yield _cause("unread.words", {"seq": max(words)})
    is_told = are_reactions_told(state)
    for seat, side in () if is_told else zip(state.seats, state.sides, strict=True):
        if seat not in state.game.heroes:
            yield _cause("cause.hero", {"player": seat})
        if None in (side.hero, side.companion, side.landmarks, side.reserve):
            yield _cause("cause.zones", {"player": seat})
    described = {name.partition(":")[0] for name in (*state.game.reactions, *state.game.quick_actions)}
    for card in sorted(_there(state) - described):
        if card not in state.game.abilities:
            if not is_told:
                yield _cause("cause.unknown", {"card": card})
        elif any(_may_do(one, kind, state) for one in state.game.abilities[card]):
            yield _cause("cause.text", {"card": card})
    yield from _of_reactions(state, kind)
    yield from _of_tumult(state, kind)


def are_reactions_told(state: State) -> bool:
    """Whether the setup says what sets reactions off, so that a card of which it says nothing has none."""
    return state.moment.is_limbo_known and bool(state.game.listeners or state.limbo)


def _there(state: State) -> set[str]:
    """The cards whose texts may act: those in play and in Reserves, Heroes, and what has just left; no Spells."""
    left = [card for card, seq in state.departures.items() if state.last_seq - seq < RECENT]
    heroes = [hero for hero in state.game.heroes.values() if hero]
    there = {*on_the_field(state.sides), *in_reserves(state.sides), *heroes, *left}
    return {card for card in there if state.game.types.get(card) != "spell"}


def _may_do(text: str, kind: DeedKind | None, state: State) -> bool:
    """Whether a text of a card in play may do something of this kind now, or has a moment ago."""
    if is_of_a_phase(text) and state.last_seq - state.progress.seq >= RECENT:
        return False
    done = done_in_play(text)
    if done is None:
        return ("stats" if kind in ("boost", "status") else "zones") in subjects(text)
    return _does(done, kind)


def _does(done: tuple[Deed, ...], kind: DeedKind | None) -> bool:
    return any(one.kind == kind for one in done)


def _of_reactions(state: State, kind: DeedKind | None) -> Iterator[Violation]:
    """Reactions of the setup that wait, or may wait without a word, and may do it."""
    waiting = {one.reaction for one in state.triggered} | {one.reaction for one in state.limbo}
    there = on_the_field(state.sides).union(filter(None, state.game.heroes.values()))
    for name, known in state.game.reactions.items():
        source = name.partition(":")[0]
        is_there = source in there or (source in in_reserves(state.sides) and _works_in_reserve(known))
        if name in waiting or (is_there and not (known.on and trigger_of(known.trigger, known.on).is_read)):
            done = deeds(known.effect)
            if done is None or _does(done, kind):
                yield _cause("cause.text", {"card": source})


def _works_in_reserve(known: Ability) -> bool:
    return known.from_ == RESERVE or trigger_of(known.trigger, known.on).from_reserve


def _of_tumult(state: State, kind: DeedKind | None) -> Iterator[Violation]:
    """Tumult cards that lie face up and of which the log has not said that they were carried out."""
    known: dict[str, str | None] = {card: one.effect for one in state.tumult.values() for card in one.cards}
    waiting: Cards = state.progress.tumult_to_resolve
    for card in state.face_up:
        effect = known.get(card)
        done = deeds(effect) if effect else None
        if (effect is None and state.phase == "dusk") or (card in waiting and (done is None or _does(done, kind))):
            yield _cause("cause.unknown" if effect is None else "cause.text", {"card": card})


def _cause(key: str, data: dict[str, object]) -> Violation:
    return Violation(timing_of_play.INTERNAL_ACTIONS, key, data)
