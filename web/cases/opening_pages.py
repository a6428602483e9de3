"""Opening a case: the form at a step of a game or on a position, and the case that it becomes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from io import BytesIO
from typing import cast

from flask import Response, render_template, request
from flask_babel import force_locale
from flask_babel import gettext as _
from msgspec.structs import replace
from werkzeug.datastructures import MultiDict

from audit.core.catalogue import LANGUAGES
from audit.core.disclosure import JUDGE, PUBLIC
from audit.core.errors import AuditError
from replays.cases.disclosed import secrets_in
from replays.cases.opening import Place, place_at
from replays.cases.writing import (
    opened,
    opinion_on,
    place_of_log,
    precedents_of_place,
)
from replays.error_words import error_words
from replays.judging.sentences import Json
from replays.log.reader import open_log
from replays.table.answer import Answer, AnswerWriter, answered, told_to_everybody
from replays.table.question import header_at, question
from web.cases.downloads import fresh
from web.cases.shelf import alike, book, cases, judges_only, named, to_case, usual_role, whose_word, word
from web.games.address import PLAYER, library, number_in, players_named, prepared
from web.site.labels import chosen, links_lead_to
from web.site.reader import reader
from web.site.write_access import known_name, remember_name, writer

OPENING = ("game", "step", "position", "asked", PLAYER)
"""What the form of a new case takes from its address."""


@cases.get("/cases/new")
def ask_to_open() -> Response:
    """The form for a case at a step of a game, or on a position."""
    judges_only()
    return fresh(_form(request.args, ""))


def _form(given: MultiDict[str, str], problem: str, hidden: str = "") -> str:
    """The form; `hidden` says which cards its question names although not everybody has seen them."""
    place: Place | None = None
    known: dict[str, object] = {}
    step: Mapping[str, object] = {}
    if given.get("game") or given.get("position"):
        try:
            place, known = _place(given)
            step = _asked_about(given, chosen())
        except AuditError as error:
            problem = problem or error_words(error, chosen())
    found = precedents_of_place(book(), place)[:5] if place else []
    usual = _usual_question(given, chosen()) if step else ""
    return render_template(
        "case_new.html", given=given, place=place, known=known, problem=problem, name=given.get("by") or known_name(),
        hidden=hidden, role=given.get("role") or usual_role(), token=reader().token, precedents=alike(found),
        question=given.get("question") or usual, in_others=_asked_in(given),
        codes=LANGUAGES, sentence=str(step.get("message") or step.get("sentence") or ""),
    )  # fmt: skip


def _usual_question(given: MultiDict[str, str], language: str) -> str:
    """Whether what happened is allowed, as everybody may be asked: a case can be published."""
    sentence = _seen_by_everybody(given, language)
    return str(_("Is this allowed? %(sentence)s", sentence=sentence)) if sentence else ""


def _seen_by_everybody(given: MultiDict[str, str], language: str) -> str:
    """What a new case is about, without the cards that not everybody has seen; empty where nothing is asked about."""
    if given.get("game") and not given.get("position"):
        return str(_step_of_game(given, PUBLIC, language).get("sentence") or "")
    found = _answer(given)
    return told_to_everybody(found, language) if found else ""


def _questions(given: MultiDict[str, str], question: str) -> dict[str, str]:
    """The usual question in the other languages; nothing where the judge asks in words of their own."""
    if question != _usual_question(given, chosen()):
        return {}
    found = {}
    for code in (code for code in LANGUAGES if code != chosen()):
        with force_locale(code):
            found[code] = _usual_question(given, code)
    return found


def _asked_in(given: MultiDict[str, str]) -> dict[str, str]:
    """The question in other languages than that of the page, as the judge asks it there."""
    told = {code: given.get(f"question-{code}", "") for code in LANGUAGES if code != chosen()}
    return {code: text.replace("\r\n", "\n").strip() for code, text in told.items() if text.strip()}


def _asked_about(given: MultiDict[str, str], language: str) -> Mapping[str, object]:
    """The step that a new case is about, in a language: that of a game, or the last one asked."""
    if given.get("game") and not given.get("position"):
        return _step_of_game(given, JUDGE, language)
    found = _answer(given)
    return cast("Sequence[Json]", AnswerWriter(found, (language,)).json()["steps"])[-1] if found else {}


def _step_of_game(given: MultiDict[str, str], viewer: str, language: str) -> Mapping[str, object]:
    game = prepared(given["game"], viewer, language, "")
    return game.steps[game.nearest(number_in(given.get("step", ""), otherwise=0))]


def _answer(given: MultiDict[str, str]) -> Answer | None:
    """The answer to what is asked of a position, with the players of the game that it is from, or who are named."""
    lines = _lines(given)
    if not lines:
        return None
    header = header_at(given.get("position", "").strip())
    players = players_named(given.getlist(PLAYER))
    if given.get("game"):
        players = open_log(BytesIO(library().log(given["game"]))).header.players
    return answered(question(replace(header, players=players), lines))


def _lines(given: MultiDict[str, str]) -> list[str]:
    return [line for line in given.getlist("asked") if line.strip()]


def _place(given: MultiDict[str, str]) -> tuple[Place, dict[str, object]]:
    """Where a case begins, and what is known of its game: at a step, or at a position that is asked about there."""
    at, known = _step(given) if given.get("game") else (None, {})
    if at and not given.get("position"):
        return at, known
    place = place_at(given.get("position", "").strip(), _lines(given))
    named = at.players if at else {one.seat: one.name for one in players_named(given.getlist(PLAYER))}
    return replace(place, players={seat: named.get(seat, name) for seat, name in place.players.items()}), known


def _step(given: MultiDict[str, str]) -> tuple[Place, dict[str, object]]:
    id = given["game"]
    game = prepared(id, JUDGE, chosen(), "")
    step = game.nearest(number_in(given.get("step", ""), otherwise=0))
    recorded = [at for at, each in enumerate(game.steps) if each.get("seq")]
    nearest = next((at for at in recorded if at >= step), recorded[-1] if recorded else 0)
    place, known = place_of_log(library().log(id), cast(int, game.steps[nearest].get("seq") or 0), id)
    return place, {**known, "game_id": id}


@cases.post("/cases")
def open_case() -> Response:
    """Open a case, with the auditor's opinion at once."""
    token = writer()
    who, form = named(token), request.form
    try:
        place, known = _place(form)
        in_others = _asked_in(form)
        languages = list(dict.fromkeys((chosen(), *form.getlist("languages"), *in_others)))
        question = form.get("question", "").replace("\r\n", "\n").strip()
        event = opened(place, {
            **who, "question": question, "lang": chosen(),
            "languages": languages, "questions": {**_questions(form, question), **in_others},
            "round": form.get("round", "").strip(), "table": form.get("table", "").strip(),
            "tournament": form.get("tournament", "").strip(), **known,
        })  # fmt: skip
        hidden = secrets_in(event, [event.question, *event.questions.values()], chosen())
        if hidden and not form.get("knowing"):
            links_lead_to("cases.ask_to_open", **{name: form.getlist(name) for name in OPENING if name in form})
            return fresh(_form(form, "", word("shared.names", cards=", ".join(hidden))), 400)
        case = book().open(event, opinion_on(event, who), by=whose_word(token))
    except AuditError as problem:
        links_lead_to("cases.ask_to_open", **{name: form.getlist(name) for name in OPENING if name in form})
        return fresh(_form(form, error_words(problem, chosen())), 400)
    return remember_name(to_case(case.id), who["by"], who["role"])
