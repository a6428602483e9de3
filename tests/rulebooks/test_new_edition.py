"""A rulebook comes out in a new edition: what is the same keeps its links, the rest asks for a look."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from audit.games.compile.rules import CATALOGUE
from audit.rulebooks.cutting import cut
from audit.rulebooks.decisions import DecisionError
from audit.rulebooks.links import Status, compare_books
from audit.rulebooks.moving import TaskKind
from commands.rulebooks import rulebook
from replays.rulebooks.loading import Loading
from replays.rulebooks.store import RulebookStore
from replays.rulebooks.task_answers import answers_of
from replays.rulebooks.tasks import answer_task, assign_task, task_lines, tasks

FIRST = """\
# Tides

The harbour opens at dawn. Two pilots wait at the pier. Each pilot carries a lantern.

A ship enters with the flood.

The toll is three coins for every mast.

A ship that is late waits outside until the next flood.

Anchors are dropped at night.
"""
DRAW, LIMIT, WIN, LINES, END = (
    "refresh.up-to-five", "cache.five-card-limit", "victory.three-compiled", "field.three-lines", "turn.one-action"
)  # fmt: skip


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AUDIT_DATA_DIR", str(tmp_path))


def load(text: str) -> str:
    return RulebookStore().add_bytes(text.encode(), "tides.md", Loading("tides-en", "en", game="compile")).edition


def linked() -> None:
    ids = [passage.id for passage in RulebookStore().show("tides-en").rulebook.passages]
    for rule, id in zip((DRAW, LIMIT, WIN, LINES, END), ids, strict=True):
        RulebookStore().link("tides-en", rule, [id], "Ada")


def statuses(after: str) -> dict[str, Status]:
    found = compare_books(cut(FIRST, "tides-en", "en"), cut(after, "tides-en", "en"))
    both = [(match.before or match.after, match.status) for match in found]
    return {passage.text[:8]: status for passage, status in both if passage}


SPLIT = FIRST.replace("dawn. Two pilots wait at the pier. Each", "dawn.\n\nTwo pilots wait at the pier. Each")
JOINED = FIRST.replace("flood.\n\nThe toll", "flood. The toll")


def test_a_passage_whose_sentences_stand_in_two_is_split() -> None:
    assert statuses(SPLIT)["The harb"] is Status.SPLIT
    assert Status.NEW not in statuses(SPLIT).values()


def test_two_passages_in_one_are_joined() -> None:
    found = statuses(JOINED)
    assert (found["A ship e"], found["The toll"], found["Anchors "]) == (
        Status.JOINED, Status.JOINED, Status.UNCHANGED
    )  # fmt: skip


def test_links_go_over_to_the_new_edition_and_say_what_to_look_at() -> None:
    load(FIRST)
    linked()
    text = SPLIT.replace("three coins", "four coins").replace("Anchors are dropped at night.\n", "")
    edition = load(text)
    made = RulebookStore().made_links("tides-en", edition)
    assert {rule: (len(link.passages), link.look) for rule, link in made.items()} == {
        DRAW: (2, "split"), LIMIT: (1, ""), WIN: (1, "edited"), LINES: (1, ""), END: (0, "gone")
    }  # fmt: skip
    assert {link.by for link in made.values()} == {"Ada"}
    assert END not in RulebookStore().links("tides-en", edition)


def test_a_link_that_is_confirmed_again_asks_for_nothing_more() -> None:
    load(FIRST)
    linked()
    edition = load(FIRST.replace("three coins", "four coins"))
    RulebookStore().link("tides-en", WIN, RulebookStore().links("tides-en", edition)[WIN], "Ada")
    assert RulebookStore().made_links("tides-en", edition)[WIN].look == ""


def test_that_a_rule_is_not_said_goes_over_too() -> None:
    load(FIRST)
    RulebookStore().answer("tides-en", {DRAW: ()}, "Ada")
    edition = load(FIRST.replace("three coins", "four coins"))
    assert RulebookStore().links("tides-en", edition) == {DRAW: ()}


def test_what_a_new_edition_leaves_to_do_is_listed_word_by_word() -> None:
    load(FIRST)
    linked()
    load(FIRST.replace("three coins", "four coins").replace("Anchors are dropped at night.", "Gulls may be fed."))
    found = tasks("compile", CATALOGUE)
    look = next(task for task in found if task.kind is TaskKind.LOOK)
    assert (look.rules, ("gone", "three") in look.change, ("new", "four") in look.change) == ((WIN,), True, True)
    assert [task.kind for task in found].count(TaskKind.LINK) == 1
    assert any(task.kind is TaskKind.RELINK and task.rules == (END,) for task in found)
    assert "[-three-] {+four+}" in "\n".join(task_lines(found, "compile", CATALOGUE))


def test_a_published_file_that_quotes_changed_words_is_stale(tmp_path: Path) -> None:
    load(FIRST)
    linked()
    load(FIRST.replace("three coins", "four coins"))
    page, other = tmp_path / "game.html", tmp_path / "other.html"
    page.write_text("<p>The toll is three coins for every&#32;mast.</p>", "utf-8")
    other.write_text("<p>Anchors are dropped at night.</p>", "utf-8")
    stale = [task.why for task in tasks("compile", CATALOGUE, [page, other]) if task.kind is TaskKind.PUBLISHED]
    assert stale == ["game.html"]


def test_a_ruling_on_a_rule_whose_words_changed_is_listed() -> None:
    ruling = next(entry for entry in CATALOGUE.rulings.values() if entry.bears_on)
    load(FIRST)
    RulebookStore().link("tides-en", ruling.bears_on[0], ["tides/3"], "Ada")
    load(FIRST.replace("three coins", "four coins"))
    assert ruling.id in {task.why for task in tasks("compile", CATALOGUE) if task.kind is TaskKind.RULING}


def test_without_a_new_edition_nothing_is_to_be_done() -> None:
    load(FIRST)
    linked()
    assert tasks("compile", CATALOGUE) == []


def told(*words: str) -> str:
    return CliRunner().invoke(rulebook, ["tasks", *words]).output


def test_what_is_gone_and_what_is_new_is_given_to_people() -> None:
    load(FIRST)
    linked()
    load(FIRST.replace("Anchors are dropped at night.", "Gulls may be fed."))
    gone = next(task for task in tasks("compile", CATALOGUE) if task.kind is TaskKind.RELINK)
    new = next(task for task in tasks("compile", CATALOGUE) if task.kind is TaskKind.LINK)
    assert told("--assign", gone.id, "--to", "Bruno", "--by", "Ada") == f"{gone.id}: given to Bruno by Ada\n"
    assert told("--assign", new.id, "--to", "Celina", "--by", "Ada") == f"{new.id}: given to Celina by Ada\n"
    assert "assigned to Bruno" in told()
    assert [line.split()[0] for line in told("--of", "celina").splitlines()] == [new.id, "new", "assigned", "audit"]
    assert gone.id not in told("--of", "-")
    assert told("--assign", gone.id, "--to", "-") == f"{gone.id}: nobody has it\n"
    assert "Bruno" not in told()


def test_a_task_keeps_its_person_while_its_words_stand_and_loses_them_when_they_change() -> None:
    load(FIRST)
    linked()
    load(FIRST.replace("three coins", "four coins").replace("at night", "at noon"))
    toll, anchors = (task.id for task in tasks("compile", CATALOGUE) if task.kind is TaskKind.LOOK)
    for task in (toll, anchors):
        assign_task("compile", CATALOGUE, task, "Bruno", "Ada")
    RulebookStore().remove("tides-en", RulebookStore().show("tides-en").rulebook.edition)
    load(FIRST.replace("three coins", "five coins").replace("at night", "at noon"))
    kept = {task.change: task.assigned for task in tasks("compile", CATALOGUE) if task.kind is TaskKind.LOOK}
    assert {("new", "five") in change: person for change, person in kept.items()} == {True: "", False: "Bruno"}


def test_a_task_that_is_not_there_and_a_person_without_a_name_are_refused() -> None:
    load(FIRST)
    linked()
    load(FIRST.replace("three coins", "four coins"))
    with pytest.raises(DecisionError, match="no task nothing"):
        assign_task("compile", CATALOGUE, "nothing", "Bruno", "Ada")
    with pytest.raises(DecisionError, match="needs the name"):
        assign_task("compile", CATALOGUE, tasks("compile", CATALOGUE)[0].id, "", "Ada")


def test_programs_learn_the_id_of_a_task_and_who_has_it() -> None:
    load(FIRST)
    linked()
    load(FIRST.replace("three coins", "four coins"))
    (task, *_) = tasks("compile", CATALOGUE)
    assign_task("compile", CATALOGUE, task.id, "Bruno", "Ada")
    assert {"id": task.id, "assigned": "Bruno"}.items() <= json.loads(told("--json").splitlines()[0]).items()


def looks() -> dict[str, TaskKind]:
    """What is to be read again, by the rule that it is about."""
    asked = (TaskKind.LOOK, TaskKind.RELINK, TaskKind.LINK)
    return {rule: task.kind for task in tasks("compile", CATALOGUE) if task.kind in asked for rule in task.rules}


FOUR = FIRST.replace("three coins", "four coins")


class TestWhatNobodyAnswered:
    """The next edition comes out before anybody has looked at what the last one changed."""

    def test_it_is_still_to_be_done(self) -> None:
        load(FIRST)
        linked()
        load(FOUR)
        load(FOUR.replace("at night", "at noon"))
        assert looks() == {WIN: TaskKind.LOOK, END: TaskKind.LOOK}

    def test_it_is_told_against_the_words_that_were_read_last(self) -> None:
        load(FIRST)
        linked()
        load(FOUR)
        load(FOUR.replace("every mast", "every sail"))
        (task,) = tasks("compile", CATALOGUE)
        assert {("gone", "three"), ("new", "four"), ("gone", "mast."), ("new", "sail.")} <= set(task.change)

    def test_what_was_answered_meanwhile_is_done(self) -> None:
        load(FIRST)
        linked()
        load(FOUR)
        RulebookStore().link("tides-en", WIN, ["tides/3"], "Ada")
        assert looks() == {}
        load(FOUR.replace("at night", "at noon"))
        assert looks() == {END: TaskKind.LOOK}

    def test_words_that_came_back_ask_for_nothing(self) -> None:
        load(FIRST)
        linked()
        load(FOUR)
        load(FIRST + "\nGulls may be fed.\n")
        assert [task.kind for task in tasks("compile", CATALOGUE)] == [TaskKind.LINK]

    def test_a_new_passage_waits_until_it_is_linked(self) -> None:
        load(FIRST)
        linked()
        load(FIRST + "\nGulls may be fed.\n")
        load(FOUR + "\nGulls may be fed.\n")
        assert {task.kind for task in tasks("compile", CATALOGUE)} == {TaskKind.LINK, TaskKind.LOOK}
        RulebookStore().link("tides-en", "cards.two-faces", ["tides/6"], "Ada")
        assert looks() == {WIN: TaskKind.LOOK}

    def test_a_passage_that_was_split_and_then_moved_is_one_task(self) -> None:
        load(FIRST)
        linked()
        load(SPLIT)
        load(SPLIT.replace("Anchors are dropped at night.\n", ""))
        assert looks() == {DRAW: TaskKind.LOOK, END: TaskKind.RELINK}

    def test_a_passage_that_is_gone_stays_on_the_list(self) -> None:
        load(FIRST)
        linked()
        shorter = FIRST.replace("Anchors are dropped at night.\n", "")
        load(shorter)
        load(shorter.replace("three coins", "four coins"))
        assert looks() == {WIN: TaskKind.LOOK, END: TaskKind.RELINK}


def the(kind: TaskKind) -> str:
    """The id of the first task of a kind."""
    return next(task.id for task in tasks("compile", CATALOGUE) if task.kind is kind)


def made() -> dict[str, tuple[str, ...]]:
    return dict(RulebookStore().links("tides-en", RulebookStore().show("tides-en").rulebook.edition))


class TestAnAnswer:
    """Each kind of task is answered where it stands, and is off the list then."""

    def test_the_words_still_say_the_rule(self) -> None:
        load(FIRST)
        linked()
        load(FOUR)
        assert told("--answer", the(TaskKind.LOOK), "still", "--by", "Ada").endswith(f"{WIN} still\n")
        assert (looks(), made()[WIN]) == ({}, ("tides-en/tides/3",))
        load(FOUR.replace("at night", "at noon"))
        assert looks() == {END: TaskKind.LOOK}

    def test_the_words_no_longer_say_it(self) -> None:
        load(FIRST)
        linked()
        load(FOUR)
        told("--answer", the(TaskKind.LOOK), "gone", "--by", "Ada")
        assert (looks(), made()[WIN]) == ({}, ())

    def test_the_words_say_another_rule(self) -> None:
        load(FIRST)
        linked()
        load(FOUR)
        told("--answer", the(TaskKind.LOOK), "compile.mandatory", "--by", "Ada")
        assert (looks(), made()[WIN], made()["compile.mandatory"]) == ({}, (), ("tides-en/tides/3",))

    def test_one_rule_of_several_is_answered_otherwise(self) -> None:
        load(FIRST)
        for rule in (WIN, LINES):
            RulebookStore().link("tides-en", rule, ["tides/3"], "Ada")
        load(FOUR)
        told("--answer", the(TaskKind.LOOK), "still", "--except", LINES, "gone", "--by", "Ada")
        assert (looks(), made()[WIN], made()[LINES]) == ({}, ("tides-en/tides/3",), ())

    def test_a_new_passage_says_no_rule_and_is_not_asked_about_in_the_next_edition(self) -> None:
        load(FIRST)
        linked()
        load(FIRST + "\nGulls may be fed.\n")
        told("--answer", the(TaskKind.LINK), "gone", "--by", "Ada")
        load(FOUR + "\nGulls may be fed.\n")
        assert looks() == {WIN: TaskKind.LOOK}

    def test_a_lost_rule_is_found_in_another_passage_or_no_longer_said(self) -> None:
        shorter = FIRST.replace("Anchors are dropped at night.\n", "")
        for said, there in (("tides/4", ("tides-en/tides/4",)), ("gone", ())):
            load(FIRST)
            linked()
            load(shorter)
            told("--answer", the(TaskKind.RELINK), said, "--by", "Ada")
            assert (looks(), made()[END]) == ({}, there)
            RulebookStore().remove("tides-en")
            answers_of("compile").path.unlink()

    def test_a_ruling_on_words_that_say_something_else_waits_for_an_answer_of_its_own(self) -> None:
        ruling = next(entry for entry in CATALOGUE.rulings.values() if entry.bears_on)
        load(FIRST)
        RulebookStore().link("tides-en", ruling.bears_on[0], ["tides/3"], "Ada")
        load(FOUR)
        told("--answer", the(TaskKind.LOOK), "other", "--by", "Ada")
        left = [task.id for task in tasks("compile", CATALOGUE)]
        for id in left:
            told("--answer", id, "still", "--by", "Ada")
        assert left
        assert told() == "nothing is to be done\n"

    def test_an_answer_that_does_not_fit_changes_nothing(self) -> None:
        load(FIRST)
        linked()
        load(FOUR)
        for said, by in (("perhaps", "Ada"), ("still", " ")):
            with pytest.raises(DecisionError):
                answer_task("compile", CATALOGUE, the(TaskKind.LOOK), said, by)
        assert looks() == {WIN: TaskKind.LOOK}
