"""The game of Altered: its rules, and the roles that make it a ruleset."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache

from msgspec import Struct
from msgspec.structs import replace

from audit.core.conservation import Holding, Holdings
from audit.core.event_rules import EventRules, Expectation, Json
from audit.core.model import Event, Header
from audit.core.rules import Rules
from audit.core.ruleset import Ruleset
from audit.core.written_forms import names_meant, sheet_word_in, sheet_word_meant
from audit.games.altered.agenda import agenda, causes, is_decided
from audit.games.altered.daily_effects import without_passed_over
from audit.games.altered.decks import check_deck
from audit.games.altered.disclosure import AlteredDisclosure
from audit.games.altered.event_rules import EVENT_RULES
from audit.games.altered.events import CardPlayed, DailyEffectEnded, PlayerPassed
from audit.games.altered.game_data import Cards
from audit.games.altered.opening import opening, position
from audit.games.altered.position_data import UNORDERED, data_told, detached, position_data
from audit.games.altered.rules import CATALOGUE, phases
from audit.games.altered.scene import PACKAGE, AlteredScene
from audit.games.altered.score_forms import NAMED_IN, SCORE_FORMS, cost_told
from audit.games.altered.setting import AlteredSetting
from audit.games.altered.setup_entries import OF_THE_GAME, AlteredSetup
from audit.games.altered.simulation import AlteredSimulation
from audit.games.altered.state import LANDMARKS, RESERVE, UNKNOWN, Side, State
from audit.games.altered.untold import as_told
from audit.games.altered.victory import played_on
from audit.games.altered.wording import AlteredWording
from audit.games.altered.zones import COMPANION_ZONE, HERO_ZONE


def holdings(state: State) -> Holdings | None:
    """Where every card is; None where no deck list is given, every card has a name, or a text may have moved some.

    A player whose list is not given may have the same cards as the others: what they have is left out.
    """
    lists = state.game.deck_lists
    if not lists or state.untold or not any(map(_hides, state.sides)):
        return None
    copies = _copies(tuple(lists.values()))
    placed = [(seat, *one) for seat in lists for one in _placed(state.side(seat))]
    located = tuple(_each_copy(placed, copies))
    hidden = tuple(_hidden(state, lists, copies))
    exist = _units(tuple(copies.items()))
    if len(lists) < len(state.seats):
        exist |= {one.card for one in located}
    return Holdings(phases.MORNING_DRAW_TWO, (*located, *hidden), exist)


def _hides(side: Side) -> bool:
    return side.hand is None or UNKNOWN in "".join((*side.hand, *(side.deck or ())))


def _placed(side: Side) -> Iterator[tuple[str, str]]:
    """Every card of which it is known where it is; a deck that has run out was made anew from the discard pile."""
    for zone, group in ((HERO_ZONE, side.hero), (COMPANION_ZONE, side.companion)):
        yield from ((one.id, zone) for one in group or () if one.origin != "token")
    zones = (
        (RESERVE, side.reserve), (LANDMARKS, side.landmarks), ("mana_zone", side.known_orbs), ("hand", side.hand),
        ("deck", side.deck), ("discard", side.discard if side.deck else ()),
    )  # fmt: skip
    for zone, cards in zones:
        yield from ((card, zone) for card in cards or () if not card.startswith(UNKNOWN))


def _hidden(state: State, lists: Mapping[str, Cards], copies: Mapping[str, int]) -> Iterator[Holding]:
    """The cards nobody has named in hands and decks of which there is a list."""
    for seat, listed in lists.items():
        side, may_be = state.side(seat), _units(tuple([(card, copies[card]) for card in dict.fromkeys(listed)]))
        for zone, cards in (("hand", side.hand), ("deck", side.deck)):
            yield from (Holding(card, seat, zone, may_be) for card in cards or () if card.startswith(UNKNOWN))


def _each_copy(placed: list[tuple[str, str, str]], copies: Mapping[str, int]) -> Iterator[Holding]:
    """The cards that have a name; the copies of one are told apart by a number, and one too many is not."""
    seen: Counter[str] = Counter()
    for seat, card, zone in placed:
        seen[card] += 1
        number = seen[card] if seen[card] <= copies.get(card, 1) else 1
        yield Holding(_unit(card, number), seat, zone)


def _unit(card: str, number: int) -> str:
    return card if number == 1 else f"{card}#{number}"


@lru_cache(maxsize=64)
def _copies(lists: tuple[Cards, ...]) -> Mapping[str, int]:
    """How many copies there are of each card."""
    return Counter(card for listed in lists for card in listed)


@lru_cache(maxsize=256)
def _units(copies: tuple[tuple[str, int], ...]) -> frozenset[str]:
    return frozenset(_unit(card, number) for card, most in copies for number in range(1, most + 1))


class AlteredRules(Rules[State]):
    """The structure of a day, reactions, modes and decks."""

    catalogue = CATALOGUE
    causes = staticmethod(causes)
    check_deck = staticmethod(check_deck)
    setup_type: type[Struct] | None = AlteredSetup
    score_forms = SCORE_FORMS
    position = staticmethod(position)
    position_data = staticmethod(position_data)
    unordered = UNORDERED
    data_told = staticmethod(data_told)
    detached = staticmethod(detached)
    holdings = staticmethod(holdings)
    as_told = staticmethod(as_told)

    def __init__(self) -> None:
        self.event_rules = EVENT_RULES

    def start(self, header: Header) -> State:
        self.reading(header.reading)
        return opening(header)

    def cards_meant(self, word: str, setup: Json) -> tuple[str, ...]:
        return names_meant(word, setup, NAMED_IN)

    def score_word_meant(self, word: str) -> str:
        return sheet_word_meant(PACKAGE, word)

    def score_word_in(self, word: str, language: str) -> str:
        return sheet_word_in(PACKAGE, word, language)

    def score_value(self, field: str, said: Json, setup: Json) -> object:
        return cost_told(said, setup) if field == "mana" else None

    def lasting_setup(self, setup: Json) -> Json:
        return {key: value for key, value in setup.items() if key in OF_THE_GAME}

    def upcoming(self, state: State) -> Iterable[EventRules[State, Event]]:
        return [self.event_rules[event] for event in agenda(state)]

    def expected(self, state: State) -> Sequence[Expectation[State]]:
        return [one for event in agenda(state) for one in EVENT_RULES[event].when_due(state)]

    def clock(self, state: State) -> Json:
        return {"turn": state.day, "player": state.turn_of, "phase": state.phase}

    def relaxations(self, state: State) -> Iterator[State]:
        if state.open_effects or state.triggered:
            state = replace(state, open_effects=(), triggered=())
            yield state
        if state.daily_effect:
            state = self.evolve(state, DailyEffectEnded(seq=0, effect=state.daily_effect))
            yield state
        if state.limbo:
            state = replace(state, limbo=())
            yield state
        if is_decided(state):
            state = played_on(state)
            yield state
        if state.effects_left or state.turn_of:
            yield replace(state, effects_left=(), turn_of=None, passed=state.still_in)

    def interleavings(self, state: State, event: Event) -> Iterator[State]:
        """Who played before their turn has it all the same; what a daily effect passed over may be over."""
        if isinstance(event, CardPlayed | PlayerPassed) and state.turn_of not in (None, event.player):
            progress = replace(state.progress, played_early=(*state.progress.played_early, event.player))
            yield replace(self.evolve(state, event), turn_of=state.turn_of, progress=progress)
        if (after := self.evolve(state, event)).progress.passed_over:
            yield without_passed_over(after)


RULESET = Ruleset(
    "altered", AlteredRules(), AlteredDisclosure(), AlteredWording(), AlteredSimulation(), AlteredScene(),
    setting=AlteredSetting(),
)  # fmt: skip
