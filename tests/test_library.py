"""The page of the library runs as printed, and its functions say the same as the commands."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

import audit
from audit.core.errors import UnknownRuleError
from replays import library
from replays.errors import LogError, NoSuchEventError
from tests.command_line import ROOT, run

PAGE = (ROOT / "docs" / "library.md").read_text("utf-8")
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
