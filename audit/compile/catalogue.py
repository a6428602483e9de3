"""All rules of Compile, with the documents that say them."""

from audit.catalogue import Catalogue
from audit.compile.rules import TOPICS

CATALOGUE = Catalogue(
    "audit.compile",
    TOPICS,
    documents={"fr": "compile-faq-fr", "it": "compile-rules-it", "pl": "compile-rules-pl"},
)
