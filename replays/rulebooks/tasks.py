"""What a new edition leaves to do: links to look at, new passages, and what hangs on words that have changed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from html import unescape
from itertools import pairwise
from pathlib import Path

import msgspec
from msgspec.structs import replace

from audit.core.catalogue import Catalogue
from audit.core.sentences import sentence
from audit.rulebooks.decisions import Assignment, Decision, DecisionError, DecisionFile, given
from audit.rulebooks.known import Edition, known_edition
from audit.rulebooks.links import Matched, Status, compare, compare_books
from audit.rulebooks.moving import KEPT, Task, TaskKind, carried, edition_tasks
from audit.rulebooks.passages import words
from audit.rulebooks.titles import ruling_words
from replays.files import read_whole
from replays.rulebooks.editions import ConfirmedLink, StoredEdition
from replays.rulebooks.folder import rulebooks_folder
from replays.rulebooks.store import RulebookStore
from replays.rulebooks.task_answers import CHOICES, TaskAnswer, answer, answered_passages, answers_of, no_longer_said
from replays.rulebooks.translation_qa import TranslationQA

SHORTEST = 5
"""Words of a passage that can be told from others in a published file."""


def tasks(game: str, catalogue: Catalogue, published: Iterable[Path] = ()) -> list[Task]:
    """Everything that the latest editions of a game's documents leave to do; `published` are files given away.

    Each task names the person it was given to. It is another task once its words have changed, and nobody has it.
    What was answered is left out.
    """
    rulebook_store = RulebookStore()
    answers = answers_of(game).load()
    found: list[Task] = []
    editions = latest(rulebook_store, game, catalogue)
    for stored in editions:
        found += _of_document(rulebook_store, stored, catalogue, [*answers.values()])
    changed = _no_longer_said(editions, answers.values())
    changed |= {rule for task in found if task.kind in (TaskKind.LOOK, TaskKind.RELINK) for rule in task.rules}
    found += _rulings(catalogue, changed)
    found += _decisions(game, catalogue)
    for path in published:
        found += _published(path, rulebook_store, editions)
    people = _assignments(game).load()
    return [
        replace(task, assigned=people[task.id].to) if task.id in people else task
        for task in found
        if task.id not in answers
    ]


def assign_task(
    game: str, catalogue: Catalogue, task: str, to: str, by: str, published: Iterable[Path] = ()
) -> None:  # fmt: skip
    """Give a task to a person, or with `-` to nobody; raises `DecisionError` where there is none of that id."""
    if to.strip() == "-":
        _assignments(game).withdraw(task)
        return
    one = _task(tasks(game, catalogue, published), task)
    _assignments(game).add(given(one.id, next(iter(one.rules), ""), str(one.kind), to, by))


def answer_task(
    game: str, catalogue: Catalogue, task: str, said: str, by: str, otherwise: Mapping[str, str] = {},
    published: Iterable[Path] = (),
) -> TaskAnswer:  # fmt: skip
    """Answer a task, as `task_answers.answer` says; raises `DecisionError` where there is none of that id.

    A ruling needs no look of its own once all the rules it bears on are said as before: that is kept with the answer.
    """
    listed = tasks(game, catalogue, published)
    one = _task(listed, task)
    made = answer(game, catalogue, one, said, by, otherwise)
    asking = (each for each in listed if each.kind in (TaskKind.LOOK, TaskKind.RELINK) and each != one)
    open_still = {rule for each in asking for rule in each.rules}
    open_still |= _no_longer_said(latest(RulebookStore(), game, catalogue), answers_of(game).load().values())
    rulings = (each for each in listed if each.kind is TaskKind.RULING and each != one)
    settled = tuple(each.why for each in rulings if open_still.isdisjoint(each.rules))
    made = replace(made, settled=settled)
    answers_of(game).add(made)
    return made


def _no_longer_said(editions: Iterable[StoredEdition], answers: Iterable[TaskAnswer]) -> set[str]:
    """The rules of which somebody answered that the latest editions do not say them as before."""
    given_, found = [*answers], set[str]()
    for stored in editions:
        found |= no_longer_said(given_, stored.document, stored.rulebook.edition)
    return found


def _task(listed: Iterable[Task], id: str) -> Task:
    one = next((one for one in listed if one.id == id), None)
    if one is None:
        raise DecisionError(f"there is no task {id}")
    return one


def tasks_of(found: Iterable[Task], person: str) -> list[Task]:
    """The tasks of one person; of `-` those of nobody."""
    name = "" if person == "-" else person.strip().casefold()
    return [task for task in found if task.assigned.casefold() == name]


def _assignments(game: str) -> DecisionFile[Assignment]:
    return DecisionFile(rulebooks_folder() / f"{game}.tasks.jsonl", Assignment)


def latest(rulebook_store: RulebookStore, game: str, catalogue: Catalogue) -> list[StoredEdition]:
    """The edition loaded last of each document of a game."""
    names = set(catalogue.documents.values())
    by_time = sorted(rulebook_store.editions(), key=lambda stored: stored.added)
    there = {one.rulebook.known_as: one for one in by_time}
    return [one for name, one in there.items() if name in names or one.rulebook.game == game]


def _of_document(
    rulebook_store: RulebookStore, stored: StoredEdition, catalogue: Catalogue, answers: Sequence[TaskAnswer]
) -> list[Task]:
    """What the editions of a document leave to do in the latest one, as far as nobody has answered it."""
    book = stored.rulebook
    same = [one for one in rulebook_store.editions() if one.rulebook.known_as == book.known_as]
    editions = sorted((one for one in same if one.added <= stored.added), key=lambda one: one.added)
    known = known_edition(book.known_as)
    matches = _since_they_were_read(rulebook_store, editions, known, answers)
    texts = {passage.fingerprint: passage.text for one in editions[:-1] for passage in one.rulebook.passages}
    made = rulebook_store.made_links(stored.document, book.edition)
    rules = _by_place(catalogue, matches, book.language) if known else {}
    listed = list(edition_tasks(book.document, matches, {**rules, **_linked(rulebook_store, editions, made)}, texts))
    named = {rule for task in listed if task.kind is TaskKind.RELINK for rule in task.rules}
    lost = (
        Task(TaskKind.RELINK, book.document, (rule,), (), str(Status.GONE))
        for rule, link in made.items()
        if link.look and not link.passages and rule not in named
    )
    cuts = (
        Task(TaskKind.CUT, book.document, (), (cut.passage,), f"{cut.kind}: {why.said}") for cut, why in stored.misfits
    )
    return [*listed, *lost, *cuts]


def _since_they_were_read(
    rulebook_store: RulebookStore,
    editions: Sequence[StoredEdition],
    known: Edition | None,
    answers: Sequence[TaskAnswer],
) -> Sequence[Matched]:  # fmt: skip
    """What became of the passages up to the latest edition, each since the words that somebody last answered for."""
    first = editions[0].rulebook
    found: Sequence[Matched] = compare(known, first) if known and known.edition != first.edition else ()
    for before, after in pairwise(editions):
        answered = _answered(rulebook_store, before, answers)
        waiting = [match for match in found if not any(passage.id in answered for passage in match.all_after)]
        found = carried(waiting, compare_books(before.rulebook, after.rulebook))
    answered = _answered(rulebook_store, editions[-1], answers)
    return [match for match in found if not any(passage.id in answered for passage in match.all_after)]


def _answered(rulebook_store: RulebookStore, stored: StoredEdition, answers: Iterable[TaskAnswer]) -> set[str]:
    """The passages of an edition that a person linked to a rule as they stand there, or answered a task about."""
    made = rulebook_store.made_links(stored.document, stored.rulebook.edition).values()
    linked = {id for link in made if not link.look for id in link.passages}
    waiting = {id for link in made if link.look for id in link.passages}
    return linked - waiting | answered_passages(answers, stored.document, stored.rulebook.edition)


def _linked(
    rulebook_store: RulebookStore, editions: Sequence[StoredEdition], made: Mapping[str, ConfirmedLink]
) -> Mapping[str, list[str]]:
    """The rules that people linked to passages, by their words; of earlier editions those that wait for a new link."""
    found: dict[str, list[str]] = {}
    for stored in editions:
        prints = {passage.id: passage.fingerprint for passage in stored.rulebook.passages}
        for rule, link in rulebook_store.made_links(stored.document, stored.rulebook.edition).items():
            if stored is editions[-1] or rule not in made or made[rule].look:
                for id in link.passages:
                    found.setdefault(prints.get(id, ""), []).append(rule)
    return found


def _by_place(catalogue: Catalogue, matches: Sequence[Matched], language: str) -> Mapping[str, list[str]]:
    """The rules of the passages of the known edition that have changed, by their words."""
    found: dict[str, list[str]] = {}
    changed = [match.before for match in matches if match.before and match.status not in KEPT]
    for rule in catalogue:
        place = rule.places.get(language)
        spans = (place.lines, *place.also_at) if place else ()
        for mark in changed:
            if any(mark.overlaps(*span) for span in spans):
                found.setdefault(mark.fingerprint, []).append(rule.id)
    return found


def _rulings(catalogue: Catalogue, changed: set[str]) -> Iterator[Task]:
    for entry in catalogue.rulings.values():
        if hit := tuple(rule for rule in entry.bears_on if rule in changed):
            yield Task(TaskKind.RULING, "", hit, (), entry.id)


def _decisions(game: str, catalogue: Catalogue) -> Iterator[Task]:
    qa = TranslationQA(game, catalogue)
    if not qa.is_translated or len(qa.books) < 2 or not (qa.dismissals.load() or qa.assignments.load()):
        return
    found = qa.triage()
    for lapsed in found.lapsed:
        kind = TaskKind.UNFOUND if lapsed in found.unfound else TaskKind.DISMISSAL
        yield _decided(kind, lapsed, f"{lapsed.reason} ({lapsed.author})")
    for lost in found.unassigned:
        yield _decided(TaskKind.ASSIGNMENT, lost, f"{lost.to} ({lost.by})")


def _decided(kind: TaskKind, decision: Decision, why: str) -> Task:
    """The task to decide again; it is another one for each time the words change."""
    words = tuple(sorted(decision.fingerprints.values()))
    return Task(kind, "", (decision.rule,), (), why, words=(*words, decision.at), finding=decision.finding)


def _published(path: Path, rulebook_store: RulebookStore, current: Sequence[StoredEdition]) -> Iterator[Task]:
    """The passages of earlier editions that a published file quotes and the latest edition does not have."""
    text = " ".join(words(unescape(read_whole(path).decode("utf-8", "replace"))))
    for stored in current:
        now = {passage.fingerprint for passage in stored.rulebook.passages}
        for older in rulebook_store.editions():
            if older.rulebook.known_as != stored.rulebook.known_as or older.added >= stored.added:
                continue
            for passage in older.rulebook.passages:
                said = words(passage.text)
                if len(said) >= SHORTEST and passage.fingerprint not in now and " ".join(said) in text:
                    yield Task(TaskKind.PUBLISHED, stored.document, (), (passage.id,), path.name)


MORE: Mapping[TaskKind, tuple[str, ...]] = {
    TaskKind.LOOK: ("RULE",), TaskKind.LINK: ("RULE",), TaskKind.RELINK: ("PASSAGE",),
}  # fmt: skip
"""What else a task is answered with, beside its choices."""


def task_lines(found: Sequence[Task], game: str, catalogue: Catalogue, language: str = "en") -> Iterator[str]:
    """For a terminal: a line for each task, its id first; below it the change, who has it and how it is answered."""
    for task in found:
        titled = [f"{catalogue.title(catalogue[rule], language)} ({rule})" for rule in task.rules]
        where = " ".join(filter(None, (task.document, *task.passages)))
        yield "  ".join(filter(None, (task.id, _said(f"task.{task.kind}", language), "; ".join(titled))))
        why = _said(f"why.{task.why}", language)
        yield " " * 14 + f"{task.why if why.startswith('why.') else why}  {where}".rstrip()
        if task.kind is TaskKind.RULING:
            yield " " * 14 + ruling_words(task.why, language)
        if task.change:
            marks = {"gone": "[-{}-]", "new": "{{+{}+}}", "same": "{}"}
            yield " " * 14 + " ".join(marks[kind].format(said) for kind, said in task.change)
        if task.assigned:
            yield " " * 14 + _said("assigned", language, person=task.assigned)
        named = "" if game == "compile" else f" --game {game}"
        first, more = CHOICES[task.kind][0], [*CHOICES[task.kind][1:], *MORE.get(task.kind, ())]
        also = f"  ({', '.join(more)})" if more else ""
        yield " " * 14 + f"audit rulebook tasks{named} --answer {task.id} {first} --by {_said('name', language)}{also}"
    if not found:
        yield _said("none", language)


def _said(key: str, language: str, **data: str) -> str:
    return sentence("replays", language, key, data, "tasks")


def task_json(task: Task) -> dict[str, object]:
    """A task for programs."""
    return {"id": task.id, **msgspec.to_builtins(task)}
