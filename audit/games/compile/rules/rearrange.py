"""Rearranging protocols."""

from audit.core.catalogue import OBLIGATION, PROHIBITION, at, rule

CARDS_STAY = rule(
    "rearrange.cards-stay",
    PROHIBITION,
    "rearranged",
    terms="rearrange protocol-card command-card line",
    fr=at(57, "1 / Réorganisation des protocoles"),
    it=at(95, "Giocare con il Controllo", 139),
    pl=at(154, "Rozgrywka z walką o kontrolę", (237, 238)),
)

NO_CHANGE_OF_SIDE = rule(
    "rearrange.no-change-of-side",
    PROHIBITION,
    "rearranged",
    terms="rearrange side protocol-card",
    it=at(95, "Giocare con il Controllo", 157),
    pl=at((153, 154), "Rozgrywka z walką o kontrolę"),
)

MUST_DIFFER = rule(
    "rearrange.must-differ",
    OBLIGATION,
    "rearranged",
    terms="rearrange",
    fr=at(57, "1 / Réorganisation des protocoles"),
    it=at(139, "Regole / Ridisporre i protocolli", 157),
    pl=at((238, 240), "Szczegółowe zasady gry"),
)

CARD_ORDER_BINDS = rule(
    "rearrange.card-order-binds",
    OBLIGATION,
    "rearranged resolved",
    terms="rearrange effect",
    it=at(139, "Regole / Ridisporre i protocolli"),
    pl=at((238, 240), "Szczegółowe zasady gry"),
)
