"""What rules, topics, rulings and readings are called by people, whichever game they are of."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, lru_cache

from audit.core.catalogue import LANGUAGES, Catalogue, words
from audit.core.files import package_folder
from audit.core.ruleset import ruleset, rulesets
from audit.core.sentences import switch_sentence
from audit.core.typography import folded


@cache
def rule_words(rule: str, language: str) -> str:
    """The title of a rule, also of a segment that is named after it; its id where it has none."""
    id = rule.partition("#")[0].partition("@")[0]
    return next((found for one in _catalogues() if id in one.rules and (found := one.title(one[id], language))), rule)


@cache
def topic_words(topic: str, language: str) -> str:
    """The title of a topic; its id where it has none."""
    return next(filter(None, (one.topic_title(topic, language) for one in _catalogues())), topic)


@cache
def question_words(question: str, language: str) -> str:
    """A question that several rules of a game answer; its id where it has none."""
    packages = (one.package for one in _catalogues())
    asked = (package for package in packages if package_folder(package).joinpath("questions.toml").is_file())
    return next((said[question] for one in asked if question in (said := words(one, language, "questions"))), question)


@cache
def ruling_words(ruling: str, language: str) -> str:
    """A ruling in our own words; its id where it has none."""
    return next(
        (one.statement(one.rulings[ruling], language) for one in _catalogues() if ruling in one.rulings), ruling
    )


@cache
def switch_words(switch: str, language: str) -> str:
    """What a point of the readings turns on, in a sentence; its name where there is none."""
    games = (game for name in rulesets() for game in [ruleset(name)])
    named = (game for game in games if any(one.name == switch for one in game.rules.switches))
    return next((said for game in named if (said := switch_sentence(game, switch, language))), switch)


@lru_cache(maxsize=256)
def rules_titled(title: str) -> tuple[str, ...]:
    """The rules of every game whose title in some language is that, however it is spelt."""
    plain = folded(title.strip())
    return tuple(
        rule.id for one in _catalogues() for rule in one
        if plain and any(folded(one.title(rule, language)) == plain for language in LANGUAGES)
    )  # fmt: skip


def _catalogues() -> Iterator[Catalogue]:
    return (ruleset(name).catalogue for name in rulesets())
