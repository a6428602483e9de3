"""Step 1: the top card of the encounter deck is taken and read."""

from functools import partial

from audit.core import catalogue
from audit.core.catalogue import PROCEDURE, at

rule = partial(catalogue.rule, topic="step-1")

TAKE_TOP = rule("reveal.1.take-top", PROCEDURE, events=("reveal_started",), fr=at((9, 10), "Étape 1"))

LOOK = rule("reveal.1.look", PROCEDURE, events=("reveal_started",), checkable=False, fr=at((9, 10), "Étape 1"))
