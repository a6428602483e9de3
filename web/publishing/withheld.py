"""Tells what a published file hides by the rules of its game from what its publisher keeps back besides.

The game is judged again as the viewer of the file knows it. A card is hidden by the rules where the game would hide it
from that viewer in that position. Anything else that is hidden is kept back by the publisher: a name, a card face up,
the viewer's own hand. Of a line that stands alone the position is not known, only which fields may hold a card.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from typing import cast

import msgspec
from msgspec.structs import replace

from audit.core.auditor import audit
from audit.core.disclosure import NOTHING_SHOWN, PUBLIC, Shown
from audit.core.errors import AuditError
from audit.core.event_rules import Json
from audit.core.model import Event, Header, type_name
from audit.core.record import words_in
from audit.core.record_events import FREE_TEXTS
from audit.core.ruleset import Ruleset, ruleset
from audit.core.steps import Step
from replays.judging.seen import public_meta
from replays.judging.sentences import event_json
from replays.log.schemas import card_fields, cards_of, decoder
from replays.said import Said
from replays.trust.commitments import POSITION, is_hidden
from web.publishing.sources import Source

Path = tuple[str | int, ...]

_BY_AUDIENCE = frozenset({"note", "note_for"})
"""Fields of an event that are for those whom its writer names."""
_JUDGES_OWN = frozenset({"position"})
"""Fields of an event that are for the judge alone, in every game."""
_UNNAMED = "?"
"""A card of which nothing is known."""
_UNSEEN = "unseen-card"
"""Stands for a card that lies nowhere in a position."""


def withheld(viewer: str, own: Source, openings: Sequence[object], shown: Mapping[int, Json]) -> list[str]:
    """The fields that are hidden and that the rules do not hide from the viewer, each as `line 26: card`.

    `own` is the game as the viewer knows it, `shown` are the sealed lines as they are shown by their place (0 is the
    header). Raises `AuditError` where the game cannot be judged.
    """
    game = ruleset(own.header.ruleset)
    steps = _Steps(game, own)
    shown_there = Shown(frozenset([card for event in own.events for card in cards_of(event)]))
    return [
        Said("field_at", line=at + 1, field=".".join(map(str, path)))
        for at, how in enumerate(openings)
        for path in _hidden_paths(how)
        if not (
            steps.event(viewer, at, shown.get(at, {}), how).hides(path)
            if at
            else _header_hides(game, own.header, path, viewer, shown_there)
        )
    ]


def withheld_of_line(game: Ruleset[object], at: int, shown: Json, how: object) -> list[str]:
    """The fields hidden in one line alone that the rules hide from nobody, each as `line 26: player`.

    Whether they hide a card depends on the position, which one line does not tell: a hidden card is not named here.
    """
    header = Header(log=str(shown.get("log")), ruleset=game.name, edition=str(shown.get("edition", "")))
    kept = _kept_fields(game, str(shown.get("type"))) if at else frozenset[str]()
    return [
        Said("field_at", line=at + 1, field=".".join(map(str, path)))
        for path in _hidden_paths(how)
        if not (_may_hide(kept, path, shown) if at else _header_hides(game, header, path, PUBLIC))
    ]


def _may_hide(kept: frozenset[str], path: Path, shown: Json) -> bool:
    """Whether some viewer may not know this. A position is hidden as a whole, and for whom a note is only with it."""
    if path[0] in _JUDGES_OWN:
        return len(path) == 1
    if path[0] == "note_for" and "note" in shown:
        return False
    return path[0] in kept or _is_own_word(path)


def _is_own_word(path: Path) -> bool:
    """Whether it is a word that a program wrote for itself (`x-…`): no viewer but a judge is shown those."""
    return str(path[0]).startswith("x-")


def _kept_fields(game: Ruleset[object], name: str) -> frozenset[str]:
    """What some viewer of such an event may not know."""
    kind = next((each for each in game.rules.events if type_name(each) == name), None)
    keys = _names(kind) if kind else {}
    cards = {keys[field] for fields in (card_fields(kind) if kind else ()) for field in fields}
    return _JUDGES_OWN | _BY_AUDIENCE | game.disclosure.kept_fields | {*FREE_TEXTS, *cards}


def _hidden_paths(how: object, path: Path = ()) -> Iterator[Path]:
    if is_hidden(how):
        yield path
        return
    inside = how.items() if isinstance(how, Mapping) else enumerate(how) if isinstance(how, list) else ()
    for key, each in inside:
        yield from _hidden_paths(each, (*path, key))


class _Steps:
    """The steps of the viewer's own log, found by the numbers of the whole log."""

    def __init__(self, game: Ruleset[object], own: Source) -> None:
        self.game = game
        told = [msgspec.json.decode(line) for line in own.lines[1:]]
        seqs = {line["seq"]: line.get("x-seq", line["seq"]) for line in told}
        every = list(audit(game, own.header, own.events))
        self.opening = every[0].before if every else None
        self.steps = [(seqs[step.seq], step) for step in every if step.seq in seqs]
        self.numbers = [seq for seq, _ in self.steps]

    def event(self, viewer: str, seq: int, shown: Json, how: object) -> _EventSeen:
        """An event of the whole log as the viewer saw it; what their log leaves out is between its neighbours."""
        first, end = bisect_left(self.numbers, seq), bisect_right(self.numbers, seq)
        of_seq = (step for _, step in self.steps[first:end])
        told = next((step for step in of_seq if step.event and type_name(type(step.event)) == shown.get("type")), None)
        state = told.before if told else self.steps[first - 1][1].state if first else self.opening
        return _EventSeen(self.game, viewer, shown, how, told, state)


def _header_hides(game: Ruleset[object], header: Header, path: Path, viewer: str, shown: Shown = NOTHING_SHOWN) -> bool:
    """Whether the rules keep this field of a header from the viewer: decks and hands, words for judges."""
    field, *inside = path
    if field == "meta" and inside:
        return inside[0] not in public_meta(replace(header, meta={**header.meta, str(inside[0]): ""}))
    if field != "setup" or not inside:
        return False
    if inside == [POSITION]:
        return True  # it is told by the word of the publisher, as far as the viewer knows it
    whole = replace(header, setup=_put(header.setup, tuple(inside)))
    kept = game.disclosure.recorded_header(whole, viewer, shown).setup
    return _at(kept, tuple(inside)) != _UNSEEN


class _EventSeen:
    """One event as it is shown, and the position in which the viewer saw it happen."""

    def __init__(
        self, game: Ruleset[object], viewer: str, shown: Json, how: object, told: Step | None, state: object
    ) -> None:
        self.game, self.viewer, self.shown, self.how = game, viewer, shown, how
        self.told, self.state = told, state

    def hides(self, path: Path) -> bool:
        """Whether the game hides what stands at this place from the viewer.

        A card that the viewer's own log calls by a handle is asked about by that; any other as if it lay open.
        """
        if path[0] in _JUDGES_OWN or _is_own_word(path):
            return True
        if path[0] in _BY_AUDIENCE:
            return not self._is_for_viewer()
        own = _at(event_json(self.told.event), path) if self.told and self.told.event else None
        if isinstance(own, str) and own != _UNNAMED and own in self._words():
            return self._is_hidden(path, own)
        words = words_in(self.game.disclosure.view(self.state)) - {_UNNAMED}
        return self._is_hidden(path, min(self.game.disclosure.open_cards(self.state, words), default=_UNSEEN))

    def _words(self) -> frozenset[str]:
        """The cards of the position before the event, and of the one after it."""
        states = (self.state, self.told.state) if self.told else (self.state,)
        return frozenset().union(*(words_in(self.game.disclosure.view(state)) for state in states))

    def _is_for_viewer(self) -> bool:
        """Whether a note is for this viewer, as far as it is told for whom it is."""
        told = self.shown.get("note_for")
        return isinstance(told, str) and told in (PUBLIC, self.viewer)

    def _is_hidden(self, path: Path, card: str) -> bool:
        """Whether the game shows another card, or none, where this one would stand."""
        event = self._as_shown()
        field = next((name for name, key in _names(type(event)).items() if key == path[0]), "")
        places = path[1] + 1 if path[1:] and isinstance(path[1], int) else 0
        for value in [(card,) * places] if places else (card, (card,)):
            with suppress(AuditError, LookupError, TypeError, ValueError, AttributeError):
                whole = replace(event, **{field: value})
                return bool(getattr(self.game.disclosure.redact(self.state, whole, self.viewer), field) != value)
        return False

    def _as_shown(self) -> Event:
        """The event without what is hidden; a field that it cannot be without holds a card that is nowhere."""
        hows = cast(Json, self.how)
        hidden = {key for key, one in hows.items() if is_hidden(one)}
        told = {key: value for key, value in self.shown.items() if key in hows and key not in hidden}
        unseen = dict.fromkeys(hidden, _UNSEEN)
        for left in ({}, *({key: _UNSEEN} for key in sorted(hidden)), unseen):
            with suppress(msgspec.MsgspecError):
                found: Event = decoder(self.game.rules.events).decode(msgspec.json.encode({**left, **told}))
                return found
        raise LookupError(self.shown.get("type"))


def _names(kind: type[Event]) -> dict[str, str]:
    return dict(zip(kind.__struct_fields__, kind.__struct_encode_fields__, strict=True))


def _put(value: object, path: Path) -> dict[str, object]:
    """An object with a card at this path; every list on the way holds that card in each place as far as this."""
    key, *rest = path
    known = value if isinstance(value, Mapping) else {}
    inside: object = _UNSEEN
    if rest:
        inside = _put(known.get(key), tuple(rest)) if isinstance(rest[0], str) else [_UNSEEN] * (rest[0] + 1)
    return {**known, str(key): inside}


def _at(value: object, path: Path) -> object:
    for key in path:
        if isinstance(value, Mapping):
            value = value.get(key)
        elif isinstance(value, list | tuple) and isinstance(key, int) and key < len(value):
            value = value[key]
        else:
            return None
    return value


__all__ = ["withheld", "withheld_of_line"]
