"""Cards that pass to the other player."""

from audit.core.catalogue import DEFINITION, PERMISSION, PROCEDURE, Topic, at

rule = Topic("ownership-change")

LASTS = rule(
    "owner.lasts",
    DEFINITION,
    "owner_changed",
    terms="owner change-of-owner",
    fr=at(99, "1 / Changement de propriétaire"),
    it=at(135, "Regole / Cambio di controllore di una carta"),
    pl=at((227, 228), "Szczegółowe zasady gry"),
)

THROUGH_ALL_ZONES = rule(
    "owner.through-all-zones",
    DEFINITION,
    "owner_changed discarded deleted reshuffled",
    terms="owner change-of-owner trash deck",
    fr=at(99, "1 / Changement de propriétaire"),
)

ZONES_FOLLOW = rule(
    "owner.zones-follow",
    PROCEDURE,
    "returned deleted discarded",
    terms="owner return delete discard",
    it=at(133, "Regole / Scarti", 148, 162),
    pl=at((224, 225), "Szczegółowe zasady gry", 278),
)

FACE_UP_AT_OPPONENTS_PROTOCOL = rule(
    "owner.face-up-at-opponents-protocol",
    PERMISSION,
    "played",
    terms="owner play face-up protocol opponent",
    fr=at(99, "1 / Changement de propriétaire"),
    it=at(71, "Azioni / Compilare"),
    pl=at((107, 108), "Akcje / Kompilacja"),
)
