"""All rules of revealing an encounter card, with the document that says them."""

from audit.catalogue import Catalogue
from audit.lotr_reveal.rules import STEPS

CATALOGUE = Catalogue("audit.lotr_reveal", STEPS, documents={"fr": "lotr-reveal-fr"})
