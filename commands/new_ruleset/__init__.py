"""The command that writes a new game: `template/` is a whole small game, copied and renamed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.resources import files
from importlib.resources.abc import Traversable
from importlib.util import find_spec
from keyword import iskeyword
from pathlib import Path, PurePosixPath

import click

from audit.core.files import write_whole
from audit.core.ruleset import rulesets
from commands.common import example, say

NAME = re.compile(r"[a-z][a-z0-9]*([-_][a-z0-9]+)*")


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


@dataclass(frozen=True, slots=True)
class GameName:
    """The name of a game, in the spellings that its files need."""

    name: str

    @property
    def module(self) -> str:
        """As a Python package: `my_game`."""
        return self.name.replace("-", "_")

    @property
    def words(self) -> list[str]:
        """Its words with capitals."""
        return [part.capitalize() for part in self.module.split("_")]

    def problem(self) -> str | None:
        """Why no game can be called that, in one line; None if one can."""
        if not NAME.fullmatch(self.name) or iskeyword(self.module):
            return f"{self.name!r} is no name for a game: small letters and digits, in words joined by dashes (my-game)"
        if self.name in rulesets():
            return f"a game called {self.name!r} is installed already"
        if find_spec(self.module):
            return f"a Python package called {self.module!r} is installed already"
        return None

    def put_into(self, text: str) -> str:
        """A text of the template with this name in place of the template's."""
        for old, new in (
            ("example_game", self.module),
            ("example-game", self.name),
            ("ExampleGame", "".join(self.words)),
            ("Example Game", " ".join(self.words)),
        ):
            text = text.replace(old, new)
        return text


def written_files(game: GameName) -> Iterator[tuple[PurePosixPath, str]]:
    """Every file of the new game: its path in the folder and its text."""
    for path, file in _files(files("commands.new_ruleset").joinpath("template"), PurePosixPath()):
        yield PurePosixPath(game.put_into(str(path))), game.put_into(file.read_text("utf-8"))


def _files(folder: Traversable, path: PurePosixPath) -> Iterator[tuple[PurePosixPath, Traversable]]:
    for entry in sorted(folder.iterdir(), key=lambda entry: entry.name):
        if entry.is_dir() and not entry.name.startswith((".", "_")) and not entry.name.endswith(".egg-info"):
            yield from _files(entry, path / entry.name)
        elif entry.is_file() and entry.name.endswith((".py", ".toml", ".md")):
            yield path / entry.name, entry
