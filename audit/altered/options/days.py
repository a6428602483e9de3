"""Days, phases and daily effects: what opens and closes them."""

from __future__ import annotations

from audit.altered.events import DailyEffectEnded, DailyEffectStarted, DayStarted, PhaseStarted
from audit.altered.options.told import Listed, Offers, Refused, Rules, elsewhere, fails, held_up
from audit.altered.places import limit, where
from audit.altered.rules import day, ffa, mp, s1_3_2, s4_2, s4_2_5, s4_4, two_v_two
from audit.altered.stages import are_there_movers
from audit.altered.state import DAILY, LANDMARKS, PHASES, RESERVE, Cards, State
from audit.catalogue import Rule
from audit.ruleset import Obligation


class StartDay(Listed):
    """The next day, once the night is over or a tie-break has been called."""

    event = DayStarted
    rules = (s1_3_2.A, s4_2.E_NEXT_PHASE)
    obligation = Obligation.MARKER

    def broken(self, state: State, event: DayStarted) -> Refused:
        yield from held_up(state, s4_2.E_NEXT_PHASE)
        if event.day != state.day + 1:
            yield fails(s1_3_2.A, "day.number", {"expected": state.day + 1})
        if event.kind != kind_due(state):
            yield fails(extra_day(state), f"day.kind.{kind_due(state)}")
        if leavers(state):
            yield fails(ffa.TIEBREAK_LEAVE, "tiebreak.leaves", {"player": leavers(state)[0]})
        if not night_is_over(state) and (state.called is None or state.phase != "dusk"):
            yield fails(s1_3_2.A, "day.unfinished", {"phase": state.phase})

    def citations(self, state: State, event: DayStarted) -> Rules:  # type: ignore[override]
        extra = (extra_day(state),) if event.kind == "tiebreak" else ()
        return (*extra, *self.rules, *((s4_2_5.EXCESS,) if above_limit(state) else ()))

    def candidates(self, state: State) -> Offers:
        yield DayStarted(seq=0, day=state.day + 1, kind="tiebreak" if state.called is not None else "normal")


def kind_due(state: State) -> str:
    """Which kind of day comes next."""
    return "tiebreak" if state.called is not None else "normal"


def extra_day(state: State) -> Rule:
    """The rule about the extra day of this mode."""
    return two_v_two.TIEBREAK_EXTRA_DAY if state.box.mode == "2v2" else ffa.TIEBREAK_EXTRA_DAY


def leavers(state: State) -> tuple[str, ...]:
    """Players who have no part in the tie-break and are still there."""
    called = state.called
    return tuple(seat for seat in state.still_in if seat not in called) if called is not None else ()


def night_is_over(state: State) -> bool:
    """Whether nothing of the day is left, as far as can be told."""
    if state.phase is None:
        return state.moment.name != "day_start"
    return state.phase == "night" and (state.unsure or (not state.effect and not state.todo))


def above_limit(state: State) -> bool:
    """Whether some zone holds more than its player may keep."""
    for seat in state.still_in:
        side = state.side(seat)
        if len(side.reserve or ()) > limit(state, seat, RESERVE):
            return True
        if len(side.landmarks or ()) > limit(state, seat, LANDMARKS):
            return True
    return False


class StartPhase(Listed):
    """The phase that comes next, once the one before is over."""

    event = PhaseStarted
    rules = (s4_2.A, s4_2.E_NEXT_PHASE)
    obligation = Obligation.MARKER

    def broken(self, state: State, event: PhaseStarted) -> Refused:
        if event.phase != next_phase(state):
            yield fails(s4_2.A, "phase.order", {"phase": next_phase(state)})
        yield from held_up(state, s4_2.E_NEXT_PHASE)
        if state.phase is None and state.moment.name != "day_start" and not state.unsure:
            yield fails(s1_3_2.A, "phase.no_day")
        if state.effect or (state.todo and not state.unsure):
            yield fails(s4_2.E_NEXT_PHASE, "phase.effects_left", {"effect": state.effect or state.todo[0]})
        if state.phase == "afternoon":
            yield from _not_passed(state)
        if state.phase == "dusk" and state.met and state.called is None:
            yield fails(mp.WIN, "phase.decided")

    def citations(self, state: State, event: PhaseStarted) -> Rules:  # type: ignore[override]
        return _PHASE_CITES[event.phase]

    def candidates(self, state: State) -> Offers:
        yield PhaseStarted(seq=0, phase=next_phase(state))  # type: ignore[arg-type]


_START = (s4_2.A, s4_2.E_NEXT_PHASE, s4_2.B, s4_4.A_PHASE_START, s1_3_2.A)
_PHASE_CITES: dict[str, Rules] = {
    "morning": _START,
    "noon": (*_START, s1_3_2.C),
    "afternoon": _START,
    "dusk": (s4_2.F, *_START),
    "night": _START,
}


def next_phase(state: State) -> str:
    """The phase after the present one; a day that has begun starts with its morning."""
    return _NEXT[state.phase]


_NEXT: dict[str | None, str] = dict(zip((None, *PHASES), (*PHASES, PHASES[0]), strict=True))


def _not_passed(state: State) -> Refused:
    waiting = [seat for seat in state.still_in if seat not in state.passed]
    if len(waiting) == 1 and len(state.still_in) > 1:
        yield fails(day.AFTERNOON_CONTINUE_ALONE, "phase.one_left", {"player": waiting[0]})
    if waiting:
        yield fails(s4_2.F, "phase.not_all_passed", {"player": waiting[0]})


class StartEffect(Listed):
    """The next daily effect, once Limbo is empty."""

    event = DailyEffectStarted
    rules = (s4_2.E_NEXT_EFFECT, s4_2.C)
    obligation = Obligation.MARKER

    def broken(self, state: State, event: DailyEffectStarted) -> Refused:
        phase = state.phase or ""
        if event.effect not in DAILY.get(phase, ()):
            yield elsewhere(s4_2_5.A if phase == "night" else s4_2.C, "effect.not_here", {"effect": event.effect})
        elif state.effect:
            yield fails(s4_2.E_NEXT_EFFECT, "effect.under_way", {"effect": state.effect})
        elif event.effect == "pass_token" and state.day <= 1:
            yield fails(day.MORNING_TOKEN_PASS, "token.first_day")
        elif event.effect not in state.todo[: None if state.unsure else 1]:
            yield fails(_ORDER.get(phase, s4_2.E_NEXT_EFFECT), "effect.order", {"effect": event.effect})
        if state.phase == "dusk" and state.limbo:
            yield fails(day.DUSK_AT_DUSK_FIRST, "limbo.at_dusk", {"n": len(state.limbo)})
        yield from held_up(state, s4_2.E_NEXT_EFFECT)

    def citations(self, state: State, event: DailyEffectStarted) -> Rules:  # type: ignore[override]
        return _EFFECT_CITES[event.effect]

    def candidates(self, state: State) -> Offers:
        for effect in state.todo[:1]:
            yield DailyEffectStarted(seq=0, effect=effect)  # type: ignore[arg-type]


_ORDER = {"morning": day.MORNING_ORDER, "night": s4_2_5.A_ORDER}
_EFFECT_CITES: dict[str, Rules] = {
    "pass_token": (*StartEffect.rules, day.MORNING_TOKEN_PASS, day.MORNING_ORDER),
    "prepare": (*StartEffect.rules, s1_3_2.B_PREPARE, day.MORNING_ORDER),
    "draw": (*StartEffect.rules, s1_3_2.B_DRAW, day.MORNING_ORDER),
    "mana": (*StartEffect.rules, s1_3_2.B_MANA, day.MORNING_ORDER),
    "progress": (*StartEffect.rules, day.DUSK_AT_DUSK_FIRST),
    "rest": (*StartEffect.rules, s4_2_5.A, s4_2_5.A_ORDER),
    "cleanup": (*StartEffect.rules, s4_2_5.A, s4_2_5.A_ORDER),
}


class EndEffect(Listed):
    """The daily effect under way, of which nothing is left, is complete."""

    event = DailyEffectEnded
    rules = (s4_2.D,)
    obligation = Obligation.MARKER

    def broken(self, state: State, event: DailyEffectEnded) -> Refused:
        if event.effect != state.effect:
            yield fails(s4_2.D, "effect.other", {"effect": event.effect})
        if state.effects:
            yield from held_up(state)

    def candidates(self, state: State) -> Offers:
        if state.effect:
            yield DailyEffectEnded(seq=0, effect=state.effect)  # type: ignore[arg-type]


class EndAnyEffect(EndEffect):
    """The same at a moment when something of the effect may be left."""

    def broken(self, state: State, event: DailyEffectEnded) -> Refused:
        yield from super().broken(state, event)
        if unfinished(state):
            yield fails(_what_is_left(state), "effect.unfinished", {"effect": state.effect})


def _what_is_left(state: State) -> Rule:
    if state.effect == "progress" and (state.flipped or state.reached):
        return day.DUSK_TUMULT_EFFECT if state.flipped else day.DUSK_TUMULT_FLIP
    return _UNFINISHED.get(state.effect or "", s4_2.D)


_UNFINISHED = {
    "pass_token": s1_3_2.B_FIRST_PLAYER,
    "prepare": s1_3_2.B_PREPARE,
    "draw": s1_3_2.B_DRAW,
    "mana": s1_3_2.B_MANA,
    "progress": s1_3_2.E_ONE_STAT_ENOUGH,
    "rest": s4_2_5.B,
    "cleanup": s4_2_5.C_SIMULTANEOUS,
}


def unfinished(state: State) -> bool:
    """Whether something of the daily effect under way has still to be done."""
    if state.effect == "progress" and state.kind == "normal":
        return bool(state.flipped or state.reached or are_there_movers(state))
    return bool(state.pending) or (state.effect == "cleanup" and not state.discarded and bool(surplus_of(state)))


def surplus_of(state: State) -> dict[str, tuple[str, ...]]:
    """What each player has not chosen to keep, as far as the zones are known."""
    found = {}
    for seat in state.still_in:
        side = state.side(seat)
        if loose := (*_loose(state, seat, RESERVE, side.reserve), *_loose(state, seat, LANDMARKS, side.landmarks)):
            found[seat] = loose
    return found


def _loose(state: State, seat: str, zone: str, held: Cards | None) -> Cards:
    kept = state.kept.get(where(seat, zone))
    if not held or kept is None or kept == held:
        return ()
    return tuple([card for card in held if card not in kept])


START_DAY, MAYBE_DAY = StartDay(), StartDay(Obligation.REDUNDANT)
START_PHASE, MAYBE_PHASE = StartPhase(), StartPhase(Obligation.REDUNDANT)
START_EFFECT = StartEffect()
END_EFFECT, END_TOO_SOON = EndEffect(), EndAnyEffect()
