"""What can be chosen next, each choice with the things on the table that it touches."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import islice

from rapidfuzz.fuzz import ratio

from audit.core.card_names import folded
from audit.core.event_rules import Obligation
from audit.core.model import Event, Header
from audit.core.record import words_in
from audit.core.ruleset import Ruleset
from audit.core.scene import Card, Face, card_name
from replays.judging.annotate import Annotator, Json, event_json, without_choice
from replays.scoresheet.forms import Sheet

MOST = 90
"""At most so many choices of one kind are offered."""
MOST_MEANT = 4
ALIKE = 60
"""Two words are alike from so many percent on."""
UNKNOWN = "?"


def choices_at(game: Ruleset[object], header: Header, state: object, language: str) -> list[Json]:
    """Every choice up to the next position in which somebody has one: event, line, sentence, what it touches.

    Of a choice of an unknown card that all will see, `may_be` are the cards that it may be. A choice that passes if
    the table goes on by itself is `passing`: it belongs to a position before.
    """
    annotator = Annotator(game, language, header=header)
    sheet = Sheet(game, game.disclosure.seats(header), header.setup)
    return [
        _choice(annotator, at, event)
        | {"line": sheet.write_published(event_json(event)), "player": player}
        | ({"passing": True} if is_passing else {})
        for player, event, at, is_passing in _open(annotator, state)
    ]


def meant(choices: Sequence[Json], line: str) -> list[Json]:
    """The choices most like a line that cannot be read: like their own line, or like their sentence."""

    def likeness(choice: Json) -> float:
        return max(_likeness(_words(line), _words(str(choice[name]))) for name in ("line", "sentence"))

    alike = sorted(choices, key=likeness, reverse=True)[:MOST_MEANT]
    return [{name: choice[name] for name in ("event", "line", "sentence")} for choice in alike]


def _words(text: str) -> list[str]:
    return re.findall(r"\w+", folded(text))


def _likeness(typed: Sequence[str], told: Sequence[str]) -> float:
    """How many words have one like them, each used once; a word too much counts a little."""
    left, found = list(told), 0.0
    for word in typed:
        near = max(left, key=partial(ratio, word), default="")
        if near and (alike := ratio(word, near)) >= ALIKE:
            left.remove(near)
            found += alike
    return found - len(left)


def _open(annotator: Annotator, state: object) -> Iterator[tuple[str, Event, object, bool]]:
    """The choices with their players and positions, those of the last position first; each once."""
    game = annotator.game
    follows = list(without_choice(game, state))
    last = follows[-1].after if follows else state
    found = [(player, event, last, False) for player, event in _candidates(annotator, last)]
    for one in follows:
        found += [
            (player, event, one.before, True)
            for player, event in _passing(annotator, one.before)
            if type(event) is not type(one.event)
        ]
    seen = [one.event for one in follows]
    for choice in found:
        if choice[1] not in seen:
            seen.append(choice[1])
            yield choice


def _candidates(annotator: Annotator, state: object) -> Iterator[tuple[str, Event]]:
    for option in annotator.game.rules.expected(state):
        if option.obligation is not Obligation.MARKER:
            player = annotator.chooser(state, option)
            yield from ((player, event) for event in islice(option.candidates(state), MOST))
    yield from _untold(annotator.game, state)


def _passing(annotator: Annotator, state: object) -> Iterator[tuple[str, Event]]:
    """What nobody has to do, where the table may go on without it."""
    for option in annotator.game.rules.expected(state):
        if option.obligation in (Obligation.OPTIONAL, Obligation.EXPIRES):
            player = annotator.chooser(state, option)
            yield from ((player, event) for event in islice(option.candidates(state), MOST))
    yield from _untold(annotator.game, state)


def _untold(game: Ruleset[object], state: object) -> Iterator[tuple[str, Event]]:
    for event in islice(game.setting.untold(state), MOST):
        if not game.rules.violations(state, event):
            yield str(getattr(event, "player", "")), event


def _choice(annotator: Annotator, state: object, event: Event) -> Json:
    game, plain = annotator.game, event_json(event)
    found: Json = {
        "event": plain,
        "sentence": annotator.tell(event),
        "touched": list(dict.fromkeys(game.scene_maker.touched(plain))),
    }
    if game.setting.asks_for_card(plain):
        found["may_be"] = cards_told(game, _possible(game, state, event), annotator.language)
    return found


def _possible(game: Ruleset[object], state: object, event: Event) -> Sequence[str]:
    """The cards that the unknown ones of an event may be: those in the hand of its player, or the one of that name."""
    held = game.rules.holdings(state)
    if held is None:
        return ()
    words, player = words_in(event_json(event)), getattr(event, "player", None)
    named = [one for one in held.cards if one.may_be is not None and one.card in words - {UNKNOWN}]
    meant = named or [one for one in held.cards if one.may_be is not None and one.player in (player, "")]
    taken = held.located()
    return sorted({card for one in meant for card in one.may_be or () if card not in taken})


def cards_told(game: Ruleset[object], cards: Sequence[str], language: str) -> list[Json]:
    """Cards as the page shows them to be picked from."""
    faces = {card: game.scene_maker.face(card, language) for card in cards}
    return [
        {"card": card, "title": card_name(Card(card, face), {"unknown": card}), **_signed(face)}
        for card, face in faces.items()
    ]


def _signed(face: Face | None) -> Json:
    return {"sign": face.sign, "value": face.value} if face else {}
