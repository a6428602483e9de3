"""How many taps a decision takes on the page for the table, and how many keys in `audit record`, over the sample games.

Taps: what is offered is tapped, as the buttons narrow the choices. Any other decision is put together from the words
that may stand next on the score sheet, a tap for each. What a game tells of its table before the first day is pasted
with its first line. Keys: letters, Tab for each step down the list, Enter. Each line is typed in the shortest of the
ways that somebody who looks at the list would take: its number where it is listed on the screen, a few letters and
Tab, or the letters alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import cast

from msgspec import convert
from msgspec.structs import replace

from audit.core.auditor import audit
from audit.core.event_rules import numbered
from audit.core.model import Event, Header
from audit.core.ruleset import Ruleset
from replays.judging.positions import without_choice
from replays.judging.sentences import event_json
from replays.log.reader import open_log
from replays.scoresheet.forms import MisfitError, line_of
from replays.scoresheet.line import Sheet
from replays.scoresheet.sheet import decisions
from replays.table import record as terminal
from replays.table.completion import Completer
from replays.terminal.answers import MOST_CHOICES
from web.table.record import MOST_WORDS, Record, completer
from web.table.table import choices_at

FEW = 9
"""As many choices are listed one by one (`web/static/desk/offers.js`)."""
OPENING = frozenset({
    "game_configured", "deck_registered", "team_formed", "seated", "board_placed", "expeditions_faced",
    "communication_agreed", "first_player_drawn",
})  # fmt: skip
"""What is told of a table before anybody chooses anything."""
Choice = Mapping[str, object]
ENTER = 1
MOST_TABS = 5
"""Nobody steps further down a list than this."""
_CARD = re.compile(r"([a-z]+)-([0-9])(\*?)")


# Taps


def print_taps(samples: Sequence[Path]) -> None:
    """Print the taps of a decision by game, and how many decisions have a text that has to be typed."""
    by_game: dict[str, list[int]] = {}
    for sample in samples:
        game = open_log(sample).ruleset.name
        by_game.setdefault(game, []).extend(taps_of(sample))
    for game, taps in sorted(by_game.items()):
        tapped = [each for each in taps if each]
        print(f"{game}: median {median(tapped):g} taps a decision, at most {max(tapped)}, {len(tapped)} decisions; "
              f"{len(taps) - len(tapped)} more have a text of their own and are typed")  # fmt: skip


def taps_of(sample: Path) -> Iterator[int]:
    """The taps of every decision of a game; 0 for one with a text that has to be typed."""
    log = open_log(sample)
    pasted, left = pasted_and_left(decisions(log.ruleset, log.header, log))
    written = list(pasted)
    for event in left:
        state = [*audit(log.ruleset, log.header, written)][-1].state
        plain = replace(event, seq=0, id=None, at=None, because=None, note=None)
        if happens_by_itself(log.ruleset, state, plain):
            continue
        offered = choices_at(log.ruleset, log.header, state, "en")
        found = as_good(log.ruleset, state, offered, plain)
        yield taps_to(offered, *found) if found else taps_of_words(log.ruleset, log.header, written, plain)
        written.append(replace(plain, seq=len(written) + 1))


def pasted_and_left(events: Sequence[Event]) -> tuple[list[Event], list[Event]]:
    """What is told of the table before the first decision, and everything after it."""
    first = next((at for at, one in enumerate(events) if event_json(one)["type"] not in OPENING), len(events))
    return list(events[:first]), list(events[first:])


def happens_by_itself(game: Ruleset[object], state: object, event: Event) -> bool:
    """Whether the page shows the event, or one that says no more, as what follows with nobody choosing."""
    said = numbered(event, 1)
    return any(
        type(one.event) is type(event)
        and game.rules.evolve(one.before, said) == game.rules.evolve(one.before, numbered(one.event, 1))
        for one in without_choice(game, state)
    )


def as_good(
    game: Ruleset[object], state: object, offered: Sequence[Choice], event: Event
) -> tuple[Choice, tuple[str, ...]] | None:
    """The choice that is the event, or after which the position is the same, and the cards to be named in it."""
    wanted = event_json(event)
    cards = [str(card) for card in (wanted.get("is"), wanted.get("card")) if card]
    for choice in offered:
        plain = _event(choice)
        if plain["type"] != wanted["type"]:
            continue
        if plain == wanted or _is_handle(plain, wanted):
            return choice, ()
        for way in (plain, *game.setting.other_ways(plain)):
            for card in cards if "may_be" in choice else ():
                if game.setting.named(way, card) == wanted:
                    return {**choice, "event": way, "is_below": way == plain and bool(choice.get("ways"))}, (card,)
    after = game.rules.evolve(state, numbered(event, 1))
    for choice in (one for one in offered if "may_be" not in one and _event(one)["type"] == wanted["type"]):
        if game.rules.evolve(state, convert({**_event(choice), "seq": 1}, type(event))) == after:
            return choice, ()
    return None


def _is_handle(choice: Mapping[str, object], wanted: Mapping[str, object]) -> bool:
    """Whether the choice is of an unknown card, which is given a handle when it is written down."""
    return choice.get("card") == "?" and str(wanted.get("card")).startswith("?") and (
        {**choice, "card": wanted["card"]} == wanted
    )  # fmt: skip


def taps_to(offered: Sequence[Choice], choice: Choice, named: Sequence[str]) -> int:
    """The taps to a choice, on each card that is named then, and on the fold under which those of its own way lie."""
    named = [*named, "fold"] if choice.get("is_below") else named
    here = [one for one in offered if not one.get("passing")]
    if choice.get("passing"):
        return 2 + len(named)
    if len(here) <= FEW or not choice["touched"]:
        return 1 + len(named)
    first = cast("Sequence[str]", choice["touched"])[0]
    return (1 if sum(_first(one) == first for one in here) == 1 else 2) + len(named)


def taps_of_words(game: Ruleset[object], header: Header, written: Sequence[Event], event: Event) -> int:
    """A tap for each word of the line and one to write it down; 0 where a word is not offered."""
    sheet, said = Sheet(game, game.disclosure.seats(header), header.setup), ""
    words = [word.text for word in line_of(sheet.write(replace(event, seq=1))).words]
    for word in words:
        if word not in completer(Record(header, list(written)), ()).next_words(said)[:MOST_WORDS]:
            return 0
        said += f"{word} "
    return len(words) + 1


def _event(choice: Choice) -> Mapping[str, object]:
    return cast("Mapping[str, object]", choice["event"])


def _first(choice: Choice) -> str:
    return next(iter(cast("Sequence[str]", choice["touched"])), "")


# Keys


def keys_of_log(path: Path) -> Iterator[tuple[str, int, int]]:
    """The line of each decision of a log, its keys by hand with the names cut short, and its keys with completion."""
    log = open_log(path)
    with TemporaryDirectory() as folder, terminal.Record(Path(folder) / "copy.jsonl", log.header) as record:
        for event in decisions(log.ruleset, log.header, log):
            bare: Event = replace(event, note=None, id=None, at=None)
            helps = record.completer()
            line = helps.sheet.write(bare)
            shorter = _cut_short(helps.sheet, line, bare)
            yield line, len(shorter) + ENTER, min(keys(helps, line), keys(helps, shorter))
            record.enter(helps.sheet.write(event))


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
