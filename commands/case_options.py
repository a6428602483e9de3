"""What the commands for cases share: who writes, where the cases are, and what a case is opened on."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING

import click

from commands.common import Misuse, is_a_file, one_game, say

if TYPE_CHECKING:
    from replays.cases.book import CaseBook, Shelf
    from replays.cases.case import Case
    from replays.cases.opening import Place
    from replays.trust.seal import Seal

ROLES = ("judge", "head-judge", "player", "scorekeeper")
OPENED = 'audit case open replays/samples/dispute.jsonl --at 25 --by Ada "Why?" --in cases && '
RULED = OPENED + 'audit case rule last --no "Not here." --by Ada --in cases && '
"""How an example begins that needs a case, or one that is ruled on."""

case_argument = click.argument("name", metavar="CASE")
folder_option = click.option(
    "--in", "folder", type=click.Path(file_okay=False, path_type=Path), envvar="AUDIT_CASES",
    help="A folder of case files, instead of the store (or AUDIT_CASES).",
)  # fmt: skip
out_option = click.option("-o", "--out", type=click.Path(dir_okay=False, path_type=Path))
log_option = click.option(
    "--log", type=click.Path(dir_okay=False, path_type=Path), help="The log, where it is not in the store."
)


@contextmanager
def book_in(folder: Path | None) -> Iterator[CaseBook]:
    """The cases of a folder, or of the store and the data folder."""
    from replays.cases.book import FolderShelf
    from replays.cases.shelves import shelf_beside
    from replays.store.store import Store

    if folder:
        with _on_shelf(FolderShelf(folder)) as book:
            yield book
        return
    with Store() as store, _on_shelf(shelf_beside(store)) as book:
        yield book


@contextmanager
def _on_shelf(shelf: Shelf) -> Iterator[CaseBook]:
    """The cases there. The error of a case that does not exist names the nearest one."""
    from replays.cases.book import CaseBook, UnknownCaseError

    try:
        yield CaseBook(shelf)
    except UnknownCaseError as error:
        raise UnknownCaseError(error.case, error.found, [id for id, _ in shelf.ids()]) from None


def place_told(place: str, at: int | None, asked: tuple[str, ...]) -> tuple[Place, dict[str, object]]:
    """The step of a log (a file, or a stored game) or the position line that is meant, and what is known of it."""
    from audit.core.ruleset import rulesets
    from replays.cases.opening import place_at
    from replays.cases.writing import place_of_log
    from replays.store.store import Store

    if not is_a_file(place) and place.partition("/")[0] in rulesets():
        return place_at(place, asked), {}
    if at is None:
        raise Misuse("name_event")
    if place == "-":
        return place_of_log(sys.stdin.buffer.read(), at, "standard input")
    if is_a_file(place):
        from replays.files import read_whole
        from replays.trust.seal import MAX_BYTES

        return place_of_log(read_whole(place, MAX_BYTES), at, Path(place).name)
    with one_game(place), Store() as store:
        id = store.find(place)
        found, said = place_of_log(store.export(id), at, place)
        return found, said if said["game_id"] else {**said, "game": id}


def log_of(found: Case, log: Path | None) -> tuple[bytes, Seal | None]:
    """The log of the game of a case with its seal; nothing where there is none, or it is not stored."""
    from replays.files import read_whole
    from replays.store.reading import UnknownGameError
    from replays.store.store import Store
    from replays.trust.seal import MAX_BYTES, beside, read_seal

    if log:
        return read_whole(log, MAX_BYTES), read_seal(beside(log)) if beside(log).exists() else None
    if found.opened.seq is None:
        return b"", None
    with Store() as store:
        try:
            id = store.find(found.opened.game_id or found.opened.game)
        except UnknownGameError:
            return b"", None
        return store.export(id), store.sealed(id)


class Writer:
    """Who writes in which cases: a name and a role, or a token; and the version that they have seen."""

    def __init__(self, by: str, role: str, token: str, expected: int | None, folder: Path | None) -> None:
        self.by, self.role, self.token, self.expected, self.folder = by, role, token, expected, folder

    def who(self) -> dict[str, str]:
        """The name, role and time of what is written; raises where a token does not hold."""
        from replays.cases.note import now

        by, role = self.by, self.role
        if self.token:
            from web.site.tokens import TokenError, token_of

            found = token_of(self.token)
            if found is None or found.role not in ROLES:
                raise TokenError(self.token[:14], "it does not hold, or its role writes no cases")
            by, role = found.name, str(found.role)
        if not by:
            raise click.UsageError("say who you are: --by NAME, or AUDIT_NAME")
        return {"by": by, "role": role, "at": now()}

    def add(self, name: str, kind: str, /, **values: object) -> None:
        """Add an event of that kind to a case, and say how the case stands."""
        from replays.cases.writing import made

        who = self.who()
        with book_in(self.folder) as book:
            found = book.add(book.find(name), made(kind, {**who, **values}), self.expected, who["by"])
            say(f"{found.id}: {found.state}, version {found.version}")


def writer_options(function: Callable[..., None]) -> Callable[..., None]:
    """The options that say who writes, and where: the command gets them as its `writer`."""

    @wraps(function)
    def command(
        by: str, role: str, token: str, expected: int | None, folder: Path | None, **values: object
    ) -> None:  # fmt: skip
        function(writer=Writer(by, role, token, expected, folder), **values)

    for option in (
        folder_option,
        click.option("--by", envvar="AUDIT_NAME", default="", help="Your name (or AUDIT_NAME)."),
        click.option("--role", type=click.Choice(ROLES), default="judge", show_default=True),
        click.option(
            "--token", envvar="AUDIT_TOKEN", default="", help="A token; name and role come from it (or AUDIT_TOKEN)."
        ),
        click.option("--expected", type=int, help="The version you have seen. Refused where there is a later one."),
    ):
        option(command)
    return command
