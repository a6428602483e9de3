"""Going back in a disputed game: the plan that a judge reads aloud, and the branch that is made of it."""

from __future__ import annotations

from collections.abc import Mapping
from io import BytesIO

from flask import Response, render_template, request
from flask_babel import gettext as _
from msgspec.structs import replace

from audit.core.errors import AuditError
from audit.core.model import LOG_VERSION, Header
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
    usual_role,
)
from web.games.address import library, number_in
from web.games.library import KeepsBranches
from web.site.labels import chosen
from web.site.reader import reader
from web.site.write_access import known_name


def make_branch(case: Case, to: object, who: Mapping[str, str], expected: int, by: str) -> Case:
    """The case with a branch of its game, which is stored; raises `CaseError`, `CaseConflictError`."""
    if not case.opened.game_id or not isinstance(to, int) or isinstance(to, bool):
        raise CaseError(case.id, "a branch leaves a game after the event `to`")
    branch = branched(case, library().log(case.opened.game_id), to, who, chosen())
    inner = library().inner
    id = inner.id_of_branch(open_log(BytesIO(branch.log)).header) if isinstance(inner, KeepsBranches) else None
    if id is None or not isinstance(inner, KeepsBranches):
        raise CaseError(case.id, _("The games of this server are only read: it keeps no branch."))
    found = book().add(case.id, replace(branch.event, game_id=id), expected, by)
    inner.keep_branch(id, branch.log, by)
    return found


def can_branch(case: Case) -> bool:
    """Whether a branch of the game of a case can be kept here."""
    inner = library().inner
    header = Header(log=LOG_VERSION, ruleset=case.opened.ruleset, game="branch")
    return isinstance(inner, KeepsBranches) and inner.id_of_branch(header) is not None


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
            role=usual_role(),
            token=reader().token,
            can_branch=can_branch(found),
        )
    )


def _plan(case: Case, to: int) -> tuple[Json, str]:
    try:
        log = open_log(BytesIO(library().log(case.opened.game_id)))
        return PlanWriter(plan(log.header, list(log), to, case.opened.game), chosen()).json(), ""
    except AuditError as problem:
        return {}, str(problem)
