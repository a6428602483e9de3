"""Text that waits for something else to be over."""

from functools import partial

from audit.core import catalogue
from audit.core.catalogue import TIMING, at

rule = partial(catalogue.rule, topic="after-triggers")

WAITS_FOR_THE_WHOLE_EVENT = rule(
    "after.waits-for-the-whole-event",
    TIMING,
    events=("triggered", "resolved"),
    terms=("after-trigger", "trigger", "resolve"),
    fr=at(109, "1 / Effets se produisant « après » un autre événement"),
)

WHOLE_COMPILE_FIRST = rule(
    "after.whole-compile-first",
    TIMING,
    events=("compiled", "control_reset", "deleted", "triggered"),
    terms=("after-trigger", "compile", "control-component"),
    fr=at(109, "1 / Effets se produisant « après » un autre événement"),
)
