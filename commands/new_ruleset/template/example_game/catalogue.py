"""All rules of Example Game, with the package that holds their words."""

from audit.core.catalogue import Catalogue

from example_game import rules

PACKAGE = "example_game"
CATALOGUE = Catalogue(PACKAGE, (rules,), documents={})
