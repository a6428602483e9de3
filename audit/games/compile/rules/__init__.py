"""The rules of Compile, one module a topic or a few, in the order of the book."""

from audit.core.catalogue import Catalogue
from audit.games.compile.rules import (
    acts,
    card,
    committed,
    compile,
    control,
    cover,
    deck,
    edge,
    effects,
    field,
    info,
    owner,
    play,
    recompile,
    refresh,
    setup,
    start_end,
    target,
    text,
    turn,
)

TOPICS = (
    setup, field, turn, play, refresh, compile, recompile, control, effects, text, committed, target, cover, start_end,
    acts, deck, owner, info, edge, card,
)  # fmt: skip

CATALOGUE = Catalogue(
    "audit.games.compile",
    TOPICS,
    documents={"fr": "compile-faq-fr", "it": "compile-rules-it", "pl": "compile-rules-pl"},
)
