"""The reaction check (4.4)."""

from audit.core.catalogue import DEFINITION, OBLIGATION, PERMISSION, PROCEDURE, PROHIBITION, TIMING, Topic, at

rule = Topic("reaction-check")

AT_PHASE_START = rule(
    "altered.4.4.a.phase-start", OBLIGATION, "reaction_check", fr=at(56, "4.4 La vérification des réactions")
)

AFTER_STEP = rule(
    "altered.4.4.a.after-step", OBLIGATION, "reaction_check", fr=at(57, "4.4 La vérification des réactions")
)

AFTER_PLAY = rule(
    "altered.4.4.a.after-play", OBLIGATION, "reaction_check", fr=at(58, "4.4 La vérification des réactions")
)

AFTER_REACTION = rule(
    "altered.4.4.a.after-reaction", OBLIGATION, "reaction_check", fr=at(59, "4.4 La vérification des réactions", 65)
)

NOT_AFTER_INTERNAL_ACTION = rule(
    "altered.4.4.a.not-after-internal",
    PROHIBITION,
    "internal_action_played reaction_played",
    fr=at(60, "4.4 La vérification des réactions"),
)

INTERNAL_ACTION_DEFERRED = rule(
    "altered.4.4.a.internal-deferred",
    TIMING,
    "internal_action_played reaction_played effect_ended",
    fr=at(60, "4.4 La vérification des réactions"),
)

REACTION_TEXT = rule(
    "altered.4.4.a.syntax",
    DEFINITION,
    "reaction_activated",
    checkable=False,
    fr=at((61, 62), "4.4 La vérification des réactions", 80),
)

SAME_TIME = rule(
    "altered.4.4.a.same-time",
    PROCEDURE,
    "reaction_activated reaction_played",
    fr=at(63, "4.4 La vérification des réactions"),
)

INITIATIVE_CHOOSES = rule(
    "altered.4.4.b", OBLIGATION, "reaction_played", fr=at(64, "4.4 La vérification des réactions")
)

CHECK_AGAIN = rule(
    "altered.4.4.c", OBLIGATION, "reaction_played reaction_check", fr=at(65, "4.4 La vérification des réactions")
)

INITIATIVE_FIRST = rule(
    "altered.4.4.c.initiative-first", TIMING, "reaction_played", fr=at(66, "4.4 La vérification des réactions")
)

NEW_REACTIONS = rule(
    "altered.4.4.c.new-reactions",
    PERMISSION,
    "reaction_activated reaction_played",
    fr=at(66, "4.4 La vérification des réactions"),
)

INITIATIVE_REGAINED = rule(
    "altered.4.4.c.initiative-regained",
    TIMING,
    "reaction_played",
    derived=True,
    fr=at((64, 66), "4.4 La vérification des réactions"),
)
