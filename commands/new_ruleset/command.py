"""The command `new-ruleset`."""

from __future__ import annotations

from pathlib import Path

import click

from audit.core.writing import write_whole
from commands.common import example, say
from commands.new_ruleset.writing import GameName, written_files


@click.command(name="new-ruleset")
@click.argument("name", metavar="NAME")
@click.option("-o", "--out", required=True, type=click.Path(path_type=Path), help="The folder to write; new, or empty.")
@example("audit new-ruleset my-game -o my-game")
def new_ruleset(name: str, out: Path) -> None:
    """Write a small game of your own to begin with: its rules, words, cases and tests.

    The name is what a log's header calls the game: small letters and digits, in words joined by dashes.
    """
    game = GameName(name)
    if problem := game.problem():
        raise click.ClickException(problem)
    if out.exists() and not out.is_dir():
        raise click.ClickException(f"{out} is not a folder")
    if out.is_dir() and any(out.iterdir()):
        raise click.ClickException(f"{out} is not empty")
    for path, text in written_files(game):
        (out / path).parent.mkdir(parents=True, exist_ok=True)
        write_whole(out / path, text.encode())
    say(
        f"{out} holds the game {name}. To install it, test it and play it:",
        f"  pip install -e {out}",
        f"  python -m pytest {out}",
        f"  audit simulate --ruleset {name} --seed 1 | audit check -",
    )
