"""Text that waits for something else to be over, and situations that no other topic settles."""

from audit.core.catalogue import DEFINITION, TIMING, Topic, at

rule = Topic("after-triggers")
"""Text that waits for something else to be over."""

AFTER_WAITS_FOR_THE_WHOLE_EVENT = rule(
    "after.waits-for-the-whole-event",
    TIMING,
    "triggered resolved",
    terms="after-trigger trigger resolve",
    fr=at(109, "1 / Effets se produisant « après » un autre événement"),
)

AFTER_WHOLE_COMPILE_FIRST = rule(
    "after.whole-compile-first",
    TIMING,
    "compiled control_reset deleted triggered",
    terms="after-trigger compile control-component",
    fr=at(109, "1 / Effets se produisant « après » un autre événement"),
)

rule = Topic("edge-cases")
"""Situations that no other topic settles."""

ZERO_IS_EVEN = rule("edge.zero-is-even", DEFINITION, "resolved", terms="value", fr=at(159, "2 / Q9"))
