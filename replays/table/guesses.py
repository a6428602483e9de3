"""What may have been meant by a line that cannot be read: its words put right, then what can be chosen."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import partial

from msgspec.structs import replace
from rapidfuzz.fuzz import ratio

from audit.core.auditor import audit
from audit.core.card_names import folded
from audit.core.catalogue import LANGUAGES
from audit.core.model import Event, Header
from replays.judging.annotate import Annotator
from replays.judging.onward import next_choice
from replays.judging.sentences import Json, event_json
from replays.scoresheet.forms import MisfitError
from replays.scoresheet.line import Sheet
from replays.scoresheet.words import Word
from replays.table.choices import lines_said, open_choices
from replays.table.completion import Completer
from replays.table.question import question

MOST = 4
"""At most so many are told."""
ALIKE = 60
"""Two words of whole lines are alike from so many percent on."""
SLIP = 70
"""A word may be another one with a slip from so many percent on."""
MOST_WORDS = 12
"""A line of more words is not put right."""


def guesses(header: Header, events: Sequence[str | Json], number: int, language: str) -> list[Json]:
    """What the line with that number may have meant after those before it: each its event, line and sentence.

    The line with its words put right comes first, whether that is allowed or not.
    """
    before = question(header, events[: number - 1])
    game, line = before.game, str(events[number - 1])
    state = next_choice(game, [*audit(game, header, before.events)][-1].state)
    annotator = Annotator(game, language, header=header)
    sheet = Sheet(game, game.disclosure.seats(header), header.setup, lambda word: game.rules.card_at(state, word))
    choices = [] if line.rstrip().endswith("?") else [one.event for one in open_choices(annotator, state)]
    told = [_told(annotator, sheet, event, language) for event in choices]
    put_right = [_told(annotator, sheet, event, language) for event in corrected(sheet, header, line, language)]
    found = {str(one["line"]): one for one in (*put_right, *_alike(told, line))}
    return [{name: one[name] for name in ("event", "line", "sentence")} for one in list(found.values())[:MOST]]


def _told(annotator: Annotator, sheet: Sheet, event: Event, language: str) -> Json:
    return {
        "event": event_json(event), "sentence": annotator.tell(event), **lines_said(sheet, event, language),
    }  # fmt: skip


def corrected(sheet: Sheet, header: Header, line: str, language: str) -> Iterator[Event]:
    """The events of a line with its words put right: as it is typed, then with each player before it; each once."""
    game = sheet.game
    typed = re.sub(r"[?!.,]+(?=\s|$)", "", game.rules.statement(line) or line).split()
    if not 0 < len(typed) <= MOST_WORDS:
        return
    held = game.rules.holdings(game.rules.start(header))
    cards = sorted(held.exist) if held else ()
    completers = [Completer(sheet, (), (), cards, language=one) for one in dict.fromkeys((language, LANGUAGES[0]))]
    seen: list[Event] = []
    for before in ((), *((seat,) for seat in sheet.seats)):
        said = " ".join(_put_right(sheet, completers, [*before, *game.rules.plainer(typed, {})]))
        with suppress(MisfitError):
            if (event := replace(sheet.read(said, 1), seq=0)) not in seen:
                seen.append(event)
                yield event


def _put_right(sheet: Sheet, completers: Sequence[Completer], typed: Sequence[str]) -> list[str]:
    """The words that fit one behind the other: as typed, or the one most like it; what is like none is left out."""
    said: list[str] = []
    left = list(typed)
    while left:
        word = left.pop(0)
        if _fits(sheet, [*said, word]):
            said.append(word)
            continue
        fitting = [fit for one in completers for fit in one.next_words(" ".join(said))]
        if word.isalpha() and left and left[0][:1].isdecimal() and (near := _nearest(f"{word}-{left[0]}", fitting)):
            left.pop(0)
            said.append(near)
        elif near := _nearest(word, fitting):
            said.append(near)
    return said


def _fits(sheet: Sheet, words: Sequence[str]) -> bool:
    """Whether a line may begin with these words, or be them."""
    if any(True for _ in sheet.following([Word(word, 1) for word in words])):
        return True
    with suppress(MisfitError):
        return sheet.read(" ".join(words), 1) is not None
    return False


def _nearest(word: str, fitting: Sequence[str]) -> str:
    """The word that fits and is most like one; empty where none is. A number is no slip of another number."""
    if word.isdecimal():
        return ""
    near = max(fitting, key=lambda one: ratio(folded(word), folded(one)), default="")
    return near if near and ratio(folded(word), folded(near)) >= SLIP else ""


def _alike(choices: Sequence[Json], line: str) -> list[Json]:
    """The choices most like a line that cannot be read: like their own line, or like their sentence."""

    def likeness(choice: Json) -> float:
        told = [str(choice[name]) for name in ("line", "said", "sentence") if name in choice]
        return max(_likeness(_words(line), _words(one)) for one in told)

    return sorted(choices, key=likeness, reverse=True)[:MOST]


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
