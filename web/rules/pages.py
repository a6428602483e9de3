"""The pages of rules: all rules of a game, one rule with its statements, places and uses, and the cards of a game."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import cast

from flask import Blueprint, Flask, Response, current_app, redirect, render_template, request, url_for
from msgspec import Struct

from audit.core.catalogue import LANGUAGES, Catalogue, Rule, Ruling, words
from audit.core.names import is_card_name
from audit.core.rule_search import why_words
from audit.core.ruleset import ruleset, rulesets
from audit.core.typography import folded
from replays.judging.tally import FINDINGS
from replays.rulebooks.meaning import rule_search
from replays.terminal.card_entries import CardEntry, cards_named
from replays.terminal.rules import rulings_on
from web.games.address import library, quotes
from web.games.payload import statements
from web.scenes import signs_of
from web.site.headers import cached
from web.site.labels import chosen, ruling_title

rules = Blueprint("rules", __name__, url_prefix="/rules")
USES = 200
"""How many steps that cite a rule are listed."""
cards_pages = Blueprint("cards", __name__, url_prefix="/cards")
BOXES = ("top", "middle", "bottom")


def add_to(app: Flask) -> None:
    """Serve the rules and the cards."""
    app.register_blueprint(rules)
    app.register_blueprint(cards_pages)


@rules.get("/")
def index() -> Response:
    """The games whose rules are known here."""
    return cached(
        ("rulesets",), lambda: render_template("rulesets.html", rulesets=[(n, ruleset(n)) for n in rulesets()])
    )


@rules.get("/<name>")
def of_game(name: str) -> Response:
    """Every rule of a game with its statement, by topic."""
    catalogue = ruleset(name).catalogue
    query = request.args.get("q", "")[:200]
    return cached(("rules", name, query), lambda: _of_game(name, catalogue, query))


def _of_game(name: str, catalogue: Catalogue, query: str) -> str:
    language = chosen()
    said = {rule.id: statements(catalogue, rule) for rule in catalogue.entries}
    cards = cards_named(ruleset(name), query)
    found = answers(catalogue, query, cards)
    topics: dict[str, list[Rule]] = {}
    for rule in catalogue.entries if not query.strip() else ():
        topics.setdefault(rule.topic, []).append(rule)
    titles = {topic: catalogue.topic_title(topic, language) for topic in topics}
    told = [(card, card.name(language), card.texts(language)) for card in cards]
    listed = [rule for rule, _why in found] if query.strip() else catalogue.entries
    rulings = sum(isinstance(rule, Ruling) for rule in listed)
    return render_template(
        "rules.html", name=name, topics=topics, titles=titles, found=found, said=said, cards=told, query=query,
        count=len(listed) - rulings, rulings=rulings, own=language,
    )  # fmt: skip


def answers(catalogue: Catalogue, query: str, cards: Sequence[CardEntry]) -> list[tuple[Rule, str]]:
    """The entries that answer, each with why: of a card's name alone, what was said of it and the rules it rests on."""
    if cards and is_card_name(query):
        return [(rule, cards[0].name(chosen())) for rule in (*cards[0].said, *cards[0].rests_on)]
    return [(one.rule, why_words(one)) for one in rule_search(catalogue).find(query)] if query.strip() else []


@rules.get("/<name>/<rule_id>")
def rule(name: str, rule_id: str) -> Response:
    """One rule. A former id leads to the present one."""
    catalogue = ruleset(name).catalogue
    found = catalogue[rule_id]
    if found.id != rule_id:
        answer: Response = redirect(url_for("rules.rule", name=name, rule_id=found.id), 301)  # type: ignore[assignment]
        return answer
    on = (library().state(), quotes().version(), current_app.extensions["audit.cases.version"]())
    return cached(("rule", name, rule_id, *on), lambda: _rule(name, catalogue, found))


def _title(name: str, catalogue: Catalogue, rule: Rule) -> str:
    return ruling_title(name, rule) if isinstance(rule, Ruling) else catalogue.title(rule, chosen())


def _rule(name: str, catalogue: Catalogue, rule: Rule) -> str:
    uses = library().rule_uses(name, rule.id, chosen())
    former = [old for old, new in catalogue.aliases.items() if new == rule.id]
    first_wrong = sorted(uses[:USES], key=lambda use: use.verdict not in FINDINGS)
    return render_template(
        "rule.html", name=name, rule=rule, title=_title(name, catalogue, rule),
        topic=catalogue.topic_title(rule.topic, chosen()) or rule.topic,
        said=statements(catalogue, rule), former=former, uses=first_wrong,
        used=len(uses), documents=catalogue.documents, order=(chosen(), *(c for c in LANGUAGES if c != chosen())),
        quotes={quote.language: quote for quote in quotes().of(name, rule.id)},
        ruling=rule if isinstance(rule, Ruling) else None, rulings=rulings_on(ruleset(name), rule),
    )  # fmt: skip


# The cards of a game


class CardPage(Struct, frozen=True):
    """A card as the page shows it."""

    id: str
    name: str
    value: str
    boxes: tuple[tuple[str, str], ...]
    rules: tuple[str, ...]


@cards_pages.get("/<name>")
def cards(name: str) -> Response:
    """Every card of a game, by protocol."""
    catalogue = ruleset(name).catalogue
    query = request.args.get("q", "")[:200]
    return cached(("cards", name, query), lambda: _cards_page(name, catalogue.package, query))


def _cards_page(name: str, package: str, query: str) -> str:
    found = groups(name, package, query)
    count = sum(len(cards) for _title, cards in found.values())
    names = words(package, chosen(), "names") if found else {}
    say = {box: names.get(f"box.{box}", box) for box in BOXES}
    return render_template(
        "cards.html", name=name, groups=found, query=query, count=count, say=say, card_signs=signs_of(name)
    )


def groups(name: str, package: str, query: str) -> dict[str, tuple[str, list[CardPage]]]:
    """The cards that have every word of the query, by protocol; none for a game whose cards come with each log."""
    try:
        texts = cast(Mapping[str, Mapping[str, str]], words(package, chosen(), "cards"))
        names = words(package, chosen(), "names")
    except FileNotFoundError:
        return {}
    rules_by_card = _rules_by_card(name)
    found: dict[str, tuple[str, list[CardPage]]] = {}
    for id, boxes in texts.items():
        protocol, value = id.rsplit("-", 1)
        title = names.get(f"protocol.{protocol}", protocol)
        card = CardPage(
            id, names["card"].format(protocol=title, value=value), value,
            tuple((box, boxes[box]) for box in BOXES if boxes.get(box)), rules_by_card.get(id, ()),
        )  # fmt: skip
        if all(word in folded(f"{id} {card.name} {' '.join(boxes.values())}") for word in folded(query).split()):
            found.setdefault(protocol, (title, []))[1].append(card)
    return found


def _rules_by_card(name: str) -> dict[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    for rule in ruleset(name).catalogue.entries:
        for card in rule.cards:
            found[card] = (*found.get(card, ()), rule.id)
    return found
