"""Where the French, Italian and Polish texts of Compile lead to different games."""

from __future__ import annotations

from audit.core.readings import Switch, readings_of
from audit.games.compile import rules

COMPILE_ENDS_TURN = Switch(
    "compile-ends-turn", (rules.turn.CACHE_AFTER_COMPILE, rules.turn.COMPILE_INSTEAD_OF_ACTION), ("pl",)
)
"""After a compile the turn comes to its end; the cache is not checked."""

CONTROL_AFTER_COMPILE = Switch(
    "control-after-compile", (rules.control.DEALT_WITH_FIRST, rules.control.BACK_ON_COMPILE), ("fr",)
)
"""The control component goes back once the line is emptied, not before."""

DELETION_NOT_COMMITTED = Switch(
    "deletion-not-committed", (rules.committed.ANY_CHANGE_OF_PLACE, rules.committed.EXPOSED_TEXT_FIRST), ("it", "pl")
)
"""Deleted and returned cards arrive at once; the text they lay bare acts afterwards."""

LAID_BARE_FIRST = Switch("laid-bare-first", (rules.committed.EXPOSED_TEXT_FIRST, rules.effects.TURN_PLAYER_SETS_ORDER))
"""The text a shifted card lays bare acts before the one that is about to be covered; nobody sets their order."""

LANDS_BEFORE_EXPOSED = Switch(
    "lands-before-exposed",
    (rules.committed.LEAVES_FIRST, rules.committed.EXPOSED_TEXT_FIRST, rules.acts.SHIFT_LAYS_BARE_CARD_BELOW),
    ("pl",),
)
"""A shifted card lands first; only then the text it laid bare acts."""

STUCK_PLAYER_REFRESHES = Switch(
    "stuck-player-refreshes", (rules.turn.STUCK_PLAYER, rules.turn.REFRESH_IF_NOTHING_TO_PLAY), ("it", "pl")
)
"""Who has nothing to play refreshes, even where there is nothing to draw."""

RETURNS_COMMIT = Switch("returns-commit", (rules.committed.ANY_CHANGE_OF_PLACE, rules.acts.RETURN_FIELD_TO_HAND))
"""Returned cards are on their way too, as deleted ones are. No edition says so; the French names three ways only."""

ALL_IS_SILENT = Switch("all-is-silent", (rules.acts.DELETE_WHOLE_LINE_IS_SILENT, rules.text.WAYS_IN))
"""What a deletion of all cards of a kind leaves uncovered does not act. The French calls such effects global."""

ESCAPE_LAYS_BARE_NOTHING = Switch(
    "escape-lays-bare-nothing", (rules.compile.SILENT_DELETION, rules.acts.SHIFT_LAYS_BARE_CARD_BELOW)
)
"""What a card lays bare that escapes a compile does not act: it lies in the line that is being emptied."""

LINE_MUST_HOLD_A_TARGET = Switch(
    "line-must-hold-a-target", (rules.effects.MUST_BE_APPLIED, rules.effects.AS_FAR_AS_POSSIBLE)
)
"""Who picks a line for all its cards of a kind cannot pick one without any while another has some."""

FACE_DOWN_METAL_6_STAYS = Switch("face-down-metal-6-stays", (rules.card.METAL_6, rules.field.FACE_DOWN_BLANK))
"""Metal 6 turned face up stays, since a face-down card has no text that could answer the flip."""

OTHER_DECK_IS_NO_DRAW = Switch("other-deck-is-no-draw", (rules.acts.DRAW_FROM_TOP_TO_HAND, rules.recompile.REWARD))
"""A card from the other player's deck is taken, not drawn: it sets off no text that waits for a draw, none stops it."""

NEW_DECK_IS_NO_SHUFFLE = Switch("new-deck-is-no-shuffle", (rules.deck.RESHUFFLE_ON_DRAW,))
"""Making a new deck in order to draw does not set off a text that waits for a shuffle."""

CARDS_KEEP_OWNER = Switch("cards-keep-owner", (rules.owner.ZONES_FOLLOW, rules.owner.LASTS))
"""A card played to the other side, or from the other deck, still belongs to whose it was when it leaves the field."""

FACE_DOWN_UNITY_COUNTS = Switch("face-down-unity-counts", (rules.field.FACE_DOWN_BLANK,))
"""Face-down Unity cards are Unity cards too, for the texts that count them or wait for them."""

WIN_WAITS = Switch("win-waits", (rules.control.VICTORY_THREE_COMPILED,))
"""Who turns the third protocol by a text wins once everything under way is over, not at once."""

DIVERSITY_0_FREES = Switch("diversity-0-frees", (rules.play.FACE_UP_NEEDS_PROTOCOL,))
"""Diversity 0 lets the card be played face up in its line without its protocol."""

SWITCHES = tuple(sorted((each for each in globals().values() if isinstance(each, Switch)), key=lambda each: each.name))

READINGS = readings_of(SWITCHES)

FORMER_READINGS = {"all-lays-bare": "standard"}
"""Names that logs and commands may still use, and what they ask for today."""
