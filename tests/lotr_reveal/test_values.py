"""Every value of the reveal says what each of its fields means."""

from __future__ import annotations

import pytest
from msgspec import Struct

from audit.games.lotr_reveal import cards, state

VALUES = [
    value
    for module in (cards, state)
    for value in vars(module).values()
    if isinstance(value, type) and issubclass(value, Struct) and value.__module__ == module.__name__
]


@pytest.mark.every("value", VALUES, ids=lambda value: value.__name__)
def test_every_field_is_documented_in_its_order(value: type[Struct]) -> None:
    lines = (value.__doc__ or "").splitlines()
    named = [
        line.strip().partition(":")[0] for line in lines if line.startswith("    ") and not line.startswith(" " * 5)
    ]
    assert [name for name in named if name.isidentifier()] == list(value.__struct_fields__)


def test_there_are_values_to_look_at() -> None:
    assert {"State", "Frame", "Task", "Card", "Source"} <= {value.__name__ for value in VALUES}
