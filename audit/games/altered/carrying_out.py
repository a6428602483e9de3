"""What is being carried out, where its text is read: who does what by it, and what is left to do."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from msgspec.structs import replace

from audit.core.event_rules import Violation, Violations
from audit.games.altered.game_data import Cards
from audit.games.altered.places import on_the_field
from audit.games.altered.rules import timing_of_play
from audit.games.altered.seats import opponents
from audit.games.altered.state import NO_LIMIT, Character, Deed, DeedKind, Done, Effect, Resolving, State
from audit.games.altered.texts import Subject, deeds, done_in_play, when_played
from audit.games.altered.unread import LATE, are_reactions_told, is_late, other_causes, unread_in_play, unread_of
from audit.games.altered.vocabulary import Stats
from audit.games.altered.zones import characters_changed


def shared_out(state: State, player: str, to_do: tuple[Deed, ...] | None) -> tuple[Deed, ...] | None:
    """What a text of that player does, where what all players or all opponents do is one deed for each of them."""
    if to_do is None or {one.who for one in to_do}.isdisjoint(("each", "opponents")):
        return to_do
    found: list[Deed] = []
    for one in to_do:
        seats = state.still_in if one.who == "each" else opponents(state, player) if one.who == "opponents" else ()
        found += [replace(one, by=seat) for seat in seats] or [one]
    return tuple(found)


def under_way(state: State) -> Iterator[Resolving]:
    """Whatever is being carried out, the innermost first; then what was played earlier and is not all told.

    What a text that is not read did may be told a few events late; what a text that is read does, as long as it counts.
    """
    yield from map(_as_played, reversed(state.open_effects))
    if played := state.moment.resolving:
        yield played
    for one in reversed(state.moment.earlier):
        if one.deeds is not None or state.last_seq - one.seq < LATE:
            yield one


def is_name_under_way(state: State, name: str) -> bool:
    """Whether something that is being carried out goes by that name."""
    moment = state.moment
    is_any = state.open_effects or moment.resolving or moment.earlier
    return bool(is_any) and any(name in one.names for one in under_way(state))


def _as_played(effect: Effect) -> Resolving:
    return Resolving(effect.player, (effect.source,), effect.seq, effect.deeds, effect.text)


def is_resolving(state: State, source: str | None = None) -> bool:
    """Whether an effect is being carried out (that of the source, if one is named)."""
    played = state.moment.resolving
    if source is None:
        return bool(state.open_effects) or played is not None
    return any(effect.source == source for effect in state.open_effects) or (
        played is not None and source in played.names
    )


def is_text_read(state: State) -> bool:
    """Whether the text that is being carried out is read here."""
    return next((one.deeds is not None for one in under_way(state)), False)


def is_accounted_for(state: State, kind: DeedKind | None) -> bool:
    """Whether something is under way that may do this now, or was a moment ago."""
    if is_resolving(state) or is_late(state):
        return True
    return any(deed.kind == kind for one in state.moment.earlier for deed in one.deeds or ())


def not_by_text(state: State, done: Done) -> Violations:
    """Why no text has that player do so much of this; () where one does, or may."""
    return _judged(state, done)[0]


def unread_text(state: State, done: Done, subject: Subject | None = None) -> Violations:
    """Why it is not known whether a text does this; () where it is.

    With a `subject`, a text about that of the source may do it by itself, where no text under way does.
    """
    if reasons := _judged(state, done)[1]:
        return reasons
    return () if subject is None or is_told(state, done) else by_itself(state, done.source or done.card, subject)


def is_told(state: State, done: Done) -> bool:
    """Whether texts under way do so much of this."""
    return sum(deed.count for one, deed in _alike(state, done) if is_for(deed, done.player, one.player)) >= done.count


def _alike(state: State, done: Done) -> list[tuple[Resolving, Deed]]:
    return [(one, deed) for one in under_way(state) for deed in one.deeds or () if done.is_by(one, deed)]


def _judged(state: State, done: Done) -> tuple[Violations, Violations]:
    texts = list(under_way(state))
    source = done.source
    alike = _alike(state, done)
    if is_told(state, done):
        return (), ()
    if source in state.game.abilities and not any(source in one.names for one in texts):
        return _by_other_card(state, done, texts)
    if unread := next((one for one in texts if one.deeds is None and not _is_silent(state, texts, one)), None):
        return (), (reason_of(state, unread),)
    if not texts:
        return (), _late_text(state)
    if causes := other_causes(state, done.kind):
        return (), _of_the_rest(causes, [one for one, deed in alike if is_for(deed, done.player, one.player)])
    named = next((one for one in texts if source in one.names), alike[0][0] if alike else texts[0])
    return (_broken(state, named, done),), ()


def _of_the_rest(causes: Violations, texts: list[Resolving]) -> Violations:
    """The same causes, named as those of what is more than these texts do, if there are such texts."""
    if not texts:
        return causes
    return tuple(
        [replace(one, key=f"{one.key}.rest", data={**one.data, "source": texts[0].names[-1]}) for one in causes]
    )


def _is_silent(state: State, texts: list[Resolving], one: Resolving) -> bool:
    """Whether a text that nobody has told, played before what is carried out now, is known to do nothing.

    A setup that says what sets reactions off says what cards do.
    """
    return (
        one is not texts[0] and are_reactions_told(state) and not one.text and one.names[-1] not in state.game.abilities
    )


def _broken(state: State, text: Resolving, done: Done) -> Violation:
    """Why it is not by that text: who does how much of it by the whole of that, told already or not."""
    data: dict[str, object] = {"card": text.names[-1]}
    alike = [one for one in _whole(state, text) if done.is_by(text, one)]
    number = sum([one.count for one in alike if is_for(one, done.player, text.player)])
    if not alike:
        return _by("text.other", data)
    if not number:
        return _by("text.player", data | {"player": done.player})
    return _by(f"text.{done.kind}" if done.kind in ("draw", "ready", "boost") else "text.more", data | {"n": number})


def _whole(state: State, text: Resolving) -> tuple[Deed, ...]:
    known = state.game.abilities.get(text.names[-1])
    said = deeds(text.text) if text.text else None if known is None else _played(state, text.names[-1], known)
    return shared_out(state, text.player, said) or text.deeds or ()


def _played(state: State, card: str, known: Cards) -> tuple[Deed, ...] | None:
    return when_played(known, is_spell=card not in _there(state))


def _by_other_card(state: State, done: Done, texts: list[Resolving]) -> tuple[Violations, Violations]:
    """The same where the log names a card of which the setup tells the texts, and that is not being carried out."""
    known = state.game.abilities[done.source]
    if unread_of(known, "zones") is None:
        return (_by("text.other", {"card": done.source}),), ()
    is_there = done.source in _there(state)
    to_do = when_played(known, is_spell=not is_there)
    is_over = bool(texts) and to_do is not None and not (is_there and unread_in_play(known, "zones"))
    causes = other_causes(state, done.kind)
    if causes and to_do is not None and not is_there:
        return (), causes  # what it does it does as it is played: here it may be the doing of something else
    if causes or not is_over:
        return (), (_text_of(state, done.source),)
    return (_broken(state, Resolving("", (done.source,)), done),), ()


def reason_of(state: State, text: Resolving) -> Violation:
    """Why the text of what is being carried out is not read: nobody has told it, or its words are no plain ones."""
    if text.text:
        return _unread_sentence(text.names[-1], text.text)
    return _text_of(state, text.names[-1])


def _text_of(state: State, card: str) -> Violation:
    known = state.game.abilities.get(card)
    if known is None:
        return _by("unread.text", {"card": card})
    if unread := next((one for one in known if deeds(one) is None and done_in_play(one) is None), ""):
        return _unread_sentence(card, unread)
    return _by("cause.text", {"card": card})


def _unread_sentence(card: str, words: str) -> Violation:
    return _by("unread.sentence", {"card": card, "ability": words.rstrip(".")})


def _late_text(state: State) -> Violations:
    return (
        (_by("unread.late" if state.newest_text > 0 else "unread.late.before", {"seq": state.newest_text}),)
        if is_late(state)
        else ()
    )


def of_effect(state: State) -> Violations:
    """That only the text of what is being carried out decides whether it does this."""
    newest = next(under_way(state), None)
    return (reason_of(state, newest),) if newest else _late_text(state)


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
    if is_resolving(state) or source not in _there(state):
        return ()
    known = state.game.abilities.get(source)
    return () if known is not None and unread_in_play(known, subject) is None else (_text_of(state, source),)


def _there(state: State) -> frozenset[str]:
    """All that is in play, Heroes included."""
    return on_the_field(state.sides).union(filter(None, state.game.heroes.values()))


def carried_out(state: State, done: Done) -> State:
    """The position after so much of the texts under way was done; what the position shows already comes first."""
    before = [*under_way(state)]
    changed, left = state, done.count
    if not _is_new(state, done):
        changed, left = _deeds_changed(state, done, done.count, _told)
    changed, left = _deeds_changed(changed, done, left, _done)
    return state if left == done.count else _settled(changed, before)


def _is_new(state: State, done: Done) -> bool:
    """Whether what is being carried out does so much of this, and the position does not show it yet."""
    newest = next(under_way(state), None)
    to_do = (newest.deeds or ()) if newest else ()
    return any(
        newest is not None and done.is_by(newest, one) and not one.is_counted and one.count >= done.count
        for one in to_do
    )


def _told(one: Deed) -> tuple[Deed, ...] | None:
    return () if one.is_counted else None


def _done(one: Deed) -> tuple[Deed, ...] | None:
    return None if one.is_counted else ()


def _counted(one: Deed) -> tuple[Deed, ...] | None:
    return None if one.is_counted else (replace(one, is_counted=True),)


def counted(state: State, done: Done) -> State:
    """The position in which so much of the texts under way counts, although the log has not told it yet."""
    return _deeds_changed(state, done, done.count, _counted)[0]


def counted_already(state: State, done: Done) -> int:
    """How much of this the position shows already."""
    if _is_new(state, done):
        return 0
    return sum(
        deed.count
        for one in under_way(state)
        for deed in one.deeds or ()
        if deed.is_counted and done.is_by(one, deed) and is_for(deed, done.player, one.player)
    )


Change = Callable[[Deed], tuple[Deed, ...] | None]


def _deeds_changed(state: State, done: Done, count: int, change: Change) -> tuple[State, int]:
    """So many of these deeds changed, the innermost and newest first, and how many of them there were too few.

    `change` gives what is instead of a deed; None where it stays.
    """
    effects, moment = list(state.open_effects), state.moment
    for at in reversed(range(len(effects))):
        to_do, count = _with_changed(_as_played(effects[at]), done, count, change)
        effects[at] = replace(effects[at], deeds=to_do)
    played = moment.resolving
    if played:
        to_do, count = _with_changed(played, done, count, change)
        played = replace(played, deeds=to_do)
    earlier: list[Resolving] = []
    for one in reversed(moment.earlier):
        to_do, count = _with_changed(one, done, count, change)
        if to_do != ():
            earlier.insert(0, replace(one, deeds=to_do))
    moment = replace(moment, resolving=played, earlier=tuple(earlier))
    return replace(state, open_effects=tuple(effects), moment=moment), count


def _settled(state: State, before: list[Resolving]) -> State:
    """The position in which texts leave no Character uncertain of which all that they change is told by now."""
    unsettled = {one.seq for one in under_way(state) if one.deeds is None or any(map(changes_others, one.deeds))}
    done = {one.seq for one in before if one.deeds is not None} - unsettled - {0}

    def change(one: Character) -> Character:
        return replace(one, touched_by=0) if one.touched_by in done else one

    return replace(state, sides=characters_changed(state, change)) if done else state


def changes_others(deed: Deed) -> bool:
    """Whether a deed changes Characters, and not just its own, of which it is known how."""
    return deed.kind in ("boost", "status") and not deed.is_own


def is_own_change(deed: Deed) -> bool:
    """Whether a deed changes its own Character, as the position shows at once."""
    return deed.kind in ("boost", "status") and deed.is_own


def with_own_changes(one: Character, to_do: tuple[Deed, ...] | None) -> Character:
    """A Character with the statuses and boosts that its own text gives it as it enters play."""
    for deed in to_do or ():
        if deed.is_own and deed.kind == "boost" and one.stats is not None:
            one = replace(one, stats=boosted(one.stats, deed.count))
        elif deed.is_own and deed.status and deed.status not in (one.statuses or (deed.status,)):
            one = replace(one, statuses=(*(one.statuses or ()), deed.status))
        elif deed.is_own and deed.status and one.statuses == ():
            one = replace(one, statuses=(deed.status,))
    return one


def boosted(stats: Stats, by: int) -> Stats:
    """Statistics with so many boosts more, or fewer.

    No document known here says what one boost is worth. At every table it is one more of each statistic.
    """
    forest, mountain, water = (max(0, value + by) for value in (stats.forest, stats.mountain, stats.water))
    return Stats(forest, mountain, water)


def _with_changed(text: Resolving, done: Done, count: int, change: Change) -> tuple[tuple[Deed, ...] | None, int]:
    """What a text has to do once so many of these deeds are changed, and how many are left to change."""
    if not text.deeds or not count:
        return text.deeds, count
    found: list[Deed] = []
    for one in text.deeds:
        is_it = count > 0 and done.is_by(text, one) and is_for(one, done.player, text.player)
        if not is_it or change(one) is None:
            found.append(one)
        elif one.count < NO_LIMIT and (one.who != "each" or one.by):
            taken = min(one.count, count)
            count -= taken
            found += change(replace(one, count=taken)) or ()
            found += [replace(one, count=one.count - taken)] if one.count > taken else []
        else:
            count = 0
            found.append(one)
    return tuple(found), count


def _by(key: str, data: dict[str, object]) -> Violation:
    return Violation(timing_of_play.INTERNAL_ACTIONS, key, data)


def is_for(deed: Deed, player: str, controller: str) -> bool:
    """Whether a deed of that controller's text is for the player to do; for anybody where no player is named."""
    if deed.by:
        return player in ("", deed.by)
    if deed.who == "each" or not controller or not player:
        return True
    return (player == controller) == (deed.who == "you")
