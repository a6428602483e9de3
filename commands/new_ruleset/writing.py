"""The files of a new game: those of `template/`, with the name of the game in place of the template's."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.resources import files
from importlib.resources.abc import Traversable
from importlib.util import find_spec
from keyword import iskeyword
from pathlib import PurePosixPath

from audit.core.ruleset import rulesets

NAME = re.compile(r"[a-z][a-z0-9]*([-_][a-z0-9]+)*")


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
