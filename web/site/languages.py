"""The language of a page: the one in the address, else the one the browser prefers, else English."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, datetime
from typing import cast

from babel import Locale
from babel.core import UnknownLocaleError
from babel.dates import format_date
from flask import Flask, g, request
from flask_babel import Babel, get_locale
from jinja2 import pass_context
from jinja2.runtime import Context

from audit.core.catalogue import LANGUAGES
from audit.core.schema_text import span_text
from audit.core.sentences import edition_words
from audit.core.typography import colon


def add_to(app: Flask) -> None:
    """Choose the language of every page, and keep a chosen one in its links."""
    Babel(app, locale_selector=chosen)
    app.jinja_env.globals["ngettext"] = _counted(cast("Callable[..., str]", app.jinja_env.globals["ngettext"]))
    app.jinja_env.globals["span_text"] = span_text
    app.url_defaults(_keep)
    app.context_processor(
        lambda: {"language": chosen(), "languages": LANGUAGES, "own_name": own_name, "colon": colon(chosen())}
    )
    app.jinja_env.filters["day"] = day
    app.jinja_env.filters["number"] = number
    app.jinja_env.filters["edition"] = lambda name: edition_words(name, chosen())
    app.jinja_env.filters["tenths"] = tenths


def chosen() -> str:
    """The language of this answer."""
    if "language" not in g:
        asked = request.args.get("lang", "")
        g.language = asked if asked in LANGUAGES else request.accept_languages.best_match(LANGUAGES, "en")
    return str(g.language)


def choose(language: str) -> None:
    """Answer in this language: the request says so elsewhere than in its address."""
    g.language = language


def links_lead_to(endpoint: str, **values: object) -> None:
    """Let the links to this page in another language lead elsewhere: this one answers a form and has no address."""
    g.page_of_links = (endpoint, values)


def page_of_links() -> tuple[str, dict[str, object]] | None:
    """Where the links to this page in another language lead, if somebody has said it."""
    return cast("tuple[str, dict[str, object]] | None", g.get("page_of_links"))


def _keep(endpoint: str, values: dict[str, object]) -> None:
    if "lang" not in values and endpoint != "static" and request and request.args.get("lang") in LANGUAGES:
        values["lang"] = chosen()


def own_name(code: str) -> str:
    """A language by the name it gives itself."""
    try:
        return str(Locale.parse(code).get_display_name(code) or code).capitalize()
    except UnknownLocaleError:
        return code


def day(value: object) -> str:
    """A date of a log in the reader's way; whatever else was written there as it is."""
    try:
        moment: date = datetime.fromisoformat(str(value))
    except ValueError:
        return str(value)
    return format_date(moment, "long", locale=get_locale())


def number(value: int) -> str:
    """A whole number with the reader's separators."""
    from flask_babel import format_decimal

    return str(format_decimal(value))


def _counted(ngettext: Callable[..., str]) -> Callable[..., str]:
    """The same function for templates, with the number written with the reader's separators."""

    @pass_context
    def counted(context: Context, one: str, many: str, count: int, **words: object) -> str:
        return ngettext(context, one, many, count, **{"num": number(count), **words})

    return counted


def tenths(value: float) -> str:
    """A number with one decimal, after the reader's decimal sign."""
    from flask_babel import format_decimal

    return str(format_decimal(value, "#,##0.0"))
