"""The first screen of help: few entries, grouped by who uses them, and every command is behind one of them."""

from __future__ import annotations

import re

import click
import pytest

from cli import FIRST, MODULE_OF, USERS, audit
from tests.command_line import run

BEHIND = [(user, name) for user, (names, _) in USERS.items() for name in names.split()]


def told(*args: str) -> str:
    done = run(*args)
    assert done.returncode == 0, done.stderr
    return done.stdout.decode()


def test_the_first_screen_has_at_most_fourteen_entries() -> None:
    entries = re.findall(r"^  (\S+)  ", told("--help").partition("Commands:")[2], re.MULTILINE)
    assert entries == [*FIRST, *USERS]
    assert len(entries) <= 14


def test_every_command_stands_on_the_first_screen_or_in_one_group() -> None:
    assert sorted([*FIRST, *(name for _, name in BEHIND)]) == sorted(MODULE_OF)


@pytest.mark.every(("user", "name"), BEHIND)
def test_a_command_of_a_group_also_goes_by_its_name_alone(user: str, name: str) -> None:
    alone, grouped = told(name, "--help"), told(user, name, "--help")
    assert grouped.split() == alone.replace(f"audit {name}", f"audit {user} {name}", 1).split()
    assert f"  {name} " in told(user, "--help")


def test_a_former_name_works_and_is_told_nowhere() -> None:
    assert "rules" not in re.findall(r"^  (\S+)  ", told("--help"), re.MULTILINE)
    assert told("rules", "control.gained") == told("rule", "control.gained")


@pytest.mark.every(
    ("typed", "said"),
    [
        (("trst",), "audit: there is no command 'trst'; did you mean trust? (see audit --help)"),
        (("sael",), "audit: there is no command 'sael'; did you mean seal? (see audit --help)"),
        (("trust", "sael"), "audit trust: there is no command 'sael'; did you mean seal? (see audit trust --help)"),
        (("editor", "seal"), "audit editor: there is no command 'seal' (see audit editor --help)"),
    ],
)
def test_a_mistyped_name_is_answered_with_the_nearest(typed: tuple[str, ...], said: str) -> None:
    done = run(*typed)
    assert (done.returncode, done.stderr.decode().strip()) == (2, said)


@pytest.mark.every(
    ("begun", "offered"),
    [("", [*FIRST, *USERS]), ("se", ["serve", "seal"]), ("tr", ["trust"]), ("ru", ["rule", "rulebook"]), ("rules", [])],
)
def test_a_shell_offers_the_first_screen_and_completes_every_name(begun: str, offered: list[str]) -> None:
    items = audit.shell_complete(click.Context(audit, info_name="audit"), begun)
    assert [item.value for item in items] == offered
