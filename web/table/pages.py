"""The page for the table, to ask about a position or to record a game, and the words of its scripts."""

from __future__ import annotations

import io
from contextlib import suppress
from itertools import islice

from flask import Flask, Response, abort, current_app, make_response, render_template, request
from flask_babel import gettext as _
from msgspec import Struct, to_builtins

from audit.core.auditor import audit
from audit.core.catalogue import FIRST_EDITION
from audit.core.disclosure import JUDGE
from audit.core.errors import AuditError
from audit.core.model import Player
from audit.core.record_events import RECORD_EVENTS
from audit.core.ruleset import ruleset, rulesets
from audit.core.sentences import edition_words
from replays.judging.positions import line_at
from replays.judging.replay import with_reading
from replays.log.reader import open_log
from replays.scoresheet.sheet import USUAL
from replays.table.question import MAX_POSITION
from web.games.address import PLAYER, library, players_named, requested_game
from web.scenes import signs_of
from web.site.headers import viewpoints
from web.site.labels import chosen, ruleset_title
from web.site.reader import DEVICE
from web.table import ask_answers, record_answers, set_answers
from web.table.answering import desk
from web.table.record import question_about


def page_words() -> dict[str, str]:
    """By the name under which the scripts ask for them."""
    return {
        "yes": _("Yes."), "no": _("No."), "unsure": _("That cannot be said."),
        "instead": _("What the rules ask instead"), "meant": _("Did you mean"),
        "may-ask": _("Ask whether this is allowed"),
        "not-offered": _("Perhaps not allowed: it is written down all the same, and judged"),
        "as-word": _("Use it as a word of the line"),
        "printed-on": _("What is printed on %(card)s", card="{card}"),
        "no-number": _("Nobody knows"),
        "ask-about": _("Ask about it"),
        "ask-else": _("Ask something else of the same position"),
        "was-allowed": _("Was it allowed to be played here? For this question it goes back into the hand."),
        "set-first": _("To ask whether a play is allowed, set the table first: then the same question is answered."),
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
        "name": _("Name"), "player-at": _("Player at seat %(seat)s", seat="{seat}"),
        "who": _("Nobody at this table is called %(name)s yet. Who is it?", name="{name}"),
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
        "unsigned-seal": _("The seal is not signed. It shows what is changed later, but not who sealed the record."),
        "first": _("%(who)s was first: %(what)s", who="{who}", what="{what}"),
        "same": _("%(who)s had written the same: %(what)s", who="{who}", what="{what}"),
        "another": _("Another recorder"), "yours": _("Yours: %(what)s", what="{what}"),
        "keep-theirs": _("Theirs is right"), "add-mine": _("Mine comes after it"), "amend-theirs": _("Mine is right"),
        "mistyped": _("I mistyped"), "mistyped-from": _("It was written down wrongly, from here on"),
        "only-this": _("Only this one was written down wrongly"), "bring-back": _("Bring back what was struck out"),
        "rest-follows": _("Write it down as it was. What came after it follows by itself: %(n)s", n="{n}"),
        "taken-back": _("They took it back"), "flag": _("Have this looked at"),
        "note": _("Note for the next decision"),
        "delete": _("Delete the record from this device?"),
        "down": _("face down, unknown"), "no-connection": _("The server cannot be reached."),
        "question-kept": _("Your question is kept."), "again": _("Try again"),
        "copied": _("Copied."), "findings": _("findings"),
    }  # fmt: skip


MAX_QR = 2300
MAX_ID = 200
MAX_EVENT = 500
"""Letters that an event in the address may have."""
ANSWERS = (set_answers, ask_answers, record_answers)
"""What answers the scripts of the page, by what people do there."""


class Origin(Struct, frozen=True):
    """The game and the step from which something is asked, and who plays it."""

    game: str = ""
    step: str = ""
    players: tuple[Player, ...] = ()


NO_GAME = Origin()


def add_to(app: Flask) -> None:
    """Serve the page. `AUDIT_SEAL_KEY` names the key that signs the seals of records; without it they are unsigned."""
    app.config.setdefault("AUDIT_SEAL_KEY", "")
    app.register_blueprint(desk)


@desk.get("")
def page() -> str:
    """The page on which a position is set and asked about."""
    game, step = (request.args.get(name, "")[:MAX_ID] for name in ("of", "step"))
    origin = Origin(game, step, _players(game) if game else players_named(request.args.getlist(PLAYER)))
    return _page("ask", request.args.get("position", "")[:MAX_POSITION], origin=origin)


def _players(game: str) -> tuple[Player, ...]:
    """Who plays a game, for a judge of it; nobody where there is no such game."""
    if JUDGE in viewpoints(game=game):
        with suppress(AuditError):
            return open_log(io.BytesIO(library().log(game))).header.players
    return ()


@desk.get("/record")
def recording() -> str:
    """The page on which a game is recorded."""
    players = players_named(request.args.getlist(PLAYER))
    return _page(
        "record",
        request.args.get("position", "")[:MAX_POSITION],
        origin=Origin(players=players),
    )


@desk.get("/from/<id>")
def of_game(id: str) -> str:
    """The page with the question about a step of a game: the position before it, and what happened.

    Of a step at which nobody did anything, the position alone. Only for a judge: the position holds every card.
    """
    view, game = requested_game(id)
    if view.viewer != JUDGE:
        abort(403, description=_("A position to ask about would reveal hidden cards. A judge can see them."))
    log = open_log(io.BytesIO(library().log(id)))
    header = with_reading(log.header, view.reading or None)
    origin = Origin(id, str(view.step), header.players)
    step = next(islice(audit(log.ruleset, header, log), game.nearest(view.step), None))
    if not step.seq or step.event is None or type(step.event) in RECORD_EVENTS:
        return _page("ask", line_at(header, step.state), origin=origin)
    asked = question_about(ruleset(header.ruleset), header, step)
    return _page("ask", str(asked["before"]), str(asked["line"]), origin)


def _page(mode: str, position: str, event: str | None = None, origin: Origin = NO_GAME) -> str:
    """The page, with what it begins with: a position, what is asked of it, and the game from which it is asked."""
    signs = {name: shape for game in rulesets() for name, shape in signs_of(game).items()}
    games = [
        {
            "name": name,
            "title": ruleset_title(name),
            "settable": setting.is_settable,
            "example": setting.example,
            "sheet_header": setting.sheet_header,
        }
        for name, setting in ((name, ruleset(name).setting) for name in rulesets())
    ]
    return render_template(
        "table.html", mode=mode, position=position, table_signs=signs, games=games, words=page_words(), usual=USUAL,
        event=request.args.get("event") if event is None else event,
        longest=MAX_EVENT, origin=origin, players=to_builtins(origin.players),
        device=current_app.config["AUDIT_VIEWPOINTS"] == DEVICE,
    )  # fmt: skip


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
