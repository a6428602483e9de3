"""The page of what the latest editions leave to do: each task with the words it is about, given to people."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from flask import Blueprint, Flask, Response, abort, current_app, render_template, request, url_for
from flask_babel import gettext as _

from audit.core.errors import AuditError
from audit.core.ruleset import ruleset
from audit.rulebooks.findings import label
from audit.rulebooks.moving import Task, TaskKind
from replays.rulebooks.store import RulebookStore
from replays.rulebooks.tasks import assign_task, tasks, tasks_of
from web.games.address import page_asked
from web.games.library import Cache
from web.rulebooks.pages import fresh, seen_next, status_words
from web.rulebooks.quotes import rulebooks_fingerprint
from web.site.headers import may_read_print
from web.site.write_access import author, writes_freely

task_pages = Blueprint("tasks", __name__, url_prefix="/qa")
SHOWN = 25
"""Tasks on one page."""


def add_to(app: Flask) -> None:
    """Serve the page."""
    app.register_blueprint(task_pages)
    app.extensions.setdefault("audit.rulebook_cache", Cache(32))


@task_pages.get("/<name>/tasks")
def page(name: str) -> Response:
    """What is to be done: all of it, in one document, or what one person has."""
    every, person, document = _tasks(name), request.args.get("of", "")[:100], request.args.get("in", "")[:64]
    found = tasks_of(every, person) if person else every
    found = [task for task in found if document in ("", task.document)]
    last = max(1, -(-len(found) // SHOWN))
    number = min(max(1, page_asked(request.args.get("page", ""))), last)
    text = render_template(
        "qa_tasks.html", name=name, rows=found[(number - 1) * SHOWN : number * SHOWN], count=len(found), number=number,
        kept={key: value for key, value in (("of", person), ("in", document)) if value},
        last=last, of=person, within=document, documents=sorted({task.document for task in every if task.document}),
        people=sorted({task.assigned for task in every if task.assigned}), kinds=task_words(),
        statuses=status_words(), words=label, readable=may_read_print(), free=writes_freely(),
        languages_of={one.document: one.rulebook.language for one in RulebookStore().editions()},
        compared=len(ruleset(name).catalogue.documents) > 1,
    )  # fmt: skip
    return fresh(text)


@task_pages.post("/<name>/tasks")
def assign(name: str) -> Response:
    """Give a task to a person; an empty name gives it back."""
    by = author() or request.form.get("by", "")[:100]
    try:
        to = request.form.get("to", "").strip()[:100] or "-"
        assign_task(name, ruleset(name).catalogue, request.form.get("task", "")[:64], to, by)
    except AuditError as error:
        abort(400, description=str(error))
    number = page_asked(request.form.get("page", ""))
    kept = {"of": request.form.get("of"), "in": request.form.get("in"), "page": str(number) if number > 1 else None}
    return seen_next(url_for("tasks.page", name=name, **{key: value for key, value in kept.items() if value}))  # type: ignore[arg-type]


def task_words() -> dict[TaskKind, str]:
    """What is to be done, in words."""
    return {
        TaskKind.LOOK: _("read again whether it still says the rule"),
        TaskKind.RELINK: _("find the passage of the rule again"),
        TaskKind.LINK: _("say which rules the new passage says"),
        TaskKind.DISMISSAL: _("decide again: what was set aside has changed"),
        TaskKind.ASSIGNMENT: _("assign again: the words have changed"),
        TaskKind.RULING: _("see whether the ruling still fits"),
        TaskKind.CUT: _("cut again: the cut no longer fits"),
        TaskKind.PUBLISHED: _("publish anew: the file quotes old words"),
    }


def _tasks(name: str) -> Sequence[Task]:
    key = ("tasks", name, rulebooks_fingerprint())
    kept = cast(Cache, current_app.extensions["audit.rulebook_cache"])
    return kept.get(key, lambda: tasks(name, ruleset(name).catalogue))
