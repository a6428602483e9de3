"""The rules of revealing an encounter card, one module a step, in the order of the steps."""

from audit.core.catalogue import Catalogue
from audit.games.lotr_reveal.rules import (
    step_0,
    step_1,
    step_2,
    step_3,
    step_4,
    step_4_5,
    step_5,
    step_5_0,
    step_5_1,
    step_6,
    step_7,
    step_8,
    step_9,
    step_10,
    step_11,
    step_12,
)

STEPS = (
    step_0, step_1, step_2, step_3, step_4, step_4_5, step_5, step_5_0, step_5_1, step_6, step_7, step_8, step_9,
    step_10, step_11, step_12,
)  # fmt: skip

CATALOGUE = Catalogue("audit.games.lotr_reveal", STEPS, documents={"fr": "lotr-reveal-fr"})
