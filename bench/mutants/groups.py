"""Which files belong together, and which of the shipped tests look at them, the quick ones first."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from msgspec import Struct

ROOT = Path(__file__).resolve().parents[2]

ENGINE = (
    "tests/judgements/test_judgements.py",
    "tests/test_conformance.py",
    "tests/replays/test_samples.py",
    "tests/replays/test_annotate.py",
    "tests/test_inference.py",
    "tests/test_ruleset_role.py",
    "tests/test_explanation.py",
    "tests/test_scene.py",
    "tests/test_scene_changes.py",
    "tests/test_properties.py",
)
RECORDS = (
    "tests/replays/test_kept_by_hand.py",
    "tests/replays/test_timeline.py",
    "tests/replays/test_records.py",
    "tests/replays/test_typed_setup.py",
    "tests/replays/test_schemas.py",
    "tests/replays/test_position_text.py",
    "tests/test_records_seen.py",
    "tests/test_records.py",
    "tests/test_record_parts.py",
    "tests/test_going_back.py",
    "tests/test_rules_and_words.py",
    "tests/test_words_of_every_game.py",
    "tests/test_conservation.py",
    "tests/test_rule_search.py",
)
NOT_ASKED = ("tests/compile/test_new_protocol.py", "tests/compile/test_known_logs.py")
"""Tests that run in a process of their own, or need what is not in the project."""
IN_PROCESSES = (
    "tests/attacks/test_server_behind_a_web_server.py", "tests/attacks/test_server_deployed.py",
    "tests/replays/test_season_cluster.py", "tests/test_ci_run.py", "tests/test_collecting.py",
    "tests/test_compiled_build.py", "tests/test_mutants.py", "tests/test_new_ruleset.py",
    "tests/web/test_clients.py",
)  # fmt: skip
"""Tests that start servers, installations or test runs: a change in this process does not reach them."""
FOLDERS = ("audit", "replays", "web")
"""The folders whose code is changed."""


OF_A_GAME = re.compile(r"(?:conformance|judgements)\.py.*[-\[](altered|compile|lotr-reveal)(?:-(\w+-\d)\]|-\d\]|\])")
"""The name of a test that runs with each game, or with each of several simulated games."""


class Group(Struct, frozen=True):
    """Files that are changed, and the tests that are asked."""

    name: str
    files: tuple[str, ...]
    tests: tuple[str, ...]
    games: tuple[str, ...] = ()
    """The games whose tests are asked; none means all."""
    without: tuple[str, ...] = ()
    """Files left alone: words, pictures, the catalogue itself, and how games are played at random."""

    def sources(self) -> Iterator[Path]:
        """The files of the group, by their path in the project."""
        without = {path for pattern in self.without for path in ROOT.glob(pattern)}
        for pattern in self.files:
            yield from (path.relative_to(ROOT) for path in sorted(ROOT.glob(pattern)) if path not in without)

    def test_files(self) -> tuple[str, ...]:
        """The tests of the group that are there."""
        return tuple(dict.fromkeys(test for test in self.tests if (ROOT / test).is_file()))

    def asks(self, test: str) -> bool:
        """Whether a test is asked: one of another game cannot notice, and one simulated game is enough."""
        game = OF_A_GAME.search(test)
        return game is None or ((not self.games or game[1] in self.games) and game[2] in (None, "chains-0"))


def _tests_of(game: str, *first: str) -> tuple[str, ...]:
    """The tests of a game, those named coming first."""
    folder = f"tests/{game}"
    found = sorted(path.relative_to(ROOT).as_posix() for path in (ROOT / folder).glob("test_*.py"))
    return tuple(test for test in (*(f"{folder}/{name}.py" for name in first), *found) if test not in NOT_ASKED)


def _but_engine(game: str) -> tuple[str, ...]:
    names = ("rules/*", "scene", "wording", "events", "simulation", "__init__")
    return tuple(f"audit/games/{game}/{name}.py" for name in names)


def _tests_of_the_project() -> tuple[str, ...]:
    """All files of tests but those that drive a browser or a client, which ask another process."""
    found = sorted(path.relative_to(ROOT).as_posix() for path in ROOT.glob("tests/**/test_*.py"))
    return tuple(test for test in found if not test.startswith(("tests/browser/", *NOT_ASKED, *IN_PROCESSES)))


COMPILE = (
    *_tests_of("compile", "test_cases", "test_card_situations"),
    *ENGINE,
    "tests/test_trust.py",
)
TRUST = ("tests/test_trust.py", "tests/test_trust_other_games.py")
ALTERED = (*_tests_of("altered", "test_cases", "test_every_kind"), *ENGINE, *TRUST)
REVEAL = (*_tests_of("lotr_reveal", "test_situations", "test_every_effect"), *ENGINE, *TRUST)

GROUPS = (
    Group(
        "core",
        ("audit/core/*.py",),
        (*COMPILE, *ALTERED, *REVEAL, *RECORDS),
        without=("audit/core/errors.py", "audit/core/cases.py", "audit/core/scene.py", "audit/core/scene_changes.py"),
    ),
    Group(
        "cards",
        ("audit/games/compile/cards/__init__.py",),
        ("tests/compile/test_card_facts.py", *COMPILE),
        ("compile",),
    ),
    Group(
        "rules",
        ("audit/games/compile/*.py", "audit/games/compile/event_rules/*.py", "audit/games/compile/fast_replay/*.py"),
        COMPILE,
        ("compile",),
        without=(
            *_but_engine("compile"),
            "audit/games/compile/declarations.py",
            "audit/games/compile/words.py",
        ),
    ),
    Group(
        "altered",
        ("audit/games/altered/*.py", "audit/games/altered/event_rules/*.py"),
        ALTERED,
        ("altered",),
        without=_but_engine("altered"),
    ),
    Group(
        "reveal",
        ("audit/games/lotr_reveal/*.py", "audit/games/lotr_reveal/event_rules/*.py"),
        REVEAL,
        ("lotr-reveal",),
        without=_but_engine("lotr_reveal"),
    ),
    Group(
        "project",
        tuple(f"{folder}/**/*.py" for folder in FOLDERS),
        _tests_of_the_project(),
        without=("audit/**/simulation*", "audit/**/wording*", "audit/**/words.py"),
    ),
)


def topics(path: Path) -> dict[str, tuple[str, ...]]:
    """The names of the rules by the module of the catalogue that declares them, for the game a file belongs to."""
    folder = ROOT.joinpath(*path.parts[:2], "rules")
    if not folder.is_dir():
        return {}
    return {file.stem: tuple(_declared(file)) for file in sorted(folder.glob("*.py"))}


def _declared(file: Path) -> Iterator[str]:
    for node in ast.parse(file.read_text("utf-8")).body:
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Call):
            yield from (target.id for target in node.targets if isinstance(target, ast.Name) and target.id.isupper())


def module_of(path: Path) -> str:
    """The dotted name a file is imported by."""
    return ".".join(path.with_suffix("").parts).removesuffix(".__init__")
