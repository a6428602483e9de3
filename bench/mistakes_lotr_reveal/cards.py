"""Which card is revealed, in whose place, and where it goes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

from msgspec.structs import replace

from audit.core.model import Event
from audit.games.lotr_reveal.cards import AMBUSH
from audit.games.lotr_reveal.event_rules.entering import ENGAGED, NOT_ENGAGED
from audit.games.lotr_reveal.events import (
    CardMoved,
    EnterPlayEffect,
    KeywordResolved,
    PassiveApplied,
    PhaseStarted,
    PlacementStarted,
    RevealEnded,
    RevealStarted,
    WhenRevealedResolved,
)
from audit.games.lotr_reveal.state import Frame
from audit.games.lotr_reveal.steps import S9, S12
from audit.games.lotr_reveal.tasks import first_task
from audit.games.lotr_reveal.zones import still_to_reveal
from bench.mistakes import Moment, Mutant, Plant
from bench.mistakes_lotr_reveal.planting import (
    _full,
    acting,
    changing,
    instead,
    next_card,
    table,
)


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


KINDS: dict[str, Plant] = {
    "second card taken": changing(RevealStarted, wrong_card, "1.take-top"),
    "surge forgotten": changing(RevealStarted, surge_forgotten, "12.surge", "5.1.surge-survives-cancel"),
    "surge too early": surge_too_early,
    "surge without the keyword": changing(RevealEnded, surge_of_nothing, "12.only-armed"),
    "cancelled card not replaced": changing(RevealStarted, no_replacement, "3.replacement"),
    "wrong zone at step 8": changing(
        CardMoved, wrong_zone, "8.default-staging-area", "8.treachery-discarded", "0.placed-starts-at-8", "8.enter-play"
    ),
    "ambush and trap mixed up": changing(EnterPlayEffect, other_outcome, "9.trap-or-ambush-first"),
    "named type ignored": changing(CardMoved, lamp_ignored, "3.lampwright-discard"),
    "another type discarded": lamp_misread,
    "second card for one player": changing(RevealStarted, second_card, "0.each-player"),
    "player left out": changing(RevealStarted, left_out, "0.each-player"),
    "guarded mixed up": changing(RevealStarted, guarded_mixed_up, "9.guarded-distinct"),
}  # fmt: skip
