"""How many taps a decision takes on the page for the table, over the sample games, as its buttons narrow choices."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from statistics import median
from typing import cast

from msgspec.structs import replace

from audit.auditor import audit
from audit.event_rules import numbered
from audit.model import Event
from audit.ruleset import Ruleset
from replays.annotating.annotate import event_json, without_choice
from replays.log.reader import open_log
from replays.scoresheet.decisions import decisions
from web.table.choices import choices_at

FEW = 9
"""As many choices are listed one by one (`web/static/desk/offers.js`)."""
Choice = Mapping[str, object]


def main(samples: Sequence[Path]) -> None:
    """Print the taps of a decision by game, and how many decisions are not offered and have to be typed."""
    by_game: dict[str, list[int]] = {}
    for sample in samples:
        game = open_log(sample).ruleset.name
        by_game.setdefault(game, []).extend(taps_of(sample))
    for game, taps in sorted(by_game.items()):
        tapped = [each for each in taps if each]
        print(f"{game}: median {median(tapped):g} taps a decision, at most {max(tapped)}, {len(tapped)} decisions; "
              f"{len(taps) - len(tapped)} more are typed")  # fmt: skip


def taps_of(sample: Path) -> Iterator[int]:
    """The taps of every decision of a game; 0 for one that is not offered."""
    log = open_log(sample)
    written: list[Event] = []
    for event in decisions(log.ruleset, log.header, log):
        state = [*audit(log.ruleset, log.header, written)][-1].state
        plain = replace(event, seq=0, id=None, at=None, because=None, note=None)
        if plain in [numbered(one.event, 0) for one in without_choice(log.ruleset, state)]:
            continue
        offered = choices_at(log.ruleset, log.header, state, "en")
        yield taps(offered, event_json(plain)) or taps_named(log.ruleset, offered, event_json(plain))
        written.append(replace(plain, seq=len(written) + 1))


def taps(offered: Sequence[Choice], wanted: object) -> int:
    """The taps to a choice; 0 where it is not offered."""
    choice = next((one for one in offered if one["event"] == wanted), None)
    if choice is None:
        return 0
    if len(offered) <= FEW or not choice["touched"]:
        return 1
    first = cast("Sequence[str]", choice["touched"])[0]
    return 1 if sum(_first(one) == first for one in offered) == 1 else 2


def taps_named(game: Ruleset[object], offered: Sequence[Choice], wanted: Mapping[str, object]) -> int:
    """The taps where a choice of an unknown card is made and the card then named; 0 where that is not the event."""
    cards = [str(wanted.get("is") or wanted.get("card"))]
    found = [one for one in offered if "may_be" in one and game.setting.named(_event(one), cards[0]) == wanted]
    return taps(offered, _event(found[0])) + 1 if found else 0


def _event(choice: Choice) -> Mapping[str, object]:
    return cast("Mapping[str, object]", choice["event"])


def _first(choice: Choice) -> str:
    return next(iter(cast("Sequence[str]", choice["touched"])), "")
