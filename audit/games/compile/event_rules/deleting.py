"""Cards go from the field to the trash: by an instruction, or all cards of a compiled line."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec.structs import replace

from audit.core.catalogue import PROCEDURE, Rule
from audit.core.event_rules import Citations, Violation, Violations
from audit.core.model import Event
from audit.games.compile import rules
from audit.games.compile.declarations import ALL
from audit.games.compile.event_rules.picking import FieldCardRules, Pick, line_of, whole_set_violations, whole_sets
from audit.games.compile.events import Deleted, GameWon
from audit.games.compile.following import carried_forward, led_to, waiting_text
from audit.games.compile.moves import leave
from audit.games.compile.occasions import Occasion, acting_text, called_for
from audit.games.compile.parts import lies_on_text, newest, opponent, side_of, swapped
from audit.games.compile.procedures import control_is_up, line_cards
from audit.games.compile.readings import ALL_IS_SILENT
from audit.games.compile.state import Compiling, State
from audit.games.compile.texts import next_instruction, some_react
from audit.games.compile.totals import qualifies


class Delete(Pick[Deleted]):
    """From the field to the trash."""

    verbs = ("delete",)
    event = Deleted

    def verb_rules(self) -> Citations:
        silent = (rules.acts.DELETE_WHOLE_LINE_IS_SILENT,) if self.declared.count == ALL else ()
        trash = (rules.owner.ZONES_FOLLOW, rules.acts.DISCARD_TRASH_IS_FACE_UP)
        return (rules.acts.DELETE_FIELD_TO_TRASH, self.reach(), *silent, *trash, *self.scope())

    def violations(self, state: State, event: Deleted) -> Violations:
        if self.declared.count == ALL:
            return whole_set_violations(state, self.target, event.cards)
        if len(event.cards) != 1:
            tied = set(event.cards) <= set(self.pickable(state, acting_text(state)))
            rule = (self.own_rule(PROCEDURE) if tied else None) or rules.effects.READING_ORDER
            return (Violation(rule, "delete.one", {"n": len(event.cards)}),)
        violation = self.target_violation(state, event.cards[0])
        return (violation,) if violation else ()

    def candidates(self, state: State) -> Iterator[Deleted]:
        text = acting_text(state)
        if self.declared.count == ALL:
            yield from (Deleted(seq=0, cards=cards) for cards in whole_sets(state, text, self.target))
        else:
            yield from (Deleted(seq=0, cards=(card,)) for card in self.pickable(state, text))

    def first_of_all(self, state: State) -> Event | None:
        """The first card, if each line loses the only one within reach and no text reads the order in which they go."""
        text = acting_text(state)
        if text.remaining is None or not self.declared.in_lines or some_react(state):
            return None
        cards = self.pickable(state, text)
        is_one_each = len({line_of(state, card) for card in cards}) == len(cards)
        if not is_one_each or any(lies_on_text(state, card) for card in cards):
            return None
        return next(self.candidates(state), None)


class EmptyLine(Occasion[Deleted]):
    """All cards of the compiled line leave at the same moment."""

    event = Deleted
    rules: Citations = (
        rules.compile.CLEARS_BOTH_SIDES,
        rules.compile.DELETES_AS_ONE_EVENT,
        rules.compile.STEPS_IN_ORDER,
        rules.compile.SILENT_DELETION,
        rules.acts.DELETE_WHOLE_LINE_IS_SILENT,
        rules.acts.DISCARD_TRASH_IS_FACE_UP,
    )

    def __init__(self, seat: str, line: int) -> None:
        self.seat = seat
        self.line = line

    def violations(self, state: State, event: Deleted) -> Violations:
        wanted = line_cards(state, self.line)
        if sorted(wanted) == sorted(event.cards):
            return ()
        return (Violation(self._rule(state, event), "compile.cards", {"cards": wanted, "line": self.line}),)

    def _rule(self, state: State, event: Deleted) -> Rule:
        if self._is_recompile(state):
            return rules.recompile.EMPTIES_LINE
        for side in (state.a, state.b):
            here = {placed.card for placed in side.lines[self.line - 1]}
            if here and not here.intersection(event.cards):
                return rules.compile.CLEARS_BOTH_SIDES
        strangers = set(event.cards).difference(line_cards(state, self.line))
        return rules.compile.CLEARS_BOTH_SIDES if strangers else rules.compile.DELETES_AS_ONE_EVENT

    def _is_recompile(self, state: State) -> bool:
        side = side_of(state, self.seat)
        return side.protocols[self.line - 1] in side.compiled

    def goes_first(self, state: State, event: Event) -> Rule | None:
        """Before whatever else the turn goes on with; who has won may be written first."""
        return None if isinstance(event, GameWon) else rules.compile.STEPS_IN_ORDER

    def citations(self, state: State, event: Deleted) -> Citations:
        again = (rules.recompile.EMPTIES_LINE,) if self._is_recompile(state) else ()
        short = () if qualifies(state, self.seat, self.line) else (rules.compile.NOT_STOPPED_MIDWAY,)
        return (*self.rules, *again, *short)

    def candidates(self, state: State) -> Iterator[Deleted]:
        yield Deleted(seq=0, cards=tuple(line_cards(state, self.line)))


class DeletedRules(FieldCardRules[Deleted]):
    """The rules of deleting cards."""

    event = Deleted
    verb = "delete"
    may_be_ambiguous: bool = True

    def occasions(self, state: State) -> Iterable[Occasion[Deleted]]:
        frame = newest(state)
        if type(frame) is Compiling:
            return () if frame.deleted or control_is_up(state, frame) else (EmptyLine(frame.seat, frame.line),)
        return called_for(state, Deleted)

    def joined(self, event: Deleted, rest: Deleted) -> Deleted | None:
        return replace(event, cards=(*event.cards, *rest.cards)) if rest.cards else None

    def happen(self, state: State, event: Deleted) -> State:
        why = led_to(state, event)
        frame = newest(state)
        text = waiting_text(state, "delete")
        actor = (text.seat if next_instruction(text).who == "you" else opponent(text.seat)) if text else None
        silent = text is not None and next_instruction(text).count == ALL and ALL_IS_SILENT.name in state.switches
        if type(frame) is Compiling:
            state = swapped(state, replace(frame, deleted=True))
        elif text is not None:
            last = event.cards[-1] if event.cards else None
            state = carried_forward(state, "delete", last, len(event.cards))
        return leave(state, event.cards, "trash", why, actor, silent)


RULES = (DeletedRules(),)
