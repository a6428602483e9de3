"""Events that say nothing new: accepted where they are true, and never missed where they are left out."""

from __future__ import annotations

from collections.abc import Iterator

from audit.catalogue import Rule
from audit.compile import rules
from audit.compile.criteria import not_in_hand
from audit.compile.events import (
    Chose,
    Committed,
    Drafted,
    GameEnded,
    Identified,
    Landed,
    Looked,
    OwnerChanged,
    PhaseBegan,
    Resolved,
    TurnBegan,
)
from audit.compile.progress import instructions, is_lost, step_of
from audit.compile.state import Due, State, Text, committed, field_position, is_known, movements, zone_of
from audit.compile.texts import STEPS
from audit.compile.verbs.choosing import can_choose
from audit.model import Event
from audit.ruleset import Obligation, Option, Violation

DRAFT_ORDER = (0, 1, 1, 0, 0, 1)
"""Whose pick it is: 0 for the player who begins. One, two, two, one."""


class Echo(Option[State]):
    """An option that only repeats, with the criterion of its truth."""

    obligation = Obligation.REDUNDANT

    def __init__(self, event: type[Event], *why: Rule) -> None:
        self.event = event
        self.rules = why

    def violations(self, state: State, event: Event) -> tuple[Violation, ...]:
        if self.is_true(state, event):
            return ()
        return (Violation(self.rules[0], f"echo.{self.event.__struct_config__.tag}", {}),)

    def is_true(self, state: State, event: Event) -> bool:
        """Whether the event repeats what is so."""
        raise NotImplementedError

    def candidates(self, state: State) -> Iterator[Event]:
        return iter(())


class OnItsWay(Echo):
    """Cards leaving the field are on their way as soon as they are deleted or returned."""

    def is_true(self, state: State, event: Committed) -> bool:  # type: ignore[override]
        movement = next((movement for movement in movements(state) if movement.card == event.card), None)
        if movement is not None:
            return event.from_ in (None, movement.origin) and event.to in (None, movement.line)
        return event.card in committed(state) or event.card in state.just_left


class HasArrived(Echo):
    """Cards that left the field have arrived in trash or hand."""

    def is_true(self, state: State, event: Landed) -> bool:  # type: ignore[override]
        return event.line is None and event.card in state.just_left


class IsDone(Echo):
    """An instruction was carried out."""

    def is_true(self, state: State, event: Resolved) -> bool:  # type: ignore[override]
        known = any((card, box) == (event.card, event.command) for card, box, _ in STEPS)
        return event.outcome == "done" and known and not self._untouched(state, event)

    def _untouched(self, state: State, event: Resolved) -> bool:
        frame = state.stack[-1] if state.stack else None
        return type(frame) is Text and (frame.card, frame.box) == (event.card, event.command) and not frame.step


class SameTurn(Echo):
    """The turn that is running already."""

    def is_true(self, state: State, event: TurnBegan) -> bool:  # type: ignore[override]
        return (event.player, event.turn, state.phase) == (
            state.player,
            state.turn,
            "start",
        ) and not state.stack


class SamePhase(Echo):
    """The part of the turn that is running already."""

    def is_true(self, state: State, event: PhaseBegan) -> bool:  # type: ignore[override]
        return event.phase == state.phase and not state.stack


class Look(Echo):
    """A player looks at what is open to them: their own face-down cards, and everything that lies open."""

    def violations(self, state: State, event: Looked) -> tuple[Violation, ...]:  # type: ignore[override]
        for card in event.cards or ():
            place = field_position(state, card)
            if place is not None and not place.up and place.seat != event.player:
                return (Violation(rules.info.NOT_THE_OPPONENTS, "look.theirs", {"card": card}),)
            if place is None and not self._open(state, event.player, card):
                return (Violation(rules.info.NOT_THE_OPPONENTS, "look.hidden", {"card": card}),)
        return ()

    def _open(self, state: State, player: str, card: str) -> bool:
        found = zone_of(state, card)
        return found is None or found[1] == "trash" or found == (player, "hand")


class Name(Echo):
    """An unknown card gets its name, which no other card has."""

    def is_true(self, state: State, event: Identified) -> bool:  # type: ignore[override]
        return is_known(event.is_) and zone_of(state, event.is_) is None


class Said(Echo):
    """A choice said aloud before it is made, by the player whose choice it is; a card or branch binds what follows."""

    def is_true(self, state: State, event: Chose) -> bool:  # type: ignore[override]
        if event.what in ("card", "option") and not is_open(state, event):
            return False
        if event.what == "line" and state.stack and type(state.stack[-1]) is not Text:
            return False
        if _choice_of_another(state, event) or (event.what == "order" and not _several_due(state)):
            return False
        return event.what != "rearrange" and event.accept is not False


def is_open(state: State, event: Chose) -> bool:
    """Whether what is chosen is a card of the hand to be played, or one of what the text under way leaves open."""
    text = state.stack[-1] if state.stack else None
    if type(text) is not Text:
        return _is_announced(state, event)
    if is_lost(state, text):
        return False
    ready = {at: branch for at, branch in enumerate(instructions(text), 1) if branch.ready(state, text)}
    if event.what == "card":
        return event.card is not None and can_choose(state, text, ready.values(), event.card)
    return bool(step_of(text).options) and event.option in (None, *ready)


def _is_announced(state: State, event: Chose) -> bool:
    """Whether a card is chosen that may be in the hand, before anything is done with it."""
    if event.what != "card" or event.card is None or state.stack:
        return False
    return not not_in_hand(state, event.player, event.card)


def _choice_of_another(state: State, event: Chose) -> Rule | None:
    """Whose right it is, where somebody else says what is chosen."""
    if event.player == _who_chooses(state):
        return None
    if event.what == "order":
        part = state.phase in ("start", "end") and not state.stack
        return rules.start_end.ORDER_IS_FREE if part else rules.effects.TURN_PLAYER_SETS_ORDER
    if event.what == "line" and not state.stack and state.phase == "compile":
        return rules.compile.PLAYER_PICKS_LINE
    frame = state.stack[-1] if state.stack else None
    return rules.effects.SOURCE_SIDE_DECIDES if type(frame) is Text else None


def _several_due(state: State) -> bool:
    """Whether there is an order to set."""
    frame = state.stack[-1] if state.stack else None
    return len(frame.moments if type(frame) is Due else state.due if frame is None else ()) > 1


def _who_chooses(state: State) -> str:
    frame = state.stack[-1] if state.stack else None
    return instructions(frame)[0].actor(frame) if type(frame) is Text else state.player


class Belongs(Echo):
    """A card drawn from the other deck belongs to who drew it."""

    def is_true(self, state: State, event: OwnerChanged) -> bool:  # type: ignore[override]
        return event.why == "recompile" and event.card in state.side(event.to).hand


class Picked(Echo):
    """A pick of the draft, in its order."""

    def violations(self, state: State, event: Drafted) -> tuple[Violation, ...]:  # type: ignore[override]
        picks = state.draft or ()
        if state.phase != "setup" or len(picks) >= len(DRAFT_ORDER):
            return (Violation(rules.setup.DRAFT_ORDER, "draft.over", {}),)
        first = (event.player == state.player) == (DRAFT_ORDER[len(picks)] == 0)
        if not first:
            return (Violation(rules.setup.DRAFT_ORDER, "draft.turn", {"player": event.player}),)
        if event.protocol in picks:
            return (Violation(rules.setup.DRAFT_POOL, "draft.taken", {"protocol": event.protocol}),)
        return self._place_refused(state, event, picks)

    def _place_refused(self, state: State, event: Drafted, picks: tuple[str, ...]) -> tuple[Violation, ...]:
        protocols = state.side(event.player).protocols
        if event.protocol not in protocols:
            return (Violation(rules.setup.UNDRAFTED_OUT, "draft.not_played", {"protocol": event.protocol}),)
        if protocols.index(event.protocol) != sum(pick in protocols for pick in picks):
            return (Violation(rules.setup.PICK_ORDER_KEPT, "draft.order", {"protocol": event.protocol}),)
        return ()


class Ended(Echo):
    """Players or judge end the game."""

    def is_true(self, state: State, event: GameEnded) -> bool:  # type: ignore[override]
        return True


_ALL: tuple[Option[State], ...] = (
    OnItsWay(Committed, rules.committed.LEAVES_FIRST, rules.committed.ANY_CHANGE_OF_PLACE),
    HasArrived(Landed, rules.committed.LANDS_REGARDLESS),
    IsDone(Resolved, rules.effects.READING_ORDER),
    SameTurn(TurnBegan, rules.turn.PHASE_ORDER),
    SamePhase(PhaseBegan, rules.turn.PHASE_ORDER),
    Look(Looked, rules.info.OPEN_TO_BOTH, rules.info.OWN_FACE_DOWN, rules.info.NOT_THE_OPPONENTS),
    Name(Identified, rules.info.OWN_FACE_DOWN),
    Said(Chose, rules.effects.SOURCE_SIDE_DECIDES),
    Belongs(OwnerChanged, rules.recompile.CARD_CHANGES_HANDS, rules.owner.LASTS),
    Picked(
        Drafted,
        rules.setup.DRAFT_ORDER,
        rules.setup.DRAFT_POOL,
        rules.setup.PICK_ORDER_KEPT,
        rules.setup.UNDRAFTED_OUT,
    ),
    Ended(GameEnded, rules.victory.THREE_COMPILED),
)

ECHOES = {echo.event: echo for echo in _ALL}
"""By the type of the event that repeats."""

_ONLY_REPEATED = (Chose, Drafted, Identified, Looked, OwnerChanged)


def untrue(state: State, event: Event) -> tuple[Violation, ...]:
    """Why an event that can but repeat what is known repeats something that is not so."""
    if not isinstance(event, _ONLY_REPEATED) or (isinstance(event, OwnerChanged) and event.why != "recompile"):
        return ()
    if isinstance(event, Chose) and (rule := _choice_of_another(state, event)):
        return (Violation(rule, "wrong.player", {"player": event.player, "expected": _who_chooses(state)}),)
    return ECHOES[type(event)].violations(state, event)
