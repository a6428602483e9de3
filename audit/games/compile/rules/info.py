"""What is public, what is private, and who may look at it."""

from audit.core.catalogue import DEFINITION, OBLIGATION, PERMISSION, PROHIBITION, Topic, at

rule = Topic("information")

DECK_SECRET = rule(
    "info.deck-secret",
    PROHIBITION,
    "looked revealed",
    terms="deck private-information",
    checkable=False,
    fr=at(79, "1 / Informations publiques et privées"),
)

HAND_PRIVATE = rule(
    "info.hand-private",
    DEFINITION,
    "looked revealed drew",
    terms="hand private-information",
    checkable=False,
    fr=at(79, "1 / Informations publiques et privées"),
)

OPEN_TO_BOTH = rule(
    "info.open-to-both",
    PERMISSION,
    "looked",
    terms="public-information face-up trash",
    checkable=False,
    fr=at(79, "1 / Informations publiques et privées"),
    it=at(131, "Regole / Cosa si può guardare"),
    pl=at((222, 224), "Szczegółowe zasady gry"),
)

COUNTS_OPEN = rule(
    "info.counts-open",
    PERMISSION,
    "looked",
    terms="public-information hand deck",
    checkable=False,
    fr=at(79, "1 / Informations publiques et privées"),
    it=at(131, "Regole / Cosa si può guardare"),
    pl=at((222, 224), "Szczegółowe zasady gry"),
)

OWN_FACE_DOWN = rule(
    "info.own-face-down",
    PERMISSION,
    "looked",
    terms="face-down private-information owner",
    checkable=False,
    fr=at(79, "1 / Informations publiques et privées"),
    it=at(131, "Regole / Cosa si può guardare"),
    pl=at((221, 222), "Szczegółowe zasady gry"),
)

NOT_THE_OPPONENTS = rule(
    "info.not-the-opponents",
    PROHIBITION,
    "looked",
    terms="face-down private-information opponent",
    fr=at(79, "1 / Informations publiques et privées"),
    it=at(131, "Regole / Cosa si può guardare"),
)

LOOKING_CHANGES_NOTHING = rule(
    "info.looking-changes-nothing",
    OBLIGATION,
    "looked",
    terms="public-information",
    checkable=False,
    fr=at(79, "1 / Informations publiques et privées"),
)
