"""All rules of Compile, with the documents that say them."""

from audit.core.catalogue import Catalogue
from audit.games.compile.rules import TOPICS

CATALOGUE = Catalogue(
    "audit.games.compile",
    TOPICS,
    documents={"fr": "compile-faq-fr", "it": "compile-rules-it", "pl": "compile-rules-pl"},
)
