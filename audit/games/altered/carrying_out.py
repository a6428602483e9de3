"""What is being carried out, where its text is read: who does what by it, and what is left to do."""

from __future__ import annotations

from msgspec.structs import replace

from audit.core.event_rules import Violation, Violations
from audit.games.altered.places import on_the_field
from audit.games.altered.rules import timing_of_play
from audit.games.altered.seats import opponents
from audit.games.altered.state import NO_LIMIT, Character, Deed, DeedKind, State, Text
from audit.games.altered.texts import Subject
from audit.games.altered.unread import of_effect, unread_of
from audit.games.altered.zones import characters_changed


def shared_out(state: State, player: str, to_do: tuple[Deed, ...] | None) -> tuple[Deed, ...] | None:
    """What a text of that player does, where what all opponents do is one deed for each of them."""
    if to_do is None or "opponents" not in [one.who for one in to_do]:
        return to_do
    found: list[Deed] = []
    for one in to_do:
        seats = opponents(state, player) if one.who == "opponents" else ()
        found += [Deed(one.kind, one.count, "opponent", by=seat) for seat in seats] or [one]
    return tuple(found)


def text_under_way(state: State, source: str = "") -> Text | None:
    """The text that is being carried out, if it is read here and no other card is named as the source.

    Where it is not known which reactions wait, what happens after a reaction may be the doing of another one.
    """
    if _is_other_card(state, source):
        return None
    if state.open_effects:
        top = state.open_effects[-1]
        return None if top.deeds is None else Text(top.player, top.source, top.deeds)
    played = state.moment.resolving
    if played is None or played.deeds is None or not is_limbo_known(state):
        return None
    return Text(played.player, played.names[-1], played.deeds)


def is_resolving(state: State, source: str | None = None) -> bool:
    """Whether an effect is being carried out (that of the source, if one is named)."""
    played = state.moment.resolving
    if source is None:
        return bool(state.open_effects) or played is not None
    return any(effect.source == source for effect in state.open_effects) or (
        played is not None and source in played.names
    )


def _is_other_card(state: State, source: str) -> bool:
    """Whether a source is a card of which the setup tells the texts, and not the one that is being carried out."""
    return source in state.game.abilities and not is_resolving(state, source)


def _is_known_other(state: State, source: str) -> bool:
    """Whether a source is another card than the one that is being carried out, and moves nothing by its own texts."""
    return _is_other_card(state, source) and unread_of(state.game.abilities[source], "zones") is None


def is_limbo_known(state: State) -> bool:
    """Whether nothing waits in Limbo that the log has not told: the setup says what sets reactions off."""
    return state.moment.is_limbo_known and bool(state.game.listeners or state.limbo)


def not_by_text(state: State, kind: DeedKind | None, player: str, count: int = 1, source: str = "") -> Violations:
    """Why the text under way does not have that player do so much of this; () where it does, or is not read here.

    No `kind` is for what no plain text does; no player is for a move of which the log does not say who makes it; the
    `source` is the card that the log names.
    """
    text = text_under_way(state, source)
    if text is None:
        return (_by("text.other", {"card": source}),) if _is_known_other(state, source) else ()
    alike = [one for one in text.deeds if one.kind == kind]
    for_player = sum([one.count for one in alike if _is_for(one, player, text.player)])
    if for_player >= count:
        return ()
    data: dict[str, object] = {"card": text.source}
    if not for_player and not alike:
        return (_by("text.other", data),)
    if not for_player:
        return (_by("text.player", data | {"player": player}),)
    return (_by(f"text.{kind}" if kind in ("draw", "ready") else "text.other", data | {"n": for_player}),)


def carried_on(state: State, source: str) -> State:
    """The position in which all that what was played does is done within an effect of that source, which is read."""
    played = state.moment.resolving
    if not played or source not in played.names:
        return state
    return replace(state, moment=replace(state.moment, resolving=replace(played, deeds=())))


def by_itself(state: State, source: str, subject: Subject) -> Violations:
    """That only the text of a card in play, named as the source, decides whether it does this now, as `At Noon` does.

    () where no such card is in play or something is being carried out, or where its texts are known and none changes
    that.
    """
    if is_resolving(state) or source not in on_the_field(state.sides).union(filter(None, state.game.heroes.values())):
        return ()
    known = state.game.abilities.get(source)
    return () if known is not None and unread_of(known, subject) is None else _text_of(source)


def _text_of(card: str) -> Violations:
    return (Violation(timing_of_play.INTERNAL_ACTIONS, "unread.text", {"card": card}),)


def unread_text(state: State, source: str = "") -> Violations:
    """That only the text of what is being carried out decides, or of the source named, where that is not read here."""
    if _is_other_card(state, source):
        return () if _is_known_other(state, source) else _text_of(source)
    return () if text_under_way(state) else of_effect(state)


def carried_out(state: State, kind: DeedKind, count: int = 1, player: str = "") -> State:
    """The position after so much of the text under way was done, by that player where one is named."""
    effects, played = state.open_effects, state.moment.resolving
    under_way = effects[-1] if effects else played
    if not under_way or not under_way.deeds:
        return state
    left = _without(under_way.deeds, Deed(kind, count, by=player), under_way.player)
    if effects:
        state = replace(state, open_effects=(*effects[:-1], replace(effects[-1], deeds=left)))
    elif played:
        state = replace(state, moment=replace(state.moment, resolving=replace(played, deeds=left)))
    return _settled(state, left, under_way.seq)


def _settled(state: State, left: tuple[Deed, ...], seq: int) -> State:
    """The position in which that event leaves no Character uncertain, once all that its text changes is told."""
    if any(one.kind in ("boost", "status") for one in left):
        return state

    def change(one: Character) -> Character:
        return replace(one, touched_by=0) if one.touched_by == seq else one

    return replace(state, sides=characters_changed(state, change))


def _without(to_do: tuple[Deed, ...], done: Deed, controller: str) -> tuple[Deed, ...]:
    """What is left to do after so much of it was done by a player; what every player does stays."""
    for at, one in enumerate(to_do):
        is_it = one.kind == done.kind and one.who != "each" and one.count < NO_LIMIT
        if is_it and _is_for(one, done.by, controller):
            left = () if one.count <= done.count else (replace(one, count=one.count - done.count),)
            return (*to_do[:at], *left, *to_do[at + 1 :])
    return to_do


def _by(key: str, data: dict[str, object]) -> Violation:
    return Violation(timing_of_play.INTERNAL_ACTIONS, key, data)


def _is_for(deed: Deed, player: str, controller: str) -> bool:
    if deed.who == "each" or not controller or not player:
        return True
    return player == deed.by if deed.by else (player == controller) == (deed.who == "you")
