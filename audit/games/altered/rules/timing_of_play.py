"""What is played, and when (5.1.1)."""

from audit.core.catalogue import DEFINITION, OBLIGATION, PERMISSION, Topic, at

rule = Topic("timing-of-play")

KINDS_OF_PLAY = rule(
    "altered.5.1.1.a",
    DEFINITION,
    "card_played quick_action_played internal_action_played reaction_played",
    fr=at(69, "5.1.1 Quand on joue une carte"),
)

OWN_TURN = rule(
    "altered.5.1.1.b", PERMISSION, "card_played quick_action_played", fr=at(70, "5.1.1 Quand on joue une carte")
)

INTERNAL_ACTIONS = rule(
    "altered.5.1.1.c",
    PERMISSION,
    "internal_action_played effect_started effect_ended",
    fr=at(71, "5.1.1 Quand on joue une carte"),
)

REACTION_OBLIGATORY = rule("altered.5.1.1.d", OBLIGATION, "reaction_played", fr=at(72, "5.1.1 Quand on joue une carte"))
