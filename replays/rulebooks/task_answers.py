"""Answers to what a new edition leaves to do: whether changed words still say a rule, and what a new passage says."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from enum import StrEnum

from msgspec import field

from audit.core.catalogue import Catalogue
from audit.rulebooks.decisions import Assignment, Decision, DecisionError, DecisionFile, Dismissal
from audit.rulebooks.moving import Task, TaskKind
from replays.rulebooks.editions import ConfirmedLink
from replays.rulebooks.folder import rulebooks_folder
from replays.rulebooks.recutting import take_back
from replays.rulebooks.store import RulebookStore
from replays.rulebooks.translation_qa import TranslationQA, decisions_on, give, set_aside


class Says(StrEnum):
    """What somebody read: it stands as before, it says something else, or it is no longer said."""

    STILL = "still"
    OTHER = "other"
    GONE = "gone"


CHOICES: Mapping[TaskKind, tuple[Says, ...]] = {
    TaskKind.LOOK: (Says.STILL, Says.OTHER, Says.GONE),
    TaskKind.RELINK: (Says.GONE,),
    TaskKind.LINK: (Says.GONE,),
    TaskKind.DISMISSAL: (Says.STILL, Says.GONE),
    TaskKind.UNFOUND: (Says.GONE, Says.STILL),
    TaskKind.ASSIGNMENT: (Says.STILL, Says.GONE),
    TaskKind.RULING: (Says.STILL, Says.OTHER),
    TaskKind.CUT: (Says.GONE,),
    TaskKind.PUBLISHED: (Says.STILL,),
}
"""What each kind of task can be answered with. A passage can be given to `relink`, a rule to `look` and `link`."""


READ = (TaskKind.LOOK, TaskKind.LINK)
"""Tasks about passages that somebody reads."""


class TaskAnswer(Decision, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What was answered of each rule of a task, or of the task as a whole under the empty name, and by whom.

    `settled` are the rulings that need no look any more. `links`, `dismissal` and `assignment` are as they were before.
    """

    document: str
    edition: str
    passages: tuple[str, ...]
    says: dict[str, str]
    by: str
    settled: tuple[str, ...] = ()
    links: dict[str, ConfirmedLink | None] = field(default_factory=dict)
    dismissal: Dismissal | None = None
    assignment: Assignment | None = None


def answers_of(game: str) -> DecisionFile[TaskAnswer]:
    """The answers given in a game, by task."""
    return DecisionFile(rulebooks_folder() / f"{game}.answers.jsonl", TaskAnswer)


def answered_passages(answers: Iterable[TaskAnswer], document: str, edition: str) -> set[str]:
    """The passages of an edition about which a task was answered."""
    return {id for one in answers if (one.document, one.edition) == (document, edition) for id in one.passages}


def no_longer_said(answers: Iterable[TaskAnswer], document: str, edition: str) -> set[str]:
    """The rules of which somebody answered that their passage in an edition does not say them as before."""
    mine = (one for one in answers if (one.document, one.edition) == (document, edition))
    return {rule for one in mine for rule, said in one.says.items() if rule and said != Says.STILL}


def answer(
    game: str, catalogue: Catalogue, task: Task, said: str, by: str, otherwise: Mapping[str, str] = {}
) -> TaskAnswer:  # fmt: skip
    """Answer a task and keep who did; `otherwise` holds the rules of it that are answered in another way.

    `said` is one of `CHOICES`, the rule that the passage says now, or the passage that says the rule. Raises
    `DecisionError` for any other, `UnknownPassageError` for a passage that is not there.
    """
    if not by.strip():
        raise DecisionError("an answer needs the name of who gives it")
    if strange := [rule for rule in otherwise if rule not in task.rules]:
        raise DecisionError(f"{strange[0]} is no rule of task {task.id}")
    says = {rule: otherwise.get(rule, said) for rule in task.rules or ("",)}
    for one in says.values():
        _refuse_unfit(task, one, catalogue)
    edition = RulebookStore().show(task.document).rulebook.edition if task.document else ""
    before = _links_before(task, says, catalogue, edition)
    decided = decisions_on(TranslationQA(game, catalogue), task.finding) if task.finding else (None, None)
    _follow(game, catalogue, task, says, by.strip())
    made = TaskAnswer(
        finding=task.id, rule=next(iter(task.rules), ""), kind=str(task.kind), fingerprints={}, by=by.strip(),
        at=datetime.now(UTC).isoformat(timespec="seconds"), document=task.document, edition=edition,
        passages=task.passages if task.kind in READ else (), says=says,
        links=before, dismissal=decided[0], assignment=decided[1],
    )  # fmt: skip
    answers_of(game).add(made)
    return made


def take_answer_back(game: str, catalogue: Catalogue, task: str) -> TaskAnswer:
    """Take an answer back, with what it changed; raises `DecisionError` where there is none that can be."""
    one = answers_of(game).load().get(task)
    if one is None or not can_be_taken_back(one):
        raise DecisionError(f"the answer to a task {task} cannot be taken back")
    answers_of(game).withdraw(task)
    if one.links:
        RulebookStore().put_links_back(one.document, one.links, one.edition)
    qa = TranslationQA(game, catalogue)
    if one.dismissal:
        qa.dismissals.add(one.dismissal)
    if one.assignment:
        qa.assignments.add(one.assignment)
    return one


def can_be_taken_back(one: TaskAnswer) -> bool:
    """Whether the latest edition is still the one that was answered for; a cut is made again by hand."""
    if one.kind == TaskKind.CUT:
        return False
    history = RulebookStore().history(one.document) if one.document else []
    return not one.document or (bool(history) and history[-1].rulebook.edition == one.edition)


def _links_before(
    task: Task, says: Mapping[str, str], catalogue: Catalogue, edition: str
) -> dict[str, ConfirmedLink | None]:
    """The links that people made, as they are before the answer, of the rules that it is about; None where none was."""
    if task.kind not in (*READ, TaskKind.RELINK):
        return {}
    made = RulebookStore().made_links(task.document, edition)
    named = {*filter(None, says), *(said for said in says.values() if said in catalogue.rules)}
    return {rule: made.get(rule) for rule in sorted(named)}


def _refuse_unfit(task: Task, said: str, catalogue: Catalogue) -> None:
    if said in CHOICES[task.kind] or task.kind is TaskKind.RELINK:
        return
    if task.kind in (TaskKind.LOOK, TaskKind.LINK) and said in catalogue.rules:
        return
    more = {TaskKind.LOOK: " or a rule", TaskKind.LINK: " or a rule", TaskKind.RELINK: " or a passage"}
    raise DecisionError(f"{said}: answer with {', '.join(CHOICES[task.kind])}{more.get(task.kind, '')}")


def _follow(game: str, catalogue: Catalogue, task: Task, says: Mapping[str, str], by: str) -> None:
    """Change what the answer changes: links, a dismissal, an assignment, a cut."""
    match task.kind:
        case TaskKind.LOOK | TaskKind.LINK | TaskKind.RELINK:
            _link(task, says, by)
        case TaskKind.DISMISSAL:
            qa = TranslationQA(game, catalogue)
            before = qa.dismissals.withdraw(task.finding)
            if Says.STILL in says.values():
                set_aside(qa, task.finding, before.reason, by)
        case TaskKind.UNFOUND:
            if Says.GONE in says.values():
                TranslationQA(game, catalogue).dismissals.withdraw(task.finding)
        case TaskKind.ASSIGNMENT:
            qa = TranslationQA(game, catalogue)
            to = qa.assignments.load()[task.finding].to if Says.STILL in says.values() else "-"
            give(qa, task.finding, to, by)
        case TaskKind.CUT:
            stored = RulebookStore().show(task.document)
            there = [number for number, cut in enumerate(stored.cuts, 1) if cut.passage in task.passages]
            for number in reversed(there):
                take_back(RulebookStore(), stored, number)


def _link(task: Task, says: Mapping[str, str], by: str) -> None:
    """The links of the rules, as far as people made them, and of the rules that the passages say now."""
    store = RulebookStore()
    made = store.made_links(task.document, store.show(task.document).rulebook.edition)
    decided: dict[str, tuple[str, ...]] = {}
    for rule, said in says.items():
        if rule:
            decided.update(_of_rule(task, rule, said, made))
        if task.kind is not TaskKind.RELINK and said not in CHOICES[task.kind]:
            decided[said] = _with(made.get(said), task.passages)
    store.answer(task.document, decided, by)


def _of_rule(
    task: Task, rule: str, said: str, made: Mapping[str, ConfirmedLink]
) -> dict[str, tuple[str, ...]]:  # fmt: skip
    """What becomes of the link of a rule; a link by its place in a known edition needs none while it stands."""
    there = made.get(rule)
    if task.kind is TaskKind.RELINK:
        return {rule: () if said == Says.GONE else (said,)}
    if said in (Says.STILL, Says.OTHER):
        return {rule: there.passages} if there else {}
    kept = tuple(id for id in there.passages if id not in task.passages) if there else ()
    return {rule: kept}


def _with(link: ConfirmedLink | None, passages: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys((*(link.passages if link else ()), *passages)))
