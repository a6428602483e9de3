"""The page of the library runs as printed, and its functions say the same as the commands."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Callable
from io import BytesIO, StringIO
from pathlib import Path

import pytest

import audit
from audit.core.errors import UnknownLanguageError, UnknownRuleError, UnknownViewerError
from replays import library
from replays.errors import LogError, NoSuchEventError
from tests.command_line import ROOT, run

PAGE = (ROOT / "docs" / "client-author.md").read_text("utf-8")
EXAMPLES = re.findall(r"```python\n(.*?)```.*?```text\n(.*?)```", PAGE, re.DOTALL)
LOG = ROOT / "replays" / "samples" / "dispute.jsonl"
POSITION = "compile/3A.action.-/plague.fire.water:w3*;;:p51f41:9:/spirit.gravity.hate:;g6*;:h1g25s4:9:"


@pytest.mark.parametrize(("program", "printed"), EXAMPLES)
def test_an_example_prints_what_the_page_says(program: str, printed: str) -> None:
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, cwd=ROOT)
    assert (done.stderr, done.stdout) == ("", printed)


def test_the_first_example_takes_five_lines_at_most() -> None:
    assert len(EXAMPLES) == 2
    assert len([line for line in EXAMPLES[0][0].splitlines() if line]) <= 5


def test_every_function_of_the_library_stands_on_the_page() -> None:
    assert re.findall(r"^\| `audit\.(\w+)\(", PAGE, re.MULTILINE) == ["check", "replay", "explain", "ask", "rule"]
    assert sorted(audit.LIBRARY) == sorted(["check", "replay", "explain", "ask", "rule"])
    for name in audit.LIBRARY:
        assert getattr(audit, name) is getattr(library, name)
        assert name in dir(audit)


def test_what_the_library_does_not_have_is_no_attribute() -> None:
    with pytest.raises(AttributeError, match="module 'audit' has no attribute 'chek'"):
        getattr(audit, "chek")  # noqa: B009


def test_a_log_is_judged_as_by_the_command() -> None:
    told = json.loads(run("check", str(LOG), "--json", "--lang", "pl").stdout)
    assert json.loads(json.dumps(library.check(LOG, language="pl").findings)) == told["findings"]
    with LOG.open("rb") as stream:
        assert len(library.check(stream).findings) == len(told["findings"]) == 5


def test_an_event_is_explained_as_by_the_command() -> None:
    told = [json.loads(line) for line in run("why", str(LOG), "--at", "40", "--json").stdout.splitlines()]
    found = library.explain(LOG, 40)
    assert [(step["seq"], step["sentence"]) for step in found] == [(step["seq"], step["sentence"]) for step in told]
    assert len(found) > 1


def test_a_question_is_answered_as_by_the_command() -> None:
    told = json.loads(run("ask", POSITION, "A plague-1 2", "--json", "--lang", "fr,en").stdout)
    assert json.loads(json.dumps(library.ask(POSITION, "A plague-1 2", languages=("fr", "en")))) == told


def test_errors_name_what_there_is() -> None:
    with pytest.raises(LogError, match=r"no.jsonl"):
        library.check(Path("no.jsonl"))
    with pytest.raises(NoSuchEventError, match="130"):
        library.explain(LOG, 999)
    with pytest.raises(UnknownRuleError, match=r"control\.gained"):
        library.rule("control.gaind")
    with pytest.raises(NoSuchEventError, match=r"^input: there is no event 999"), LOG.open("rb") as stream:
        library.explain(BytesIO(stream.read()), 999)


@pytest.mark.every(
    "call",
    [
        lambda: library.check(LOG, language="de"), lambda: library.explain(LOG, 1, language="de"),
        lambda: library.rule("control.gained", language="de"), lambda: library.ask(POSITION, languages=("en", "xx")),
        lambda: library.ask(POSITION, languages=()), lambda: library.ask(POSITION, languages="xx"),
    ],
)  # fmt: skip
def test_a_language_that_does_not_exist_is_an_error_of_ours(call: Callable[[], object]) -> None:
    with pytest.raises(UnknownLanguageError, match=r"^no language is called '.*'; there are en, fr, it, pl$"):
        call()


def test_one_language_may_be_named_by_itself() -> None:
    assert library.ask(POSITION, languages="fr") == library.ask(POSITION, languages=("fr",))


@pytest.mark.parametrize("call", [lambda: library.replay(LOG, viewer="Q"), lambda: library.explain(LOG, 1, viewer="Q")])
def test_a_viewer_who_is_nobody_is_an_error_of_ours(call: Callable[[], object]) -> None:
    with pytest.raises(UnknownViewerError, match=r"^no viewer is called 'Q'; there are A, B, public, judge$"):
        call()


@pytest.mark.every("source", [StringIO(LOG.read_text("utf-8")), LOG.read_bytes(), StringIO(), 5])
def test_what_is_neither_a_path_nor_a_stream_of_bytes_is_an_error_of_ours(source: object) -> None:
    with pytest.raises(LogError, match=r"^input: expected a path or a stream of bytes, found "):
        library.check(source)  # type: ignore[arg-type]
