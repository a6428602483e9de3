"""The mistakes of a real table while encounter cards are revealed, planted one at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar, cast

from msgspec.structs import replace

from audit.core.model import Event
from audit.games.lotr_reveal.cards import (
    AMBUSH,
    CANCEL_AND_REPLACE,
    CANCEL_CARD,
    CANCEL_EFFECT,
    DOOMED,
)
from audit.games.lotr_reveal.event_rules.conditions import overdue
from audit.games.lotr_reveal.event_rules.entering import ENGAGED, NOT_ENGAGED
from audit.games.lotr_reveal.events import (
    CardMoved,
    EnterPlayEffect,
    ForcedResolved,
    KeywordResolved,
    PassiveApplied,
    PhaseStarted,
    PlacementStarted,
    ResponseEffect,
    ResponsePlayed,
    RevealEnded,
    RevealStarted,
    ThreatChanged,
    WhenRevealedResolved,
)
from audit.games.lotr_reveal.lookup import acting_frame, card_of, source_of
from audit.games.lotr_reveal.state import Frame, State
from audit.games.lotr_reveal.steps import INDEX, S4_5, S6, S9, S12
from audit.games.lotr_reveal.tasks import find_task, first_task
from audit.games.lotr_reveal.zones import still_to_reveal
from bench import mistakes
from bench.mistakes import Mutant, Plant, Plants

POOLS = ()
CANCELS = (CANCEL_EFFECT, CANCEL_AND_REPLACE)
STARTS = (RevealStarted, PlacementStarted)
Moment = mistakes.Moment[State]
E = TypeVar("E", bound=Event)


def changing(
    kind: type[E] | tuple[type[E], ...], change: Callable[[Moment, E], Iterable[Event]], *rules: str
) -> Plant[State]:
    """Events of that type happen otherwise, as in any game; the rules without the word they all begin with."""
    return mistakes.changing(kind, change, *_full(rules))


def with_card(
    kind: type[E] | tuple[type[E], ...], change: Callable[[Moment, Frame, E], Iterable[Event]], *rules: str
) -> Plant[State]:
    """The same where a card is under way, which the change gets too."""

    def with_frame(moment: Moment, event: E) -> Iterable[Event]:
        frame = acting_frame(moment.state)
        return change(moment, frame, event) if frame else ()

    return changing(kind, with_frame, *rules)


def _full(rules: Iterable[str]) -> tuple[str, ...]:
    return tuple(f"reveal.{rule}" for rule in rules)


def leaving_out(kind: type[Event], *rules: str) -> Plant[State]:
    """Events of that type are forgotten, where the one after it is at a later step of the same card."""

    def plant(moment: Moment) -> Iterator[Mutant]:
        if not isinstance(moment.event, kind) or moment.index + 2 >= len(moment.events):
            return
        now, after = moment.event, moment.events[moment.index + 1]
        same = getattr(after, "frame", "") == getattr(now, "frame", "") and not isinstance(after, STARTS)
        if same and INDEX[getattr(after, "step", "1")] > INDEX[getattr(now, "step", "12")]:
            yield moment.wrong(moment.instead(), *_full(rules))

    return plant


# Which card is revealed, in whose place, and where it goes


def next_card(state: State, below: int = 0) -> str | None:
    """A card of the deck by its place from the top, where that is known."""
    if state.deck is None or not state.ordered or below >= len(state.deck):
        return None
    return state.deck[below]


def wrong_card(moment: Moment, event: RevealStarted) -> Iterable[Event]:
    """The card below the top one is taken."""
    card = next_card(moment.state, below=1)
    return [replace(event, card=card)] if card else ()


def surge_forgotten(moment: Moment, frame: Frame, event: RevealStarted) -> Iterable[Event]:
    """The card goes through without its surge."""
    ended = RevealEnded(seq=0, frame=frame.id, step="12", card=frame.card, outcome="completed")
    return [ended] if event.cause == "surge" else ()


def surge_reveal(moment: Moment, frame: Frame) -> Iterator[RevealStarted]:
    """The top card revealed for a surge of that card."""
    if (card := next_card(moment.state)) is not None:
        yield RevealStarted(seq=0, frame="x1", card=card, cause="surge", player=frame.player, parent=frame.id)


def surge_too_early(moment: Moment) -> Iterator[Mutant]:
    """The surge card is taken while something of the card is still to do."""
    frame = acting_frame(moment.state)
    if frame is None or frame.surges_armed <= frame.surges_served or moment.state.replacement:
        return
    task = first_task(moment.state, frame)
    if task and task.step < S12 and task.kind in ("keyword", "revealed", "enter", "forced"):
        for event in surge_reveal(moment, frame):
            # what comes once a card is in play and was not done looks forgotten as long as it has not come later
            owed = moment.owed(event) if task.step >= S9 else ()
            rules = _full(("5.1.surge-delayed", "7.gained-surge-delayed"))
            yield moment.wrong(moment.played_on(event), *rules, *owed)


def surge_of_nothing(moment: Moment, frame: Frame, ended: RevealEnded) -> Iterable[Event]:
    """A card without a surge brings a further card."""
    is_over = not frame.surges_armed and not frame.stop and ended.outcome == "completed"
    return surge_reveal(moment, frame) if is_over else ()


def no_replacement(moment: Moment, event: RevealStarted) -> Iterator[Event]:
    """The cancelled card is not replaced: the next player reveals."""
    state = moment.state
    if state.replacement and state.replacement.is_due and not state.frames:
        yield RevealStarted(seq=0, frame="x1", card=event.card, cause="staging", player=state.setup.seats[0])


def wrong_zone(moment: Moment, move: CardMoved) -> Iterable[Event]:
    """The card goes to the other zone at step 8."""
    to = "staging_area" if move.to == "encounter_discard" else "encounter_discard"
    return [replace(move, to=to)] if move.step == "8" else ()


def other_outcome(moment: Moment, effect: EnterPlayEffect) -> Iterable[Event]:
    """Ambush engages in spite of a trap, or does not without one."""
    outcome = NOT_ENGAGED if effect.outcome == ENGAGED else ENGAGED
    return [replace(effect, outcome=outcome)] if effect.effect == AMBUSH else ()


def lamp_ignored(moment: Moment, frame: Frame, move: CardMoved) -> Iterable[Event]:
    """A card of the type named goes on to step 8."""
    is_named = frame.named_type and move.step == "3" and not frame.stop
    return [replace(move, step="8", to="staging_area")] if is_named else ()


def lamp_misread(moment: Moment) -> Iterator[Mutant]:
    """A card of another type than the one named is discarded at step 3."""
    frame = acting_frame(moment.state)
    if frame is None or frame.cause != "surge" or frame.named_type or frame.step or frame.stop:
        return
    if not moment.state.replacement and isinstance(
        moment.event, PassiveApplied | KeywordResolved | WhenRevealedResolved
    ):
        event = CardMoved(seq=0, frame=frame.id, step="3", card=frame.card, from_="revealing", to="encounter_discard")
        yield moment.wrong(moment.instead(event, skip=0), *_full(["3.lampwright-only-on-match"]))


def guarded_mixed_up(moment: Moment, started: RevealStarted) -> Iterator[Event]:
    """Guarded without a value puts a card into play."""
    if started.cause == "guarded":
        yield PlacementStarted(
            seq=0, frame=started.frame, card=started.card, cause="guarded-x", player=started.player,
            parent=started.parent, to="staging_area",
        )  # fmt: skip


def second_card(moment: Moment, started: RevealStarted) -> Iterable[Event]:
    """A player reveals a second card for the staging step while another has none."""
    staged = moment.state.staged
    is_open = started.cause == "staging" and staged and still_to_reveal(moment.state)
    return [replace(started, player=staged[0])] if is_open else ()


def left_out(moment: Moment, started: RevealStarted) -> Iterable[Event]:
    """A phase begins before every player has revealed a card."""
    is_open = started.cause == "staging" and still_to_reveal(moment.state)
    return [PhaseStarted(seq=0, phase="travel")] if is_open else ()


# What cards do, and who may respond to it


def no_resistance(moment: Moment, passive: PassiveApplied) -> Iterator[Event]:
    """The damage is dealt in full in spite of resistance."""
    if passive.reduced_by and passive.amount is not None:
        yield replace(passive, amount=passive.amount + passive.reduced_by, reduced_by=0)


def others(state: State, *not_these: object) -> list[str]:
    """The players but these."""
    return [seat for seat in state.setup.seats if seat not in not_these]


def bystander(moment: Moment, frame: Frame, response: ResponsePlayed) -> Iterable[Event]:
    """Under Peril somebody else responds."""
    return [replace(response, player=seat) for seat in others(moment.state, frame.player) if frame.peril]


def late_cancelling(moment: Moment, frame: Frame, event: Event) -> Iterator[Event]:
    """A whole card is cancelled at step 6."""
    if frame.placed or frame.stop or not S4_5 < frame.step < S6 or moment.state.replacement:
        return
    for name, source in moment.state.sources.items():
        if source.response == CANCEL_CARD:
            yield ResponsePlayed(
                seq=0, frame=frame.id, step="6", player=source.owner or frame.player, source=name,
                effect="cancel_card", target=frame.card,
            )  # fmt: skip


def early_cancelling(moment: Moment, frame: Frame, response: ResponsePlayed) -> Iterable[Event]:
    """A When Revealed effect is cancelled before the keywords."""
    is_early = response.effect == CANCEL_EFFECT and frame.step <= INDEX["5.0"]
    return [replace(response, step="5.0")] if is_early else ()


def response_first(moment: Moment, frame: Frame, forced: ForcedResolved) -> Iterator[Event]:
    """A response comes before a forced effect."""
    for name in () if frame.peril else moment.state.sources:
        source = source_of(moment.state, name)
        if source and source.response == "other" and source.step == forced.step:
            player = source.owner or frame.player
            yield ResponsePlayed(
                seq=0, frame=frame.id, step=forced.step, player=player, source=name, effect="other"
            )  # fmt: skip


def effect_in_spite(moment: Moment, frame: Frame, move: CardMoved) -> Iterator[Event]:
    """A cancelled When Revealed effect is carried out."""
    if frame.cancelled_by and not frame.stop and move.step == "8" and frame.step <= INDEX["7"]:
        yield WhenRevealedResolved(seq=0, frame=frame.id, step="7", card=frame.card)


def doomed(frame: Frame) -> Event:
    """Doomed is applied to the card."""
    return KeywordResolved(seq=0, frame=frame.id, step="5.1", card=frame.card, keyword=DOOMED, value=1)


def immune_damaged(moment: Moment, frame: Frame, event: Event) -> Iterator[Event]:
    """A player card damages an immune enemy."""
    state = moment.state
    if frame.placed or frame.stop or frame.step > INDEX["4"] or not card_of(state, frame.card).immune:
        return
    for name, source in state.sources.items():
        if source.owner and source.on_reveal and source.on_reveal.effect == "damage" and not state.replacement:
            yield PassiveApplied(
                seq=0, frame=frame.id, step="4", source=name, effect="damage", target=frame.card,
                amount=source.on_reveal.amount,
            )  # fmt: skip


def of_another(moment: Moment, frame: Frame, response: ResponsePlayed) -> Iterable[Event]:
    """A player uses the card of another."""
    source = source_of(moment.state, response.source)
    is_owned = source and source.owner and not frame.peril
    return [replace(response, player=seat) for seat in others(moment.state, source and source.owner) if is_owned]


def used_again(moment: Moment, frame: Frame, event: Event) -> Iterator[Event]:
    """A card that was discarded or exhausted for its response is used for it again."""
    state = moment.state
    if frame.peril or not find_task(frame, "revealed") or not frame.step <= S6:
        return
    if overdue(state, frame, S6) or card_of(state, frame.card).immune:
        return
    for name, source in state.setup.sources.items():
        if source.cost in ("discard", "exhaust") and name in state.used and source.response in CANCELS:
            yield ResponsePlayed(
                seq=0, frame=frame.id, step="6", player=source.owner or frame.player, source=name,
                effect=cast(ResponseEffect, source.response), target=frame.card,
            )  # fmt: skip


def threat_of_another(moment: Moment, frame: Frame, threat: ThreatChanged) -> Iterable[Event]:
    """A text is for one player, and the threat of another moves."""
    due = {task.player for task in frame.tasks if task.kind == "threat"}
    return [replace(threat, player=seat) for seat in others(moment.state, *due) if due]


KINDS: Plants = {
    "second card taken": changing(RevealStarted, wrong_card, "1.take-top"),
    "surge forgotten": with_card(RevealStarted, surge_forgotten, "12.surge", "5.1.surge-survives-cancel"),
    "surge too early": surge_too_early,
    "surge without the keyword": with_card(RevealEnded, surge_of_nothing, "12.only-armed"),
    "cancelled card not replaced": changing(RevealStarted, no_replacement, "3.replacement"),
    "wrong zone at step 8": changing(
        CardMoved, wrong_zone, "8.default-staging-area", "8.treachery-discarded", "0.placed-starts-at-8", "8.enter-play"
    ),
    "ambush and trap mixed up": changing(EnterPlayEffect, other_outcome, "9.trap-or-ambush-first"),
    "named type ignored": with_card(CardMoved, lamp_ignored, "3.lampwright-discard"),
    "another type discarded": lamp_misread,
    "second card for one player": changing(RevealStarted, second_card, "0.each-player"),
    "player left out": changing(RevealStarted, left_out, "0.each-player"),
    "guarded mixed up": changing(RevealStarted, guarded_mixed_up, "9.guarded-distinct"),
    "passive effect left out": leaving_out(PassiveApplied, "0.passive-mandatory"),
    "keyword left out": leaving_out(KeywordResolved, "5.1.doomed", "5.1.peril", "5.1.hunt", "7.gained-keywords-now"),
    "when revealed left out": leaving_out(WhenRevealedResolved, "7.resolve", "7.gained-keywords-now", "5.1.surge"),
    "effect of entering left out": leaving_out(
        EnterPlayEffect, "9.traps-attach", "9.undead-engage", "9.scenario-keywords", "9.guarded-reveals",
        "9.guarded-x-places", "5.1.peril-passives-continue",
    ),
    "forced effect left out": leaving_out(ForcedResolved, "10.after-enters-play", "11.after-revealed"),
    "one damage too many": changing(
        PassiveApplied, lambda _, e: [replace(e, amount=(e.amount or 0) + 1)] if e.effect == "damage" else (),
        "4.damage-passives", "4.resistance-reduces", "2.resistance",
    ),
    "resistance forgotten": changing(PassiveApplied, no_resistance, "2.resistance"),
    "threat by too much": changing(
        ThreatChanged, lambda _, e: [replace(e, delta=e.delta + 1)],
        "5.1.doomed", "7.gained-keywords-now", "4.outcome-triggers", "4.deranged-prisoner",
    ),
    "another value of doomed": changing(
        KeywordResolved,
        lambda _, e: [replace(e, value=e.value + 1)] if isinstance(e.value, int) and e.keyword == DOOMED else (),
        "5.1.doomed",
    ),
    "somebody else under peril": with_card(ResponsePlayed, bystander, "5.1.peril-blocks-responses"),
    "whole card cancelled too late": with_card(Event, late_cancelling, "3.window", "3.effect-decides-window"),
    "effect cancelled too early": with_card(ResponsePlayed, early_cancelling, "6.window"),
    "response before a forced effect": with_card(ForcedResolved, response_first, "10.forced-first", "11.forced-first"),
    "cancelled effect carried out": with_card(
        CardMoved, effect_in_spite, "6.skips-only-7", "6.test-of-will", "6.eleanor-skips-7"
    ),
    "doomed of a card that is gone": with_card(
        RevealEnded, lambda _, frame, __: [doomed(frame)] if frame.stop == "left" else (), "4.stop-if-gone"
    ),
    "doomed of a placed card": with_card(
        CardMoved, lambda _, frame, __: [doomed(frame)] if frame.placed else (), "0.placed-skips-1-to-7"
    ),
    "immune enemy damaged": with_card(Event, immune_damaged, "2.immune", "2.immune-conditional"),
    "card of another player used": with_card(ResponsePlayed, of_another, "0.own-responses"),
    "card used again": with_card(Event, used_again, "0.used-up"),
    "threat of another player": with_card(
        ThreatChanged, threat_of_another, "5.1.doomed", "7.gained-keywords-now", "7.resolve", "4.outcome-triggers",
        "4.deranged-prisoner",
    ),
}  # fmt: skip
