"""API operations that tell what many games tell together, to each reader as much as they may know."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from flask.views import MethodView

from replays.season.statistics import DIMENSIONS, Filters, summary_json
from replays.season.tables import COLUMNS, game_row
from web.api.operations import Json, Operation, route
from web.api.schemas import CountAsked, CountedAsked, CountedGames, Counts
from web.games.address import library
from web.season.counted import audience, chosen_facts, counted
from web.site.reader import PUBLIC

ERRORS = (401, 403, 422, 429, 503)


def _filters(asked: Mapping[str, object]) -> Filters:
    return Filters(**{name: str(asked[name]) for name in DIMENSIONS})


@route("/stats")
class StatsView(MethodView):
    """What the games tell together."""

    @Operation(id="countGames", answer=Counts, asked=CountAsked, errors=ERRORS)
    def get(self, asked: Mapping[str, object]) -> Json:
        """Lengths, verdicts, the rules broken most and those no game used; the same by event, player and more."""
        return {**summary_json(counted(_filters(asked))), "is_complete": not library().waiting()}


@route("/stats/games")
class CountedView(MethodView):
    """The games that were counted."""

    @Operation(id="listCountedGames", answer=CountedGames, asked=CountedAsked, errors=ERRORS)
    def get(self, asked: Mapping[str, object]) -> Json:
        """One object for each game, with the columns of the CSV."""
        found, start = chosen_facts(_filters(asked)), cast(int, asked["start"])
        end = start + cast(int, asked["count"])
        some, follows = found[start:end], end if end < len(found) else None
        rows = (game_row(one, told=audience() == PUBLIC) for one in some)
        return {"games": [dict(zip(COLUMNS, row, strict=True)) for row in rows], "next": follows, "total": len(found)}
