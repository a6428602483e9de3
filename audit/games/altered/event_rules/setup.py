"""Before the first day: mode, decks, teams, seats, board, facings, first player.

None of these events is ever missed, but for who starts: most logs leave the rest to the header.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TypeVar

from msgspec.structs import replace

from audit.core.catalogue import Rule, each_once
from audit.core.event_rules import Citations
from audit.core.model import Event
from audit.games.altered.decks import check, size, unknown_rarities
from audit.games.altered.event_rules.base import AlteredEventRules, ChoiceRules, Failures, by_mode, fails
from audit.games.altered.game_data import Cards
from audit.games.altered.places import both_ways, duel_facing, split_place
from audit.games.altered.rules import day_overview, deck, free_for_all, multiplayer, two_against_two
from audit.games.altered.seats import are_neighbours, is_mate, side_of
from audit.games.altered.setup_events import (
    BoardPlaced,
    CommunicationAgreed,
    DeckRegistered,
    ExpeditionsFaced,
    FirstPlayerDrawn,
    GameConfigured,
    Seated,
    TeamFormed,
)
from audit.games.altered.state import COMPANION, HERO, Side, State, Tumult

E = TypeVar("E", bound=Event)
PLAYERS = {"duel": 2, "ffa": 4, "2v2": 4}
_COUNT = {"duel": multiplayer.MODES, "ffa": free_for_all.PLAYERS, "2v2": two_against_two.PLAYERS}
_PILES = {
    1: (two_against_two.SETUP_PILE_1, re.compile(r"h[eé]ro|\bero[ei]|bohater")),
    2: (two_against_two.SETUP_PILE_2, re.compile(r"compa(nion|gn)|towarzysz")),
    3: (two_against_two.SETUP_PILE_3, re.compile(r"cent(er|r)|milieu|middle|mezzo|środ")),
}
"""The rule of each pile of Tumult cards, and how its place is told in the four languages."""
_PLACES = {1: HERO, 2: COMPANION, 3: "centre"}
"""What the place of each pile is called in a position."""


def _late(state: State, rule: Rule) -> Failures:
    """Set-up belongs before the first day."""
    return (fails(rule, "setup.late"),) if state.day or state.phase else ()


def _with_players(state: State, players: Cards) -> State:
    new = Side(reserve=(), landmarks=(), hero=(), companion=(), hero_advance=0, companion_advance=0)
    return replace(state, seats=players, sides=(new,) * len(players), still_in=players)


class SetupRules(AlteredEventRules[E]):
    """The rules of an event by which a game is set up: at any time before the first day."""

    at_any_time = True

    def may_mean(self, event: E, other: Event) -> bool:
        """What comes after the setup comes all the same."""
        return type(other) is type(event)


class GameConfiguredRules(SetupRules[GameConfigured]):
    """The kind of game and its players."""

    event = GameConfigured
    rules: Citations = (multiplayer.MODES, multiplayer.CONSTRUCTED, multiplayer.WIN)

    def criteria(self, state: State, event: GameConfigured) -> Failures:
        yield from _late(state, multiplayer.MODES)
        count, most = len(set(event.players)), PLAYERS[event.mode]
        if count != most:
            yield fails(_COUNT[event.mode], "setup.players", {"n": count, "most": most})

    def citations(self, state: State, event: GameConfigured) -> Citations:
        return each_once((multiplayer.MODES, _COUNT[event.mode], multiplayer.WIN))

    def happen(self, state: State, event: GameConfigured) -> State:
        """The mode and the players, where the setup has not named them."""
        state = state if state.seats else _with_players(state, event.players)
        facing = state.facing or (duel_facing(state.seats) if event.mode == "duel" else {})
        distance = event.meet_distance or state.meeting_distance
        return replace(state, game=replace(state.game, mode=event.mode), facing=facing, meeting_distance=distance)


class DeckRegisteredRules(SetupRules[DeckRegistered]):
    """A deck that obeys the rules of construction."""

    event = DeckRegistered
    may_be_unchecked = True
    rules: Citations = (
        deck.MIN_39, deck.ONE_HERO, deck.FACTION, deck.COPIES, deck.RARE, deck.UNIQUE, deck.TOKENS_NOT_COUNTED,
        deck.TOKENS_OUTSIDE, deck.STANDARD, deck.SAME_HERO, multiplayer.CONSTRUCTED,
    )  # fmt: skip

    def criteria(self, state: State, event: DeckRegistered) -> Failures:
        if event.cards is not None:
            yield from check(event.heroes, event.cards, event.tokens)
        yield from _late(state, multiplayer.CONSTRUCTED)

    def unread(self, state: State, event: DeckRegistered) -> Failures:
        cards = event.cards or ()
        if event.cards is None:
            yield fails(deck.MIN_39, "unread.deck", {"player": event.player})
        for at, rarity in unknown_rarities(cards):
            yield fails(deck.STANDARD, "unread.rarity", {"card": cards[at].name, "rarity": rarity})

    def happen(self, state: State, event: DeckRegistered) -> State:
        if event.cards is None:
            return state
        return replace(
            state,
            deck_sizes={**state.deck_sizes, event.player: size(event.cards)},
            decks_legal={**state.decks_legal, event.player: not check(event.heroes, event.cards, event.tokens)},
        )


class TeamFormedRules(SetupRules[TeamFormed]):
    """Two players, each in one team."""

    event = TeamFormed
    rules: Citations = (two_against_two.PLAYERS, two_against_two.SETUP_SEATING)

    def criteria(self, state: State, event: TeamFormed) -> Failures:
        yield from _late(state, by_mode(state, multiplayer.MODES, two_against_two.PLAYERS, two_against_two.PLAYERS))
        taken = {seat for team, members in state.teams if team != event.team for seat in members}
        if state.game.mode == "duel":
            yield fails(multiplayer.MODES, "setup.no_teams")
            return
        if state.game.mode != "2v2":
            yield fails(two_against_two.PLAYERS, "setup.no_teams")
        if len(set(event.players)) != 2:
            yield fails(two_against_two.PLAYERS, "setup.team_of_two", {"n": len(set(event.players))})
        if twice := sorted(taken & set(event.players)):
            yield fails(two_against_two.PLAYERS, "setup.two_teams", {"player": twice[0]})

    def happen(self, state: State, event: TeamFormed) -> State:
        others = tuple(team for team in state.teams if team[0] != event.team)
        return replace(state, teams=(*others, (event.team, event.players)))


class SeatedRules(SetupRules[Seated]):
    """Everybody round the table; team-mates opposite each other, else as they like."""

    event = Seated
    rules: Citations = (free_for_all.SETUP_SEATING_FREE, free_for_all.SETUP)

    def criteria(self, state: State, event: Seated) -> Failures:
        rule = by_mode(state, day_overview.ALTERNATE_TURNS, free_for_all.SETUP, two_against_two.SETUP_SEATING)
        yield from _late(state, rule)
        if state.seats and sorted(event.order) != sorted(state.seats):
            yield fails(rule, "setup.everybody")
        for one, other in zip(event.order, event.order[1:], strict=False):
            if is_mate(state, one, other):
                yield fails(two_against_two.SETUP_SEATING, "setup.mates_apart", {"player": one, "other": other})
                return

    def citations(self, state: State, event: Seated) -> Citations:
        if state.game.mode == "duel":
            return (day_overview.ALTERNATE_TURNS,)
        return (two_against_two.SETUP_SEATING,) if state.game.mode == "2v2" else self.rules

    def happen(self, state: State, event: Seated) -> State:
        """The players in their order round the table."""
        if not state.seats:
            return _with_players(state, event.order)
        if set(event.order) != set(state.seats):
            return state
        sides = tuple(side_of(state, seat) for seat in event.order)
        still_in = tuple(seat for seat in event.order if seat in state.still_in)
        return replace(state, seats=event.order, sides=sides, still_in=still_in)


class FirstPlayerDrawnRules(ChoiceRules[FirstPlayerDrawn]):
    """Who starts; with more than two players at random, in teams once these are formed."""

    event = FirstPlayerDrawn
    rules: Citations = (two_against_two.SETUP_FIRST_PLAYER,)
    rules_of_duel: Citations = (day_overview.FIRST_TURN,)
    at_any_time = True

    def is_by_chance(self, state: State, event: FirstPlayerDrawn) -> bool:
        return event.method == "random"

    def criteria(self, state: State, event: FirstPlayerDrawn) -> Failures:
        rule = self.citations(state, event)[0]
        yield from _late(state, rule)
        if state.seats and event.player not in state.seats:
            yield fails(rule, "setup.nobody", {"player": event.player})
        if state.game.mode == "2v2" and len(state.teams) < 2:
            yield fails(rule, "setup.teams_first")
        if state.game.mode != "duel" and event.method != "random":
            yield fails(rule, "setup.random")

    def citations(self, state: State, event: FirstPlayerDrawn) -> Citations:
        if state.game.mode == "duel":
            return self.rules_of_duel
        ffa = state.game.mode == "ffa"
        return (free_for_all.SETUP, two_against_two.SETUP_FIRST_PLAYER) if ffa else self.rules

    def candidates(self, state: State) -> Iterator[FirstPlayerDrawn]:
        return (FirstPlayerDrawn(seq=0, player=seat) for seat in state.seats)

    def happen(self, state: State, event: FirstPlayerDrawn) -> State:
        return replace(state, first_player=event.player)


class BoardPlacedRules(SetupRules[BoardPlaced]):
    """Regions in pairs facing each other; three piles of two equal Tumult cards at their places."""

    event = BoardPlaced
    may_be_unchecked = True
    rules: Citations = (two_against_two.SETUP_REGIONS, two_against_two.SETUP_PILES)

    def criteria(self, state: State, event: BoardPlaced) -> Failures:
        yield from _late(state, self.citations(state, event)[0])
        if state.game.mode == "duel":
            return
        if event.piece != "tumult":
            if len(event.cards) != 2:
                yield fails(two_against_two.SETUP_REGIONS, "setup.two_regions", {"n": len(event.cards)})
            return
        if len(event.cards) != 2 or event.identical is False:
            yield fails(two_against_two.SETUP_PILES, "setup.equal_pair", {"n": len(event.cards)})
        told = _piles_placed(event)
        if told and event.pile and event.pile not in told:
            yield fails(_PILES[event.pile][0], "setup.pile_place", {"pile": event.pile, "place": event.place})

    def citations(self, state: State, event: BoardPlaced) -> Citations:
        if state.game.mode == "duel":
            return (multiplayer.MODES,)
        more = (free_for_all.SETUP,) if state.game.mode == "ffa" else ()
        if event.piece != "tumult":
            return (two_against_two.SETUP_REGIONS, *more)
        pile = (_PILES[event.pile][0],) if event.pile else ()
        return (*pile, two_against_two.SETUP_PILES, *more)

    def unread(self, state: State, event: BoardPlaced) -> Failures:
        if state.game.mode == "duel":
            yield fails(multiplayer.MODES, "unread.duel")
        elif event.piece == "tumult" and event.pile and not _piles_placed(event):
            yield fails(_PILES[event.pile][0], "unread.where", {"place": event.place})

    def happen(self, state: State, event: BoardPlaced) -> State:
        """The region cards of an expedition; Tumult cards in the centre, or in its pile where the setup has none."""
        if event.piece != "tumult":
            expedition = event.piece.removesuffix("_region")
            return replace(state, region_cards={**state.region_cards, expedition: event.cards})
        for pile, place in _PLACES.items():
            is_told = any(f" {place} " in other for other in state.tumult)
            if pile in _piles_placed(event) and not is_told:
                known = state.tumult.get(place, Tumult(()))
                return replace(state, tumult={**state.tumult, place: replace(known, cards=event.cards)})
        return state


def _piles_placed(event: BoardPlaced) -> set[int]:
    """The piles that belong where the cards are said to lie; none where the words are not read."""
    return {pile for pile, (_, words) in _PILES.items() if words.search(event.place.casefold())}


class ExpeditionsFacedRules(SetupRules[ExpeditionsFaced]):
    """Each expedition opposite one other; a player's two opposite different opponents."""

    event = ExpeditionsFaced
    rules: Citations = (two_against_two.FACING,)

    def criteria(self, state: State, event: ExpeditionsFaced) -> Failures:
        rule = self.citations(state, event)[0]
        if state.tiebreak_players is not None and state.game.mode != "duel":
            return _faced_anew(state, event)
        return _late(state, rule) or _faced(state, event, rule)

    def citations(self, state: State, event: ExpeditionsFaced) -> Citations:
        if state.game.mode == "duel":
            return (day_overview.STAT_HIGHER,)
        if state.tiebreak_players is not None:
            return (free_for_all.TIEBREAK_REFACE,)
        return (multiplayer.RACE_NEIGHBOURS, two_against_two.FACING) if state.game.mode == "ffa" else self.rules

    def happen(self, state: State, event: ExpeditionsFaced) -> State:
        return replace(state, facing={**state.facing, **both_ways(event.pairs)})


def _faced_anew(state: State, event: ExpeditionsFaced) -> Failures:
    for one, other in event.pairs:
        if {split_place(one)[0], split_place(other)[0]} - set(state.still_in):
            yield fails(free_for_all.TIEBREAK_REFACE, "facing.gone", {"place": one, "other": other})
        elif state.facing.get(one, other) != other:
            yield fails(free_for_all.TIEBREAK_REFACE, "facing.joined", {"place": one, "other": state.facing[one]})


def _faced(state: State, event: ExpeditionsFaced, rule: Rule) -> Failures:
    places = [place for pair in event.pairs for place in pair]
    if len(set(places)) != len(places):
        yield fails(rule, "facing.once")
    against: dict[str, Cards] = {}
    for one, other in (pair for both in event.pairs for pair in (both, both[::-1])):
        seat, opposite = split_place(one)[0], split_place(other)[0]
        against[seat] = (*against.get(seat, ()), opposite)
        if seat == opposite or is_mate(state, seat, opposite):
            yield fails(rule, "facing.mate", {"place": one, "other": other})
        elif state.game.mode == "ffa" and not are_neighbours(state, seat, opposite):
            yield fails(multiplayer.RACE_NEIGHBOURS, "facing.neighbour", {"player": seat, "other": opposite})
    if state.game.mode != "duel":
        for seat, opposed in against.items():
            if len(set(opposed)) < len(opposed):
                yield fails(two_against_two.FACING, "facing.same", {"player": seat, "other": opposed[0]})
                return


class CommunicationAgreedRules(SetupRules[CommunicationAgreed]):
    """What the players may tell each other is settled before they start."""

    event = CommunicationAgreed
    may_be_unchecked = True
    rules: Citations = (free_for_all.COMMUNICATION,)

    def criteria(self, state: State, event: CommunicationAgreed) -> Failures:
        return _late(state, self.citations(state, event)[0])

    def citations(self, state: State, event: CommunicationAgreed) -> Citations:
        return (by_mode(state, multiplayer.MODES, free_for_all.COMMUNICATION, two_against_two.COMMUNICATION),)

    def unread(self, state: State, event: CommunicationAgreed) -> Failures:
        if state.game.mode == "duel":
            yield fails(multiplayer.MODES, "unread.duel")


RULES = (
    GameConfiguredRules(),
    DeckRegisteredRules(),
    TeamFormedRules(),
    SeatedRules(),
    FirstPlayerDrawnRules(),
    BoardPlacedRules(),
    ExpeditionsFacedRules(),
    CommunicationAgreedRules(),
)
