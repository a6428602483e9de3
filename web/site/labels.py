"""The language of a page, and labels of the interface that several pages need."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import date, datetime
from typing import cast

from babel import Locale
from babel.core import UnknownLocaleError
from babel.dates import format_date
from flask import Flask, g, request
from flask_babel import Babel, get_locale, ngettext
from flask_babel import gettext as _
from jinja2 import pass_context
from jinja2.runtime import Context

from audit.core.catalogue import LANGUAGES, Ruling, words
from audit.core.errors import AuditError
from audit.core.record_events import is_about_the_record
from audit.core.ruleset import ruleset, rulesets
from audit.core.sentences import edition_words
from audit.core.typed_setup import span_text
from audit.core.typography import colon, labelled
from replays.error_words import error_words, problem_words
from replays.errors import LogError
from replays.said import GameTitle, in_language

LISTED = 3
"""Problems of one file that are told."""


def file_problems(error: AuditError) -> list[str]:
    """A sentence for each problem, the first few."""
    if not isinstance(error, LogError):
        return [error_words(error, chosen())]
    found = [problem_words(problem, chosen()) for problem in error.problems[:LISTED]]
    return found + (["…"] if len(error.problems) > LISTED or error.more else [])


def no_game() -> str:
    """Of a file that is neither a log nor a score sheet."""
    return str(_("This is neither a log nor a score sheet. A score sheet begins with the word game and the players."))


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


def verdict_words() -> dict[str, str]:
    """Each verdict as a reader reads it."""
    return {
        "legal": _("legal"), "inferred": _("inferred"), "illegal": _("illegal"),
        "impossible": _("impossible"), "undetermined": _("undetermined"),
        "unchecked": _("not checked"), "recorded": _("record"),
    }  # fmt: skip


def verdict_meanings() -> dict[str, str]:
    """What each verdict says of a step."""
    return {
        "legal": _("The rules allow it, and the rules that do are named."),
        "inferred": _("The log left it out. It followed without a choice."),
        "illegal": _("A rule forbids it, or an obligation was skipped. It is shown as it was played."),
        "impossible": _("It cannot be carried out at all: the card is not there."),
        "undetermined": _("It depends on a card that nobody has seen."),
        "unchecked": _("It was not judged: its text is not known here, or the position is not."),
        "recorded": _("It speaks of the record itself: an amendment, a gap, a position. There is nothing to judge."),
    }


def kind_of_note(kind: str) -> str:
    """What a note is, in a word; the signs of chess stand for themselves."""
    words: dict[str, str] = {"question": _("question"), "ruling": _("ruling"), "commentary": _("comment")}
    return words.get(kind, kind)


def sharing_words() -> dict[str, str]:
    """Who may open a game that not everybody finds in the list."""
    return {"unlisted": _("unlisted: whoever has the address"), "private": _("private: judges only")}


def fidelity_words() -> dict[str, str]:
    """How far a replay can be trusted."""
    return {
        "exact": _("exact: every event judged as recorded"),
        "partial": _("partial: some steps were inferred"),
        "diverged": _("uncertain: nobody can say for sure what lay where"),
    }


def viewer_words() -> dict[str, str]:
    """The points of view that are no player's."""
    return {"judge": _("judge"), "public": _("public")}


def kind_words() -> dict[str, str]:
    """The kinds of rules."""
    return {
        "definition": _("definition"), "procedure": _("procedure"), "obligation": _("obligation"),
        "permission": _("permission"), "prohibition": _("prohibition"), "timing": _("timing"),
        "limit": _("limit"), "errata": _("erratum"),
        "ruling": _("ruling"), "clarification": _("clarification"), "erratum": _("erratum"),
    }  # fmt: skip


def ruleset_title(name: str) -> str:
    """The name of a game."""
    return in_language(GameTitle(name), chosen())


def rule_title(name: str, rule: str) -> str:
    """What a rule of a game is about, in a few words; its id where there are none."""
    if name not in rulesets():
        return rule
    catalogue = ruleset(name).catalogue
    if ruling := catalogue.rulings.get(rule):
        return ruling_title(name, ruling)
    return catalogue.title(catalogue[rule], chosen()) or rule if rule in catalogue.rules else rule


def line_example() -> str:
    """A line as on a score sheet, as it is typed in the reader's language."""
    return f"A {ruleset('compile').rules.score_card_in('plague-1', chosen())} 2"


def ruling_title(name: str, ruling: Ruling) -> str:
    """What a ruling is about: its cards, else the rules it bears on."""
    cards = (card_name(name, card) for card in ruling.cards)
    about = [*cards] or [rule_title(name, rule) for rule in ruling.bears_on[:1]]
    kind = kind_words().get(ruling.kind, ruling.kind)
    return labelled(chosen(), f"{kind[:1].upper()}{kind[1:]}", ", ".join(about)) if about else ruling.id


def card_name(name: str, card: str) -> str:
    """What a card of a game is called in the reader's language; where the game has no name for it, as logs write it."""
    if name not in rulesets():
        return card
    return str(ruleset(name).wording.finding_words({"card": card}, chosen()).get("card") or card)


def is_described(name: str, card: str) -> bool:
    """Whether the page of the cards of a game says what this card does."""
    if name not in rulesets():
        return False
    try:
        return card in words(ruleset(name).catalogue.package, chosen(), "cards")
    except FileNotFoundError:
        return False


def reason(step: Mapping[str, object]) -> str:
    """The message of a finding without the sentence that stands above it."""
    return str(step.get("message") or "").removeprefix(str(step.get("sentence") or "")).strip()


def record_words(step: Mapping[str, object]) -> list[str]:
    """Who wrote an event about the record, and why; nothing for an event of the game."""
    event = step.get("event")
    if not isinstance(event, Mapping) or not is_about_the_record(event):
        return []
    said = [_("By %(who)s.", who=event["by"])] if event.get("by") else []
    said += [_("Ordered by %(who)s.", who=event["ordered_by"])] if event.get("ordered_by") else []
    said += [_("Both players agreed.")] if event.get("agreed") else []
    why = event.get("reason") or event.get("why")
    return [*said, _("Reason: %(why)s", why=why)] if why else said


def grain_words() -> dict[str, str]:
    """How finely a reader steps."""
    return {"actions": _("moves"), "steps": _("steps"), "raw": _("all events")}


def script_words() -> dict[str, object]:
    """What the script says by itself."""
    return {
        "verdicts": verdict_words(),
        "languages": {code: own_name(code) for code in LANGUAGES},
        "step": _("Step {step} of {last}."),
        "stepShort": _("Step {step} of {last}"),
        "rule": _("Rule {rule}."),
        "start": _("The start."),
        "expected": _("Expected"),
        "more": _("and %(n)s more", n="{n}"),
        "perhaps": _("And perhaps more, depending on what is hidden."),
        "because": _("Because"),
        "recorded": _("event {seq} of the log"),
        "inferred": _("not in the log"),
        "byReading": _("By the reading {name}:"),
        "byEdition": _("By the edition {name}: {verdict} ({rules})."),
        "guessed": _("Assumes that an earlier mistake was meant otherwise than written."),
        "aside": _("stands no longer"),
        "standsNoLonger": _("Stands no longer."),
        "asideSince": _("Stands no longer since step {step}."),
        "setAside": _("Steps {first} to {last} stand no longer."),
        "lookInto": _("Look into them"),
        "lateRecord": _("Recorded late: it had happened before."),
        "lateInferred": _("Recorded late, in step {step}."),
        "provisional": _("Provisional: what is still to be written may explain this step otherwise."),
        "pending": _("Pending"),
        "nothing": _("nothing"),
        "copied": _("The link is copied."),
        "notCopied": _("The link could not be copied; it is in the address bar."),
        "play": _("Play"),
        "pause": _("Pause"),
        "speed": _("{n} a second"),
        "goto": _("Go to step {n}"),
        "range": _("There is no step {wanted}; this is step {step}, the nearest."),
        "none": _("There is no other."),
        "beforeAndAfter": _("Before and after"),
        "before": _("Before"),
        "after": _("After"),
        "new": _new_steps(),
        "loading": _("Loading…"),
        "failed": _("This part of the game could not be fetched."),
        "unofficial": _("never ruled officially"),
        "contested": _("contested"),
        "note": _("Note"),
        "card": _("All about this card"),
        "nothingTold": _("Nothing more is told of this card."),
        "all": _("All about this rule"),
    }


def _new_steps() -> dict[str, str]:
    """How many steps are new, for each of the categories of number that our languages have."""
    samples = {"one": 1, "few": 2, "many": 5, "other": 2}
    return {kind: ngettext("{n} new step", "{n} new steps", number) for kind, number in samples.items()}
