"""The page of a question: the table, the verdict with its rule, what follows, and what can be chosen next.

The address holds position and events, so a question is a link.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from flask import Blueprint, Flask, Response, make_response, render_template, request
from markupsafe import Markup
from msgspec import Struct, to_builtins

from audit.core.catalogue import LANGUAGES, Rule
from audit.core.disclosure import JUDGE, PUBLIC
from audit.core.errors import AuditError
from audit.core.names import player_names
from audit.core.ruleset import ruleset
from audit.core.scene_changes import Changes
from replays.judging.positions import hides_cards, line_at
from replays.judging.sentences import Json
from replays.scoresheet.sheet import USUAL
from replays.table.answer import Answer, AnswerWriter, Quoted, answered
from replays.table.question import MAX_POSITION, header_at, question
from web.drawing.tree import markup
from web.games.address import quotes
from web.scenes import scene_maker_of, signs_of
from web.scenes.facing import columns, focused
from web.scenes.tree import scene_tree
from web.site.labels import chosen
from web.table.answering import said

asking = Blueprint("asking", __name__)
LONGEST_LINK = 1500


class Asked(Struct, frozen=True):
    """What is asked, as it was typed."""

    position: str
    events: tuple[str, ...]
    reading: str
    edition: str

    @property
    def fits_address(self) -> bool:
        """Whether the question is short enough for a link."""
        return len(self.position) + sum(map(len, self.events)) <= LONGEST_LINK


def add_to(app: Flask) -> None:
    """Serve the page."""
    app.register_blueprint(asking)


@asking.route("/ask", methods=["GET", "POST"])
def page() -> Response:
    """The question of the address with its answer; without one, how to ask.

    A question that is too long for an address is posted. Nothing is stored either way.
    """
    given = request.values
    asked = Asked(
        given.get("position", "").strip()[:MAX_POSITION],
        tuple(line for line in given.getlist("event") if line.strip()),
        given.get("reading", "")[:200],
        given.get("edition", "")[:32],
    )
    try:
        found = _answer(asked) if asked.position else None
    except AuditError as error:
        return make_response(_drawn(asked, None, said(error)), 400)
    return make_response(_drawn(asked, found, ""))


def _example() -> str:
    """A position to begin with."""
    return ruleset(USUAL).setting.example


def _answer(asked: Asked) -> Answer:
    return answered(question(header_at(asked.position, asked.reading or None, asked.edition), asked.events))


def _drawn(asked: Asked, found: Answer | None, problem: str) -> str:
    if found is None:
        return render_template("ask.html", asked=asked, problem=problem, example=_example(), said=None)
    game, header = found.question.game, found.question.header
    name, state = game.name, game.rules.start(header)
    said = AnswerWriter(found, (chosen(), *(each for each in LANGUAGES if each != chosen())), printed(name)).json()
    return render_template(
        "ask.html", asked=asked, problem="", example=_example(), said=said, ruleset=name, table_signs=signs_of(name),
        before=_table(found, found.steps[0].state), after=_table(found, found.state), choices=_choices(said),
        public=line_at(header, state, PUBLIC) if hides_cards(game, state) else "",
    )  # fmt: skip


def printed(name: str) -> Quoted:
    """The printed words of the rules of a game, in the rulebooks that are loaded."""

    def quoted(rule: Rule) -> Sequence[Json]:
        return [cast(Json, to_builtins(quote)) for quote in quotes().of(name, rule.id) if quote.text]

    return quoted


class DrawnTable(Struct, frozen=True):
    """A table as the page shows it; `is_across` where two sides face each other in columns."""

    drawn: Markup
    is_across: bool


def _table(found: Answer, state: object) -> DrawnTable:
    game = found.question.game
    view, pending = game.disclosure.view(state, JUDGE), game.disclosure.pending(state)
    scene = scene_maker_of(game.name).scene(view, chosen(), pending, player_names(found.question.header))
    drawn = markup(scene_tree(scene, Changes(), {"column": focused(scene, "")}))
    return DrawnTable(drawn, bool(columns(scene)))


def _choices(said: Json) -> list[Json]:
    """The next decisions: who chooses, and each choice with the line that asks about it."""
    decisions = cast("Sequence[Json]", said["decisions"])
    return [
        {
            "player": option["player"],
            "rules": option["rules"],
            "lines": _typed_and_told(option),
            "more": option.get("more", 0),
        }
        for option in decisions
    ]


def _typed_and_told(option: Json) -> list[tuple[str, str, bool]]:
    """The line and the sentence of each choice, and whether people type that line: it is a short form."""
    lines, sentences = (cast("Sequence[str]", option[key]) for key in ("lines", "sentences"))
    return [
        (line, told, not line.startswith(f"{option['type']} ")) for line, told in zip(lines, sentences, strict=True)
    ]
