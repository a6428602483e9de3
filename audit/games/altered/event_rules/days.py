"""Days, phases and daily effects: what begins and ends them."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from audit.core.catalogue import Rule
from audit.core.event_rules import Citations, Obligation, Violation, Violations
from audit.games.altered.agenda import START_DAILY_EFFECT, START_DAY, agenda
from audit.games.altered.daily_effects import (
    DAILY,
    brought_forward,
    due_before,
    effects_after,
    effects_of,
    may_begin,
    next_part,
)
from audit.games.altered.event_rules.base import (
    AlteredEventRules,
    Failures,
    blocked_by,
    blocked_by_effect,
    by_mode,
    fails,
)
from audit.games.altered.events import DailyEffectEnded, DailyEffectStarted, DayStarted, PhaseStarted
from audit.games.altered.places import limit, place_of
from audit.games.altered.races import is_uncertain
from audit.games.altered.rules import (
    day_overview,
    day_structure,
    free_for_all,
    multiplayer,
    night,
    phases,
    reaction_check,
    two_against_two,
)
from audit.games.altered.seats import first_turn, held_in, side_of
from audit.games.altered.state import COMPANION, HERO, LANDMARKS, PHASES, RESERVE, PhaseProgress, Side, State
from audit.games.altered.triggers import begun
from audit.games.altered.victory import leavers
from audit.games.altered.vocabulary import DayKind, PhaseName


class DayStartedRules(AlteredEventRules[DayStarted]):
    """The next day begins once the night is over or a tie-break has been called."""

    event = DayStarted
    rules: Citations = (day_overview.FIVE_PHASES, day_structure.NEXT_PHASE)
    obligation = Obligation.MARKER
    is_marker = True

    def criteria(self, state: State, event: DayStarted) -> Failures:
        yield from blocked_by(state, day_structure.NEXT_PHASE)
        if event.day != state.day + 1:
            yield fails(day_overview.FIVE_PHASES, "day.number", {"expected": state.day + 1})
        if event.kind != next_kind(state):
            yield fails(extra_day(state), f"day.kind.{next_kind(state)}")
        if left := leavers(state):
            rule = by_mode(state, multiplayer.WIN, free_for_all.TIEBREAK_LEAVE, free_for_all.TIEBREAK_LEAVE)
            yield fails(rule, "tiebreak.leaves", {"player": left[0]})
        if not is_night_over(state) and (state.tiebreak_players is None or state.phase != "dusk"):
            yield fails(day_overview.FIVE_PHASES, "day.unfinished", {"phase": state.phase})

    def may_come(self, state: State) -> bool:
        due = agenda(state)
        return due is START_DAY or (due is START_DAILY_EFFECT and state.is_phase_uncertain)

    def violations(self, state: State, event: DayStarted) -> Violations:
        """A heading that is written once more says nothing new."""
        return () if _says_again(state, event) else super().violations(state, event)

    def accept(self, state: State, event: DayStarted) -> Citations | None:
        return self.rules if _says_again(state, event) else super().accept(state, event)

    def citations(self, state: State, event: DayStarted) -> Citations:
        extra = (extra_day(state),) if event.kind == "tiebreak" else ()
        return (*extra, *self.rules, *((night.ABOVE_LIMIT,) if is_above_limit(state) else ()))

    def candidates(self, state: State) -> Iterator[DayStarted]:
        yield DayStarted(seq=0, day=state.day + 1, kind=next_kind(state))

    def is_relevant(self, state: State, event: DayStarted) -> bool:
        return event.day <= state.day

    def happen(self, state: State, event: DayStarted) -> State:
        """Nobody has passed and nothing has been used. A day that has begun does not begin again."""
        if event.day <= state.day:
            return state
        return replace(
            state, moment=begun(state, event, "day_start"), day=event.day,
            day_kind=event.kind, phase=None, daily_effect=None, effects_left=(), parts_left=(),
            is_phase_uncertain=False, passed=(), turn_of=None, last_action=None, kept={}, is_cleaned_up=False,
            is_discard_told=False,
            meetings=(), arena_totals={}, tiebreak_players=None, quick_uses={}, activations={}, open_effects=(),
            limbo=(), triggered=(), words_today={}, region_words=0,
        )  # fmt: skip


def _says_again(state: State, event: DayStarted) -> bool:
    """Whether the heading repeats that of the day that has just begun."""
    is_new = state.phase == "morning" or (state.phase is None and state.moment.reason == "day_start")
    return is_new and (event.day, event.kind) == (state.day, state.day_kind)


def next_kind(state: State) -> DayKind:
    """Which kind of day comes next."""
    return "tiebreak" if state.tiebreak_players is not None else "normal"


def extra_day(state: State) -> Rule:
    """The rule about the extra day of this mode."""
    ffa, teams = free_for_all.TIEBREAK_EXTRA_DAY, two_against_two.TIEBREAK_EXTRA_DAY
    return by_mode(state, day_overview.FIVE_PHASES, ffa, teams)


def is_night_over(state: State) -> bool:
    """Whether nothing of the day is left, as far as is known."""
    if state.phase is None:
        return state.moment.reason != "day_start"
    return state.phase == "night" and (state.is_phase_uncertain or not (state.daily_effect or state.effects_left))


def is_above_limit(state: State) -> bool:
    """Whether some zone has more objects than its player may keep."""
    sides = [(seat, side_of(state, seat)) for seat in state.still_in]
    held = [(seat, zone, held_in(side, zone)) for seat, side in sides for zone in (RESERVE, LANDMARKS)]
    return any(cards and len(cards) > limit(state, seat, zone) for seat, zone, cards in held)


class PhaseStartedRules(AlteredEventRules[PhaseStarted]):
    """The next phase begins once the one before is over."""

    event = PhaseStarted
    rules: Citations = (day_structure.PHASE_ORDER, day_structure.NEXT_PHASE)
    obligation = Obligation.MARKER
    is_marker = True

    def criteria(self, state: State, event: PhaseStarted) -> Failures:
        if event.phase != _NEXT[state.phase]:
            yield fails(day_structure.PHASE_ORDER, "phase.order", {"phase": _NEXT[state.phase]})
        yield from blocked_by(state, day_structure.NEXT_PHASE)
        if state.phase is None and state.moment.reason != "day_start" and not state.is_phase_uncertain:
            yield fails(day_overview.FIVE_PHASES, "phase.no_day")
        if state.daily_effect or (state.effects_left and not state.is_phase_uncertain):
            effect = state.daily_effect or state.effects_left[0]
            yield fails(day_structure.NEXT_PHASE, "phase.effects_left", {"effect": effect})
        if state.phase == "afternoon":
            yield from _not_passed(state)
        if state.phase == "dusk" and state.meetings and state.tiebreak_players is None:
            yield fails(multiplayer.WIN, "phase.decided")

    def may_come(self, state: State) -> bool:
        due = agenda(state)
        if due is START_DAY:  # the night before a tie-break day may be played or left out
            return state.phase == "dusk"
        return self.event in due or (due is START_DAILY_EFFECT and state.is_phase_uncertain)

    def violations(self, state: State, event: PhaseStarted) -> Violations:
        """A heading that is written once more says nothing new."""
        return () if event.phase == state.phase else super().violations(state, event)

    def accept(self, state: State, event: PhaseStarted) -> Citations | None:
        return self.citations(state, event) if event.phase == state.phase else super().accept(state, event)

    def citations(self, state: State, event: PhaseStarted) -> Citations:
        return _PHASE_CITATIONS[event.phase]

    def candidates(self, state: State) -> Iterator[PhaseStarted]:
        yield PhaseStarted(seq=0, phase=_NEXT[state.phase])

    def is_relevant(self, state: State, event: PhaseStarted) -> bool:
        return state.phase is not None and PHASES.index(event.phase) <= _ORDER[state.phase]

    def happen(self, state: State, event: PhaseStarted) -> State:
        """Its daily effects are to come; in the afternoon it is the first player's turn."""
        if event.phase == state.phase:
            return state
        phase = event.phase
        return replace(
            state, moment=begun(state, event, "phase_start"), progress=PhaseProgress(event.seq), phase=phase,
            daily_effect=None, effects_left=effects_of(phase, state.day), parts_left=(), is_phase_uncertain=False,
            open_effects=(), last_action=None, turn_of=first_turn(state) if phase == "afternoon" else None,
        )  # fmt: skip


_ORDER: dict[str, int] = {phase: at for at, phase in enumerate(PHASES)}
_NEXT: dict[str | None, PhaseName] = dict(zip((None, *PHASES), (*PHASES, PHASES[0]), strict=True))
"""The phase after each; a day that has begun starts with its morning."""

_START = (
    day_structure.PHASE_ORDER, day_structure.NEXT_PHASE, day_structure.CHECK_AT_PHASE_START,
    reaction_check.AT_PHASE_START, day_overview.FIVE_PHASES,
)  # fmt: skip
_PHASE_CITATIONS: dict[str, Citations] = {
    "morning": _START,
    "noon": (*_START, day_overview.NOON),
    "afternoon": _START,
    "dusk": (day_structure.AFTERNOON_ENDS, *_START),
    "night": _START,
}


def _not_passed(state: State) -> Failures:
    waiting = [seat for seat in state.still_in if seat not in state.passed]
    is_one_left = len(waiting) == 1 and len(state.still_in) > 1
    if waiting:
        key = "phase.one_left" if is_one_left else "phase.not_all_passed"
        yield fails(day_structure.AFTERNOON_ENDS, key, {"player": waiting[0]})
    if is_one_left:
        yield fails(phases.AFTERNOON_CONTINUE_ALONE, "phase.one_left", {"player": waiting[0]})


_DUE: Citations = (day_structure.NEXT_DAILY_EFFECT, day_structure.DAILY_EFFECTS)


class DailyEffectStartedRules(AlteredEventRules[DailyEffectStarted]):
    """The next daily effect begins once Limbo is empty."""

    event = DailyEffectStarted
    rules: Citations = _DUE
    obligation = Obligation.MARKER
    is_marker = True
    waits_for_markers = True

    def criteria(self, state: State, event: DailyEffectStarted) -> Failures:
        phase = state.phase or ""
        if event.effect not in DAILY.get(phase, ()):
            rule = night.DAILY_EFFECTS if phase == "night" else day_structure.DAILY_EFFECTS
            yield fails(rule, "effect.not_here", {"effect": event.effect}, not_intended=True)
        elif (due := due_before(state, event.effect)) and (state.daily_effect or event.effect not in may_begin(state)):
            yield fails(_order_rule(state), "effect.before", {"due": due, "effect": event.effect})
        elif state.daily_effect:
            yield fails(day_structure.NEXT_DAILY_EFFECT, "effect.under_way", {"effect": state.daily_effect})
        elif event.effect == "pass_token" and state.day <= 1:
            yield fails(phases.MORNING_TOKEN_PASS, "token.first_day")
        elif event.effect not in may_begin(state):
            yield fails(_order_rule(state), "effect.order", {"effect": event.effect})
        if state.phase == "dusk" and state.limbo:
            yield fails(phases.DUSK_AT_DUSK_FIRST, "limbo.at_dusk", {"n": len(state.limbo)})
        yield from blocked_by(state, day_structure.NEXT_DAILY_EFFECT)

    def citations(self, state: State, event: DailyEffectStarted) -> Citations:
        return _EFFECT_CITATIONS[event.effect]

    def candidates(self, state: State) -> Iterator[DailyEffectStarted]:
        for effect in state.effects_left[:1]:
            yield DailyEffectStarted(seq=0, effect=effect)

    def is_relevant(self, state: State, event: DailyEffectStarted) -> bool:
        return event.effect in DAILY.get(state.phase or "", ()) and event.effect not in state.effects_left

    def happen(self, state: State, event: DailyEffectStarted) -> State:
        if event.effect == state.daily_effect:
            return state
        return brought_forward(state, event.effect, begun(state, event, None))


_ORDER_RULES = {"morning": phases.MORNING_ORDER, "night": night.REST_BEFORE_CLEANUP}


def _order_rule(state: State) -> Rule:
    return _ORDER_RULES.get(state.phase or "", day_structure.NEXT_DAILY_EFFECT)


_EFFECT_CITATIONS: dict[str, Citations] = {
    "pass_token": (*_DUE, phases.MORNING_TOKEN_PASS, phases.MORNING_ORDER),
    "prepare": (*_DUE, day_overview.PREPARE, phases.MORNING_ORDER),
    "draw": (*_DUE, day_overview.DRAW, phases.MORNING_ORDER),
    "mana": (*_DUE, day_overview.MANA, phases.MORNING_ORDER),
    "progress": (*_DUE, phases.DUSK_AT_DUSK_FIRST),
    "rest": (*_DUE, night.DAILY_EFFECTS, night.REST_BEFORE_CLEANUP),
    "cleanup": (*_DUE, night.DAILY_EFFECTS, night.REST_BEFORE_CLEANUP),
}


class DailyEffectEndedRules(AlteredEventRules[DailyEffectEnded]):
    """The daily effect under way ends when nothing of it is left."""

    event = DailyEffectEnded
    rules: Citations = (day_structure.CHECK_AFTER_DAILY_EFFECT,)
    obligation = Obligation.MARKER
    is_marker = True

    def criteria(self, state: State, event: DailyEffectEnded) -> Failures:
        if event.effect != state.daily_effect:
            yield fails(day_structure.CHECK_AFTER_DAILY_EFFECT, "effect.other", {"effect": event.effect})
        if state.open_effects:
            yield blocked_by_effect(state)
        if next_part(state):
            yield _what_is_left(state)

    def may_come(self, state: State) -> bool:
        return not state.triggered and state.winner is None

    def candidates(self, state: State) -> Iterator[DailyEffectEnded]:
        if state.daily_effect:
            yield DailyEffectEnded(seq=0, effect=state.daily_effect)

    def is_relevant(self, state: State, event: DailyEffectEnded) -> bool:
        return True

    def happen(self, state: State, event: DailyEffectEnded) -> State:
        """What it set off may wait in Limbo. The end of an effect that is over already changes nothing."""
        effects_left, progress = state.effects_left, state.progress
        if event.effect != state.daily_effect:
            if event.effect not in effects_left:
                return state
            effects_left = effects_after(state.phase, event.effect)
        if progress.tumult_reached or progress.tumult_to_resolve:
            progress = replace(progress, tumult_reached=(), tumult_to_resolve=())
        moment = replace(state.moment, reason="after_daily_effect", seq=event.seq, resolving=None)
        is_told = progress.is_told or event.seq > 0
        sides = state.sides if is_told or event.effect != "progress" else _not_told(state)
        return replace(
            state, daily_effect=None, effects_left=effects_left, is_phase_uncertain=False, parts_left=(),
            progress=progress, moment=moment, sides=sides,
        )  # fmt: skip


def _not_told(state: State) -> tuple[Side, ...]:
    """After a dusk of which the log tells nothing: where an expedition is that may have advanced by unknown texts."""
    if state.day_kind != "normal":
        return state.sides
    return tuple(
        [
            replace(
                side,
                hero_advance=None if is_uncertain(state, place_of(seat, HERO)) else side.hero_advance,
                companion_advance=None if is_uncertain(state, place_of(seat, COMPANION)) else side.companion_advance,
            )
            for seat, side in zip(state.seats, state.sides, strict=True)
        ]
    )


def _what_is_left(state: State) -> Violation:
    """What of the daily effect under way is not done."""
    progress = state.progress
    if state.daily_effect == "progress" and progress.tumult_to_resolve:
        return fails(phases.DUSK_TUMULT_EFFECT, "effect.tumult_up", {"card": progress.tumult_to_resolve[0]})
    if state.daily_effect == "progress" and progress.tumult_reached:
        return fails(phases.DUSK_TUMULT_FLIP, "effect.tumult_down", {"place": progress.tumult_reached[0]})
    rule = _UNFINISHED.get(state.daily_effect or "", day_structure.CHECK_AFTER_DAILY_EFFECT)
    return fails(rule, "effect.unfinished", {"effect": state.daily_effect})


_UNFINISHED = {
    "pass_token": day_overview.NEW_FIRST_PLAYER,
    "prepare": day_overview.PREPARE,
    "draw": day_overview.DRAW,
    "mana": day_overview.MANA,
    "progress": day_overview.ONE_STAT_ENOUGH,
    "rest": night.REST,
    "cleanup": night.DISCARD_TOGETHER,
}


RULES = (DayStartedRules(), PhaseStartedRules(), DailyEffectStartedRules(), DailyEffectEndedRules())
