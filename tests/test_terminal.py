"""Colours and the width of lines: on a terminal, in a pipe, and as somebody asks for them."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Mapping
from contextlib import suppress

import pytest

from audit.core.catalogue import LANGUAGES
from audit.core.ruleset import ruleset
from commands.common import wants_colour
from replays.log.reader import open_log
from replays.terminal.ansi import colour, wrapped
from tests.command_line import ROOT, run

SAMPLES = ROOT / "replays" / "samples"
LOG = str(SAMPLES / "dispute.jsonl")
ESCAPE = "\x1b"
UNSET = {"NO_COLOR": None, "FORCE_COLOR": None, "TERM": "xterm"}


def set_to(patch: pytest.MonkeyPatch, values: Mapping[str, str | None]) -> None:
    for name, value in {**UNSET, **values}.items():
        if value is None:
            patch.delenv(name, raising=False)
        else:
            patch.setenv(name, value)


@pytest.mark.parametrize(
    ("asked", "environment", "on_a_terminal", "in_a_pipe"),
    [
        ("auto", {}, True, False), ("auto", {"NO_COLOR": "1"}, False, False), ("auto", {"NO_COLOR": ""}, True, False),
        ("auto", {"FORCE_COLOR": "1"}, True, True), ("auto", {"FORCE_COLOR": "0"}, False, False),
        ("auto", {"TERM": "dumb"}, False, False), ("always", {"NO_COLOR": "1"}, True, True),
        ("never", {"FORCE_COLOR": "1"}, False, False),
    ],
)  # fmt: skip
def test_colours_are_as_they_are_asked_for(
    asked: str, environment: Mapping[str, str], on_a_terminal: bool, in_a_pipe: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    set_to(monkeypatch, environment)
    for is_terminal, expected in ((True, on_a_terminal), (False, in_a_pipe)):
        monkeypatch.setattr(sys.stdout, "isatty", lambda is_terminal=is_terminal: is_terminal)
        assert wants_colour(asked) is expected


def test_a_command_prints_colours_only_when_told(monkeypatch: pytest.MonkeyPatch) -> None:
    set_to(monkeypatch, {})
    asked = ("replay", LOG, "--at", "12")
    coloured, plain = run("--color", "always", *asked).stdout.decode(), run(*asked).stdout.decode()
    assert ESCAPE in coloured
    assert ESCAPE not in plain
    assert re.sub(r"\x1b\[[0-9;]*m", "", coloured) == plain
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert run(*asked).stdout.decode() == coloured
    assert run("--color", "never", *asked).stdout.decode() == plain


def test_a_colour_that_is_none_is_told_in_a_line() -> None:
    done = run("--color", "blue", "check", LOG)
    assert (done.returncode, len(done.stderr.splitlines())) == (2, 1)


@pytest.mark.skipif(sys.platform == "win32", reason="needs a terminal of its own")
def test_a_terminal_gets_colours_and_lines_of_its_width() -> None:
    import pty

    ours, theirs = pty.openpty()
    environment = {**os.environ, "COLUMNS": "44", "TERM": "xterm"}
    environment.pop("NO_COLOR", None)
    command = [sys.executable, "-m", "cli", "replay", LOG, "--at", "25"]
    with subprocess.Popen(command, cwd=ROOT, env=environment, stdin=theirs, stdout=theirs, stderr=theirs):
        os.close(theirs)
        said = b""
        with suppress(OSError):  # nobody has it open any more
            while part := os.read(ours, 65536):
                said += part
    os.close(ours)
    shown = said.decode()
    assert ESCAPE in shown
    assert max(map(len, re.sub(r"\x1b\[[0-9;]*m", "", shown).splitlines())) <= 44


def test_a_line_is_broken_between_words_and_goes_on_indented() -> None:
    line = "  Ada plays a card face up in a line that has no protocol of it."
    assert list(wrapped(line, 30)) == [
        "  Ada plays a card face up in",
        "    a line that has no",
        "    protocol of it.",
    ]


def test_styles_take_no_place_in_a_line() -> None:
    line = " ".join(colour("seat", word) for word in ("one", "two", "six", "ten"))
    assert [*wrapped(line, 11)] == [line[: line.index(colour("seat", "ten")) - 1], "  " + colour("seat", "ten")]


@pytest.mark.every("line", ["", "r3-t12  compile", "a" * 60])
def test_a_line_without_a_place_to_break_it_stays(line: str) -> None:
    assert [*wrapped(line, 40)] == [line]


@pytest.mark.every("asked", ["check {}", "replay {} --at {}", "why {} --at {}"], ids=lambda asked: asked[:6])
@pytest.mark.every(
    ("log", "at", "rule"),
    [
        ("dispute", 25, "play.face-up-needs-protocol"),
        ("altered-two-teams", 34, "altered.2v2.no-teammate-zone"),
        ("lotr-crows", 13, "reveal.4.stop-if-gone"),
    ],
)
def test_a_rule_is_called_by_its_title_in_the_language_of_the_reader(asked: str, log: str, at: int, rule: str) -> None:
    catalogue = ruleset(open_log(SAMPLES / f"{log}.jsonl").header.ruleset).catalogue
    for language in LANGUAGES:
        said = run(*asked.format(SAMPLES / f"{log}.jsonl", at).split(), "--lang", language).stdout.decode()
        called = f"  {catalogue.title(catalogue[rule], language)} ({rule})"
        assert called in said
        assert not re.search(rf"^ *{re.escape(rule)}\b", said, re.M)
