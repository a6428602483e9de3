"""The steps of the procedure, by the names they have in a log and by their place in the order."""

from __future__ import annotations

from typing import Literal

StepName = Literal["1", "2", "3", "4", "4.5", "5.0", "5.1", "6", "7", "8", "9", "10", "11", "12"]

ORDER: tuple[StepName, ...] = ("1", "2", "3", "4", "4.5", "5.0", "5.1", "6", "7", "8", "9", "10", "11", "12")
INDEX: dict[str, int] = {name: index for index, name in enumerate(ORDER)}

S1, S2, S3, S4, S4_5, S5_0, S5_1, S6, S7, S8, S9, S10, S11, S12 = range(len(ORDER))
AFTER, LAST = S12 + 1, S12 + 2
"""What waits until step 12 is over: the card goes, then another takes its place."""

WINDOWS = (S3, S4_5, S5_0, S6, S10, S11)
"""Where players may respond."""


_NAMES: tuple[StepName, ...] = (*ORDER, "12", "12")


def name_of(index: int) -> StepName:
    """The name of a step; what comes after the last one belongs to it."""
    return _NAMES[index]
