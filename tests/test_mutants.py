"""The changes that `python -m bench.mutants` makes, and a fixed sample of them tried with the shipped tests."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from audit.games.compile.cards import CARDS, PROTOCOLS
from bench.mutants.__main__ import FILE, mutants, sample
from bench.mutants.declared import changed, changes_of, declared
from bench.mutants.edits import edits
from bench.mutants.groups import GROUPS, ROOT
from bench.mutants.processes import noticed_before, remembered

PARTS = GROUPS[:-1]
"""The engine in parts; the last group is the whole project."""
TOPICS = {"play": ("ON_OWN_SIDE", "FACE_DOWN", "FACE_UP")}


def changes(source: str) -> set[str]:
    """What the source may read like after a change, in one line each."""
    return {" ".join(edit.of(source).split()) for edit in edits(source, TOPICS)}


@pytest.mark.every(
    ("source", "wanted"),
    [
        ("a = b == c", "a = (b != c)"),
        ("a = b < c", "a = (b <= c)"),
        ("LIMIT = 10", "LIMIT = 11"),
        ("ASKS = True", "ASKS = False"),
        ("a = b and c", "a = (b or c)"),
        ("a = not b", "a = b"),
        ("a = b if c else d", "a = b if True else d"),
        ("a = [b for b in c if b.up]", "a = [b for b in c if True]"),
        ("def f(a):\n  if a.over: return 2", "def f(a): if False: return 2"),
        ("def f(a):\n  g(a)", "def f(a): pass"),
        ("def f(a):\n  return replace(a, b=c, d=e)", "def f(a): return replace(a, d=e)"),
        ("def f(a) -> Violations:\n  return g(a)", "def f(a) -> Violations: return ()"),
        ("why = rules.play.FACE_UP", "why = rules.play.ON_OWN_SIDE"),
        ("KNOWN = {'fire': a, 'life': b}", "KNOWN = {'life': b}"),
    ],
)
def test_one_thing_is_changed_at_a_time(source: str, wanted: str) -> None:
    assert wanted in changes(source)


@pytest.mark.every(
    "source",
    [
        '"""At most 12 of 3."""',
        "def f(a: Literal[2]) -> tuple[Literal[3], ...]: ...",
        "def f(a):\n  raise SetupError(f'{a + 1} is too many', 3)",
        "why = rules.play.UNHEARD_OF",
    ],
)
def test_words_and_types_are_left_alone(source: str) -> None:
    assert changes(source) == set()


@pytest.mark.prove
def test_every_change_of_a_file_can_still_be_compiled() -> None:
    for mutant in [mutant for mutant in mutants(PARTS[-1]) if mutant.edit][::200]:
        compile(mutant.edit.of((ROOT / mutant.path).read_text("utf-8")), mutant.path, "exec")


def test_a_change_is_named_without_its_line() -> None:
    source = "def f(a):\n    return a == 2\n"
    (before,) = [edit for edit in edits(source) if edit.new == "(a != 2)"]
    (after,) = [edit for edit in edits(f"import x\n\n{source}") if edit.new == "(a != 2)"]
    assert (
        (before.where, before.what, before.in_body)
        == (after.where, after.what, True)
        == ("f", "a == 2 → (a != 2)", True)
    )
    assert before.line != after.line


# What a card declares


def told(card: str) -> set[str]:
    return {what for what, _ in changes_of(CARDS[card])}


@pytest.mark.every(
    ("card", "wanted"),
    [
        ("water-2", "middle 1: count 2 → 1"),
        ("water-2", "middle 1 and 2 swapped"),
        ("water-3", "middle 1: target: values (2,) → nothing"),
        ("fire-2", "middle 2 left out"),
        ("plague-2", "middle 2: count: plus 1 → 0"),
        ("apathy-4", "middle 1: optional True → False"),
        ("spirit-1", "bottom 1 step 1: options 1 step 1: count 1 → 2"),
        ("life-0", "top 1 step 1: condition this_covered → nothing"),
    ],
)
def test_every_field_of_a_card_is_changed(card: str, wanted: str) -> None:
    assert wanted in told(card)


def test_a_changed_card_differs_and_the_others_of_its_protocol_do_not() -> None:
    for one in declared()[::200]:
        protocol = PROTOCOLS[CARDS[one.card].protocol]
        other = changed(protocol, one.card, one.number)
        pairs = zip(protocol.cards, other.cards, strict=True)
        assert [card.id for card, instead in pairs if card != instead] == [one.card]


# The fixed sample


def test_names_are_unlike_and_the_same_seed_draws_the_same_sample() -> None:
    for group in PARTS[1:2]:
        names = [mutant.name for mutant in mutants(group)]
        assert len(set(names)) == len(names) > 100
    two = PARTS[-2:]
    (one,) = sample(PARTS[:1], number=1, seed=3, match="audit/core/conservation.py")
    assert one.path == "audit/core/conservation.py"
    drawn = sample(two, number=20, seed=3)
    assert [mutant.group for mutant in drawn] == [group.name for group in two for _ in range(10)]
    assert drawn == sample(two, number=20, seed=3) != sample(two, number=20, seed=4)


# What tests do without a change


def test_a_file_of_tests_is_not_watched_again_until_something_changes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    test, other, engine = Path("tests/test_one.py"), Path("tests/test_other.py"), Path("audit/engine.py")
    for file in (test, other, engine):
        file.parent.mkdir(exist_ok=True)
        file.write_text("1\n", "utf-8")

    def watched(number: int, *, stale: bool = False) -> int:
        found = remembered([str(test)], 1, lambda file: {"number": number}, tmp_path / "kept", stale=stale)
        return int(next(found)["number"])

    assert [watched(1), watched(2)] == [1, 1]
    other.write_text("2\n", "utf-8")
    assert watched(3) == 1, "another file of tests"
    engine.write_text("2\n", "utf-8")
    assert [watched(4, stale=True), watched(5)] == [1, 5]
    test.write_text("2\n", "utf-8")
    assert watched(6, stale=True) == 6
    test.write_text("3\n", "utf-8")
    assert (
        list(remembered([str(test)], 1, lambda file: {"by": "it does not end"}, tmp_path / "kept", stale=False)) == []
    )
    assert watched(7) == 7, "nothing is kept of it"


def test_what_was_noticed_before_is_not_tried_again(tmp_path: Path) -> None:
    file = tmp_path / "results.jsonl"
    assert noticed_before(file) == noticed_before(None) == {}
    rows = [["core", "one", 3, {"killed": True, "by": "a"}], ["core", "two", 4, {"killed": False, "by": None}]]
    file.write_text("".join(f"{json.dumps(row)}\n" for row in rows), "utf-8")
    assert noticed_before(file) == {"one": {"killed": True, "by": "a"}}


def retried(*options: str) -> list[str]:
    """What is printed of the fixed sample, or of the part asked for, where enough of it is noticed."""
    command = [sys.executable, "-m", "bench.mutants", "--fixed", "--jobs", "2", *options]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=2400)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout.splitlines()


@pytest.mark.prove
def test_a_change_of_the_fixed_sample_is_still_noticed() -> None:
    """One change, tried as all are."""
    lines = retried("--match", "main_1.py water-0")
    assert [line.split()[:3] for line in lines if line.startswith("all ")] == [["all", "1", "1"]]


@pytest.mark.prove
def test_the_changes_of_the_fixed_sample_are_still_noticed() -> None:
    gone = [line for line in retried() if line.startswith("not there any more")]
    assert len(gone) < len(FILE.read_text("utf-8").splitlines()) / 3, (
        "python -m bench.mutants --sample 30 --seed 14 --fix"
    )
