"""Counts what may be done from fixed positions, as chess programs do: a change of any rule shows at once.

    python -m bench.perft [--depth 4] [--write]

Counted are the sequences of exactly so many choices. A choice is an event where more than one may come; two ways
are the same where their events are. What leaves no choice (markers, triggers, landings, forced effects) is carried
out in between and never counted, and so is a new deck, of which nobody knows the order. A line that ends sooner,
because the game does, has no longer sequence.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from pathlib import Path

import click
from msgspec import Struct

from audit.core.model import LOG_VERSION, Event, Header
from audit.core.ruleset import Ruleset, ruleset

DATA = Path(__file__).parent.parent / "tests" / "compile" / "perft.toml"
MAX_IN_A_ROW = 400
"""So much happens without a choice at most: then nothing more ever will."""


class Position(Struct, frozen=True):
    """A fixed position and how many sequences of 1, 2, ... choices it had when the rules were last looked at."""

    name: str
    setup: dict[str, object]
    counts: tuple[int, ...] = ()

    @property
    def header(self) -> Header:
        """A log that begins here."""
        return Header(log=LOG_VERSION, ruleset="compile", setup={"position": self.setup})


def positions() -> tuple[Position, ...]:
    """The positions kept as data."""
    return tuple(
        Position(one["name"], one["position"], tuple(one.get("counts", ())))
        for one in tomllib.loads(DATA.read_text("utf-8"))["positions"]
    )


def choices(game: Ruleset[object], state: object) -> tuple[object, list[Event]]:
    """The next position with a choice, and what may be chosen; nothing to choose where the game is over."""
    for _ in range(MAX_IN_A_ROW):
        live = list(game.rules.expected(state))
        candidates = list(dict.fromkeys(offer for option in live for offer in option.candidates(state)))
        if len(candidates) != 1:
            return state, candidates
        state = game.rules.evolve(state, candidates[0])
    return state, []


def count(game: Ruleset[object], state: object, depth: int) -> int:
    """The sequences of exactly so many choices."""
    here, candidates = choices(game, state)
    if depth == 1:
        return len(candidates)
    return sum(count(game, game.rules.evolve(here, offer), depth - 1) for offer in candidates)


def counts(position: Position, depth: int) -> tuple[int, ...]:
    """The sequences of 1, 2, ... up to so many choices."""
    game = ruleset(position.header.ruleset)
    start = game.rules.start(position.header)
    return tuple(count(game, start, number) for number in range(1, depth + 1))


def lines(depth: int) -> Iterator[str]:
    """The table."""
    yield f"{'position':52}" + "".join(f"{number:>9}" for number in range(1, depth + 1))
    for position in positions():
        found = counts(position, depth)
        changed = [] if found == position.counts[:depth] else ["  changed, was", *map(str, position.counts)]
        yield f"{position.name:52}" + "".join(f"{number:>9,}" for number in found) + " ".join(changed)


def rewritten(text: str) -> str:
    """The data with the counts as they are now."""
    found = iter(counts(position, 4) for position in positions())
    rows = [row for row in text.splitlines() if not row.startswith("counts = ")]
    more = (f"{row}\ncounts = {list(next(found))}" if row.startswith("name = ") else row for row in rows)
    return "\n".join(more) + "\n"


@click.command()
@click.option("--depth", default=4, show_default=True)
@click.option("--write", is_flag=True, help="Keep the counts as they are now.")
def main(depth: int, write: bool) -> None:
    """Count, and print the table."""
    if write:
        DATA.write_text(rewritten(DATA.read_text("utf-8")), "utf-8")
    for line in lines(depth):
        click.echo(line)


if __name__ == "__main__":
    main()
