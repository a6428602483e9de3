"""The rules of Example Game put together, and the ruleset that audit loads."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from audit.core.event_rules import Json
from audit.core.model import Event, Header
from audit.core.rules import Rules
from audit.core.ruleset import Ruleset
from msgspec.structs import replace

from example_game.catalogue import CATALOGUE
from example_game.disclosure import ExampleGameDisclosure
from example_game.event_rules import EVENT_RULES, UPCOMING, AnyRules
from example_game.events import GameEnded, PileTaken
from example_game.scene import ExampleGameScene
from example_game.simulation import ExampleGameSimulation
from example_game.state import CARDS, UNKNOWN, Stage, State, opening
from example_game.wording import ExampleGameWording

GIVEN_UP: dict[Stage, Stage] = {"draw": "lay", "lay": "between", "take": "between", "end": "over"}
"""What comes next where nobody does what is due at a stage."""


def card_exists(card: str) -> bool:
    """Whether there is such a card, or it stands for one that nobody has named."""
    return card in CARDS or card == UNKNOWN


class ExampleGameRules(Rules[State]):
    """What is legal in Example Game and what an event changes."""

    catalogue = CATALOGUE
    event_rules = EVENT_RULES
    card_exists = staticmethod(card_exists)

    def start(self, header: Header) -> State:
        return opening(header)

    def upcoming(self, state: State) -> Iterable[AnyRules]:
        return UPCOMING[state.stage]

    def causes(self, state: State, event: Event) -> tuple[int, ...]:
        return (state.cause,) if isinstance(event, PileTaken | GameEnded) and state.cause else ()

    def clock(self, state: State) -> Json:
        return {"turn": state.turn, "player": state.player}

    def relaxations(self, state: State) -> Iterator[State]:
        while state.stage in GIVEN_UP:
            state = replace(state, stage=GIVEN_UP[state.stage])
            yield state


RULESET: Ruleset[State] = Ruleset(
    name="example-game",
    rules=ExampleGameRules(),
    disclosure=ExampleGameDisclosure(),
    wording=ExampleGameWording(),
    simulation=ExampleGameSimulation(),
    scene_maker=ExampleGameScene(),
)
