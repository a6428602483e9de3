"""Quick actions (5.3)."""

from functools import partial

from audit.core import catalogue
from audit.core.catalogue import DEFINITION, LIMIT, OBLIGATION, PROCEDURE, at

rule = partial(catalogue.rule, topic="quick-actions")

LIKE_SPELLS = rule(
    "altered.5.3.a", PROCEDURE, events=("quick_action_played",), checkable=False, fr=at(74, "5.3 Quick actions")
)

NO_OBJECT = rule(
    "altered.5.3.b",
    DEFINITION,
    events=("quick_action_played", "internal_action_played"),
    checkable=False,
    fr=at(75, "5.3 Quick actions"),
)

EXHAUST_OWN_OBJECT = rule(
    "altered.5.3.c", OBLIGATION, events=("quick_action_played",), fr=at((76, 77), "5.3 Quick actions")
)

USES_A_DAY = rule("altered.5.3.d", LIMIT, events=("quick_action_played",), fr=at(78, "5.3 Quick actions"))
