"""The mistakes of a real table while encounter cards are revealed, planted one at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import cast

from msgspec.structs import replace

from audit.core.model import Event
from audit.games.lotr_reveal.cards import AMBUSH, CANCEL_AND_REPLACE, CANCEL_CARD, CANCEL_EFFECT, DOOMED
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
from audit.games.lotr_reveal.lookup import acting_frame, source_of
from audit.games.lotr_reveal.rounds import still_to_reveal
from audit.games.lotr_reveal.state import Frame, State
from audit.games.lotr_reveal.steps import INDEX, S4_5, S6, S9, S12
from audit.games.lotr_reveal.tasks import find_task, first_task
from bench.mistakes import Moment, Mutant, Plant

CANCELS = (CANCEL_EFFECT, CANCEL_AND_REPLACE)


def table(moment: Moment) -> State:
    """The position as this game knows it."""
    return cast(State, moment.state)


def acting(moment: Moment) -> Frame | None:
    """The card under way."""
    return acting_frame(table(moment))


def instead(moment: Moment, event: Event, *rules: str) -> Mutant:
    """The players do this instead of what they may, and play on."""
    return Mutant(moment.played_on(event), moment.index + 1, _full(rules))


def forgotten(moment: Moment, *rules: str) -> Iterator[Mutant]:
    """What happens next is left out, where the one after it is at a later step of the same card."""
    if moment.index + 2 >= len(moment.events):
        return
    now, after = moment.event, moment.events[moment.index + 1]
    same = getattr(after, "frame", "") == getattr(now, "frame", "") and type(after) not in (
        RevealStarted,
        PlacementStarted,
    )
    if same and INDEX[getattr(after, "step", "1")] > INDEX[getattr(now, "step", "12")]:
        yield Mutant(moment.instead(), moment.index + 1, _full(rules))


def _full(rules: tuple[str, ...]) -> frozenset[str]:
    return frozenset(f"reveal.{rule}" for rule in rules)


def leaving_out(kind: type[Event], *rules: str) -> Plant:
    """Events of that type are forgotten."""

    def plant(moment: Moment) -> Iterator[Mutant]:
        if isinstance(moment.event, kind):
            yield from forgotten(moment, *rules)

    return plant


def changing(kind: type[Event], change: Callable[[Moment, Event], Event | None], *rules: str) -> Plant:
    """Events of that type happen otherwise."""

    def plant(moment: Moment) -> Iterator[Mutant]:
        if isinstance(moment.event, kind) and (event := change(moment, moment.event)) is not None:
            yield instead(moment, event, *rules)

    return plant


def next_card(state: State, below: int = 0) -> str | None:
    """A card of the deck by its place from the top, where that is known."""
    if state.deck is None or not state.ordered or below >= len(state.deck):
        return None
    return state.deck[below]


def surge_reveal(moment: Moment, frame: Frame) -> RevealStarted | None:
    """The top card revealed for a surge of that card."""
    card = next_card(table(moment))
    if card is None:
        return None
    return RevealStarted(seq=0, frame="x1", card=card, cause="surge", player=frame.player, parent=frame.id)


def wrong_card(moment: Moment, event: Event) -> Event | None:
    """The card below the top one is taken."""
    card = next_card(table(moment), below=1)
    return replace(event, card=card) if card else None


def surge_forgotten(moment: Moment, event: Event) -> Event | None:
    """The card goes through without its surge."""
    frame = acting(moment)
    if frame is None or cast(RevealStarted, event).cause != "surge":
        return None
    return RevealEnded(seq=0, frame=frame.id, step="12", card=frame.card, outcome="completed")


def surge_too_early(moment: Moment) -> Iterator[Mutant]:
    """The surge card is taken while something of the card is still to do."""
    frame = acting(moment)
    if frame is None or frame.surges_armed <= frame.surges_served or table(moment).replacement:
        return
    task = first_task(table(moment), frame)
    if (
        task
        and task.step < S12
        and task.kind in ("keyword", "revealed", "enter", "forced")
        and (event := surge_reveal(moment, frame))
    ):
        # what comes once a card is in play and was not done looks forgotten as long as it has not come later
        owed = moment.owed(event) if task.step >= S9 else frozenset()
        early = instead(moment, event, "5.1.surge-delayed", "7.gained-surge-delayed")
        yield Mutant(early.events, early.at, early.rules | owed)


def surge_of_nothing(moment: Moment, event: Event) -> Event | None:
    """A card without a surge brings a further card."""
    frame = acting(moment)
    if frame is None or frame.surges_armed or frame.stop or cast(RevealEnded, event).outcome != "completed":
        return None
    return surge_reveal(moment, frame)


def no_replacement(moment: Moment, event: Event) -> Event | None:
    """The cancelled card is not replaced: the next player reveals."""
    state = table(moment)
    card = cast(RevealStarted, event).card
    if not state.replacement or not state.replacement.is_due or state.frames:
        return None
    return RevealStarted(seq=0, frame="x1", card=card, cause="staging", player=state.setup.seats[0])


def wrong_zone(moment: Moment, event: Event) -> Event | None:
    """The card goes to the other zone at step 8."""
    move = cast(CardMoved, event)
    if move.step != "8":
        return None
    return replace(move, to="staging_area" if move.to == "encounter_discard" else "encounter_discard")


def too_much_damage(moment: Moment, event: Event) -> Event | None:
    """One damage too many."""
    passive = cast(PassiveApplied, event)
    return replace(passive, amount=(passive.amount or 0) + 1) if passive.effect == "damage" else None


def no_resistance(moment: Moment, event: Event) -> Event | None:
    """The damage is dealt in full in spite of resistance."""
    passive = cast(PassiveApplied, event)
    if not passive.reduced_by or passive.amount is None:
        return None
    return replace(passive, amount=passive.amount + passive.reduced_by, reduced_by=0)


def wrong_threat(moment: Moment, event: Event) -> Event | None:
    """Threat moves by one too much."""
    threat = cast(ThreatChanged, event)
    return replace(threat, delta=threat.delta + 1)


def wrong_value(moment: Moment, event: Event) -> Event | None:
    """A keyword has another value."""
    keyword = cast(KeywordResolved, event)
    return (
        replace(keyword, value=keyword.value + 1)
        if isinstance(keyword.value, int) and keyword.keyword == DOOMED
        else None
    )


def bystander(moment: Moment, event: Event) -> Event | None:
    """Under Peril somebody else responds."""
    frame, response = acting(moment), cast(ResponsePlayed, event)
    others = [seat for seat in table(moment).setup.seats if frame and seat != frame.player]
    return replace(response, player=others[0]) if frame and frame.peril and others else None


def late_cancelling(moment: Moment) -> Iterator[Mutant]:
    """A whole card is cancelled at step 6."""
    frame, state = acting(moment), table(moment)
    if frame is None or frame.placed or frame.stop or not S4_5 < frame.step < S6 or state.replacement:
        return
    for name, source in state.sources.items():
        if source.response == CANCEL_CARD and frame.step <= S6:
            event = ResponsePlayed(
                seq=0, frame=frame.id, step="6", player=source.owner or frame.player, source=name,
                effect="cancel_card", target=frame.card,
            )  # fmt: skip
            yield instead(moment, event, "3.window", "3.effect-decides-window")


def early_cancelling(moment: Moment, event: Event) -> Event | None:
    """A When Revealed effect is cancelled before the keywords."""
    response = cast(ResponsePlayed, event)
    frame = acting(moment)
    is_early = frame is not None and frame.step <= INDEX["5.0"]
    return replace(response, step="5.0") if response.effect == CANCEL_EFFECT and is_early else None


def response_first(moment: Moment, event: Event) -> Event | None:
    """A response comes before a forced effect."""
    frame, forced = acting(moment), cast(ForcedResolved, event)
    for name in table(moment).sources:
        source = source_of(table(moment), name)
        if frame and not frame.peril and source and source.response == "other" and source.step == forced.step:
            return ResponsePlayed(
                seq=0,
                frame=frame.id,
                step=forced.step,
                player=source.owner or frame.player,
                source=name,
                effect="other",
            )
    return None


def effect_in_spite(moment: Moment, event: Event) -> Event | None:
    """A cancelled When Revealed effect is carried out."""
    frame = acting(moment)
    if (
        frame is None
        or not frame.cancelled_by
        or frame.stop
        or cast(CardMoved, event).step != "8"
        or frame.step > INDEX["7"]
    ):
        return None
    return WhenRevealedResolved(seq=0, frame=frame.id, step="7", card=frame.card)


def doomed_although(stopped: Callable[[Frame], bool]) -> Callable[[Moment, Event], Event | None]:
    """Doomed is applied to a card it no longer, or never, applies to."""

    def change(moment: Moment, event: Event) -> Event | None:
        frame = acting(moment)
        if frame is None or not stopped(frame):
            return None
        return KeywordResolved(seq=0, frame=frame.id, step="5.1", card=frame.card, keyword=DOOMED, value=1)

    return change


def immune_damaged(moment: Moment) -> Iterator[Mutant]:
    """A player card damages an immune enemy."""
    frame, state = acting(moment), table(moment)
    if (
        frame is None
        or frame.placed
        or frame.stop
        or frame.step > INDEX["4"]
        or not state.setup.card(frame.card).immune
    ):
        return
    for name, source in state.sources.items():
        if source.owner and source.on_reveal and source.on_reveal.effect == "damage" and not state.replacement:
            amount = source.on_reveal.amount
            event = PassiveApplied(
                seq=0, frame=frame.id, step="4", source=name, effect="damage", target=frame.card, amount=amount
            )
            yield instead(moment, event, "2.immune", "2.immune-conditional")


def other_outcome(moment: Moment, event: Event) -> Event | None:
    """Ambush engages in spite of a trap, or does not without one."""
    effect = cast(EnterPlayEffect, event)
    if effect.effect != AMBUSH:
        return None
    return replace(effect, outcome=NOT_ENGAGED if effect.outcome == ENGAGED else ENGAGED)


def lamp_ignored(moment: Moment, event: Event) -> Event | None:
    """A card of the type named goes on to step 8."""
    move, frame = cast(CardMoved, event), acting(moment)
    return (
        replace(move, step="8", to="staging_area")
        if frame and frame.named_type and move.step == "3" and not frame.stop
        else None
    )


def lamp_misread(moment: Moment) -> Iterator[Mutant]:
    """A card of another type than the one named is discarded at step 3."""
    frame = acting(moment)
    if (
        frame is None
        or frame.cause != "surge"
        or frame.named_type
        or frame.step
        or frame.stop
        or table(moment).replacement
    ):
        return
    if isinstance(moment.event, PassiveApplied | KeywordResolved | WhenRevealedResolved):
        event = CardMoved(seq=0, frame=frame.id, step="3", card=frame.card, from_="revealing", to="encounter_discard")
        yield Mutant(moment.instead(event, skip=0), moment.index + 1, _full(("3.lampwright-only-on-match",)))


def guarded_mixed_up(moment: Moment, event: Event) -> Event | None:
    """Guarded without a value puts a card into play."""
    started = cast(RevealStarted, event)
    if started.cause != "guarded":
        return None
    return PlacementStarted(
        seq=0, frame=started.frame, card=started.card, cause="guarded-x", player=started.player, parent=started.parent,
        to="staging_area",
    )  # fmt: skip


def second_card(moment: Moment, event: Event) -> Event | None:
    """A player reveals a second card for the staging step while another has none."""
    state, started = table(moment), cast(RevealStarted, event)
    is_open = started.cause == "staging" and state.staged and still_to_reveal(state)
    return replace(started, player=state.staged[0]) if is_open else None


def left_out(moment: Moment, event: Event) -> Event | None:
    """A phase begins before every player has revealed a card."""
    state, started = table(moment), cast(RevealStarted, event)
    is_open = started.cause == "staging" and still_to_reveal(state)
    return PhaseStarted(seq=0, phase="travel") if is_open else None


def of_another(moment: Moment, event: Event) -> Event | None:
    """A player uses the card of another."""
    frame, response = acting(moment), cast(ResponsePlayed, event)
    source = source_of(table(moment), response.source)
    others = [seat for seat in table(moment).setup.seats if source and source.owner not in (None, seat)]
    return replace(response, player=others[0]) if others and frame and not frame.peril else None


def used_again(moment: Moment) -> Iterator[Mutant]:
    """A card that was discarded or exhausted for its response is used for it again."""
    frame, state = acting(moment), table(moment)
    if frame is None or frame.peril or not find_task(frame, "revealed") or not frame.step <= S6:
        return
    if overdue(state, frame, S6) or state.setup.card(frame.card).immune:
        return
    for name, source in state.setup.sources.items():
        if source.cost in ("discard", "exhaust") and name in state.used and source.response in CANCELS:
            response = ResponsePlayed(
                seq=0, frame=frame.id, step="6", player=source.owner or frame.player, source=name,
                effect=cast(ResponseEffect, source.response), target=frame.card,
            )  # fmt: skip
            yield instead(moment, response, "0.used-up")


def threat_of_another(moment: Moment, event: Event) -> Event | None:
    """A text is for one player, and the threat of another moves."""
    threat, frame = cast(ThreatChanged, event), acting(moment)
    due = {task.player for task in frame.tasks if task.kind == "threat"} if frame else set()
    others = [seat for seat in table(moment).setup.seats if seat not in due]
    return replace(threat, player=others[0]) if due and others else None


POOLS = ()

KINDS: dict[str, Plant] = {
    "passive effect left out": leaving_out(PassiveApplied, "0.passive-mandatory"),
    "keyword left out": leaving_out(KeywordResolved, "5.1.doomed", "5.1.peril", "5.1.hunt", "7.gained-keywords-now"),
    "when revealed left out": leaving_out(WhenRevealedResolved, "7.resolve", "7.gained-keywords-now", "5.1.surge"),
    "effect of entering left out": leaving_out(
        EnterPlayEffect, "9.traps-attach", "9.undead-engage", "9.scenario-keywords", "9.guarded-reveals",
        "9.guarded-x-places", "5.1.peril-passives-continue",
    ),
    "forced effect left out": leaving_out(ForcedResolved, "10.after-enters-play", "11.after-revealed"),
    "second card taken": changing(RevealStarted, wrong_card, "1.take-top"),
    "surge forgotten": changing(RevealStarted, surge_forgotten, "12.surge", "5.1.surge-survives-cancel"),
    "surge too early": surge_too_early,
    "surge without the keyword": changing(RevealEnded, surge_of_nothing, "12.only-armed"),
    "cancelled card not replaced": changing(RevealStarted, no_replacement, "3.replacement"),
    "wrong zone at step 8": changing(
        CardMoved, wrong_zone, "8.default-staging-area", "8.treachery-discarded", "0.placed-starts-at-8", "8.enter-play"
    ),
    "one damage too many": changing(
        PassiveApplied, too_much_damage, "4.damage-passives", "4.resistance-reduces", "2.resistance"
    ),
    "resistance forgotten": changing(PassiveApplied, no_resistance, "2.resistance"),
    "threat by too much": changing(
        ThreatChanged, wrong_threat, "5.1.doomed", "7.gained-keywords-now", "4.outcome-triggers", "4.deranged-prisoner"
    ),
    "another value of doomed": changing(KeywordResolved, wrong_value, "5.1.doomed"),
    "somebody else under peril": changing(ResponsePlayed, bystander, "5.1.peril-blocks-responses"),
    "whole card cancelled too late": late_cancelling,
    "effect cancelled too early": changing(ResponsePlayed, early_cancelling, "6.window"),
    "response before a forced effect": changing(ForcedResolved, response_first, "10.forced-first", "11.forced-first"),
    "cancelled effect carried out": changing(
        CardMoved, effect_in_spite, "6.skips-only-7", "6.test-of-will", "6.eleanor-skips-7"
    ),
    "doomed of a card that is gone": changing(
        RevealEnded, doomed_although(lambda frame: frame.stop == "left"), "4.stop-if-gone"
    ),
    "doomed of a placed card": changing(
        CardMoved, doomed_although(lambda frame: frame.placed), "0.placed-skips-1-to-7"
    ),
    "immune enemy damaged": immune_damaged,
    "ambush and trap mixed up": changing(EnterPlayEffect, other_outcome, "9.trap-or-ambush-first"),
    "named type ignored": changing(CardMoved, lamp_ignored, "3.lampwright-discard"),
    "another type discarded": lamp_misread,
    "second card for one player": changing(RevealStarted, second_card, "0.each-player"),
    "player left out": changing(RevealStarted, left_out, "0.each-player"),
    "card of another player used": changing(ResponsePlayed, of_another, "0.own-responses"),
    "card used again": used_again,
    "threat of another player": changing(
        ThreatChanged, threat_of_another, "5.1.doomed", "7.gained-keywords-now", "7.resolve", "4.outcome-triggers",
        "4.deranged-prisoner"
    ),
    "guarded mixed up": changing(RevealStarted, guarded_mixed_up, "9.guarded-distinct"),
}  # fmt: skip
