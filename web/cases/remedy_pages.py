"""Going back in a disputed game: the plan that a judge reads aloud, and the branch that is made of it."""

from __future__ import annotations

from collections.abc import Mapping
from io import BytesIO

from flask import Response, render_template, request
from flask_babel import gettext as _

from audit.core.errors import AuditError
from replays.cases.case import Case, CaseError
from replays.cases.writing import (
    branched,
)
from replays.judging.sentences import Json
from replays.log.reader import open_log
from replays.table.backing_up import PlanWriter, plan
from web.cases.downloads import fresh
from web.cases.shelf import (
    book,
    cases,
    for_judges,
)
from web.games.address import library, number_in
from web.games.store_library import StoreLibrary
from web.site.labels import chosen
from web.site.reader import reader
from web.site.write_access import known_name


def make_branch(case: Case, to: object, who: Mapping[str, str], expected: int, by: str) -> Case:
    """The case with a branch of its game, which is stored; raises `CaseError`, `CaseConflictError`."""
    inner = library().inner
    if not isinstance(inner, StoreLibrary):
        raise CaseError(case.id, _("A branch is a new game, and these games cannot be added to; serve the store."))
    if not case.opened.game_id or not isinstance(to, int) or isinstance(to, bool):
        raise CaseError(case.id, "a branch leaves a game after the event `to`")
    branch = branched(case, library().log(case.opened.game_id), to, who, chosen())
    found = book().add(case.id, branch.event, expected, by)
    inner.store.import_log(BytesIO(branch.log), by=by)
    inner.store.follow()
    return found


@cases.get("/cases/<case>/remedy")
def remedy(case: str) -> Response:
    """The plan for going back, for a judge who reads it aloud; then the branch is one tap away."""
    found = for_judges(case)
    to = number_in(request.args.get("to", ""), otherwise=max(0, (found.opened.seq or 1) - 1))
    said, problem = _plan(found, to)
    return fresh(
        render_template(
            "case_remedy.html",
            case=found,
            plan=said,
            problem=problem,
            to=to,
            name=known_name(),
            token=reader().token,
            can_branch=isinstance(library().inner, StoreLibrary),
        )
    )


def _plan(case: Case, to: int) -> tuple[Json, str]:
    try:
        log = open_log(BytesIO(library().log(case.opened.game_id)))
        return PlanWriter(plan(log.header, list(log), to, case.opened.game), chosen()).json(), ""
    except AuditError as problem:
        return {}, str(problem)
