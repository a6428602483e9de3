"""Tumult cards: they are turned up where an expedition has come to, and their effects are carried out."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from audit.core.event_rules import Citations
from audit.core.model import Event
from audit.core.typography import says_the_same
from audit.games.altered.carrying_out import is_resolving, shared_out
from audit.games.altered.event_rules.base import (
    AlteredEventRules,
    ChoiceRules,
    Failures,
    fails,
)
from audit.games.altered.events import (
    BoostsChanged,
    CardSacrificed,
    CardsDrawn,
    ObjectLeft,
    ObjectsReadied,
    StatusGained,
    StatusLost,
    TargetChosen,
    TokenCreated,
    TumultEffectResolved,
    TumultRevealed,
)
from audit.games.altered.game_data import Cards
from audit.games.altered.rules import phases, two_against_two
from audit.games.altered.state import UNKNOWN, Resolving, State, Tumult
from audit.games.altered.texts import deeds
from audit.games.altered.triggers import not_all_told
from audit.games.altered.zones import less

OF_TEXTS: frozenset[type[Event]] = frozenset(
    (
        CardsDrawn, ObjectsReadied, ObjectLeft, TargetChosen, CardSacrificed, TokenCreated, BoostsChanged,
        StatusGained, StatusLost,
    )
)  # fmt: skip
"""What a text brings: the targets it is for, and what it does to cards, objects and Characters."""


def _seen(known: Tumult, event: TumultRevealed) -> Cards:
    """The cards at a place once they are turned up: those that nobody had named by their names."""
    return event.cards if UNKNOWN in known.cards else known.cards


class TumultRevealedRules(AlteredEventRules[TumultRevealed]):
    """Face-down Tumult cards that an expedition has come to; in the centre both, the second the other way round."""

    event = TumultRevealed
    is_settled = True
    may_be_ambiguous = True
    rules: Citations = (phases.DUSK_TUMULT_FLIP,)
    at_any_time = True

    def criteria(self, state: State, event: TumultRevealed) -> Failures:
        centre = _is_double(state, event.place)
        known = state.tumult.get(event.place)
        if not _is_reached(state, event.place, known):
            yield fails(phases.DUSK_TUMULT_FLIP, "tumult.not_reached", {"place": event.place}, not_intended=True)
        named = {card for card in known.cards if card != UNKNOWN} if known else set[str]()
        if centre and (len(event.cards) != 2 or named - set(event.cards)):
            yield fails(two_against_two.CENTRE_FLIP, "tumult.both")
        elif known and named and named != set(event.cards):
            yield fails(phases.DUSK_TUMULT_FLIP, "tumult.other_card", {"card": known.cards[0]})
        if centre and event.second_reversed is False:
            yield fails(two_against_two.CENTRE_ORIENT, "tumult.orient")

    def citations(self, state: State, event: TumultRevealed) -> Citations:
        is_double = _is_double(state, event.place)
        more = (two_against_two.CENTRE_FLIP, two_against_two.CENTRE_ORIENT) if is_double else ()
        return (*more, *self.rules)

    def candidates(self, state: State) -> Iterator[TumultRevealed]:
        for place in state.progress.tumult_reached:
            reversed_ = True if _is_double(state, place) else None
            yield TumultRevealed(seq=0, cards=state.tumult[place].cards, place=place, second_reversed=reversed_)

    def is_ambiguous(self, state: State, event: TumultRevealed) -> bool:
        """If no expedition is known to be there, the log may have left out its advance."""
        return not self.is_due(state)

    def happen(self, state: State, event: TumultRevealed) -> State:
        """Tumult cards lie face up; an effect that is known has to be resolved."""
        known, progress = state.tumult.get(event.place, Tumult(event.cards)), state.progress
        return replace(
            state,
            tumult={**state.tumult, event.place: replace(known, cards=_seen(known, event), is_up=True)},
            face_up=(*state.face_up, *event.cards),
            progress=replace(
                progress,
                tumult_reached=less(progress.tumult_reached, event.place),
                tumult_to_resolve=(*progress.tumult_to_resolve, *(event.cards if known.effect else ())),
            ),
        )


def _is_double(state: State, place: str) -> bool:
    """Whether two cards lie there, one turned the other way round: the centre, with more than two players."""
    return place == "centre" and state.game.mode != "duel"


def _is_reached(state: State, place: str, known: Tumult | None) -> bool:
    if place in state.progress.tumult_reached:
        return True
    if known is not None and (known.is_up or place != "centre" or known.centre_advance is not None):
        return False
    return bool(state.progress.advanced) or is_resolving(state)


class TumultEffectResolvedRules(ChoiceRules[TumultEffectResolved]):
    """The effect of a card just turned up."""

    event = TumultEffectResolved
    announces: frozenset[type[Event]] = OF_TEXTS
    rules: Citations = (phases.DUSK_TUMULT_EFFECT,)
    at_any_time = True

    def criteria(self, state: State, event: TumultEffectResolved) -> Failures:
        if event.card not in state.face_up:
            yield fails(phases.DUSK_TUMULT_EFFECT, "tumult.still_down", {"card": event.card})
        known = _tumult_effect(state, event.card)
        if known and event.effect and not says_the_same(known, event.effect):
            yield fails(phases.DUSK_TUMULT_EFFECT, "tumult.effect", {"card": event.card})

    def candidates(self, state: State) -> Iterator[TumultEffectResolved]:
        for card in state.progress.tumult_to_resolve:
            yield TumultEffectResolved(seq=0, card=card, effect=_tumult_effect(state, card) or "")

    def happen(self, state: State, event: TumultEffectResolved) -> State:
        """The effect of a Tumult card is under way."""
        effect = _tumult_effect(state, event.card) or event.effect
        resolving = Resolving("", (event.card,), event.seq, shared_out(state, "", deeds(effect)), effect)
        moment = replace(state.moment, resolving=resolving, earlier=not_all_told(state.moment))
        left = less(state.progress.tumult_to_resolve, event.card)
        return replace(state, progress=replace(state.progress, tumult_to_resolve=left), moment=moment)


def _tumult_effect(state: State, card: str) -> str | None:
    return next((one.effect for one in state.tumult.values() if card in one.cards and one.effect), None)


RULES = (TumultRevealedRules(), TumultEffectResolvedRules())
