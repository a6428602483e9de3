"""All rules of revealing an encounter card, with the document that says them."""

from audit.core.catalogue import Catalogue
from audit.games.lotr_reveal.rules import STEPS

CATALOGUE = Catalogue("audit.games.lotr_reveal", STEPS, documents={"fr": "lotr-reveal-fr"})
