"""Every field of the position of every game says what it means: in a string below it, or by its name in the class's."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from itertools import zip_longest
from pathlib import Path

import pytest

from tests.conftest import ROOT

TEMPLATE = "commands/new_ruleset/template/example_game/state.py"
STATES = ["audit/games/altered/state.py", "audit/games/compile/state.py", "audit/games/lotr_reveal/state.py", TEMPLATE]
CLASSES = ("State", "Side")


def undocumented(source: str) -> Iterator[str]:
    """The fields of the position of which nobody says what they mean."""
    for one in ast.parse(source).body:
        if isinstance(one, ast.ClassDef) and one.name in CLASSES:
            told = set(re.findall(r"`(\w+)`|^ *(\w+):", ast.get_docstring(one) or "", re.MULTILINE))
            named = {name for pair in told for name in pair if name}
            yield from (f"{one.name}.{name}" for name in _without_a_string(one.body) if name not in named)


def _without_a_string(body: list[ast.stmt]) -> Iterator[str]:
    for statement, below in zip_longest(body, body[1:]):
        has_string = isinstance(below, ast.Expr) and isinstance(below.value, ast.Constant)
        if isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name) and not has_string:
            yield statement.target.id


@pytest.mark.every("path", STATES)
def test_every_field_of_a_position_is_documented(path: str) -> None:
    source = Path(ROOT / path).read_text("utf-8")
    assert "class State(" in source
    assert list(undocumented(source)) == []


def test_a_field_without_a_word_is_noticed() -> None:
    told = 'class State:\n    """What there is.\n\n    `a` is told.\n    """\n\n'
    source = f'{told}    a: int\n    b: int\n    """Told."""\n    c: int\n'
    assert list(undocumented(source)) == ["State.c"]
