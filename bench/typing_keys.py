"""How many keys a decision takes in `audit record`: letters, Tab for each step down the list, Enter.

Each line is typed in the shortest of the ways that somebody who looks at the list would take: its number where it is
listed on the screen, a few letters and Tab, or the letters alone. Tab and Enter count as keys.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from msgspec.structs import replace

from audit.core.model import Event
from replays.log.reader import open_log
from replays.scoresheet.forms import MisfitError, line_of
from replays.scoresheet.line import Sheet
from replays.scoresheet.sheet import decisions
from replays.table.completion import Completer
from replays.table.record import Record
from replays.terminal.answers import MOST_CHOICES

ENTER = 1
MOST_TABS = 5
"""Nobody steps further down a list than this."""
_CARD = re.compile(r"([a-z]+)-([0-9])(\*?)")


def keys_of_log(path: Path) -> Iterator[tuple[str, int, int]]:
    """The line of each decision of a log, its keys by hand with the names cut short, and its keys with completion."""
    log = open_log(path)
    with TemporaryDirectory() as folder, Record(Path(folder) / "copy.jsonl", log.header) as record:
        for event in decisions(log.ruleset, log.header, log):
            bare: Event = replace(event, note=None, id=None, at=None)
            completer = record.completer()
            line = completer.sheet.write(bare)
            shorter = _cut_short(completer.sheet, line, bare)
            yield line, len(shorter) + ENTER, min(keys(completer, line), keys(completer, shorter))
            record.enter(completer.sheet.write(event))


def keys(completer: Completer, line: str) -> int:
    """The keys of one line."""
    words = [word.text for word in line_of(line).words]
    cost = [0] + [len(line) + ENTER] * len(words)
    least = min(len(line) + ENTER, _by_number(completer, line))
    for at, word in enumerate(words):
        start = line[: _start(line, at)]
        for typed in range(len(word) + 1):
            text = start + word[:typed]
            for tabs, whole in enumerate(completer.completions(text)[:MOST_TABS], 1):
                if whole.strip() == line:
                    least = min(least, cost[at] + typed + tabs + ENTER)
                elif whole == f"{start}{word} ":
                    cost[at + 1] = min(cost[at + 1], cost[at] + typed + tabs)
        cost[at + 1] = min(cost[at + 1], cost[at] + len(word) + 1)
    return min(least, cost[-1])


def _by_number(completer: Completer, line: str) -> int:
    listed = completer.choices[:MOST_CHOICES]
    return len(str(listed.index(line) + 1)) + ENTER if line in listed else len(line) + ENTER


def _start(line: str, at: int) -> int:
    words = line_of(line).words
    return words[at].column - 1


def _cut_short(sheet: Sheet, line: str, event: Event) -> str:
    """The line with each name as short as it is still read as the same event: `a f3 1`."""
    words = [word.text for word in line_of(line).words]
    if " ".join(words) != line:
        return line
    for at, word in enumerate(words):
        for shorter in _shorter(word):
            told = [*words[:at], shorter, *words[at + 1 :]]
            if _says(sheet, " ".join(told), event):
                words = told
                break
    return " ".join(words)


def _shorter(word: str) -> Iterator[str]:
    if found := _CARD.fullmatch(word):
        yield f"{found[1][0]}{found[2]}{found[3]}"
    if word.isascii() and not word.startswith('"') and "=" not in word:
        yield from (word[:length] for length in range(1, len(word)))


def _says(sheet: Sheet, line: str, event: Event) -> bool:
    try:
        return sheet.read(line, event.seq) == event
    except MisfitError:
        return False
