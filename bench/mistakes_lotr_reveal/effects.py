"""What cards do, and who may respond to it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import cast

from msgspec.structs import replace

from audit.core.model import Event
from audit.games.lotr_reveal.cards import CANCEL_AND_REPLACE, CANCEL_CARD, CANCEL_EFFECT, DOOMED
from audit.games.lotr_reveal.event_rules.conditions import overdue
from audit.games.lotr_reveal.events import (
    CardMoved,
    EnterPlayEffect,
    ForcedResolved,
    KeywordResolved,
    PassiveApplied,
    ResponseEffect,
    ResponsePlayed,
    RevealEnded,
    ThreatChanged,
    WhenRevealedResolved,
)
from audit.games.lotr_reveal.lookup import card_of, source_of
from audit.games.lotr_reveal.state import Frame
from audit.games.lotr_reveal.steps import INDEX, S4_5, S6
from audit.games.lotr_reveal.tasks import find_task
from bench.mistakes import Moment, Mutant, Plant
from bench.mistakes_lotr_reveal.planting import (
    acting,
    changing,
    instead,
    leaving_out,
    table,
)

CANCELS = (CANCEL_EFFECT, CANCEL_AND_REPLACE)


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
    if frame is None or frame.placed or frame.stop or frame.step > INDEX["4"] or not card_of(state, frame.card).immune:
        return
    for name, source in state.sources.items():
        if source.owner and source.on_reveal and source.on_reveal.effect == "damage" and not state.replacement:
            amount = source.on_reveal.amount
            event = PassiveApplied(
                seq=0, frame=frame.id, step="4", source=name, effect="damage", target=frame.card, amount=amount
            )
            yield instead(moment, event, "2.immune", "2.immune-conditional")


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
    if overdue(state, frame, S6) or card_of(state, frame.card).immune:
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


KINDS: dict[str, Plant] = {
    "passive effect left out": leaving_out(PassiveApplied, "0.passive-mandatory"),
    "keyword left out": leaving_out(KeywordResolved, "5.1.doomed", "5.1.peril", "5.1.hunt", "7.gained-keywords-now"),
    "when revealed left out": leaving_out(WhenRevealedResolved, "7.resolve", "7.gained-keywords-now", "5.1.surge"),
    "effect of entering left out": leaving_out(
        EnterPlayEffect, "9.traps-attach", "9.undead-engage", "9.scenario-keywords", "9.guarded-reveals",
        "9.guarded-x-places", "5.1.peril-passives-continue",
    ),
    "forced effect left out": leaving_out(ForcedResolved, "10.after-enters-play", "11.after-revealed"),
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
    "card of another player used": changing(ResponsePlayed, of_another, "0.own-responses"),
    "card used again": used_again,
    "threat of another player": changing(
        ThreatChanged, threat_of_another, "5.1.doomed", "7.gained-keywords-now", "7.resolve", "4.outcome-triggers",
        "4.deranged-prisoner"
    ),
}  # fmt: skip
