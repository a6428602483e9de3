"""Quick actions (5.3)."""

from audit.core.catalogue import DEFINITION, LIMIT, OBLIGATION, PROCEDURE, Topic, at

rule = Topic("quick-actions")

LIKE_SPELLS = rule(
    "altered.5.3.a", PROCEDURE, "quick_action_played", checkable=False, fr=at(74, "5.3 Les actions rapides")
)

NO_OBJECT = rule(
    "altered.5.3.b",
    DEFINITION,
    "quick_action_played internal_action_played",
    checkable=False,
    fr=at(75, "5.3 Les actions rapides"),
)

EXHAUST_OWN_OBJECT = rule(
    "altered.5.3.c", OBLIGATION, "quick_action_played", fr=at((76, 77), "5.3 Les actions rapides")
)

USES_A_DAY = rule("altered.5.3.d", LIMIT, "quick_action_played", fr=at(78, "5.3 Les actions rapides"))
