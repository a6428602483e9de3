"""Drawing cards."""

from audit.core.catalogue import DEFINITION, TIMING, at, rule

FROM_TOP_TO_HAND = rule("draw.from-top-to-hand", DEFINITION, "drew", terms="draw deck hand", fr=at(121, "2 / Q2"))

ONE_EVENT_PER_INSTRUCTION = rule(
    "draw.one-event-per-instruction", TIMING, "drew triggered", terms="draw trigger", fr=at(123, "2 / Q2")
)
