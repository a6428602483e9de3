"""Before the first day: mode, decks, teams, seats, board, facings, first player."""

from __future__ import annotations

from audit.altered.decks import check
from audit.altered.events import (
    BoardPlaced,
    CommunicationAgreed,
    DeckRegistered,
    ExpeditionsFaced,
    FirstPlayerDrawn,
    GameConfigured,
    Seated,
    TeamFormed,
)
from audit.altered.options.told import Offers, Refused, Rules, Told, fails
from audit.altered.places import apart
from audit.altered.rules import deck, ffa, mp, two_v_two
from audit.altered.seats import is_mate
from audit.altered.state import Cards, State
from audit.catalogue import Rule, each_once
from audit.ruleset import Obligation

PLAYERS = {"duel": 2, "ffa": 4, "2v2": 4}
_COUNT = {"duel": mp.MODES, "ffa": ffa.PLAYERS, "2v2": two_v_two.PLAYERS}
_PILES = {
    1: (two_v_two.SETUP_PILE_1, "hero"),
    2: (two_v_two.SETUP_PILE_2, "companion"),
    3: (two_v_two.SETUP_PILE_3, "cent"),
}


def late(state: State, rule: Rule) -> Refused:
    """Set-up belongs before the first day."""
    return (fails(rule, "setup.late"),) if state.day or state.phase else ()


class Configure(Told):
    """The kind of game and its players."""

    event = GameConfigured
    rules = (mp.MODES, mp.CONSTRUCTED, mp.WIN)

    def broken(self, state: State, event: GameConfigured) -> Refused:
        yield from late(state, mp.MODES)
        count, most = len(set(event.players)), PLAYERS[event.mode]
        if count != most:
            yield fails(_COUNT[event.mode], "setup.players", {"n": count, "most": most})

    def citations(self, state: State, event: GameConfigured) -> Rules:  # type: ignore[override]
        return each_once((mp.MODES, _COUNT[event.mode], mp.WIN))


class Register(Told):
    """A deck that obeys the rules of construction."""

    event = DeckRegistered
    rules = (
        deck.MIN_39, deck.ONE_HERO, deck.FACTION, deck.COPIES, deck.RARE, deck.UNIQUE, deck.TOKENS_NOT_COUNTED,
        deck.TOKENS_OUTSIDE, deck.STANDARD, deck.SAME_HERO, mp.CONSTRUCTED,
    )  # fmt: skip

    def broken(self, state: State, event: DeckRegistered) -> Refused:
        yield from check(event.heroes, event.cards, event.tokens)
        if state.day or state.phase:
            yield fails(mp.CONSTRUCTED, "setup.late")


class FormTeam(Told):
    """Two players, each in one team."""

    event = TeamFormed
    rules = (two_v_two.PLAYERS, two_v_two.SETUP_SEATING)

    def broken(self, state: State, event: TeamFormed) -> Refused:
        yield from late(state, two_v_two.PLAYERS)
        taken = {seat for team, members in state.teams if team != event.team for seat in members}
        if state.box.mode != "2v2":
            yield fails(two_v_two.PLAYERS, "setup.no_teams")
        if len(set(event.players)) != 2:
            yield fails(two_v_two.PLAYERS, "setup.team_of_two", {"n": len(set(event.players))})
        if twice := sorted(taken & set(event.players)):
            yield fails(two_v_two.PLAYERS, "setup.two_teams", {"player": twice[0]})


class Sit(Told):
    """Everybody round the table; team-mates opposite each other, else as they like."""

    event = Seated
    rules = (ffa.SETUP_SEATING_FREE, ffa.SETUP)

    def broken(self, state: State, event: Seated) -> Refused:
        rule = two_v_two.SETUP_SEATING if state.box.mode == "2v2" else ffa.SETUP
        yield from late(state, rule)
        if state.seats and sorted(event.order) != sorted(state.seats):
            yield fails(rule, "setup.everybody")
        for one, other in zip(event.order, event.order[1:], strict=False):
            if is_mate(state, one, other):
                yield fails(two_v_two.SETUP_SEATING, "setup.mates_apart", {"player": one, "other": other})
                return

    def citations(self, state: State, event: Seated) -> Rules:  # type: ignore[override]
        return (two_v_two.SETUP_SEATING,) if state.box.mode == "2v2" else self.rules


class DrawFirst(Told):
    """Who starts; with more than two players at random, in teams once these are formed."""

    event = FirstPlayerDrawn
    rules = (two_v_two.SETUP_FIRST_PLAYER,)

    def broken(self, state: State, event: FirstPlayerDrawn) -> Refused:
        rule = self.citations(state, event)[0]
        yield from late(state, rule)
        if state.seats and event.player not in state.seats:
            yield fails(rule, "setup.nobody", {"player": event.player})
        if state.box.mode == "2v2" and len(state.teams) < 2:
            yield fails(rule, "setup.teams_first")
        if state.box.mode != "duel" and event.method != "random":
            yield fails(rule, "setup.random")

    def citations(self, state: State, event: FirstPlayerDrawn) -> Rules:  # type: ignore[override]
        return (ffa.SETUP, two_v_two.SETUP_FIRST_PLAYER) if state.box.mode == "ffa" else self.rules

    def candidates(self, state: State) -> Offers:
        return (FirstPlayerDrawn(seq=0, player=seat) for seat in state.seats)


class PlaceBoard(Told):
    """Regions in pairs facing each other; three piles of two equal Tumult cards at their places."""

    event = BoardPlaced
    rules = (two_v_two.SETUP_REGIONS, two_v_two.SETUP_PILES)

    def broken(self, state: State, event: BoardPlaced) -> Refused:
        cited = self.citations(state, event)
        yield from late(state, cited[0])
        if state.box.mode == "duel":
            return
        if event.piece != "tumult":
            if len(event.cards) != 2:
                yield fails(two_v_two.SETUP_REGIONS, "setup.two_regions", {"n": len(event.cards)})
            return
        if len(event.cards) != 2 or event.identical is False:
            yield fails(two_v_two.SETUP_PILES, "setup.equal_pair", {"n": len(event.cards)})
        rule, word = _PILES.get(event.pile or 0, (two_v_two.SETUP_PILES, ""))
        if word not in event.place.casefold():
            yield fails(rule, "setup.pile_place", {"pile": event.pile, "place": event.place})

    def citations(self, state: State, event: BoardPlaced) -> Rules:  # type: ignore[override]
        more = (ffa.SETUP,) if state.box.mode == "ffa" else ()
        if event.piece != "tumult":
            return (two_v_two.SETUP_REGIONS, *more)
        pile = (_PILES[event.pile][0],) if event.pile else ()
        return (*pile, two_v_two.SETUP_PILES, *more)


class Face(Told):
    """Each expedition opposite one other; a player's two opposite different opponents."""

    event = ExpeditionsFaced
    rules = (two_v_two.FACING,)

    def broken(self, state: State, event: ExpeditionsFaced) -> Refused:
        rule = self.citations(state, event)[0]
        if state.called is None and (state.day or state.phase):
            yield fails(rule, "setup.late")
        elif state.called is not None:
            yield from _refaced(state, event)
        else:
            yield from _facings(state, event, rule)

    def citations(self, state: State, event: ExpeditionsFaced) -> Rules:  # type: ignore[override]
        if state.called is not None:
            return (ffa.TIEBREAK_REFACE,)
        return (mp.RACE_NEIGHBOURS, two_v_two.FACING) if state.box.mode == "ffa" else self.rules


def _refaced(state: State, event: ExpeditionsFaced) -> Refused:
    for one, other in event.pairs:
        if {apart(one)[0], apart(other)[0]} - set(state.still_in):
            yield fails(ffa.TIEBREAK_REFACE, "facing.gone", {"place": one, "other": other})
        elif state.faces.get(one, other) != other:
            yield fails(ffa.TIEBREAK_REFACE, "facing.joined", {"place": one, "other": state.faces[one]})


def _facings(state: State, event: ExpeditionsFaced, rule: Rule) -> Refused:
    places = [place for pair in event.pairs for place in pair]
    if len(set(places)) != len(places):
        yield fails(rule, "facing.once")
    against: dict[str, Cards] = {}
    for one, other in (pair for both in event.pairs for pair in (both, both[::-1])):
        seat, opposite = apart(one)[0], apart(other)[0]
        against[seat] = (*against.get(seat, ()), opposite)
        if seat == opposite or is_mate(state, seat, opposite):
            yield fails(rule, "facing.mate", {"place": one, "other": other})
        elif state.box.mode == "ffa" and not neighbours(state, seat, opposite):
            yield fails(mp.RACE_NEIGHBOURS, "facing.neighbour", {"player": seat, "other": opposite})
    if state.box.mode != "duel":
        for seat, opposed in against.items():
            if len(set(opposed)) < len(opposed):
                yield fails(two_v_two.FACING, "facing.same", {"player": seat, "other": opposed[0]})
                return


def neighbours(state: State, seat: str, other: str) -> bool:
    """Whether two players sit side by side, as far as is known."""
    if seat not in state.still_in or other not in state.still_in:
        return True
    apart_by = abs(state.still_in.index(seat) - state.still_in.index(other))
    return apart_by in (1, len(state.still_in) - 1)


class Agree(Told):
    """What the players may tell each other is settled before they start."""

    event = CommunicationAgreed
    rules = (ffa.COMMUNICATION,)

    def broken(self, state: State, event: CommunicationAgreed) -> Refused:
        yield from late(state, self.citations(state, event)[0])

    def citations(self, state: State, event: CommunicationAgreed) -> Rules:  # type: ignore[override]
        return (two_v_two.COMMUNICATION,) if state.box.mode == "2v2" else self.rules


BEFORE = tuple(
    option(Obligation.REDUNDANT) for option in (Configure, Register, FormTeam, Sit, DrawFirst, PlaceBoard, Face, Agree)
)
"""Accepted before the first day and never missed: most logs leave the set-up to the header."""

DRAW_FIRST = DrawFirst()
