"""A protocol is added to a copy of the project, as CONTRIBUTING tells; then once more without its words."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import ROOT

pytestmark = pytest.mark.prove
CODE = ("audit", "commands", "replays", "web", "cli.py")
WEB = ("web/__init__.py", "web/colours.py", "web/test_tints.py")
TESTS = ("__init__.py", "conftest.py", "scenario.py", "yaml_files.py", "compile", *WEB)
LANGUAGES = {
    "en": ("Sand", "Do it."),
    "fr": ("Sable", "Faites-le."),
    "it": ("Sabbia", "Fallo."),
    "pl": ("Piasek", "Zrób to."),
}

DECLARATION = '''"""The cards of Sand."""

from audit.games.compile.words import another, at_end, at_start, card, delete, discard, draw, flip, protocol, shift
from audit.games.compile.words import uncovered

SAND = protocol(
    "sand",
    "desert",
    card(0, middle=[draw(2), discard(1)]),
    card(1, middle=[flip(another())], bottom=[at_end(draw(1))]),
    card(2, middle=[delete(uncovered(face="down"))]),
    card(3, middle=[shift(uncovered(owner="opponent"))]),
    card(4, bottom=[at_start(discard(1, optional=True), flip(uncovered(), if_did="previous"))]),
    card(5, middle=[discard(1)]),
)
'''

FACTS = """
sand:
  set: desert
  0:
    middle:
      - {do: draw, count: 2}
      - {do: discard}
  1:
    middle:
      - {do: flip, target: {other: true}}
    bottom:
      - when: end
        then:
          - {do: draw}
  2:
    middle:
      - {do: delete, target: {face: down}}
  3:
    middle:
      - {do: shift, target: {owner: opponent}, to: another_line}
  4:
    bottom:
      - when: start
        then:
          - {do: discard, may: true}
          - {do: flip, if_did: previous, target: {}}
  5:
    middle:
      - {do: discard}
"""

LOG = (
    {
        "log": "audit/1", "ruleset": "compile", "game": "beach", "players": [{"seat": "A"}, {"seat": "B"}], "setup": {
            "position": {"player": "A", "phase": "action", "turn": 5, "sides": {
                "A": {"protocols": ["sand", "fire", "life"], "hand": ["sand-0", "fire-3"], "deck": ["sand-1", "sand-2"],
                      "lines": [["sand-4"], [], []]},
                "B": {"protocols": ["death", "metal", "speed"], "hand": ["speed-1"], "deck": ["speed-2"]},
            }}
        }
    },
    {"seq": 1, "type": "played", "player": "A", "card": "sand-0", "line": 1, "face": "up"},
    {"seq": 2, "type": "drew", "player": "A", "cards": ["sand-1", "sand-2"]},
    {"seq": 3, "type": "discarded", "player": "A", "cards": ["sand-1", "sand-2"]},
)  # fmt: skip

COMMANDS = """
import sys, traceback
from click.testing import CliRunner
from audit.core.errors import AuditError
from cli import audit
for language in ("en", "pl"):
    for arguments in (
        ["replay", "game.jsonl"], ["check", "game.jsonl"], ["check", "game.jsonl", "--json"], ["options", "game.jsonl"],
        ["why", "game.jsonl", "--at", "3"], ["rules"], ["publish", "game.jsonl", "-o", "game.html"],
        ["publish", "game.jsonl", "-o", "game.md"], ["publish", "game.jsonl", "-o", "game.svg"],
    ):
        result = CliRunner().invoke(audit, [*arguments, "--lang", language])
        if result.exception and not isinstance(result.exception, (SystemExit, AuditError)):
            traceback.print_exception(result.exception)
        print(result.exit_code, *arguments)
"""


def copied(place: Path, *, words: bool) -> Path:
    """A copy of the project with one protocol more."""
    ignored = shutil.ignore_patterns("__pycache__", "*.html", "samples")
    for name in CODE:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, place / name, ignore=None if name == "web" else ignored)
        else:
            shutil.copy(ROOT / name, place / name)
    for name in TESTS:
        copy = shutil.copytree if (ROOT / "tests" / name).is_dir() else shutil.copy
        (place / "tests" / name).parent.mkdir(parents=True, exist_ok=True)
        copy(ROOT / "tests" / name, place / "tests" / name)
    shutil.copy(ROOT / "pyproject.toml", place)
    _declare(place / "audit" / "games" / "compile")
    _write(place / "tests" / "compile" / "facts" / "cards.yaml", FACTS)
    for language in LANGUAGES if words else ():
        _put_into_words(place / "audit" / "games" / "compile" / "text" / language, *LANGUAGES[language])
    _write(place / "audit" / "games" / "compile" / "tints.toml", 'sand = "h50 dots"')
    assert run(place, "-m", "tests.compile.counted_situations") == ""
    (place / "game.jsonl").write_text("".join(json.dumps(line) + "\n" for line in LOG), "utf-8")
    return place


def _declare(compile: Path) -> None:
    (compile / "cards" / "sand.py").write_text(DECLARATION, "utf-8")
    index = compile / "cards" / "__init__.py"
    lines = index.read_text("utf-8").replace("(main_1,", "(sand, main_1,").replace("main_2\n", "main_2, sand\n")
    index.write_text(lines, "utf-8")


def _put_into_words(folder: Path, name: str, summary: str) -> None:
    names = folder / "names.toml"
    told = names.read_text("utf-8")
    line = next(line for line in told.splitlines() if line.startswith('"protocol.'))
    names.write_text(told.replace(line, f'"protocol.sand" = "{name}"\n{line}'), "utf-8")
    for value in range(6):
        boxes = ("middle", "bottom") if value == 1 else ("bottom",) if value == 4 else ("middle",)
        _write(folder / "cards.toml", f'\n["sand-{value}"]', *(f'{box} = "{summary}"' for box in boxes))


def _write(file: Path, *lines: str) -> None:
    """Put these lines at the end of a file."""
    with file.open("a", encoding="utf-8") as end:
        end.writelines(f"{line}\n" for line in lines)


def run(place: Path, *arguments: str) -> str:
    """What Python prints in that folder, where that folder is the project."""
    done = subprocess.run(
        [sys.executable, *arguments], cwd=place, capture_output=True, text=True, encoding="utf-8", timeout=300,
        env={"PYTHONPATH": str(place), "PYTHONUTF8": "1", "PATH": "", "HOME": str(place)},
    )  # fmt: skip
    return done.stdout + done.stderr


def failing(place: Path) -> list[str]:
    """The tests of the cards that fail there, each with the last line of its explanation."""
    files = ("test_card_facts.py", "test_card_situations.py", "test_catalogue.py")
    words = "declared or facts or every or summary or summaries or named or protocol"
    about = f"sand or counts_kept or every_instruction or by_hand or not test_card_situations and ({words})"
    said = run(
        place, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--tb=line", "-k", about,
        "tests/web/test_tints.py", *(f"tests/compile/{file}" for file in files),
    )  # fmt: skip
    assert "passed" in said or "failed" in said or "[100%]" in said, said
    return [line for line in said.splitlines() if line.startswith(("E  ", "ERROR"))]


@pytest.fixture(scope="module")
def complete(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return copied(tmp_path_factory.mktemp("complete"), words=True)


@pytest.fixture(scope="module")
def without_words(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return copied(tmp_path_factory.mktemp("speechless"), words=False)


def test_a_new_protocol_with_all_it_needs_fails_no_test(complete: Path) -> None:
    assert failing(complete) == []


def test_a_protocol_without_words_fails_in_one_line_that_says_which_file_wants_which_key(without_words: Path) -> None:
    (line,) = failing(without_words)
    assert 'audit/games/compile/text/(en|fr|it|pl): names.toml wants "protocol.sand"; cards.toml wants' in line
    assert '["sand-0"] middle, ["sand-1"] bottom and middle, ["sand-2"] middle' in line


@pytest.mark.parametrize("kind", ["complete", "without_words"])
def test_no_command_ends_in_a_traceback(kind: str, request: pytest.FixtureRequest) -> None:
    place = request.getfixturevalue(kind)
    said = run(place, "-c", COMMANDS)
    assert "Traceback" not in said, said
    assert said.count("publish game.jsonl") == 6
