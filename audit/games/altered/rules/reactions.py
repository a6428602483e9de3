"""Reactions and their emblems (6.3)."""

from audit.core.catalogue import DEFINITION, LIMIT, OBLIGATION, PERMISSION, PROCEDURE, Topic, at

rule = Topic("reactions")

TRIGGER_AND_EFFECT = rule(
    "altered.6.3.a", DEFINITION, "reaction_activated", checkable=False, fr=at(80, "6.3 Les réactions")
)

CREATES_EMBLEM = rule("altered.6.3.b", PROCEDURE, "reaction_activated", fr=at(81, "6.3 Les réactions"))

ACTIVATION = rule("altered.6.3.c", DEFINITION, "reaction_activated", fr=at(82, "6.3 Les réactions"))

EXISTS_BEFORE_TRIGGER = rule("altered.6.3.d", OBLIGATION, "reaction_activated", fr=at(83, "6.3 Les réactions"))

OWN_ARRIVAL = rule("altered.6.3.d.enters-visible", PERMISSION, "reaction_activated", fr=at(83, "6.3 Les réactions"))

SOURCE_MAY_BE_GONE = rule("altered.6.3.e", PERMISSION, "reaction_played object_left", fr=at(84, "6.3 Les réactions"))

ACTIVATIONS_A_DAY = rule("altered.6.3.f", LIMIT, "reaction_activated", fr=at(85, "6.3 Les réactions"))
