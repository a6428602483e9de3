"""Text that waits for something else to be over."""

from audit.core.catalogue import TIMING, Topic, at

rule = Topic("after-triggers")

WAITS_FOR_THE_WHOLE_EVENT = rule(
    "after.waits-for-the-whole-event",
    TIMING,
    "triggered resolved",
    terms="after-trigger trigger resolve",
    fr=at(109, "1 / Effets se produisant « après » un autre événement"),
)

WHOLE_COMPILE_FIRST = rule(
    "after.whole-compile-first",
    TIMING,
    "compiled control_reset deleted triggered",
    terms="after-trigger compile control-component",
    fr=at(109, "1 / Effets se produisant « après » un autre événement"),
)
