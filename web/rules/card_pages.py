"""The page of the cards of a game: what each card does, in our own short words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from flask import Blueprint, Flask, Response, render_template, request
from msgspec import Struct

from audit.core.catalogue import words
from audit.core.ruleset import ruleset
from web.games.library import folded
from web.scenes import signs_of
from web.site.headers import cached
from web.site.languages import chosen

cards_pages = Blueprint("cards", __name__, url_prefix="/cards")
BOXES = ("top", "middle", "bottom")


class CardPage(Struct, frozen=True):
    """A card as the page shows it."""

    id: str
    name: str
    value: str
    boxes: tuple[tuple[str, str], ...]
    rules: tuple[str, ...]


def add_to(app: Flask) -> None:
    """Serve the cards."""
    app.register_blueprint(cards_pages)


@cards_pages.get("/<name>")
def cards(name: str) -> Response:
    """Every card of a game, by protocol."""
    catalogue = ruleset(name).catalogue
    query = request.args.get("q", "")[:200]
    return cached(("cards", name, query), lambda: _page(name, catalogue.package, query))


def _page(name: str, package: str, query: str) -> str:
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
