"""The page of what the latest editions leave to do: each task with the words it is about, given to people."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import cast

from flask import Blueprint, Flask, Response, abort, current_app, render_template, request, url_for
from flask_babel import gettext as _
from msgspec import Struct

from audit.core.catalogue import LANGUAGES, Catalogue
from audit.core.errors import AuditError
from audit.core.ruleset import ruleset
from audit.core.sentences import sentence
from audit.rulebooks.findings import Finding, label
from audit.rulebooks.links import PROPOSED, alike
from audit.rulebooks.moving import Task, TaskKind
from audit.rulebooks.passages import Passage
from replays.files import Cache
from replays.rulebooks.editions import StoredEdition
from replays.rulebooks.store import RulebookStore
from replays.rulebooks.task_answers import CHOICES, TaskAnswer, answers_of, can_be_taken_back, take_answer_back
from replays.rulebooks.tasks import answer_task, assign_task, tasks, tasks_of
from web.games.address import page_asked, quotes
from web.rulebooks.pages import fresh, seen_next, status_words
from web.rulebooks.qa_kept import findings_of, findings_open
from web.rulebooks.quotes import rulebooks_fingerprint
from web.site.headers import may_read_print
from web.site.labels import chosen
from web.site.write_access import author, known_name, remember_name, writes_freely

task_pages = Blueprint("tasks", __name__, url_prefix="/qa")
SHOWN = 25
"""Tasks on one page."""
LIKELY = 3
"""Rules that are offered for a new passage."""


def add_to(app: Flask) -> None:
    """Serve the page."""
    app.register_blueprint(task_pages)
    app.extensions.setdefault("audit.rulebook_cache", Cache(32))
    app.jinja_env.globals["task_of_passage"] = task_of_passage
    app.jinja_env.globals["tasks_left"] = tasks_left


@task_pages.get("/<name>/tasks")
def page(name: str) -> Response:
    """What is to be done: all of it, in one document, or what one person has."""
    every, person, document = _tasks(name), request.args.get("of", "")[:100], request.args.get("in", "")[:64]
    found = tasks_of(every, person) if person else every
    found = [task for task in found if document in ("", task.document)]
    last = max(1, -(-len(found) // SHOWN))
    number = min(max(1, page_asked(request.args.get("page", "")) if "task" not in request.args else _at(found)), last)
    rows, catalogue = found[(number - 1) * SHOWN : number * SHOWN], ruleset(name).catalogue
    passages = _passages(rows)
    text = render_template(
        "qa_tasks.html", name=name, rows=rows, count=len(found), number=number,
        kept={key: value for key, value in (("of", person), ("in", document)) if value},
        last=last, of=person, within=document, documents=sorted({task.document for task in every if task.document}),
        people=sorted({task.assigned for task in every if task.assigned}), kinds=task_words(), choices=choice_words,
        statuses=status_words(), words=label, readable=may_read_print(), free=writes_freely(),
        passages=passages, done=request.args.get("done", ""), done_words=done_words(), by=known_name(),
        at=request.args.get("at", ""), about=_about(name, every), follows=follows, can_be_taken_back=can_be_taken_back,
        statement=lambda id: catalogue.statement(catalogue[id], chosen()), findings=_findings(name, rows),
        said=lambda id: quotes().of(name, id), lines=_lines(rows),
        texts={one.id: one.text for book in passages.values() for one in book},
        likely=dict(_likely(rows, passages, catalogue)), catalogue_rules=[rule.id for rule in catalogue],
        languages_of={one.document: one.rulebook.language for one in RulebookStore().editions()},
        compared=len(catalogue.documents) > 1, still_open=findings_open(name), answers=_answers(name),
    )  # fmt: skip
    return fresh(text)


class Done(Struct, frozen=True):
    """The task that something was done with: as it is on the list, or as it was answered."""

    task: Task | None
    answer: TaskAnswer | None


def _about(name: str, every: Sequence[Task]) -> Done | None:
    """What the page says that it did, while that can still be told."""
    id = request.args.get("about", "")[:64]
    task, one = next((each for each in every if each.id == id), None), answers_of(name).load().get(id)
    return Done(task, one) if request.args.get("done", "") in done_words() and (task or one) else None


def follows(one: TaskAnswer) -> list[str]:
    """What follows from an answer, each sentence once."""
    return list(dict.fromkeys(said(f"follows.{one.kind}.{each}") for each in one.says.values()))


def _findings(name: str, rows: Sequence[Task]) -> Mapping[str, Finding]:
    """The findings that tasks are about, as far as they are still found."""
    asked = {task.finding for task in rows if task.finding}
    return {one.id: one for one in findings_of(name) if one.id in asked} if asked else {}


def _lines(rows: Sequence[Task]) -> Mapping[str, tuple[int, int]]:
    """Where the passages stand that tasks are about."""
    books = (RulebookStore().show(document).rulebook for document in {task.document for task in rows if task.document})
    return {passage.id: passage.lines for book in books for passage in book.passages}


def _at(found: Sequence[Task]) -> int:
    """The page of the list on which the task stands that was asked for."""
    ids = [task.id for task in found]
    asked = request.args.get("task", "")[:64]
    return ids.index(asked) // SHOWN + 1 if asked in ids else 1


def task_of_passage(name: str, stored: StoredEdition) -> dict[str, str]:
    """The task that asks about each passage of the latest edition of a document; none of another edition."""
    if not name or RulebookStore().show(stored.document).rulebook.edition != stored.rulebook.edition:
        return {}
    return {id: task.id for task in _tasks(name) if task.document == stored.document for id in task.passages}


def tasks_left(name: str) -> int:
    """How many tasks the latest editions of a game's documents leave."""
    return len(_tasks(name)) if name else 0


def _passages(rows: Sequence[Task]) -> Mapping[str, Sequence[Passage]]:
    """The passages of the documents in which a rule has to be found again, or a passage is new."""
    kinds = (TaskKind.RELINK, TaskKind.LINK)
    asked = {task.document for task in rows if task.kind in kinds} if may_read_print() else set()
    return {document: RulebookStore().show(document).rulebook.passages for document in asked}


def _likely(
    rows: Sequence[Task], passages: Mapping[str, Sequence[Passage]], catalogue: Catalogue
) -> Iterator[tuple[str, list[str]]]:
    """The rules that each new passage may say, by common words, the likeliest first."""
    for task in rows:
        if task.kind is not TaskKind.LINK or task.document not in passages:
            continue
        language = RulebookStore().show(task.document).rulebook.language
        text = " ".join(one.text for one in passages[task.document] if one.id in task.passages)
        told = language if language in LANGUAGES else "en"
        scores = [(alike(catalogue.statement(rule, told), text), rule.id) for rule in catalogue]
        yield task.id, [rule for score, rule in sorted(scores, reverse=True)[:LIKELY] if score >= PROPOSED]


def _answers(name: str) -> list[TaskAnswer]:
    """What was answered, the latest first."""
    return sorted(answers_of(name).load().values(), key=lambda one: one.at, reverse=True)[:SHOWN]


@task_pages.post("/<name>/tasks")
def act(name: str) -> Response:
    """Answer a task, or give it to a person; an empty name gives it back."""
    by = author() or request.form.get("by", "")[:100]
    task, catalogue = request.form.get("task", "")[:64], ruleset(name).catalogue
    try:
        if request.form.get("act") == "answer":
            answer_task(name, catalogue, task, _what(), by, _otherwise())
        elif request.form.get("act") == "undo":
            take_answer_back(name, catalogue, task)
        else:
            assign_task(name, catalogue, task, request.form.get("to", "").strip()[:100] or "-", by)
    except AuditError as error:
        abort(400, description=str(error))
    number = page_asked(request.form.get("page", ""))
    done = request.form.get("act", "assign")
    kept = {"of": request.form.get("of"), "in": request.form.get("in"), "page": str(number) if number > 1 else None}
    asked = {key: value for key, value in kept.items() if value} | {"done": done, "about": task}
    at = request.form.get("at", "")[:64]
    return remember_name(seen_next(url_for("tasks.page", name=name, at=at, **asked, _anchor="done")), by)  # type: ignore[arg-type]


def _what() -> str:
    """What a task is answered with: what the button says, or the rule or passage that is named beside it."""
    said = request.form.get("said", "")[:200]
    return request.form.get("named", "").strip()[:200] if said == "named" else said


def _otherwise() -> dict[str, str]:
    """The rules of a task that are answered by themselves."""
    given = zip(request.form.getlist("rule"), request.form.getlist("rule-said"), strict=False)
    return {rule[:200]: said[:64] for rule, said in given if said}


def task_words() -> dict[TaskKind, str]:
    """What is to be done, in words."""
    return {kind: said(f"task.{kind}") for kind in TaskKind}


def done_words() -> dict[str, str]:
    """What was done, said after it."""
    return {
        "answer": _("Your answer is kept, and the task is off the list."), "assign": _("The assignment is kept."),
        "undo": _("The answer is taken back, and the task is on the list again."),
    }  # fmt: skip


def choice_words(kind: TaskKind) -> dict[str, str]:
    """What a task of a kind can be answered with, in words."""
    return {str(one): said(f"answer.{kind}.{one}") for one in CHOICES[kind]}


def said(key: str) -> str:
    """Words of the list, which the terminal has too."""
    return sentence("replays", chosen(), key, {}, "tasks")


def _tasks(name: str) -> Sequence[Task]:
    key = ("tasks", name, rulebooks_fingerprint())
    kept = cast(Cache, current_app.extensions["audit.rulebook_cache"])
    return kept.get(key, lambda: tasks(name, ruleset(name).catalogue))
