"""The page about the viewer: what it is, what its marks mean, and its keys."""

from __future__ import annotations

import re

from flask import Blueprint, Flask, Response, render_template
from flask_babel import gettext as _

from audit.core.ruleset import rulesets
from web.site.headers import cached
from web.site.labels import fidelity_words, verdict_meanings

about_pages = Blueprint("about", __name__)
WORDS = re.compile("[A-Z][a-z]+")


def add_to(app: Flask) -> None:
    """Serve the page, and tell all pages the keys."""
    app.register_blueprint(about_pages)
    app.context_processor(lambda: {"keys": keys, "thumb": thumb, "key_name": named, "known_rulesets": rulesets})


@about_pages.get("/about")
def about() -> Response:
    """The page."""
    meanings, fidelity = verdict_meanings, fidelity_words
    return cached(("about",), lambda: render_template("about.html", meanings=meanings(), fidelity=fidelity()))


def named(keys: str) -> str:
    """Keys as they are called on a keyboard of this language."""
    names = {
        "Ctrl": _("Ctrl"),
        "End": _("End"),
        "Enter": _("Enter"),
        "Esc": _("Esc"),
        "Home": _("Home"),
        "Shift": _("Shift"),
        "Space": _("Space"),
    }
    return WORDS.sub(lambda word: names[word[0]], keys)


def thumb() -> list[str]:
    """What a finger does on a phone."""
    return [
        _("Draw across the table: a step on or back."),
        _("Tap a card: what it is. Tap a number or a sign: what it means."),
        _("Tap the line of time, or draw along it: to any step."),
        _("Tap the handle above the step: all about it, and what is done seldom. Once more puts it away."),
        _("Tap a line of the list: to that step, and back up to the table."),
    ]


def keys() -> list[tuple[str, str]]:
    """Each key and what it does."""
    listed = [
        ("← →   ↑ ↓   k j", _("step back, step on")),
        ("Shift ← →", _("the recorded event before, after: inferred steps are passed over")),
        ("Ctrl ← →   [ ]", _("turn back, turn on")),
        ("Home End", _("start, last step")),
        ("n p", _("next, previous step with something to say")),
        ("Shift n p", _("next, previous finding")),
        ("0–9 Enter   g", _("go to a step")),
        ("b", _("back to where I was before the jump")),
        ("Space + −", _("play or pause, faster, slower")),
        ("s", _("Step by moves, by steps, or by all events")),
        ("f", _("turn the table round")),
        ("v", _("the table before and after this step, side by side")),
        ("x", _("cover or show hidden cards")),
        ("r", _("the rule in all languages")),
        ("c", _("copy the link to this step")),
        ("?", _("this list")),
        ("Esc", _("close, return")),
    ]
    return [(named(key), does) for key, does in listed]
