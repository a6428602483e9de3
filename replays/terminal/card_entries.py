"""The entry of a card: what it does, what was said of it, and the general rules on which its texts rest."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from msgspec import Struct

from audit.core.catalogue import LANGUAGES, Rule, words
from audit.core.names import card_texts, cards_in, family_names, is_card_name
from audit.core.ruleset import Ruleset, has_cards, ruleset, rulesets
from replays.terminal.replay_screen import word
from replays.terminal.scene_lines import rule_line

if TYPE_CHECKING:
    from replays.log.catalogue_output import CardTold
    from replays.log.output import RuleStated


class CardEntry(Struct, frozen=True):
    """What there is to say of a card: the entries that name it, and the general rules on which it rests."""

    game: Ruleset[object]
    id: str
    said: tuple[Rule, ...]
    rests_on: tuple[Rule, ...]

    def name(self, language: str) -> str:
        """What the card is called."""
        family, value = self.id.rsplit("-", 1)
        package = self.game.catalogue.package
        called = family_names(package, language).get(family, family)
        return words(package, language, "names")["card"].format(protocol=called, value=value)

    def texts(self, language: str) -> dict[str, str]:
        """What each of its boxes does, in our own words, by the name of the box."""
        package = self.game.catalogue.package
        names = words(package, language, "names")
        return {
            names.get(f"box.{box}", box): text for box, text in card_texts(package, language)[self.id].items() if text
        }


def card_entry(game: Ruleset[object], card: str) -> CardEntry:
    """The entry of a card of the game."""
    said = tuple(rule for rule in game.catalogue.entries if card in rule.cards)
    return CardEntry(game, card, said, tuple(rule for rule in game.rules.rules_of_card(card) if rule not in said))


def cards_named(game: Ruleset[object], text: str) -> tuple[CardEntry, ...]:
    """The cards of which a text speaks in any of the four languages, by a name, also misspelt, or by what they do.

    There are none in a game without a list of its cards.
    """
    from audit.core.question_concepts import cards_asked

    return tuple(card_entry(game, id) for id in cards_asked(game.catalogue.package, text))


def card_called(text: str, ruleset_name: str | None = None) -> CardEntry | None:
    """The card of which the text is the name and nothing more."""
    if not is_card_name(text):
        return None
    games = (ruleset(name) for name in ((ruleset_name,) if ruleset_name else rulesets()) if has_cards(name))
    found = (card_entry(game, id) for game in games for id in cards_in(game.catalogue.package, text))
    return next(found, None)


def card_ids(ruleset_name: str | None = None) -> list[str]:
    """The ids of all cards of that game, or of all games that have cards of their own."""
    games = (name for name in ((ruleset_name,) if ruleset_name else rulesets()) if has_cards(name))
    return [id for name in games for id in card_texts(ruleset(name).catalogue.package, LANGUAGES[0])]


def card_lines(entry: CardEntry, language: str) -> Iterator[str]:
    """The entry to read, first in that language; what it does, in the others as well."""
    catalogue = entry.game.catalogue
    yield entry.id
    yield from card_summary(entry, language)
    for code in LANGUAGES:
        if code != language:
            yield from ("", *(f"  {code}{line}" for line in card_summary(entry, code)))
    yield from ("", f"  {word(language, 'card_said' if entry.said else 'card_nothing_said')}")
    yield from (f"    {rule_line(catalogue, rule, language)}" for rule in entry.said)
    yield from ("", f"  {word(language, 'card_rests_on')}")
    yield from (f"    {rule_line(catalogue, rule, language)}" for rule in entry.rests_on)


def card_summary(entry: CardEntry, language: str) -> Iterator[str]:
    """The name of the card and what it does, box by box."""
    yield f"  {entry.name(language)}"
    for box, text in entry.texts(language).items():
        yield f"    {word(language, 'card_text', box=box, text=text)}"


def card_json(entry: CardEntry, language: str) -> CardTold:
    """The entry for a program."""
    return {
        "id": entry.id,
        "ruleset": entry.game.name,
        "kind": "card",
        "name": entry.name(language),
        "texts": entry.texts(language),
        "in_languages": {code: {"name": entry.name(code), "texts": entry.texts(code)} for code in LANGUAGES},
        "said": _told(entry, entry.said, language),
        "rests_on": _told(entry, entry.rests_on, language),
    }


def _told(entry: CardEntry, rules: tuple[Rule, ...], language: str) -> list[RuleStated]:
    return [{"id": rule.id, "statement": entry.game.catalogue.statement(rule, language)} for rule in rules]
