"""The afternoon: quick actions, then a card or a pass, player after player until all have passed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from msgspec.structs import replace

from audit.core.catalogue import Rule
from audit.core.event_rules import Citations, Obligation, Violation, Violations
from audit.games.altered.carrying_out import changes_others, is_own_change, shared_out, with_own_changes
from audit.games.altered.event_rules.base import ChoiceRules, Failures, fails
from audit.games.altered.event_rules.turns import not_on_turn, turn_after, turn_rules
from audit.games.altered.events import CardPlayed, QuickActionPlayed
from audit.games.altered.game_data import Ability, Cards, Cost, GameData
from audit.games.altered.places import (
    FIELD,
    character,
    idle_place,
    in_expedition,
    is_discarded,
    not_in_hand,
    outside_reserve,
    owner_of,
    places_to_play,
    zone_of,
)
from audit.games.altered.rules import day_overview, night, phases, quick_actions, timing_of_play, two_against_two
from audit.games.altered.seats import is_mate, side_of
from audit.games.altered.state import MAX_USES_A_DAY, RESERVE, UNKNOWN, Deed, Resolving, Side, State
from audit.games.altered.texts import deeds, is_support, may_place_itself, when_played
from audit.games.altered.triggers import begun
from audit.games.altered.unread import (
    explained,
    has_known_text,
    in_words,
    own_side,
    texts_about,
    touched,
    unread_of,
    untold,
)
from audit.games.altered.untold import may_be_in_hand, may_be_ready, with_card_drawn, with_orbs_readied
from audit.games.altered.zones import (
    OPEN_ZONES,
    TOKEN_ZONES,
    out_of_hand,
    paid,
    put,
    sides_with,
    taken_out,
    with_owner,
    without,
    without_departure,
)

UNKNOWN_COST = Cost()


def _too_expensive(state: State, seat: str, mana: int | None, rule: Rule) -> Failures:
    side = side_of(state, seat)
    ready = side.all_orbs if side.ready_orbs is None else side.ready_orbs
    if mana is None or ready is None or mana <= ready or may_be_ready(state, seat, mana, rule):
        return ()
    return (fails(rule, "cost.short", {"n": ready, "expected": mana}),)


def _not_told_ready(state: State, seat: str, mana: int | None, rule: Rule) -> Violations:
    """Why mana that is not ready by the log may be ready, or is ready or not; () where it is."""
    side = side_of(state, seat)
    ready = side.ready_orbs
    if ready is None and mana and side.all_orbs is not None:
        return (fails(rule, "unread.mana_ready", {"player": seat}),)
    is_ready = mana is None or ready is None or mana <= ready
    return () if is_ready else may_be_ready(state, seat, mana or 0, rule)


class QuickActionPlayedRules(ChoiceRules[QuickActionPlayed]):
    """As many quick actions as the player on turn likes, before the card."""

    event = QuickActionPlayed
    may_be_unchecked = True
    rules: Citations = (day_overview.QUICK_ACTIONS, timing_of_play.OWN_TURN)
    obligation = Obligation.OPTIONAL

    def is_own_act(self, state: State, event: QuickActionPlayed) -> bool:
        return state.phase == "afternoon"

    def criteria(self, state: State, event: QuickActionPlayed) -> Failures:
        yield from not_on_turn(state, event.player, quick=True)
        known, rule = _declared(state, event), quick_actions.LIKE_SPELLS
        if (owner := known.controller if known else _owner(state, event)) != event.player:
            yield fails(rule, "quick.controller", {"card": event.source, "player": owner})
        exhausts = _exhausted_by(event, known)
        if exhausts is not None and exhausts != event.source:
            yield fails(quick_actions.EXHAUST_OWN_OBJECT, "quick.other_object", {"card": event.source})
        if exhausts is not None and exhausts in state.exhausted:
            yield fails(quick_actions.EXHAUST_OWN_OBJECT, "quick.exhausted", {"card": exhausts})
        if _is_support(event, known) and is_discarded(state, event.source):
            yield fails(rule, "quick.support_discarded", {"card": event.source})
        elif known and known.from_ == RESERVE and (zone := outside_reserve(state, event.source)):
            yield fails(phases.AFTERNOON_QUICK_KINDS, "quick.support_elsewhere", {"card": event.source, "zone": zone})
        if state.quick_uses.get(_name_of(event), 0) >= MAX_USES_A_DAY:
            yield fails(quick_actions.USES_A_DAY, "quick.limit", {"n": MAX_USES_A_DAY})
        if known and event.mana != known.mana and not told_otherwise(state, event, known.mana, rule):
            yield fails(rule, "cost.wrong", {"expected": known.mana, "n": event.mana})
        if not state.untold:
            yield from _too_expensive(state, event.player, event.mana, rule)

    def unread(self, state: State, event: QuickActionPlayed) -> Failures:
        known, rule = _declared(state, event), quick_actions.LIKE_SPELLS
        if known is None:
            return (fails(rule, "unread.quick", {"card": event.source}),)
        if (place := idle_place(state, event.source)) and not (place == RESERVE and _is_support(event, known)):
            return (fails(rule, "unread.quick_place", {"card": event.source, "zone": place}),)
        if event.mana != known.mana:
            return told_otherwise(state, event, known.mana, rule)
        if owed := _not_told_ready(state, event.player, event.mana, rule):
            return owed
        is_short = state.untold and any(_too_expensive(state, event.player, event.mana, rule))
        return in_words(state.untold, rule) if is_short else ()

    def citations(self, state: State, event: QuickActionPlayed) -> Citations:
        exhausts = (quick_actions.EXHAUST_OWN_OBJECT,) if _exhausted_by(event, _declared(state, event)) else ()
        return (
            *self.rules, *exhausts, phases.AFTERNOON_QUICK_BEFORE_CARD, phases.AFTERNOON_QUICK_KINDS,
            quick_actions.USES_A_DAY, timing_of_play.KINDS_OF_PLAY,
        )  # fmt: skip

    def candidates(self, state: State) -> Iterator[QuickActionPlayed]:
        side = side_of(state, state.turn_of or "")
        for name, ability in state.game.quick_actions.items():
            source, _, action = name.partition(":")
            if ability.controller != state.turn_of or (side.ready_orbs or 0) < ability.mana:
                continue
            event = QuickActionPlayed(
                seq=0, player=ability.controller, source=source, action=action,
                exhausts=source if ability.exhausts else None, mana=ability.mana,
            )  # fmt: skip
            if not self.violations(state, event):
                yield event

    def happen(self, state: State, event: QuickActionPlayed) -> State:
        """Orbs and the object are exhausted, a support card is discarded; the turn goes on."""
        state, name = with_orbs_readied(state, event.player, event.mana), _name_of(event)
        sides = sides_with(state, event.player, lambda side: paid(side, event.mana)) if event.mana else state.sides
        known = _declared(state, event)
        exhausts = _exhausted_by(event, known)
        exhausted = {**state.exhausted, exhausts: event.player} if exhausts else state.exhausted
        text = known.effect if known else ""
        to_do = shared_out(state, event.player, deeds(text))
        resolving = Resolving(event.player, (event.source,), event.seq, to_do, text)
        state = replace(
            state, moment=begun(state, event, "after_quick_action", resolving), last_action=(event.player, "quick"),
            sides=sides, exhausted=exhausted, quick_uses={**state.quick_uses, name: state.quick_uses.get(name, 0) + 1},
        )  # fmt: skip
        state = _support_discarded(state, event)
        return state if known and not known.effect else untold(state, event.player, event.seq, text)


def _support_discarded(state: State, event: QuickActionPlayed) -> State:
    """The position in which the card of a support ability has gone from the Reserve to the discard pile, as its cost.

    By the public glossary (1.1.6.i). A record may tell it, before or after.
    """
    card, reserve = event.source, side_of(state, event.player).reserve
    if not _is_support(event, _declared(state, event)) or reserve is None or card not in reserve:
        return state
    gone = character(state.game, card)
    sides = sides_with(state, event.player, lambda side: put(taken_out(side, RESERVE, card), "discard", gone))
    return replace(state, sides=sides, departures={**state.departures, card: event.seq})


def _name_of(event: QuickActionPlayed) -> str:
    return f"{event.source}:{event.action}"


def _declared(state: State, event: QuickActionPlayed) -> Ability | None:
    """What the setup says of the quick action."""
    return state.game.quick_actions.get(_name_of(event))


def _exhausted_by(event: QuickActionPlayed, known: Ability | None) -> str | None:
    """What is exhausted to pay: as the event says, else as the setup does."""
    return event.exhausts or (event.source if known and known.exhausts else None)


def _is_support(event: QuickActionPlayed, known: Ability | None) -> bool:
    """Whether it works from the Reserve, by the setup or its name; its card is discarded for it (glossary 1.1.6.i)."""
    return is_support(event.action) or (known is not None and known.from_ == RESERVE)


def _owner(state: State, event: QuickActionPlayed) -> str:
    """Who has the object of a quick action that the setup does not describe, as far as is known."""
    found = zone_of(state, event.source)
    return found[0] if found and found[1] in OPEN_ZONES else event.player


def told_otherwise(state: State, event: QuickActionPlayed | CardPlayed, cost: int, rule: Rule) -> Violations:
    """What may have changed the cost: words beside the event or earlier in the day, a text of the card or in play.

    Another player's effect may have made it higher, but not lower.
    """
    card = event.card if isinstance(event, CardPlayed) else event.source
    if explained(state, event.note, card):
        return (fails(rule, "unread.note"),)
    is_higher = event.mana is not None and event.mana > cost
    words = [seq for player, seq in state.words_today.items() if player == event.player or is_higher]
    seats = state.seats if is_higher else own_side(state, event.player)
    return in_words(words, rule) or texts_about(state, "cost", rule, seats, card)


class CardPlayedRules(ChoiceRules[CardPlayed]):
    """A card from hand or Reserve, paid at its cost, into a zone of one's own; it concludes the turn."""

    event = CardPlayed
    is_turn_act = True
    names_cards = True
    may_be_unchecked = True
    rules: Citations = (day_overview.CARD_OR_PASS, timing_of_play.OWN_TURN)

    def is_own_act(self, state: State, event: CardPlayed) -> bool:
        return state.phase == "afternoon"

    def criteria(self, state: State, event: CardPlayed) -> Failures:
        yield from not_on_turn(state, event.player)
        if not _is_place_of(state, event) and not _told_elsewhere(state, event):
            data = {"card": event.card, "type": state.game.types[event.card], "zone": event.to_zone}
            yield fails(timing_of_play.KINDS_OF_PLAY, "play.zone", data)
        if is_mate(state, event.player, event.to_owner):
            yield fails(two_against_two.NO_TEAMMATE_ZONE, "play.mate_zone", {"player": event.to_owner})
        if missing := self.missing(state, event):
            if event.card in side_of(state, event.player).known_orbs:
                yield fails(phases.MORNING_MANA_BECOMES_ORB, "play.orb", {"card": event.card})
            yield missing
        yield from _wrong_cost(state, event)

    def citations(self, state: State, event: CardPlayed) -> Citations:
        own_zone = (two_against_two.NO_TEAMMATE_ZONE,) if state.teams else ()
        turn, cost = turn_rules(state, event.player), (_cost_rule(event),)
        told = (*cost, *turn) if event.from_ == RESERVE else (*turn, *cost)
        return (*told, *self.rules, timing_of_play.KINDS_OF_PLAY, *own_zone)

    def candidates(self, state: State) -> Iterator[CardPlayed]:
        player = state.turn_of
        if player is None:
            return
        side = side_of(state, player)
        zones: tuple[tuple[Literal["hand", "reserve"], Cards | None], ...]
        zones = (("hand", side.hand), ("reserve", side.reserve))
        for zone, cards in zones:
            for card in dict.fromkeys(cards or ()):
                cost = _cost_of(state, card, zone)
                if cost is None or (side.ready_orbs is not None and cost > side.ready_orbs):
                    continue
                for to in places_to_play(state.game, card):
                    yield CardPlayed(
                        seq=0, player=player, card=card, from_=zone, to_zone=to, to_owner=player, mana=cost
                    )  # fmt: skip

    def otherwise(self, state: State, event: CardPlayed) -> Iterator[CardPlayed]:
        cost = _cost_of(state, event.card, event.from_)
        mana = event.mana if cost is None else cost
        for to in dict.fromkeys((event.to_zone, *places_to_play(state.game, event.card))):
            yield replace(event, seq=0, note=None, to_zone=to, to_owner=event.player, mana=mana)

    def unread(self, state: State, event: CardPlayed) -> Failures:
        rule, cost = _cost_rule(event), _cost_of(state, event.card, event.from_)
        if not _is_place_of(state, event):
            yield from _told_elsewhere(state, event)
        if cost is None or event.mana is None:
            yield fails(rule, "unread.cost_told" if cost is None else "unread.mana_told", {"card": event.card})
        elif cost != event.mana:
            yield from told_otherwise(state, event, cost, rule)
        not_there = self._not_there(state, event)
        if state.untold and (not_there or any(_too_expensive(state, event.player, event.mana, rule))):
            yield from in_words(state.untold, rule)
        yield from _not_told_ready(state, event.player, event.mana, rule)
        if event.from_ == "hand" and not_there:
            yield from may_be_in_hand(state, event.player, rule)
        side = side_of(state, event.player)
        if event.from_ == RESERVE and event.card in side.spells and event.card not in (side.reserve or ()):
            yield fails(rule, "unread.spell_text", {"card": event.card})
        elif event.from_ == RESERVE and event.card in state.exhausted:
            yield fails(rule, "unread.exhausted", {"card": event.card})
        if event.to_owner != event.player and not is_mate(state, event.player, event.to_owner):
            yield fails(timing_of_play.OWN_TURN, "unread.side", {"player": event.to_owner})

    def missing(self, state: State, event: CardPlayed) -> Violation | None:
        found = self._not_there(state, event)
        if found is None or state.untold:
            return None
        return None if event.from_ == "hand" and may_be_in_hand(state, event.player, _cost_rule(event)) else found

    def _not_there(self, state: State, event: CardPlayed) -> Violation | None:
        if event.from_ == "hand":
            return not_in_hand(state, event.player, event.card, day_overview.CARD_OR_PASS)
        side = side_of(state, event.player)
        if side.reserve is None or event.card in side.reserve or event.card in side.spells:
            return None
        data = {"card": event.card, "player": event.player}
        found = in_expedition(state, event.card)
        if found and owner_of(state, found[0], event.card) == event.player:
            return fails(night.REST, "reserve.in_expedition", data)
        return fails(phases.AFTERNOON_COST_RESERVE, "reserve.missing", data)

    def depends_on_hidden(self, state: State, event: CardPlayed) -> bool:
        return event.card.startswith(UNKNOWN)

    def happen(self, state: State, event: CardPlayed) -> State:
        """The card is paid for and lies where it was played; the turn goes to the next player."""
        state = with_orbs_readied(state, event.player, event.mana or 0)
        if event.from_ == "hand":
            state = with_card_drawn(state, event.player, event.card)
        turn, progress = turn_after(state, event.player, state.passed)
        texts, is_spell = state.game.abilities.get(event.card), event.to_zone not in FIELD
        to_do = None if texts is None else shared_out(state, event.player, when_played(texts, is_spell=is_spell))
        to_do = to_do and tuple([replace(one, is_counted=True) if is_own_change(one) else one for one in to_do])
        resolving = Resolving(event.player, (event.card,), event.seq, to_do)
        after_it = replace(
            state, moment=begun(state, event, "after_card", resolving, arrivals={event.card: event.seq}),
            last_action=(event.player, "card"), turn_of=turn, progress=progress,
            sides=_paid_and_put(state, event, to_do),
            departures=without_departure(state, event.card),
            owners=with_owner(state, event.card, event.player, event.to_owner),
            spells_from_reserve=_from_reserve(state, event),
        )  # fmt: skip
        if to_do is not None:
            return touched(after_it, event.seq, is_read=True) if any(map(changes_others, to_do)) else after_it
        return touched(after_it, event.seq) if _may_change_stats(state.game, event) else after_it


def _from_reserve(state: State, event: CardPlayed) -> Cards:
    is_spell = event.from_ == RESERVE and event.to_zone == "limbo"
    return (*state.spells_from_reserve, event.card) if is_spell else state.spells_from_reserve


def _may_change_stats(game: GameData, event: CardPlayed) -> bool:
    """Whether playing the card may change Characters: by a text that nobody has told, or by that of a Spell."""
    if not has_known_text(game, event.card):
        return True
    return event.to_zone not in TOKEN_ZONES and unread_of(game.abilities[event.card], "stats") is not None


def _is_place_of(state: State, event: CardPlayed) -> bool:
    """Whether a card of that type is played there; the setup may not tell the type."""
    return event.card not in state.game.types or event.to_zone in places_to_play(state.game, event.card)


def _told_elsewhere(state: State, event: CardPlayed) -> Violations:
    """What may have a card played elsewhere: a note, or a text of the card itself."""
    if explained(state, event.note, event.card):
        return (fails(timing_of_play.KINDS_OF_PLAY, "unread.note"),)
    if any(map(may_place_itself, state.game.abilities.get(event.card, ()))):
        return texts_about(state, "zones", timing_of_play.KINDS_OF_PLAY, (), event.card)
    return ()


def _cost_rule(event: CardPlayed) -> Rule:
    return phases.AFTERNOON_COST_HAND if event.from_ == "hand" else phases.AFTERNOON_COST_RESERVE


def _cost_of(state: State, card: str, zone: str) -> int | None:
    cost = state.game.costs.get(card, UNKNOWN_COST)
    return cost.hand if zone == "hand" else cost.reserve


def _wrong_cost(state: State, event: CardPlayed) -> Failures:
    rule, cost = _cost_rule(event), _cost_of(state, event.card, event.from_)
    short = () if state.untold else _too_expensive(state, event.player, event.mana, rule)
    if cost is None or event.mana in (None, cost) or told_otherwise(state, event, cost, rule):
        return short
    return (fails(rule, "cost.wrong", {"expected": cost, "n": event.mana}), *short)


def _paid_and_put(state: State, event: CardPlayed, to_do: tuple[Deed, ...] | None) -> tuple[Side, ...]:
    """The sides with the card paid for and where it was played, as its own text has it enter."""
    arrived = with_own_changes(character(state.game, event.card, "reserve" if event.from_ == RESERVE else ""), to_do)
    if event.player == event.to_owner:
        return sides_with(state, event.player, lambda side: put(_paid_for(side, event), event.to_zone, arrived))
    paid_for = replace(state, sides=sides_with(state, event.player, lambda side: _paid_for(side, event)))
    return sides_with(paid_for, event.to_owner, lambda side: put(side, event.to_zone, arrived))


def _paid_for(side: Side, event: CardPlayed) -> Side:
    side = paid(side, event.mana)
    if event.from_ == "hand":
        return out_of_hand(side, event.card)
    if event.card in side.spells and event.card not in (side.reserve or ()):
        return replace(side, spells=without(side.spells, event.card))
    return side if side.reserve is None else replace(side, reserve=without(side.reserve, event.card))


RULES = (QuickActionPlayedRules(), CardPlayedRules())
