"""The page of statistics and its exports; what is counted is kept until a game changes."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Protocol, cast, runtime_checkable

from flask import Blueprint, Flask, Response, abort, current_app, render_template, request
from flask_babel import gettext as _

from audit.core.names import family_names
from audit.core.ruleset import has_cards, ruleset, rulesets
from audit.core.sentences import switch_sentence
from replays.files import Cache
from replays.judging.facts import Facts
from replays.season.statistics import (
    DIMENSIONS,
    Filters,
    ParquetError,
    Statistics,
    bars,
    games_csv,
    games_parquet,
    groups_table,
    statistics,
)
from web.games.address import library
from web.season import plots
from web.site.headers import PICTURE_POLICY, Validator, cached, validator
from web.site.labels import card_name, chosen, is_described, rule_title, ruleset_title, verdict_words
from web.site.reader import PUBLIC, reader

KEY = "audit.statistics"


@runtime_checkable
class Counting(Protocol):
    """A library that keeps what statistics need."""

    def facts(self, audience: str) -> Iterable[Facts]:
        """What is kept of every game; to others than the judges, of those that are public."""


def audience() -> str:
    """For whom the games are counted."""
    return "judge" if reader().is_judge else PUBLIC


def facts() -> tuple[Facts, ...]:
    """What is kept of every game that stands in this reader's list."""
    games, who = library(), audience()
    if not isinstance(games.inner, Counting):
        return ()
    inner = games.inner
    kept = cast(Cache, current_app.extensions[KEY])
    return kept.get((who, games.state()), lambda: tuple(inner.facts(who)))


def counted(filters: Filters) -> Statistics:
    """The games that the filters let through, with as much of them as this reader may know."""
    kept = cast(Cache, current_app.extensions[KEY])
    key = (audience(), library().state(), filters)
    return kept.get(key, lambda: statistics(facts(), filters, told=audience() == PUBLIC))


def chosen_facts(filters: Filters) -> list[Facts]:
    """The games themselves, for an export."""
    return [one for one in facts() if filters.let_through(one)]


stats_pages = Blueprint("stats", __name__, url_prefix="/stats")
MOST = 15
"""At most so many rules and cards in a plot and in its table."""
GROUPS = 100
PARQUET = "application/vnd.apache.parquet"


def add_to(app: Flask) -> None:
    """Serve the statistics."""
    app.register_blueprint(stats_pages)
    app.extensions[KEY] = Cache(16)


def _filters() -> Filters:
    return Filters(**{name: request.args.get(name, "")[:200] for name in DIMENSIONS})


def _by() -> str:
    asked = request.args.get("by", "")
    return asked if asked in DIMENSIONS else "event"


def _valid() -> Validator:
    games = library()
    return validator(lambda: (games.state(),))


@stats_pages.get("")
def page() -> Response:
    """What the games tell together."""
    filters = _filters()
    words = ("stats", audience(), _by(), *(getattr(filters, name) for name in DIMENSIONS))
    return cached(words, lambda: _page(filters), on=_valid())


def _page(filters: Filters) -> str:
    found = counted(filters)
    kept = {name: value for name in DIMENSIONS if (value := getattr(filters, name))}
    return render_template(
        "stats.html", found=found, whole=found.whole, kept=kept, by=_by(), headings=headings(), rulesets=rulesets(),
        choices={name: sorted(counted(Filters()).by[name]) for name in DIMENSIONS},
        lengths=bars(found.lengths), broken=_broken(found), cards=found.cards.most_common(MOST),
        readings=_readings(found), groups=groups_table(found, _by())[:GROUPS], unused=found.unused(),
        verdicts=_verdicts(found), has_plots=plots.can_be_drawn(), plots=plots, most=MOST,
        is_public=audience() == PUBLIC, dimension_title=dimension_title, waiting=library().waiting(),
        otherwise=found.judged_otherwise(), system_of=system_of, card_name=card_name, is_described=is_described,
        logged=sorted({name for (name, card), _count in found.cards.most_common(MOST) if not is_described(name, card)}),
    )  # fmt: skip


def headings() -> dict[str, str]:
    """The headings under which games are set beside each other, in words."""
    return {
        "event": _("Tournament"), "round": _("Round"), "player": _("Player"), "brought": _("Protocol or hero"),
        "language": _("Language"), "edition": _("Edition"), "ruleset": _("Game"),
    }  # fmt: skip


def dimension_title(dimension: str, value: str) -> str:
    """A value by which games are set beside each other, in the reader's language where a game has a name for it."""
    if dimension == "ruleset":
        return ruleset_title(value)
    if dimension != "brought":
        return value
    families = (family_names(ruleset(name).catalogue.package, chosen()) for name in rulesets() if has_cards(name))
    return next((names[value] for names in families if value in names), value)


def _broken(found: Statistics) -> list[tuple[str, str, str, int]]:
    """Game system, rule, its statement and how often it was broken."""
    shown = []
    for rule, count in found.whole.broken.most_common(MOST):
        name = system_of(rule)
        catalogue = ruleset(name).catalogue if name else None
        shown.append((name, rule, catalogue.statement(catalogue[rule], chosen()) if catalogue else "", count))
    return shown


def system_of(rule: str) -> str:
    """The game system that has a rule of that id; empty where none has."""
    return next((name for name in rulesets() if rule in ruleset(name).catalogue.rules), "")


def _readings(found: Statistics) -> list[tuple[str, str, int]]:
    return [
        (switch, switch_sentence(ruleset(name), switch, chosen()), count)
        for (name, switch), count in found.questioned.most_common(MOST)
    ]


def _verdicts(found: Statistics) -> list[tuple[str, int]]:
    return [(verdict_words().get(verdict, verdict), count) for verdict, count in found.whole.verdicts.most_common()]


@stats_pages.get("/<any(lengths, broken, groups):name>.svg")
def plot(name: str) -> Response:
    """One plot; the table beside it says the same."""
    if not plots.can_be_drawn():
        abort(404)
    filters, narrow = _filters(), "narrow" in request.args
    words = ("stats", name, narrow, audience(), _by(), *(getattr(filters, each) for each in DIMENSIONS))
    answer = cached(words, lambda: PLOTS[name](counted(filters), narrow), "image/svg+xml", on=_valid())
    answer.headers["Content-Security-Policy"] = PICTURE_POLICY
    return answer


def _lengths_plot(found: Statistics, narrow: bool) -> bytes:
    values = [(f"{start}–{end}", count) for start, end, count in bars(found.lengths)]
    return plots.columns(values, narrow=narrow)


def _broken_plot(found: Statistics, narrow: bool) -> bytes:
    broken = _broken(found)
    titles = [rule_title(name, rule) if name else rule or "–" for name, rule, _said, _count in broken]
    clear = [
        f"{title} ({rule})" if titles.count(title) > 1 else title
        for title, (_name, rule, _said, _count) in zip(titles, broken, strict=True)
    ]
    counts = [count for *_rule, count in broken]
    return plots.rows([*zip(clear, counts, strict=True)], narrow=narrow)


def _groups_plot(found: Statistics, narrow: bool) -> bytes:
    shown = groups_table(found, _by())[:MOST]
    return plots.rows([(shown_value(str(row[0])), int(row[2] or 0)) for row in shown], _("Findings"), narrow=narrow)


def shown_value(value: str) -> str:
    """A value of a heading as a reader knows it."""
    return ruleset_title(value) if value in rulesets() else value


PLOTS: dict[str, Callable[[Statistics, bool], bytes]] = {
    "lengths": _lengths_plot, "broken": _broken_plot, "groups": _groups_plot,
}  # fmt: skip


@stats_pages.get("/games.csv")
def as_csv() -> Response:
    """The games as a table for a spreadsheet."""
    text = games_csv(chosen_facts(_filters()), told=audience() == PUBLIC)
    return _download(text.encode(), "text/csv; charset=utf-8", "games.csv")


@stats_pages.get("/games.parquet")
def as_parquet() -> Response:
    """The same for a database."""
    try:
        data = games_parquet(chosen_facts(_filters()), told=audience() == PUBLIC)
    except ParquetError:
        abort(404)
    return _download(data, PARQUET, "games.parquet")


def _download(data: bytes, kind: str, name: str) -> Response:
    answer = Response(data, content_type=kind)
    answer.headers["Content-Disposition"] = f"attachment; filename={name}"
    answer.headers["Cache-Control"] = "private, no-store"
    return answer
