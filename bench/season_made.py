"""A season made up: games of all rulesets, as several tournaments would have written them down.

    python -m bench.season_made FOLDER [--games 5000] [--first 0]

The games are simulated. Every third one has a mistake of its scorekeeper: an event left out, written twice, or
changed for its neighbour. Two in three say when things happened. The same number gives the same game.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from itertools import accumulate
from pathlib import Path
from random import Random

import click
from msgspec.structs import replace

from audit.core.model import Event, Header
from audit.core.ruleset import ruleset, rulesets
from replays.generating.simulate import simulated
from replays.generating.telling import renumbered
from replays.log.writer import write_log

EVENTS = ("Lakeside Open", "Northern League", "Guild Cup", "Winter Series", "City Championship", "Club Night")
NAMES = (
    "Ada", "Bo", "Chiara", "Dorota", "Emil", "Fatou", "Gio", "Hania", "Ines", "Jan", "Kasia", "Luc", "Marta", "Nour",
    "Ola", "Pia", "Quentin", "Rosa", "Sami", "Teo", "Ula", "Vito", "Wanda", "Xan", "Yara", "Zoe",
)  # fmt: skip
LANGUAGES = ("en", "fr", "it", "pl")
BEGUN = datetime(2026, 1, 10, 10, tzinfo=UTC)
PACE = 7.0
"""Seconds between two events, on average."""


def made(number: int) -> tuple[Header, list[Event]]:
    """The game of that number."""
    random, names = Random(f"season {number}"), rulesets()
    header, events = simulated(ruleset(names[number % len(names)]), number)
    if random.random() < 1 / 3:
        events = with_mistake(events, random)
    if random.random() < 2 / 3:
        events = timed(events, BEGUN + timedelta(minutes=number), random)
    players = random.sample(NAMES, len(header.players))
    meta = {
        "event": random.choice(EVENTS), "round": str(random.randint(1, 9)), "language": random.choice(LANGUAGES),
    }  # fmt: skip
    return replace(
        header, game=f"season-{number:05}", complete=True, meta=meta,
        players=tuple(replace(seat, name=name) for seat, name in zip(header.players, players, strict=True)),
    ), events  # fmt: skip


def with_mistake(events: Sequence[Event], random: Random) -> list[Event]:
    """The events as a scorekeeper wrote them down who was not attentive when a player did something."""
    acts = [at for at, event in enumerate(events[:-1]) if at > len(events) // 4 and hasattr(event, "player")]
    if not acts:
        return list(events)
    at = random.choice(acts)
    one, following = events[at : at + 2]
    instead, skipped = random.choice([([], 1), ([one, one], 1), ([following, one], 2)])
    return renumbered([*events[:at], *instead, *events[at + skipped :]])


def timed(events: Sequence[Event], begun: datetime, random: Random) -> list[Event]:
    """The events, each with the moment at which it was written down."""
    passed = accumulate(random.expovariate(1 / PACE) for _ in events)
    return [
        replace(event, at=(begun + timedelta(seconds=int(seconds))).isoformat().replace("+00:00", "Z"))
        for event, seconds in zip(events, passed, strict=True)
    ]


@click.command()
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path))
@click.option("--games", default=5_000, show_default=True)
@click.option("--first", default=0, show_default=True)
def main(folder: Path, games: int, first: int) -> None:
    """Write the logs of a season."""
    folder.mkdir(parents=True, exist_ok=True)
    written = sum(write_log(folder / f"{number:05}.jsonl", *made(number)) for number in range(first, first + games))
    click.echo(f"{games} games, {written} events")


if __name__ == "__main__":
    main()
