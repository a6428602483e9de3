"""All rules of Altered, with the document that says them."""

from audit.altered.rules import TOPICS
from audit.catalogue import Catalogue

CATALOGUE = Catalogue("audit.altered", TOPICS, documents={"fr": "altered-rules-fr"})
