"""The rules of Altered, one module a section, in the order of the document."""

from audit.core.catalogue import Catalogue
from audit.games.altered.rules import (
    day_overview,
    day_structure,
    deck,
    free_for_all,
    multiplayer,
    night,
    phases,
    quick_actions,
    reaction_check,
    reactions,
    timing_of_play,
    two_against_two,
)

TOPICS = (
    day_overview, day_structure, phases, night, reaction_check, timing_of_play, quick_actions, reactions, free_for_all,
    multiplayer, deck, two_against_two,
)  # fmt: skip

CATALOGUE = Catalogue("audit.games.altered", TOPICS, documents={"fr": "altered-rules-fr"})
