"""An example of findings, for where no rulebook is loaded."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from audit.rulebooks.findings import Finding
from audit.rulebooks.qa import checked
from audit.rulebooks.segments import Placed, Segment, Side, Unit
from audit.rulebooks.terms import term_base

PACKAGE = "audit.games.compile"


CHANGED = (
    {
        "fr": "Une ligne ne peut être compilée que si la pile du joueur y totalise au moins dix.",
        "pl": "Linia nadaje się do kompilacji tylko wtedy, gdy suma stosu gracza wynosi w niej więcej niż dziesięć.",
    },
    {
        "fr": "Les cartes de la ligne compilée sont supprimées simultanément.",
        "pl": "Karty kompilowanej linii usuwa się jedną po drugiej.",
    },
)
"""Rules in our own words, in French as they are, in Polish with a mistake: another number, another order."""


@cache
def example() -> Sequence[Finding]:
    """The findings on these sentences, made by the same checks as those on rulebooks."""
    return tuple(checked([_unit(str(number), texts) for number, texts in enumerate(CHANGED)], term_base(PACKAGE)))


def _unit(name: str, texts: dict[str, str]) -> Unit:
    sides = {
        language: Side(language, (Placed(name, 1, text, (0, 0), "", ""),)) for language, text in texts.items()
    }  # fmt: skip
    return Unit(Segment(name, (name,), dict.fromkeys(texts, (name,))), sides)
