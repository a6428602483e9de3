"""What happened although the log has not told it: by a text, or where the position does not know enough.

A hand that nobody has seen, cards whose costs or texts are not known here, sums that are announced.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from audit.core.catalogue import Rule
from audit.core.event_rules import Violation, Violations
from audit.core.model import Event
from audit.games.altered.carrying_out import counted, is_for, is_own_change, is_resolving, reason_of, under_way
from audit.games.altered.daily_effects import next_part
from audit.games.altered.events import (
    ArenaTotals,
    BoostsChanged,
    CardPlayed,
    DailyEffectEnded,
    ExpeditionAdvanced,
    ExpeditionTotals,
    QuickActionPlayed,
    ReactionActivated,
    StatusGained,
)
from audit.games.altered.game_data import Cost
from audit.games.altered.places import (
    arena_total,
    character,
    on_the_field,
    place_of,
    places_to_play,
    region,
    split_place,
    total,
    where_played,
    zones_of,
)
from audit.games.altered.races import may_advance, opposing_stats, own_stats, written_stats
from audit.games.altered.rules import day_overview
from audit.games.altered.seats import characters_of, side_of
from audit.games.altered.state import EXPEDITIONS, STATS, UNKNOWN, DeedKind, Done, Resolving, Side, State
from audit.games.altered.texts import speaks_of_mana
from audit.games.altered.triggers import told_reaction
from audit.games.altered.vocabulary import Stats
from audit.games.altered.zones import end_of_spell, put, sides_with, taken_out, without

TO_HAND: tuple[DeedKind, ...] = ("draw", "hand")


def owed(state: State, player: str, *kinds: DeedKind) -> tuple[int, str]:
    """How much of these kinds texts have that player do which the log has not told, and the card of the newest."""
    found = [
        (one, deed)
        for one in under_way(state)
        for deed in one.deeds or ()
        if deed.kind in kinds and not deed.is_counted and is_for(deed, player, one.player)
    ]
    return sum([deed.count for _, deed in found]), found[0][0].names[-1] if found else ""


# Mana


def may_be_ready(state: State, player: str, mana: int, rule: Rule) -> Violations:
    """Why that much mana may be ready although less is by the log; () where it cannot be."""
    side = side_of(state, player)
    missing = mana - (side.ready_orbs or 0)
    if side.exhausted_orbs is not None and missing > side.exhausted_orbs:
        return ()
    number, card = owed(state, player, "ready")
    if number >= missing:
        return (Violation(rule, "unread.owed", {"card": card}),)
    moment = state.moment
    played = (*moment.earlier, *((moment.resolving,) if moment.resolving else ()))
    unread = [one for one in played if one.deeds is None and one.player == player and _may_ready(state, one)]
    return (replace(reason_of(state, unread[-1]), rule=rule),) if unread else ()


def _may_ready(state: State, one: Resolving) -> bool:
    """Whether a text that is not read may have readied orbs: it speaks of mana, or nobody has told it of a Spell."""
    card = one.names[-1]
    texts = (one.text,) if one.text else state.game.abilities.get(card)
    if texts is None:
        return state.game.types.get(card) == "spell" or any(card in side.spells for side in state.sides)
    return any(map(speaks_of_mana, texts))


def with_orbs_readied(state: State, player: str, mana: int) -> State:
    """The position with the orbs ready that a text has readied without a word, where so much mana needs them."""
    side = side_of(state, player)
    if side.ready_orbs is None or side.exhausted_orbs is None or mana <= side.ready_orbs:
        return state
    number = min(owed(state, player, "ready")[0], side.exhausted_orbs)
    return _readied(state, player, number) if number else state


def _readied(state: State, player: str, number: int) -> State:
    def change(side: Side) -> Side:
        ready, exhausted = side.ready_orbs or 0, side.exhausted_orbs or 0
        return replace(side, ready_orbs=ready + number, exhausted_orbs=exhausted - number)

    return counted(replace(state, sides=sides_with(state, player, change)), Done("ready", player, number))


# Hands


def may_be_in_hand(state: State, player: str, rule: Rule) -> Violations:
    """Why a card may be in a hand in which it is not by the log; () where it cannot be."""
    number, card = owed(state, player, *TO_HAND)
    return (Violation(rule, "unread.owed", {"card": card}),) if number else ()


def with_card_drawn(state: State, player: str, card: str) -> State:
    """The position in which a card has been drawn without a word that is to leave a hand where it is not by the log."""
    hand = side_of(state, player).hand
    if hand is None or card in hand or any(one.startswith("?") for one in hand):
        return state
    if owed(state, player, "draw")[0]:
        return _drawn(state, player, (card,))
    return state


def _drawn(state: State, player: str, cards: tuple[str, ...]) -> State:
    def change(side: Side) -> Side:
        hand = None if side.hand is None else (*side.hand, *cards)
        return replace(side, hand=hand, deck=None if side.deck is None else side.deck[len(cards) :])

    return counted(replace(state, sides=sides_with(state, player, change)), Done("draw", player, len(cards)))


# Positions that somebody wrote down


def as_told(state: State, told: State) -> State:
    """The position with what no event tells taken from one that somebody wrote down, where it may be so.

    A Spell whose text nobody has told lies where the table has it; cards are drawn, and orbs readied, that a text says.
    """
    for seat, side in zip(told.seats, told.sides, strict=True):
        for card in side_of(state, seat).spells:
            if end_of_spell(state, card) is None and (zone := _where(side, side_of(state, seat), card)):
                state = _left_limbo(state, seat, card, zone)
        state = _counts_as_told(state, seat, side)
    return state


def _where(told: Side, side: Side, card: str) -> str:
    zones = {"reserve": (told.reserve, side.reserve), "discard": (told.discard, side.discard)}
    came = [name for name, (there, here) in zones.items() if (there or ()).count(card) > (here or ()).count(card)]
    return came[0] if came else ""


def _left_limbo(state: State, seat: str, card: str, zone: str) -> State:
    arrived = character(state.game, card)
    sides = sides_with(state, seat, lambda side: put(taken_out(side, "limbo", card), zone, arrived))
    return replace(state, sides=sides, spells_from_reserve=without(state.spells_from_reserve, card))


def _counts_as_told(state: State, seat: str, told: Side) -> State:
    side = side_of(state, seat)
    if told.hand is not None and side.hand is not None:
        more = len(told.hand) - len(side.hand)
        if 0 < more <= owed(state, seat, "draw")[0]:
            top = side.deck[:more] if side.deck else ()
            state = _drawn(state, seat, (*top, *("?",) * (more - len(top))))
    if told.ready_orbs is not None and side.ready_orbs is not None and side.exhausted_orbs:
        more = told.ready_orbs - side.ready_orbs
        if 0 < more <= min(owed(state, seat, "ready")[0], side.exhausted_orbs):
            state = _readied(state, seat, more)
    return state


SUPPORT = "support"
"""How the action is called by which a card is discarded from the Reserve."""


def is_dusk_open(state: State) -> bool:
    """Whether an expedition may have advanced at this dusk of which nobody has told what decides it."""
    if state.daily_effect != "progress" or state.day_kind != "normal" or state.winner is not None:
        return False
    if state.triggered or state.open_effects or next_part(state):
        return False
    return any(may_advance(state, place_of(seat, name)) for seat in state.still_in for name in EXPEDITIONS)


def undecided(state: State, event: Event) -> Violations:
    """What decides an advance by comparison and nobody has told: the region, then the sums."""
    is_compared = state.phase == "dusk" and not state.open_effects and state.day_kind == "normal"
    if not isinstance(event, ExpeditionAdvanced) or not is_compared:
        return ()
    place = place_of(event.player, event.expedition)
    facing = state.facing.get(place)
    found = []
    if region(state, place) is None:
        found.append(Violation(day_overview.STAT_OF_REGION, "untold.region", {"place": place}))
    if own_stats(state, place) is None:
        found.append(Violation(day_overview.STAT_HIGHER, "untold.sums", {"place": place}))
    if facing and opposing_stats(state, place) is None:
        found.append(Violation(day_overview.STAT_HIGHER, "untold.sums", {"place": facing}))
    return tuple(found)


def untold(state: State) -> Iterator[Event]:
    """What the player on turn may play of which nobody has told the cost, and at dusk what may have happened.

    Besides, the reactions that the texts of cards in play tell of.
    """
    yield from _own_changes(state)
    yield from _reactions(state)
    if state.phase == "afternoon" and state.turn_of:
        yield from _of_untold_cost(state, state.turn_of)
        yield from _from_reserve(state, state.turn_of)
        yield from _plays(state, state.turn_of)
    elif state.phase == "dusk" and state.daily_effect in (None, "progress"):
        yield from _arena(state) if state.day_kind == "tiebreak" else _races(state)
        if is_dusk_open(state):
            yield DailyEffectEnded(seq=0, effect="progress")


def _own_changes(state: State) -> Iterator[Event]:
    """What the texts under way do to their own Characters and the log has not told."""
    for one in under_way(state):
        for deed in one.deeds or ():
            if deed.is_counted or not is_own_change(deed):
                continue
            if deed.kind == "boost":
                yield BoostsChanged(seq=0, card=one.names[-1], count=deed.count)
            elif deed.status:
                yield StatusGained(seq=0, card=one.names[-1], status=deed.status)


def _reactions(state: State) -> Iterator[ReactionActivated]:
    """Reactions told as texts, of cards that were there before what has happened last."""
    seq = state.last_seq
    if not seq or seq < state.moment.triggers_from:
        return
    for seat, side in zip(state.seats, state.sides, strict=True):
        for card in sorted(on_the_field((side,))):
            is_waiting = any(one.source == card for one in state.limbo) or is_resolving(state, card)
            if is_waiting or state.moment.arrivals.get(card) == seq:
                continue
            for trigger, _ in filter(None, map(told_reaction, state.game.abilities.get(card, ()))):
                yield ReactionActivated(
                    seq=0, reaction=trigger, source=card, controller=seat, trigger=trigger, trigger_seq=seq,
                    emblem=f"e{sum(state.activations.values()) + 1}",
                )  # fmt: skip


def _of_untold_cost(state: State, player: str) -> Iterator[CardPlayed]:
    """Cards of the hand and the Reserve, also one that nobody has named, to wherever they may be played."""
    side = side_of(state, player)
    hand = dict.fromkeys(UNKNOWN if card.startswith(UNKNOWN) else card for card in side.hand or (UNKNOWN,))
    for card in hand:
        if state.game.costs.get(card, Cost()).hand is None:
            for zone in where_played(state.game, card):
                yield CardPlayed(seq=0, player=player, card=card, from_="hand", to_zone=zone, to_owner=player)
    for card in dict.fromkeys(side.reserve or ()):
        if not card.startswith(UNKNOWN) and state.game.costs.get(card, Cost()).reserve is None:
            for zone in where_played(state.game, card):
                yield CardPlayed(seq=0, player=player, card=card, from_="reserve", to_zone=zone, to_owner=player)


def _from_reserve(state: State, player: str) -> Iterator[QuickActionPlayed]:
    """The support ability that a card of the Reserve may have."""
    told = {name.partition(":")[0] for name in state.game.quick_actions}
    for card in dict.fromkeys(side_of(state, player).reserve or ()):
        is_told = card in told or card in state.game.abilities
        if not is_told and not card.startswith(UNKNOWN) and state.game.types.get(card, "character") == "character":
            yield QuickActionPlayed(seq=0, player=player, source=card, action=SUPPORT)


def _plays(state: State, player: str) -> Iterator[CardPlayed]:
    side = side_of(state, player)
    if side.hand is not None and not any(card.startswith(UNKNOWN) for card in side.hand):
        return
    for card in state.game.deck_lists.get(player) or state.game.costs:
        cost = state.game.costs.get(card, Cost()).hand
        if cost is None or cost > (cost if side.ready_orbs is None else side.ready_orbs) or any(zones_of(state, card)):
            continue
        for zone in places_to_play(state.game, card):
            yield CardPlayed(
                seq=0, player=player, card=card, from_="hand", to_zone=zone, to_owner=player, mana=cost
            )  # fmt: skip


def _races(state: State) -> Iterator[Event]:
    """The sums of two expeditions that face each other, and the advance of one that has not advanced yet."""
    for seat, name in ((seat, name) for seat in state.seats for name in EXPEDITIONS):
        place = place_of(seat, name)
        if place in state.progress.advanced or characters_of(side_of(state, seat), name) == ():
            continue
        types = tuple(stat for stat in STATS if stat in (region(state, place) or ()))
        if (against := state.facing.get(place)) and types and place not in state.progress.comparisons:
            own, opposing = (_sums(state, one) for one in (place, against))
            if own and opposing:
                yield ExpeditionTotals(
                    seq=0, player=seat, expedition=name, against=against, region=types, own=own, opposing=opposing
                )  # fmt: skip
    yield from sorted(_advances(state), key=lambda one: is_behind(state, one))


def _advances(state: State) -> Iterator[ExpeditionAdvanced]:
    for seat, name in ((seat, name) for seat in state.seats for name in EXPEDITIONS):
        for stat in may_advance(state, place_of(seat, name)):
            yield ExpeditionAdvanced(seq=0, player=seat, expedition=name, stat=stat)


def is_behind(state: State, event: Event) -> bool:
    """Whether the figures told do not carry the expedition, so that only a change nobody tells of could."""
    if not isinstance(event, ExpeditionAdvanced):
        return False
    place = place_of(event.player, event.expedition)
    facing = state.facing.get(place)
    own, opposing = written_stats(state, place), written_stats(state, facing) if facing else None
    return own is not None and opposing is not None and getattr(own, event.stat) <= getattr(opposing, event.stat)


def _sums(state: State, place: str) -> Stats | None:
    seat, name = split_place(place)
    return total(characters_of(side_of(state, seat), name))


def _arena(state: State) -> Iterator[ArenaTotals]:
    for side in state.parts_left:
        if sums := arena_total(state, side):
            yield ArenaTotals(seq=0, side=side, forest=sums.forest, mountain=sums.mountain, water=sums.water)
