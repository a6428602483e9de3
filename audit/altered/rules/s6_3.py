"""Reactions and their emblems (6.3)."""

from audit.catalogue import DEFINITION, LIMIT, OBLIGATION, PERMISSION, PROCEDURE, at, rule

A = rule(
    "altered.6.3.a",
    DEFINITION,
    topic="reactions",
    events=("reaction_activated",),
    checkable=False,
    fr=at(80, "6.3 Reactions"),
)

B = rule(
    "altered.6.3.b",
    PROCEDURE,
    topic="reactions",
    events=("reaction_activated",),
    fr=at(81, "6.3 Reactions"),
)

C = rule(
    "altered.6.3.c",
    DEFINITION,
    topic="reactions",
    events=("reaction_activated",),
    fr=at(82, "6.3 Reactions"),
)

D = rule(
    "altered.6.3.d",
    OBLIGATION,
    topic="reactions",
    events=("reaction_activated",),
    fr=at(83, "6.3 Reactions"),
)

D_ENTERS_VISIBLE = rule(
    "altered.6.3.d.enters-visible",
    PERMISSION,
    topic="reactions",
    events=("reaction_activated",),
    fr=at(83, "6.3 Reactions"),
)

E = rule(
    "altered.6.3.e",
    PERMISSION,
    topic="reactions",
    events=(
        "reaction_played",
        "object_left",
    ),
    fr=at(84, "6.3 Reactions"),
)

F = rule(
    "altered.6.3.f",
    LIMIT,
    topic="reactions",
    events=("reaction_activated",),
    fr=at(85, "6.3 Reactions"),
)
