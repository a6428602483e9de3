"""Before the first turn: the draft of protocols, the decks, the field, the opening hands."""

from audit.core.catalogue import PERMISSION, PROCEDURE, at, rule

DRAFT_POOL = rule(
    "setup.draft-pool",
    PROCEDURE,
    "setup drafted",
    terms="protocol-card draft-pool",
    it=at(35, "Preparazione / La Selezione dei Protocolli"),
    pl=at(16, "Przygotowanie do gry / Wybór kart"),
)

NINE_CARD_POOL = rule(
    "setup.nine-card-pool",
    PERMISSION,
    "setup drafted",
    terms="protocol-card draft-pool",
    it=at(36, "Preparazione / La Selezione dei Protocolli"),
)

YOUNGEST_DRAFTS_FIRST = rule(
    "setup.youngest-drafts-first",
    PROCEDURE,
    "drafted",
    terms="draft-pool",
    checkable=False,
    it=at(36, "Preparazione / La Selezione dei Protocolli"),
    pl=at(18, "Przygotowanie do gry / Wybór kart"),
)

DRAFT_ORDER = rule(
    "setup.draft-order",
    PROCEDURE,
    "drafted",
    terms="draft-pool protocol",
    it=at(36, "Preparazione / La Selezione dei Protocolli"),
    pl=at((18, 25), "Przygotowanie do gry / Wybór kart"),
)

UNDRAFTED_OUT = rule(
    "setup.undrafted-out",
    PROCEDURE,
    "setup drafted",
    terms="draft-pool protocol-card",
    it=at(36, "Preparazione / La Selezione dei Protocolli"),
    pl=at((25, 26), "Przygotowanie do gry / Wybór kart"),
)

DECK_OF_EIGHTEEN = rule(
    "setup.deck-of-eighteen",
    PROCEDURE,
    "setup",
    terms="command-card deck protocol",
    fr=at(163, "2 / Q10", implied=True),
    it=at(40, "Preparazione / Il Mazzo"),
    pl=at((29, 30), "Przygotowanie do gry / Talia"),
)

LOADING_SIDE_UP = rule(
    "setup.loading-side-up",
    PROCEDURE,
    "setup",
    terms="protocol-card loading-side field",
    it=at(46, "Preparazione / Il Campo"),
    pl=at((31, 34), "Przygotowanie do gry / (heading lost)"),
)

PICK_ORDER_KEPT = rule(
    "setup.pick-order-kept",
    PROCEDURE,
    "setup drafted",
    terms="protocol-card line",
    it=at(46, "Preparazione / Il Campo"),
    pl=at((31, 34), "Przygotowanie do gry / (heading lost)"),
)

DECK_AND_TRASH_PLACES = rule(
    "setup.deck-and-trash-places",
    PROCEDURE,
    "setup",
    terms="deck trash",
    it=at(47, "Preparazione / Il Campo"),
    pl=at((36, 37), "Przygotowanie do gry / (heading lost)"),
)

OPENING_HAND = rule(
    "setup.opening-hand",
    PROCEDURE,
    "setup drew",
    terms="hand draw",
    it=at(48, "Preparazione / Il Campo"),
    pl=at(39, "Przygotowanie do gry / (heading lost)"),
)

FIRST_TURN = rule(
    "setup.first-turn",
    PROCEDURE,
    "setup phase_began",
    terms="turn draft-pool",
    it=at(54, "Flusso di gioco / Turno del giocatore"),
    pl=at(44, "Przebieg rozgrywki / Tura gracza"),
)

CONTROL_NEUTRAL = rule(
    "setup.control-neutral",
    PROCEDURE,
    "setup control_reset",
    terms="control-component neutral-position",
    fr=at(91, "1 / Compiler", implied=True),
    it=at(54, "Flusso di gioco / Turno del giocatore"),
    pl=at((44, 48), "Przebieg rozgrywki / Tura gracza"),
)

FIRST_GAME_NO_CONTROL = rule(
    "setup.first-game-no-control",
    PROCEDURE,
    "setup",
    terms="control-component",
    checkable=False,
    it=at(54, "Flusso di gioco / Turno del giocatore"),
    pl=at((48, 49), "Przebieg rozgrywki / Tura gracza"),
)
