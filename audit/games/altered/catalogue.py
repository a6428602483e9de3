"""All rules of Altered, with the document that says them."""

from audit.core.catalogue import Catalogue
from audit.games.altered.rules import TOPICS

CATALOGUE = Catalogue("audit.games.altered", TOPICS, documents={"fr": "altered-rules-fr"})
