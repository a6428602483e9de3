"""The page for the table and what it asks for, as JSON: a position drawn, a question answered, a record judged.

Nothing is kept on the server. Whatever cannot be read has one answer: status 400, and what would fit.
"""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from itertools import islice
from typing import cast

from flask import Blueprint, Flask, Response, abort, current_app, make_response, render_template, request, url_for
from flask_babel import gettext as _
from msgspec import json as msgspec_json
from msgspec import to_builtins

from audit.core.auditor import audit
from audit.core.catalogue import FIRST_EDITION, LANGUAGES
from audit.core.disclosure import JUDGE
from audit.core.errors import AuditError, PositionTextError, SetupError
from audit.core.model import Header
from audit.core.ruleset import ruleset, rulesets
from audit.core.sentences import edition_words
from replays.error_words import fits_of
from replays.judging.onward import next_choice
from replays.judging.positions import line_at
from replays.judging.replay import with_reading
from replays.judging.sentences import Json, event_json
from replays.limited import TooCostlyError
from replays.log.reader import open_log
from replays.scoresheet.line import Sheet
from replays.table.answer import Answer, AnswerWriter, answered
from replays.table.guesses import guesses
from replays.table.question import MAX_LINES, MAX_POSITION, UnreadEventError, header_at, line_in, question
from replays.trust.seal import as_text, seal, signed
from web.games.address import library, requested_game
from web.scenes import signs_of
from web.site.labels import ruleset_title
from web.site.languages import chosen
from web.site.limits import limited
from web.site.reader import DEVICE, reader
from web.site.tokens import Role
from web.table import record, rule_answers, table
from web.table.question_pages import EXAMPLE, printed
from web.table.table import cards_told, choices_at
from web.table.unread import said, said_of_line

desk = Blueprint("table", __name__, url_prefix="/table")
MAX_QR = 2300
MAX_EVENT = 500
"""Letters that an event in the address may have."""
MOST_PASTED = 10_000_000
"""The bytes of a save with all that stands around its cards."""
MOST_CHANGES = 50
MOST_CHOICES = 200
SHEET = "game    A Ada: fire life water   B Bo: death metal speed   first A"
"""How a game begins, as it is typed."""


def add_to(app: Flask) -> None:
    """Serve the page. `AUDIT_SEAL_KEY` names the key that signs the seals of records; without it they are unsigned."""
    app.config.setdefault("AUDIT_SEAL_KEY", "")
    app.register_blueprint(desk)


@desk.get("")
def page() -> str:
    """The page on which a position is set and asked about."""
    return _page("ask", request.args.get("position", "")[:MAX_POSITION])


@desk.get("/record")
def recording() -> str:
    """The page on which a game is recorded."""
    return _page("record", request.args.get("position", "")[:MAX_POSITION])


@desk.get("/from/<id>")
def of_game(id: str) -> str:
    """The page with the position after a step of a game. Only for a judge: the position holds every card."""
    view, game = requested_game(id)
    if view.viewer != JUDGE:
        abort(403, description=_("A position to ask about would reveal hidden cards. A judge can see them."))
    log = open_log(io.BytesIO(library().log(id)))
    header = with_reading(log.header, view.reading or None)
    step = next(islice(audit(log.ruleset, header, log), game.nearest(view.step), None))
    return _page("ask", line_at(header, step.state))


def _page(mode: str, position: str) -> str:
    signs = {name: shape for game in rulesets() for name, shape in signs_of(game).items()}
    games = [
        {"name": name, "title": ruleset_title(name), "settable": ruleset(name).setting.is_settable}
        for name in rulesets()
    ]
    return render_template(
        "table.html", mode=mode, position=position, table_signs=signs, games=games, words=page_words(), example=EXAMPLE,
        sheet=SHEET, longest=MAX_EVENT, device=current_app.config["AUDIT_VIEWPOINTS"] == DEVICE,
    )  # fmt: skip


Handler = Callable[[Json], Json]


def _answers(path: str, *, costly: bool = False) -> Callable[[Handler], Handler]:
    """Answer a JSON object with a JSON object; what cannot be read with what would fit."""

    def add(handler: Handler) -> Handler:
        def view() -> Response:
            if costly:
                request.max_content_length = MOST_PASTED
                if not reader().is_local:
                    limited("costly")
            try:
                return _json(handler(_body()), 200)
            except (TooCostlyError, RecursionError):
                return _json({"message": _("That is too much at once")}, 503)
            except AuditError as error:
                return _json({"message": _said(error), **_where(error)}, 400)

        desk.add_url_rule(path, handler.__name__, view, methods=("POST",))
        return handler

    return add


@_answers("/words")
def words(asked: Json) -> Json:
    """Of what a new table of a game is made."""
    setting = ruleset(str(asked.get("ruleset"))).setting
    told = to_builtins(setting.words(chosen()))
    return {"words": told, "needed": setting.words_needed(), "said": setting.words_said(chosen())}


@_answers("/position")
def position(asked: Json) -> Json:
    """A position drawn, after a change by hand where one is named: a new one, one from a line of text or a link."""
    if "words" in asked:
        line = table.fresh(str(asked.get("ruleset")), [str(word) for word in _list(asked, "words")])
    else:
        line = line_in(_text(asked, "position"))
    given = asked.get("change")
    for change in (given if isinstance(given, list) else [given])[:MOST_CHANGES]:
        if isinstance(change, Mapping):
            line = table.changed(line, cast(Json, change))
    return table.board(table.start_of(line), line, chosen(), asked)


@_answers("/rules")
def rules(asked: Json) -> Json:
    """What the rules of a game say to a question in words."""
    return rule_answers.told(ruleset(str(asked.get("ruleset"))), _text(asked, "text"))


@_answers("/options")
def options(asked: Json) -> Json:
    """What can be chosen in a position."""
    header = header_at(_text(asked, "position"))
    game = ruleset(header.ruleset)
    start = game.rules.start(header)
    shown = table.drawn(game, next_choice(game, start), chosen(), asked)
    return {"choices": choices_at(game, header, start, chosen()), **shown}


@_answers("/askable")
def askable(asked: Json) -> Json:
    """What may be asked of the thing with that key, whether it is allowed or not."""
    header = header_at(_text(asked, "position"))
    game = ruleset(header.ruleset)
    state = next_choice(game, game.rules.start(header))
    key = _text(asked, "key")
    before = table.before_played(line_in(_text(asked, "position")), key, chosen())
    return {"choices": table.askable(game, header, state, key, chosen()), "before": before}


@_answers("/ask")
def ask(asked: Json) -> Json:
    """The answer to a question about a position."""
    events = [one if isinstance(one, str) else cast(Json, one) for one in _list(asked, "events")[: MAX_LINES + 1]]
    if any(not isinstance(one, str | dict) for one in events):
        raise SetupError("events", "events, typed or as they stand in a log")
    reading, edition = (str(asked.get(name) or "") for name in ("reading", "edition"))
    header = header_at(_text(asked, "position"), reading or None, edition)
    try:
        found = answered(question(header, events))
    except UnreadEventError as error:
        raise _guessed(error, header, events) from None
    game = found.question.game
    languages = (chosen(), *(each for each in LANGUAGES if each != chosen()))
    said = AnswerWriter(found, languages, printed(game.name)).json()
    return {
        "said": said, "ruleset": game.name, "after": table.drawn(game, found.state, chosen(), asked),
        "choices": choices_at(game, found.question.header, found.state, chosen()), "case": _case_on(found),
        "asked": _lines_asked(found),
    }  # fmt: skip


def _case_on(answer: Answer) -> str:
    """Where a judge opens a case on the position, with what was asked; "" for anybody else."""
    game, header = answer.question.game, answer.question.header
    return _case_at(line_at(header, game.rules.start(header)), _lines_asked(answer))


def _case_at(position: str, asked: Sequence[str]) -> str:
    """Where a judge opens a case on a position and these lines; "" for anybody else."""
    if "cases.ask_to_open" not in current_app.view_functions or not reader().is_judge:
        return ""
    return url_for("cases.ask_to_open", position=position, asked=asked, lang=request.args.get("lang"))


def _lines_asked(answer: Answer) -> list[str]:
    """What was asked, each as it is typed in any language."""
    game, header = answer.question.game, answer.question.header
    sheet = Sheet(game, game.disclosure.seats(header), header.setup)
    return [sheet.write_published(event_json(event)) for event in answer.question.events]


class MisreadError(AuditError):
    """A question that cannot be read: what is wrong with it, and what may have been meant."""

    def __init__(self, message: str, guesses: Sequence[Json], rules: Json | None) -> None:
        """`rules` is what they say to a line that may be a question in words."""
        super().__init__(message)
        self.guesses, self.rules = guesses, rules


def _guessed(error: UnreadEventError, header: Header, events: Sequence[str | Json]) -> MisreadError:
    """That error with the choices of the position that are most like what was typed."""
    number = error.problems[0].line
    line = str(events[number - 1])
    rules = rule_answers.told(ruleset(header.ruleset), line) if rule_answers.is_question(line) else None
    return MisreadError(said(error), guesses(header, events, number, chosen()), rules)


@_answers("/judge")
def judge(asked: Json) -> Json:
    """What a record means. It comes whole, and nothing of it is kept here."""
    header = record.header_told(asked.get("header"), str(asked.get("ruleset") or ""))
    entries = _list(asked, "entries")
    try:
        found = record.record_of(header, entries)
    except record.UnreadableError as error:
        error.meant = record.meant(header, entries, error.entry, chosen())
        raise
    told = record.told(found, chosen(), asked)
    last = cast("Json | None", told["last"])
    return {**told, "case": _case_at(str(last["before"]), [str(last["line"])])} if last and "before" in last else told


@_answers("/next")
def next_words(asked: Json) -> Json:
    """The words that may stand next in a line of a record, and the whole lines that it may become."""
    header = record.header_told(asked.get("header"), str(asked.get("ruleset") or ""))
    found = record.record_of(header, _list(asked, "entries"))
    choices, said = (
        [one for one in _list(asked, name) if isinstance(one, str)][:MOST_CHOICES] for name in ("choices", "said")
    )
    completer = record.completer(found, choices, said, chosen())
    line = str(asked.get("line") or "")[:MAX_POSITION]
    return {
        "words": completer.next_words(line)[: record.MOST_WORDS],
        "completions": completer.completions(line)[: record.MOST_WORDS],
    }


@_answers("/gather", costly=True)
def gather(asked: Json) -> Json:
    """A record or a position of what was pasted or dropped, with its questions."""
    from web.table.gathering import gathered

    return gathered(asked, chosen())


@_answers("/cards")
def cards(asked: Json) -> Json:
    """The cards by their names in the reader's language."""
    game = ruleset(str(asked.get("ruleset")))
    return {"cards": cards_told(game, [str(card) for card in _list(asked, "cards")[:200]], chosen())}


@_answers("/seal")
def sealed(asked: Json) -> Json:
    """A record as a log with its seal, signed where this server has a key for it. For who may append to games."""
    token = reader().token
    if not (reader().is_local or (token and token.role in (Role.SCOREKEEPER, Role.JUDGE))):
        raise SetupError("token", "a token with the role of a scorekeeper or a judge")
    header = record.header_told(asked.get("header"), str(asked.get("ruleset") or ""))
    log = record.log_of(record.record_of(header, _list(asked, "entries")))
    key = str(current_app.config["AUDIT_SEAL_KEY"])
    made = seal(io.BytesIO(log), datetime.now(UTC).isoformat(timespec="seconds"))
    made = signed(made, key) if key else made
    return {"log": log.decode(), "seal": as_text(made).decode(), "signed": bool(key)}


@desk.get("/qr.svg")
def qr() -> Response:
    """A short text, such as the address of a position, as a QR code."""
    import segno

    text = request.args.get("text", "")
    if not text or len(text.encode()) > MAX_QR:
        abort(400)
    found = io.BytesIO()
    segno.make(text, micro=False, error="l").save(
        found, kind="svg", scale=4, border=4, dark="#000", light="#fff", svgclass=None, lineclass=None, title="QR",
        omitsize=True,
    )  # fmt: skip
    answer = make_response(found.getvalue())
    answer.mimetype = "image/svg+xml"
    answer.headers["Cache-Control"] = "private, max-age=3600"
    return answer


def _body() -> Json:
    try:
        told = json.loads(request.get_data())
    except (ValueError, RecursionError):
        told = None
    if not isinstance(told, dict):
        raise SetupError("body", "a JSON object")
    return told


def _text(asked: Json, name: str) -> str:
    told = asked.get(name)
    if not isinstance(told, str) or not told.strip() or len(told) > MAX_POSITION:
        raise SetupError(name, f"a text of at most {MAX_POSITION} letters")
    return told.strip()


def _list(asked: Json, name: str) -> Sequence[object]:
    told = asked.get(name)
    return told if isinstance(told, list) else ()


def _said(error: AuditError) -> str:
    if isinstance(error, MisreadError):
        return str(error)
    if isinstance(error, record.UnreadableError):
        return said_of_line(error.found, error.expected, fits_of(error, chosen()))
    return said(error)


def _where(error: AuditError) -> Json:
    if isinstance(error, MisreadError):
        return {"meant": error.guesses, "rules": error.rules}
    if isinstance(error, record.UnreadableError):
        return {"entry": error.entry, "column": error.column, "meant": error.meant}
    return {"column": error.column} if isinstance(error, PositionTextError) else {}


def _json(told: Json, status: int) -> Response:
    answer = Response(msgspec_json.encode(told, enc_hook=str), status, mimetype="application/json")
    answer.headers["Cache-Control"] = "no-store"
    return answer


def page_words() -> dict[str, str]:
    """By the name under which the scripts ask for them."""
    return {
        "yes": _("Yes."), "no": _("No."), "unsure": _("That cannot be said."),
        "instead": _("What the rules ask instead"), "meant": _("Did you mean"),
        "or-ask": _("Or ask whether this is allowed"), "may-ask": _("Ask whether this is allowed"),
        "ask-about": _("Ask about it"),
        "ask-else": _("Ask something else of the same position"),
        "was-allowed": _("Was it allowed to be played here? For this question it goes back into the hand."),
        "rules-say": _("What the rules say"), "no-rule": _("No rule matches."),
        "all-found": _("All that was found: %(n)s", n="{n}"), "search-rules": _("Search the rules"),
        "standing": _("If the play is left standing"),
        "named": _("%(name)s: %(what)s", name="{name}", what="{what}"),
        "follows": _("Then, with nobody choosing"), "chooses": _("What can be chosen next"),
        "otherwise": _("Who would answer otherwise"), "rulings": _("Rulings on these cards"),
        "edition": _("The edition %(name)s", name="{name}"), "first-edition": edition_words(FIRST_EDITION, chosen()),
        "reading": _("The reading %(name)s", name="{name}"),
        "over": _("The game is over."), "more": _("and %(n)s more", n="{n}"),
        "passing": _("Before that"), "next-words": _("Words that may stand next"),
        "gathered": _("What was read"), "left-out": _("Left out"), "so-read": _("How it was read"),
        "leave-out": _("Leave it out"), "use-it": _("Go on with it"),
        "still-open": _("Questions still open: %(n)s", n="{n}"),
        "no-position": _("No position could be made of it yet."),
        "go-on": _("Go on from here"), "open-case": _("Open a case"),
        "which": _("Which card?"), "unknown": _("Nobody knows"),
        "put-here": _("Put a card here: %(place)s", place="{place}"), "back": _("Back"), "close": _("Close"),
        "turn": _("Turn it over"), "take": _("Take it away"), "move": _("Move it"),
        "move-to": _("Tap where it goes."),
        "name-card": _("Name a card"), "put-it": _("Put it there"), "set-so": _("Set it so"),
        "about-here": _("Say more of this place: %(place)s", place="{place}"),
        "how-many": _("How many cards?"), "player": _("Turn of"), "phase": _("Phase"), "control": _("Control"),
        "text": _("Half carried out"), "no-text": _("nothing"),
        "part": _("%(title)s: from part %(n)s of %(all)s", title="{title}", n="{n}", all="{all}"),
        "choose-words": _("Choose %(n)s", n="{n}"),
        "legal": _("legal"), "illegal": _("illegal"), "impossible": _("impossible"), "inferred": _("inferred"),
        "undetermined": _("undetermined"), "unchecked": _("not checked"), "recorded": _("record"),
        "offline": _("No connection. What is typed is kept here and judged later."),
        "waiting": _("Waiting for a connection: %(n)s", n="{n}"), "kept": _("Kept on this device."),
        "sent": _("Sent to the server: %(n)s", n="{n}"),
        "no-server": _("Enter the address of a server, such as https://games.example."),
        "sending-fails": _("The server did not take it: %(why)s", why="{why}"),
        "first": _("%(who)s was first: %(what)s", who="{who}", what="{what}"),
        "same": _("%(who)s had written the same: %(what)s", who="{who}", what="{what}"),
        "another": _("Another recorder"), "yours": _("Yours: %(what)s", what="{what}"),
        "keep-theirs": _("Theirs is right"), "add-mine": _("Mine comes after it"), "amend-theirs": _("Mine is right"),
        "mistyped": _("I mistyped"), "mistyped-from": _("It was written down wrongly, from here on"),
        "taken-back": _("They took it back"), "flag": _("Have this looked at"),
        "note": _("Note for the next decision"),
        "delete": _("Delete the record from this device?"),
        "down": _("face down, unknown"), "no-connection": _("The server cannot be reached."),
        "copied": _("Copied."), "findings": _("findings"),
    }  # fmt: skip
