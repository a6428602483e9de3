"""What the ruleset cannot read, and what else may have done something: then nobody is accused.

A step that rests on any of these is unchecked, with the reason; it is never called wrong because of them.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from functools import lru_cache
from typing import Final, get_args

from msgspec.structs import replace

from audit.core.catalogue import Rule
from audit.core.event_rules import Violation, Violations
from audit.games.altered.game_data import Ability, Cards, GameData
from audit.games.altered.places import in_expedition, in_reserves, on_the_field, split_place
from audit.games.altered.rules import day_overview, night, timing_of_play
from audit.games.altered.seats import characters_of, is_mate, side_of
from audit.games.altered.state import NOBODY, RESERVE, Character, Deed, DeedKind, Expedition, Side, State
from audit.games.altered.texts import (
    Subject,
    deeds,
    done_in_play,
    explains_by_words,
    is_done_entering,
    is_of_a_phase,
    speaking_of,
    statuses_named,
    subjects,
)
from audit.games.altered.triggers import trigger_of
from audit.games.altered.vocabulary import Status
from audit.games.altered.zones import characters_changed

AT_DUSK = frozenset({"fleeting", "anchored"})
"""Statuses that change no sum."""
STATUSES = frozenset(get_args(Status))
"""Statuses that have rules here."""
ABILITIES = frozenset({"eternal"})
"""Abilities of which a rule speaks, and that change no sum."""


@lru_cache(maxsize=1024)
def unread_of(abilities: Cards, subject: Subject) -> str | None:
    """The first of a card's abilities that may change that, and of which no rule speaks here."""
    return speaking_of([one for one in abilities if one not in ABILITIES], subject)


@lru_cache(maxsize=1024)
def unread_in_play(abilities: Cards, subject: Subject) -> str | None:
    """The same once the card is in play: what it does as it enters is done by then."""
    return unread_of(tuple([one for one in abilities if not is_done_entering(one)]), subject)


def has_known_text(game: GameData, card: str) -> bool:
    """Whether the setup gives the abilities of a card: then it has no others."""
    return card in game.abilities


def touched(state: State, seq: int, *, in_words: bool = False, is_read: bool = False) -> State:
    """The position after a text of which nobody has told yet what it did: it may have changed any Character.

    A Character keeps the event that touched it first, unless a later one is told in words.
    """
    if not seq:
        return state
    state = state if is_read else replace(state, newest_text=seq)
    if not any(side.hero or side.companion for side in state.sides):
        return state

    def change(one: Character) -> Character:
        return one if one.touched_by and not in_words else replace(one, touched_by=seq)

    return replace(state, sides=characters_changed(state, change))


def untold(state: State, player: str, seq: int, text: str = "") -> State:
    """The position after something told in words: all that such a text may change is uncertain from now on."""
    if not seq:
        return state
    about, is_read = subjects(text), deeds(text) is not None
    if "stats" in about:
        state = touched(state, seq, in_words=True, is_read=is_read)
    elif not is_read:
        state = replace(state, newest_text=seq)
    if "zones" in about:
        state = replace(state, untold=(*state.untold, seq))
    if "cost" in about:
        state = replace(state, words_today={**state.words_today, player: seq})
    return replace(state, region_words=seq) if "region" in about else state


def told(state: State) -> State:
    """The position after the log has said what the effect under way did: zones and hands are as it tells."""
    if not state.untold:
        return state
    played = state.moment.resolving
    under_way = {effect.seq for effect in state.open_effects} | {played.seq if played else state.newest_text}
    under_way |= {one.seq for one in state.moment.earlier if one.deeds is not None}
    return replace(state, untold=tuple([seq for seq in state.untold if seq not in under_way]))


LATE = 4
"""So many events after a text that is not known here, what it did may be recorded late."""


def is_late(state: State) -> bool:
    """Whether what happens now may be the doing of a text a few events ago."""
    return state.newest_text != 0 and state.last_seq - state.newest_text < LATE


def are_plain(side: Side) -> bool:
    """Whether nothing makes it doubtful what any Character of a player counts. A dusk asks for each side many times."""
    for known, is_plain in _LATEST:
        if known is side:
            return is_plain
    is_plain = _is_all_plain(side.hero) and _is_all_plain(side.companion)
    _LATEST.append((side, is_plain))
    del _LATEST[0]
    return is_plain


_LATEST: Final[list[tuple[Side, bool]]] = [(NOBODY, True)] * 4
"""The sides last asked about, the newest last."""


def _is_all_plain(characters: Expedition | None) -> bool:
    for one in characters or ():
        if one.touched_by or (one.abilities and unread_in_play(one.abilities, "stats")):
            return False
        if one.statuses and not AT_DUSK.issuperset(one.statuses):
            return False
    return True


def doubts(state: State, place: str) -> Iterator[Violation]:
    """What makes the sums of an expedition uncertain: statuses and abilities without a rule here, unknown stats."""
    seat, name = split_place(place)
    side = side_of(state, seat)
    if are_plain(side):
        return
    for one in characters_of(side, name) or ():
        if one.stats is None and one.touched_by:
            yield Violation(
                day_overview.SUM_STATS, _of("unread.changed", one.touched_by), {"card": one.id, "seq": one.touched_by}
            )
        for status in one.statuses or ():
            if status not in AT_DUSK:
                yield Violation(day_overview.SUM_STATS, "unread.status", {"card": one.id, "status": status})
    for group in (side.hero, side.companion):
        yield from _unread_abilities(group)


def _unread_abilities(group: Expedition | None) -> Iterator[Violation]:
    for one in group or ():
        if ability := unread_in_play(one.abilities or (), "stats"):
            yield _unread_ability(day_overview.SUM_STATS, one, ability)


def changes(state: State, place: str) -> Iterator[Violation]:
    """Which Characters of an expedition may have been changed by a text that is not known here."""
    seat, name = split_place(place)
    for one in characters_of(side_of(state, seat), name) or ():
        if one.touched_by:
            yield Violation(
                day_overview.SUM_STATS, _of("unread.changed", one.touched_by), {"card": one.id, "seq": one.touched_by}
            )


def uncertain(state: State, *places: str | None) -> Violations:
    """All that makes the comparison of these expeditions uncertain, the certain doubts first."""
    known = [place for place in places if place and not are_plain(side_of(state, split_place(place)[0]))]
    found = [one for read in (doubts, changes) for place in known for one in read(state, place)]
    return tuple({(one.key, str(one.data)): one for one in found}.values()) if found else ()


def explained(state: State, note: str | None, *moved: str) -> bool:
    """Whether a remark may explain what happens to these cards: it names something of a rule, or another card.

    A remark that tells the event once more explains nothing, nor does a status that the card is known to have.
    """
    if not note:
        return False
    found = [one for card in moved if (one := in_expedition(state, card))]
    known = {status for _, _, one in found for status in one.statuses or ()}
    return bool(explains_by_words(note) or statuses_named(note) - known) or _names_another(state, note, moved)


def _names_another(state: State, note: str, moved: Cards) -> bool:
    """Whether a remark names a card that is not among these."""
    said, game = _spaced(note), state.game
    for card in moved:
        said = said.replace(_spaced(card), " ")
    told = {*game.abilities, *game.costs, *game.stats, *game.types, *game.heroes.values(), *on_the_field(state.sides)}
    return any(_spaced(card) in said for card in told.difference(moved) if card and re.search(r"[^\W\d_]{2}", card))


def _spaced(words: str) -> str:
    """Words with one space around each, whatever stands between them."""
    return " ".join(("", *re.findall(r"[^\W_]+", words.casefold()), ""))


def unknown_status(one: Character) -> Violation | None:
    """That a status has no rule here, or is misspelt: wherever Rest brings the Character, that cannot be judged."""
    for name in one.statuses or ():
        if name not in STATUSES:
            return Violation(night.REST_MODIFIERS, "unread.status_at_rest", {"card": one.id, "status": name})
    return None


def rest_of(one: Character) -> Violation | None:
    """Why it is uncertain where Rest brings a Character, or None."""
    if status := unknown_status(one):
        return status
    if one.origin == "token":
        return Violation(night.REST, "unread.token", {"card": one.id})
    if one.touched_by:
        return Violation(
            night.REST_MODIFIERS, _of("unread.changed", one.touched_by), {"card": one.id, "seq": one.touched_by}
        )
    if one.origin == "reserve" and "fleeting" not in (one.statuses or ()):
        return Violation(day_overview.FLEETING, "unread.from_reserve", {"card": one.id})
    unread = unread_in_play(one.abilities or (), "rest")
    return _unread_ability(night.REST_MODIFIERS, one, unread) if unread else None


def _unread_ability(rule: Rule, one: Character, ability: str) -> Violation:
    return Violation(rule, "unread.ability", {"card": one.id, "ability": ability.rstrip(".")})


def _of(key: str, seq: int) -> str:
    """The sentence about an event of the log, or about one before it, which no number tells to anybody."""
    return key if seq > 0 else f"{key}.before"


def in_words(seqs: Collection[int], rule: Rule) -> Violations:
    """That something told in words, the newest of these events, may have changed what counts; () if there is none."""
    return (Violation(rule, _of("unread.words", max(seqs)), {"seq": max(seqs)}),) if seqs else ()


def texts_about(state: State, subject: Subject, rule: Rule, seats: Cards, *cards: str) -> Violations:
    """The first text that may change that, of these cards and of what these players have in play; () if there is none.

    A card of which the setup names no text has none that anybody has told.
    """
    for card, abilities in _texts(state, seats, cards):
        if ability := unread_of(abilities, subject):
            return (Violation(rule, f"unread.{subject}", {"card": card, "ability": ability.rstrip(".")}),)
    return ()


def _texts(state: State, seats: Cards, cards: Cards) -> Iterator[tuple[str, Cards]]:
    """Cards with their texts: these, then what lies in expeditions and Landmark zones, and Heroes."""
    known = state.game.abilities
    yield from ((card, known[card]) for card in cards if card in known)
    for seat in seats:
        side = side_of(state, seat)
        yield from (
            (one.id, one.abilities) for group in (side.hero, side.companion) for one in group or () if one.abilities
        )
        hero = state.game.heroes.get(seat)
        yield from (
            (card, known[card]) for card in (*(side.landmarks or ()), *((hero,) if hero else ())) if card in known
        )


def own_side(state: State, seat: str) -> Cards:
    """A player and the team-mates: their texts make things better for that player."""
    return tuple([other for other in state.seats if other == seat or is_mate(state, seat, other)])


RECENT = 8
"""What left so many events ago may have done something as it left."""


def other_causes(state: State, kind: DeedKind | None) -> Violations:
    """The first thing that may have done something of this kind besides the texts under way; () if there is none.

    Words of which the log does not say what they did; a card in play whose text nobody has told, or may do it; what is
    there at all, where that is not known.
    """
    return tuple(_causes(state, kind))[:1]


def _causes(state: State, kind: DeedKind | None) -> Iterator[Violation]:
    played, earlier = state.moment.resolving, state.moment.earlier
    read = {one.seq for one in state.open_effects if one.deeds is not None}
    read |= {one.seq for one in earlier if one.deeds is not None}
    if played and played.deeds is not None:
        read.add(played.seq)
    if words := [seq for seq in state.untold if seq not in read]:
        yield _cause("unread.words", {"seq": max(words)})
    is_told = are_reactions_told(state)
    for seat, side in () if is_told else zip(state.seats, state.sides, strict=True):
        if seat not in state.game.heroes:
            yield _cause("cause.hero", {"player": seat})
        if None in (side.hero, side.companion, side.landmarks, side.reserve):
            yield _cause("cause.zones", {"player": seat})
    described = {name.partition(":")[0] for name in (*state.game.reactions, *state.game.quick_actions)}
    for card in sorted(_there(state) - described):
        if card not in state.game.abilities:
            if not is_told:
                yield _cause("cause.unknown", {"card": card})
        elif any(_may_do(one, kind, state) for one in state.game.abilities[card]):
            yield _cause("cause.text", {"card": card})
    yield from _of_reactions(state, kind)
    yield from _of_tumult(state, kind)


def are_reactions_told(state: State) -> bool:
    """Whether the setup says what sets reactions off, so that a card of which it says nothing has none."""
    return state.moment.is_limbo_known and bool(state.game.listeners or state.limbo)


def _there(state: State) -> set[str]:
    """The cards whose texts may act: those in play and in Reserves, Heroes, and what has just left; no Spells."""
    left = [card for card, seq in state.departures.items() if state.last_seq - seq < RECENT]
    heroes = [hero for hero in state.game.heroes.values() if hero]
    there = {*on_the_field(state.sides), *in_reserves(state.sides), *heroes, *left}
    return {card for card in there if state.game.types.get(card) != "spell"}


def _may_do(text: str, kind: DeedKind | None, state: State) -> bool:
    """Whether a text of a card in play may do something of this kind now, or has a moment ago."""
    if is_of_a_phase(text) and state.last_seq - state.progress.seq >= RECENT:
        return False
    done = done_in_play(text)
    if done is None:
        return ("stats" if kind in ("boost", "status") else "zones") in subjects(text)
    return _does(done, kind)


def _does(done: tuple[Deed, ...], kind: DeedKind | None) -> bool:
    return any(one.kind == kind for one in done)


def _of_reactions(state: State, kind: DeedKind | None) -> Iterator[Violation]:
    """Reactions of the setup that wait, or may wait without a word, and may do it."""
    waiting = {one.reaction for one in state.triggered} | {one.reaction for one in state.limbo}
    there = on_the_field(state.sides).union(filter(None, state.game.heroes.values()))
    for name, known in state.game.reactions.items():
        source = name.partition(":")[0]
        is_there = source in there or (source in in_reserves(state.sides) and _works_in_reserve(known))
        if name in waiting or (is_there and not (known.on and trigger_of(known.trigger, known.on).is_read)):
            done = deeds(known.effect)
            if done is None or _does(done, kind):
                yield _cause("cause.text", {"card": source})


def _works_in_reserve(known: Ability) -> bool:
    return known.from_ == RESERVE or trigger_of(known.trigger, known.on).from_reserve


def _of_tumult(state: State, kind: DeedKind | None) -> Iterator[Violation]:
    """Tumult cards that lie face up and of which the log has not said that they were carried out."""
    known: dict[str, str | None] = {card: one.effect for one in state.tumult.values() for card in one.cards}
    waiting: Cards = state.progress.tumult_to_resolve
    for card in state.face_up:
        effect = known.get(card)
        done = deeds(effect) if effect else None
        if (effect is None and state.phase == "dusk") or (card in waiting and (done is None or _does(done, kind))):
            yield _cause("cause.unknown" if effect is None else "cause.text", {"card": card})


def _cause(key: str, data: dict[str, object]) -> Violation:
    return Violation(timing_of_play.INTERNAL_ACTIONS, key, data)
