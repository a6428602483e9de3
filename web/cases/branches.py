"""The branches of a game: where each left it, and two of them side by side."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import cast

from flask import Blueprint, Flask, Response, abort, make_response, render_template, request
from msgspec import Struct

from audit.core.model import Header
from audit.core.ruleset import rulesets
from replays.judging.differences import differences
from replays.log.writer import BRANCH
from web.games.address import library, prepared
from web.games.library import Filters, Glance
from web.games.payload import Prepared
from web.site.labels import chosen
from web.site.reader import reader

branches = Blueprint("branches", __name__)
MAX_PAGES = 4
Json = Mapping[str, object]


class Left(Struct, frozen=True):
    """Where a branch left its game: the name of that game, after which event, and for which case."""

    game: str
    after: int
    case: str = ""


class BranchView(Struct, frozen=True):
    """A branch in the list."""

    glance: Glance
    left: Left


class Beside(Struct, frozen=True):
    """Two games side by side: the last event they share, and what each says after it."""

    shared: int
    one: Sequence[Json]
    other: Sequence[Json]
    ends: object


def add_to(app: Flask) -> None:
    """Serve the page, and tell every page where a branch left its game."""
    app.register_blueprint(branches)
    app.jinja_env.globals["left_game"] = left_game


def left_game(header: Header) -> Left | None:
    """Where this branch left its game; None for a game that is no branch."""
    said = header.meta.get(BRANCH)
    if not isinstance(said, Mapping) or not isinstance(said.get("game"), str):
        return None
    after = said.get("after")
    return Left(said["game"], after if isinstance(after, int) else 0, str(said.get("case") or ""))


@branches.get("/games/<id>/branches")
def of_game(id: str) -> Response:
    """The branches of a game, or of the game that this one left; with `with`, one of them beside it."""
    viewer = "judge" if reader().is_judge and request.args.get("as") != "public" else "public"
    game = prepared(id, viewer, chosen(), "")
    left = left_game(game.replay.header)
    root = left.game if left else game.replay.header.game or id
    family = list(_family(root))
    other = request.args.get("with", "")
    if other and other not in {each.id for each, _left in family}:
        abort(404)
    beside = _beside(game, prepared(other, viewer, chosen(), "")) if other else None
    answer = make_response(
        render_template(
            "branches.html", id=id, game=game, root=root, left=left, other=other, beside=beside, viewer=viewer,
            origin=next((each for each, where in family if where is None), None),
            branches=[BranchView(each, where) for each, where in family if where],
            titles={each.id: each.title for each, _left in family},
        )
    )  # fmt: skip
    answer.headers["Cache-Control"] = "private, no-store"
    return answer


def _family(root: str) -> Iterator[tuple[Glance, Left | None]]:
    """The game of that name and its branches, as far as this reader may list them."""
    for number in range(1, MAX_PAGES + 1):
        page = library().games(root, Filters(), number)
        for glance in page.games:
            left = left_game(glance.header)
            if (left and left.game == root) or (left is None and root in (glance.header.game, glance.id)):
                yield glance, left
        if number >= page.last:
            return


def _beside(one: Prepared, other: Prepared) -> Beside:
    """Two games after the last event that they share."""
    told = [[step for step in game.steps if step.get("seq")] for game in (one, other)]
    pairs = zip(*told, strict=False)
    shared = next((at for at, (a, b) in enumerate(pairs) if a["event"] != b["event"]), min(map(len, told)))
    name = one.replay.ruleset
    ends: object = ()
    if name in rulesets() and name == other.replay.ruleset:
        from audit.core.ruleset import ruleset

        last = {"1": cast(Json, one.steps[-1]["state"]), "2": cast(Json, other.steps[-1]["state"])}
        ends = differences(ruleset(name), last, chosen(), one.players)
    return Beside(shared, told[0][shared:], told[1][shared:], ends)
