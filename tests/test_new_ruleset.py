"""`audit new-ruleset`: a game written, installed and played as a newcomer would, and the mistakes noticed in it."""

from __future__ import annotations

import fnmatch
import json
import os
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
from setuptools import find_namespace_packages

from tests import command_line

ROOT = Path(__file__).resolve().parent.parent
TEMPLATE = ROOT / "commands" / "new_ruleset" / "template"


def run(*args: str, path: Path | None = None, cwd: Path = ROOT) -> subprocess.CompletedProcess[str]:
    """Python with these arguments, `path` being where games are installed."""
    return subprocess.run(
        [sys.executable, *args], cwd=cwd, env=among(path), capture_output=True, text=True, timeout=300
    )  # fmt: skip


def among(path: Path | None) -> dict[str, str]:
    """What a process is given that finds games there. A pytest in it loads no plugins: it would for a second."""
    paths = os.pathsep.join(map(str, (*([path] if path else []), ROOT)))
    given = {"PYTHONPATH": paths, "PYTHONDONTWRITEBYTECODE": "1", "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    return {**os.environ, **given}


ASKED = """
import json, sys
from tests import command_line
for line in sys.stdin:
    words, given = json.loads(line)
    done = command_line.run(*words, stdin=given.encode())
    print(json.dumps([words, done.returncode, done.stdout.decode(), done.stderr.decode()]), flush=True)
"""
PYTEST = ("-m", "pytest", "-q", "-p", "no:cacheprovider")


class Installed:
    """`audit` where the game is installed, in one process for all commands."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self.process = process

    def __call__(self, *args: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
        assert self.process.stdin
        assert self.process.stdout
        self.process.stdin.write(json.dumps([args, stdin]) + "\n")
        self.process.stdin.flush()
        return subprocess.CompletedProcess(*json.loads(self.process.stdout.readline()))


def new_ruleset(*args: str) -> tuple[int, str]:
    """The exit code and what is said where no game is installed."""
    done = command_line.run("new-ruleset", *args)
    return done.returncode, done.stderr.decode()


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a new game called tall-trees."""
    folder = tmp_path_factory.mktemp("new") / "trees"
    assert new_ruleset("tall-trees", "-o", str(folder)) == (0, "")
    return folder


@pytest.fixture(scope="module")
def site(written: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where that game is installed, from its own pyproject.toml and without a network."""
    site = tmp_path_factory.mktemp("site")
    offline = ("--disable-pip-version-check", "--quiet", "--no-deps", "--no-index", "--no-build-isolation")
    done = run("-m", "pip", "install", *offline, "--target", str(site), str(written))
    assert done.returncode == 0, done.stderr
    return site


@pytest.fixture(scope="module")
def audit(site: Path) -> Iterator[Installed]:
    with subprocess.Popen(
        [sys.executable, "-c", ASKED], cwd=ROOT, env=among(site), text=True,
        stdin=subprocess.PIPE, stdout=subprocess.PIPE,
    ) as process:  # fmt: skip
        yield Installed(process)


@pytest.fixture(scope="module")
def log(audit: Installed, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A simulated game of it."""
    path = tmp_path_factory.mktemp("logs") / "game.jsonl"
    done = audit("simulate", "--ruleset", "tall-trees", "--seed", "1")
    assert done.returncode == 0, done.stderr
    path.write_text(done.stdout, "utf-8")
    return path


# Written


def test_the_name_is_put_everywhere(written: Path) -> None:
    files = [path for path in written.rglob("*") if path.is_file()]
    texts = [path.read_text("utf-8") for path in files if path.suffix in (".py", ".toml", ".md")]
    assert (written / "tall_trees" / "event_rules.py").is_file()
    assert any("class TallTreesRules" in text for text in texts)
    assert any("# Tall Trees" in text for text in texts)
    assert not [text for text in texts if "example" in text.lower()]


def test_the_texts_are_there_in_four_languages(written: Path) -> None:
    for language in ("en", "fr", "it", "pl"):
        folder = written / "tall_trees" / "text" / language
        assert sorted(path.name for path in folder.iterdir()) == ["names.toml", "rules.toml", "sentences.toml"]


@pytest.mark.parametrize("name", ["My Game", "my--game", "-game", "game!", "2nd-game", "class", "", "../game", "GAME"])
def test_a_name_that_python_cannot_have_is_refused_in_one_line(name: str, tmp_path: Path) -> None:
    said = f"{name!r} is no name for a game: small letters and digits, in words joined by dashes (my-game)\n"
    assert new_ruleset("-o", str(tmp_path / "out"), "--", name) == (2, said)
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("name", ["compile", "json", "replays"])
def test_a_name_that_is_taken_is_refused_in_one_line(name: str, tmp_path: Path) -> None:
    code, said = new_ruleset(name, "-o", str(tmp_path / "out"))
    assert code == 2
    assert said.endswith("is installed already\n")
    assert len(said.splitlines()) == 1


def test_a_folder_with_files_in_it_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "letter.txt").write_text("Dear Ann", "utf-8")
    assert new_ruleset("my-game", "-o", str(tmp_path)) == (2, f"{tmp_path} is not empty\n")
    assert [path.name for path in tmp_path.iterdir()] == ["letter.txt"]


def test_an_empty_folder_is_filled_and_a_file_is_no_folder(tmp_path: Path) -> None:
    assert new_ruleset("my-game", "-o", str(tmp_path)) == (0, "")
    assert (tmp_path / "my_game" / "game.py").is_file()
    readme = tmp_path / "README.md"
    assert new_ruleset("my-game", "-o", str(readme)) == (2, f"{readme} is not a folder\n")


# Installed


@pytest.mark.parametrize(
    "some", ["not simulated or uniform-0 and (clean or hidden or says)", pytest.param("", marks=pytest.mark.prove)]
)
def test_its_own_tests_pass(written: Path, site: Path, some: str) -> None:
    done = run(*PYTEST, "-k", some, path=site, cwd=written)
    assert done.returncode == 0, done.stdout
    assert " passed" in done.stdout


def test_its_tests_say_in_one_line_that_it_is_not_installed(tmp_path: Path) -> None:
    assert new_ruleset("low-shrubs", "-o", str(tmp_path / "shrubs")) == (0, "")
    done = run(*PYTEST, cwd=tmp_path / "shrubs")
    assert (done.returncode, done.stdout) == (4, "")
    (line,) = done.stderr.split("\n\n")[0].splitlines()
    assert line.startswith("ERROR: low-shrubs is not installed;")


def test_a_simulated_game_is_clean(audit: Installed, log: Path) -> None:
    done = audit("check", str(log), "--json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["findings"] == []


@pytest.mark.parametrize(("language", "viewer"), [("en", "judge"), ("fr", "A"), ("it", "B"), ("pl", "public")])
def test_a_replay_shows_every_step(audit: Installed, log: Path, language: str, viewer: str) -> None:
    done = audit("replay", str(log), "--lang", language, "--as", viewer)
    assert done.returncode == 0, done.stderr
    assert "…" not in done.stdout
    assert "tall-trees" not in done.stderr


def test_the_other_player_is_not_shown_the_card_drawn(audit: Installed, log: Path) -> None:
    drawn = json.loads(log.read_text("utf-8").splitlines()[2])
    assert (drawn["type"], drawn["player"]) == ("drew", "A")
    shown = {
        who: json.loads(audit("replay", str(log), "--at", "2", "--as", who, "--json").stdout)["event"]
        for who in ("A", "B")
    }
    assert shown["A"]["card"] == drawn["card"]
    assert "card" not in shown["B"]


def test_a_mistake_is_found_with_its_rule(audit: Installed, log: Path) -> None:
    header, began, drew, laid, *_ = log.read_text("utf-8").splitlines()
    again = json.dumps({**json.loads(laid), "seq": 4, "card": json.loads(drew)["card"]})
    done = audit("check", "-", "--json", stdin="\n".join((header, began, drew, laid, again)) + "\n")
    assert done.returncode == 1
    (finding,) = json.loads(done.stdout)["findings"]
    assert (finding["seq"], finding["rules"][0]) == (4, "lay.one-card")


def test_options_causes_and_rules_are_told(audit: Installed, log: Path) -> None:
    (option,) = map(json.loads, audit("options", str(log), "--at", "2", "--json").stdout.splitlines())
    assert (option["type"], option["need"]) == ("laid", "must")
    taken = next(
        line for line in map(json.loads, log.read_text("utf-8").splitlines()) if line.get("type") == "pile_taken"
    )
    links = audit("why", str(log), "--at", str(taken["seq"]), "--json").stdout.splitlines()
    assert [json.loads(link)["event"]["type"] for link in links] == ["pile_taken", "laid"]
    rules = audit("rules", "--ruleset", "tall-trees", "--coverage").stdout
    assert rules.endswith("10 of 10 checkable rules and rulings proven both ways, 0 excused\n")
    (rule,) = map(json.loads, audit("rule", "lay.higher", "--ruleset", "tall-trees", "--json").stdout.splitlines())
    assert rule["decided_at"][0]["path"] == "tall_trees/event_rules.py"
    assert rule["decided_at"][0]["name"] == "LaidRules.violations"


# Mistakes in a ruleset that the conformance suite notices

CHECKED = """
import sys
from replays.conformance import CHECKS, RULESET_CHECKS, Sample
subjects = {**dict.fromkeys(RULESET_CHECKS, "tall-trees"), **dict.fromkeys(CHECKS, Sample("tall-trees", "uniform", 0))}
((check, subject),) = ((check, subject) for check, subject in subjects.items() if check.__name__ == sys.argv[1])
print(next(check(subject), ""))
"""


@pytest.mark.sampled(6)
@pytest.mark.parametrize(
    ("file", "old", "new", "noticed"),
    [
        ("disclosure.py", "def seats(", "def places(", "has_seats_without_players"),
        ("disclosure.py", '("deck", True)', '("deck", False)', "names_no_card_that_was_not_shown"),
        ("disclosure.py", "if knows(viewer, seat) else", "if viewer else", "shows_a_viewer_only_what_they_saw"),
        ("disclosure.py", "isinstance(event, Drew) and", "viewer == 'public' and", "tells_no_card_that_stays_hidden"),
        ("event_rules.py", "    is_marker = True", "    is_ambiguous = None", "asks_what_may_be_ambiguous"),
        ("simulation.py", "if suit not in SUITS", "if not suit", "refuses_an_unknown_pool"),
        ("text/pl/rules.toml", '"lay.higher"', '"lay.highest"', "has_a_statement_of_every_rule"),
        ("text/fr/sentences.toml", '"passed', '"pass', "has_a_sentence_of_every_event"),
        ("text/it/sentences.toml", "{card}", "{carta}", "says_every_step_in_words"),
        ("cases/piles.toml", '["lay.higher"]', '["lay.one-card"]', "has_cases_that_show_what_they_say"),
        ("event_rules.py", "for pile in places(state, card)", "for pile in PILES", "accepts_what_it_expects"),
        ("event_rules.py", '"lay": (LAID, PASSED)', '"lay": (LAID,)', "upcoming_leaves_nothing_out"),
        ("event_rules.py", "rules.FROM_HAND, rules.ONE_CARD)\n\n", "rules.HIGHER)\n\n", "cites_rules_of_its_catalogue"),
        ("event_rules.py", "return (*covers, rules.FROM_HAND, rules.ONE_CARD)", "return ()", "decides_alike_each_way"),
        ("event_rules.py", "event = PileTaken\n", "event = PileTaken; has_causes = False\n", "decides_alike_each_way"),
        ("event_rules.py", "number_of(card) <=", "number_of(card) <", "has_cases_that_show_what_they_say"),
        ("catalogue.py", "(rules,)", "()", "cites_rules_of_its_catalogue"),
        ("game.py", '"player": state.player}', '"seat": state.player}', "shows_every_position"),
    ],
)  # fmt: skip
def test_a_mistake_in_a_ruleset_is_noticed(
    file: str, old: str, new: str, noticed: str, site: Path, tmp_path: Path
) -> None:
    shutil.copytree(site, tmp_path / "site")
    source = tmp_path / "site" / "tall_trees" / file
    text = source.read_text("utf-8")
    assert old in text
    source.write_text(text.replace(old, new), "utf-8")
    before, after = (run("-c", CHECKED, noticed, path=path) for path in (site, tmp_path / "site"))
    assert before.stdout == "\n", before.stderr
    assert after.returncode or after.stdout != "\n"


# Packaged


def test_the_template_is_packaged_whole() -> None:
    config = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["setuptools"]
    packages = find_namespace_packages(str(ROOT), include=config["packages"]["find"]["include"])
    patterns = ["*.py", *config["package-data"]["*"]]
    files = [path for path in TEMPLATE.rglob("*") if path.suffix in (".py", ".toml", ".md")]
    files = [path for path in files if not any(part.startswith(".") for part in path.relative_to(TEMPLATE).parts)]
    assert len(files) > 25
    for path in files:
        assert ".".join(path.parent.relative_to(ROOT).parts) in packages, path
        assert any(fnmatch.fnmatch(path.name, pattern) for pattern in patterns), path
