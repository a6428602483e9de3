"""The command line as a stranger uses it: what it answers, with which exit code, and never a traceback."""

from __future__ import annotations

import json
import os
import re
import select
import shutil
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.command_line import run
from tests.odd_names import ODD, oddly_named

ROOT = Path(__file__).resolve().parent.parent
SAMPLES = ROOT / "replays" / "samples"


def lines(done: subprocess.CompletedProcess[bytes]) -> list[dict[str, object]]:
    """The JSON objects that were printed, one a line."""
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_a_clean_game_exits_0_and_a_dispute_1() -> None:
    assert run("check", str(SAMPLES / "clean.jsonl")).returncode == 0
    assert run("check", str(SAMPLES / "dispute.jsonl")).returncode == 1


def test_a_folder_stands_for_every_log_in_it(tmp_path: Path) -> None:
    for name in ("clean.jsonl", "dispute.jsonl", "hidden.jsonl"):
        (tmp_path / name).write_bytes((SAMPLES / name).read_bytes())
    done = run("check", str(tmp_path), "--json")
    *reports, whole = lines(done)
    assert [Path(str(report["log"])).name for report in reports] == ["clean.jsonl", "dispute.jsonl", "hidden.jsonl"]
    assert list(whole) == ["summary"]
    assert done.returncode == 1


def test_a_folder_without_a_log_is_no_clean_game(tmp_path: Path) -> None:
    done = run("check", str(tmp_path))
    assert done.returncode == 2
    assert b"has no log" in done.stderr


def test_five_mistakes_are_five_findings() -> None:
    (report,) = lines(run("check", str(SAMPLES / "dispute.jsonl"), "--json"))
    rules = [finding["rules"][0] for finding in report["findings"]]  # type: ignore[index]
    assert rules == [
        "play.face-up-needs-protocol",
        "refresh.only-under-five",
        "draw.from-top-to-hand",
        "compile.ten-or-more",
        "target.uncovered-by-default",
    ]
    assert report["fidelity"] == "exact"


def test_what_is_left_out_is_inferred_and_said() -> None:
    (report,) = lines(run("check", str(SAMPLES / "hand-entered.jsonl"), "--json"))
    assert report["findings"] == []
    assert report["fidelity"] == "partial"
    assert report["inferred"] == report["verdicts"]["inferred"]  # type: ignore[index]
    assert report["inferred"] > 100  # type: ignore[operator]


def test_judged_as_complete_what_a_log_leaves_out_is_a_finding() -> None:
    assert run("check", str(SAMPLES / "kept-by-hand.jsonl"), "--complete").returncode == 1
    assert run("check", str(SAMPLES / "clean.jsonl"), "--complete").returncode == 0


def test_steps_come_as_json_with_the_published_fields() -> None:
    (step,) = lines(run("replay", str(SAMPLES / "dispute.jsonl"), "--at", "116", "--json"))
    assert {"step", "seq", "event", "verdict", "rules", "because", "pending", "state"} <= set(step)
    assert step["seq"] == 116
    assert set(step["state"]) >= {"turn", "player", "phase", "control", "committed", "sides"}  # type: ignore[call-overload]


def test_step_0_is_the_start_and_beyond_the_end_there_is_none() -> None:
    assert lines(run("replay", str(SAMPLES / "dispute.jsonl"), "--at", "0", "--json"))[0]["event"] is None
    done = run("replay", str(SAMPLES / "dispute.jsonl"), "--at", "9999", "--json")
    assert (done.returncode, done.stdout) == (2, b"")
    assert b"there is no step 9999; the last is 130" in done.stderr


def test_a_player_sees_no_card_of_the_other_hand() -> None:
    as_b = run("replay", str(SAMPLES / "dispute.jsonl"), "--as", "B", "--json").stdout
    opening = json.loads(as_b.splitlines()[2])
    assert opening["state"]["sides"]["A"]["hand"] == 5
    assert isinstance(opening["state"]["sides"]["B"]["hand"], list | int)


def test_a_log_may_come_through_a_pipe() -> None:
    log = run("simulate", "--seed", "3").stdout
    assert run("simulate", "--seed", "3").stdout == log
    done = run("check", "-", "--json", stdin=log)
    assert done.returncode == 0
    assert lines(done)[0]["findings"] == []


SLOW_TO_LOAD = {
    "babel", "difflib", "email", "hashlib", "importlib.metadata", "importlib.resources", "marshmallow", "rapidfuzz",
    "sqlite3",
}  # fmt: skip


@pytest.mark.parametrize("asked", ["rule play.face-up-needs-protocol", "check replays/samples/dispute.jsonl"])
def test_nothing_is_loaded_in_vain_that_is_slow_to_load(asked: str) -> None:
    program = (
        "import sys, atexit; before = {*sys.modules}; atexit.register(lambda: print(*sys.modules.keys() - before));"
        "import cli; cli.main()"
    )
    done = subprocess.run([sys.executable, "-c", program, *asked.split()], cwd=ROOT, capture_output=True, check=False)
    *said, loaded = done.stdout.decode().splitlines()
    assert said
    assert SLOW_TO_LOAD & {*loaded.split()} == set()


def test_the_package_runs_as_a_module_and_tells_its_version() -> None:
    import audit

    done = subprocess.run([sys.executable, "-m", "audit", "--version"], cwd=ROOT, capture_output=True, check=False)
    assert done.stdout.decode().startswith(f"audit, version {audit.__version__} (")


def test_no_games_are_nothing_to_simulate() -> None:
    assert run("simulate", "--games", "0").returncode == 2


def test_several_games_are_not_one_log() -> None:
    refused = run("simulate", "--games", "2")
    assert refused.returncode == 2
    assert b"several games need a folder (-o)" in refused.stderr


def test_sarif_and_junit_are_well_formed() -> None:
    found = json.loads(run("check", str(SAMPLES / "dispute.jsonl"), "--format", "sarif").stdout)
    assert found["version"] == "2.1.0"
    assert len(found["runs"][0]["results"]) == 5
    suite = ElementTree.fromstring(run("check", str(SAMPLES / "dispute.jsonl"), "--format", "junit").stdout)
    assert suite.get("failures") == "1"


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("empty", b""),
        ("not-json", b"hello\n"),
        ("half", b'{"log": "audit/1", "ruleset": "compile"'),
        ("future", b'{"log": "audit/99", "ruleset": "compile"}\n'),
        ("other-game", b'{"log": "audit/1", "ruleset": "whist"}\n'),
        ("no-setup", b'{"log": "audit/1", "ruleset": "compile"}\n'),
        ("nul", b"\x00" * 100),
        ("not-utf-8", b'{"log": "audit/1", "ruleset": "compile", "game": "\xff\xfe"}\n'),
        ("deep", b"[" * 100_000),
        ("huge-number", b'{"log": "audit/1", "ruleset": "compile", "meta": {"n": 1' + b"0" * 5000 + b"}}\n"),
        (
            "two-of-a-kind",
            b'{"log": "audit/1", "ruleset": "compile", "setup": {"protocols": {"A": ["fire", "fire", "life"],'
            b' "B": ["death", "metal", "speed"]}}}\n',
        ),
    ],
)
@pytest.mark.parametrize("command", ["check", "replay"])
def test_bad_input_is_one_clear_answer_and_exit_code_2(name: str, content: bytes, command: str, tmp_path: Path) -> None:
    log = tmp_path / f"{name}.jsonl"
    log.write_bytes(content)
    done = run(command, str(log))
    assert done.returncode == 2
    assert done.stderr.strip()
    assert b"Traceback" not in done.stderr
    assert name.encode() in done.stderr


def test_a_game_sealed_in_the_store_is_published_with_its_seal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AUDIT_DATA_DIR", str(tmp_path / "data"))
    page, changed = tmp_path / "page.html", tmp_path / "changed.html"
    run("store", "import", "replays/samples/dispute.jsonl")
    run("key", "make", "table-1")
    sealed = run("store", "seal", "r3-t12", "--key", "table-1")
    run("publish", "r3-t12", "-o", str(page))
    verified = run("verify", str(page), "--trusted")
    assert (sealed.returncode, verified.returncode) == (0, 0)
    assert b"signed by table-1" in verified.stdout
    changed.write_bytes(page.read_bytes().replace(b"fire-", b"life-"))
    assert run("verify", str(changed)).returncode == 1


@pytest.mark.sampled(2)
@pytest.mark.parametrize("asked", ["replay", "check", "why --at 1", "compare"])
def test_a_name_in_a_log_shows_in_a_terminal_and_does_nothing_to_it(asked: str, tmp_path: Path) -> None:
    environment = {**os.environ, "FORCE_COLOR": "1"}
    command = [sys.executable, "-m", "cli", *asked.split(), str(oddly_named(tmp_path))]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, timeout=300, env=environment, check=False)
    said = (done.stdout + done.stderr).decode()
    looks_of_ours = re.compile(r"\x1b\[(?:[0124]|(?:1;)?3[1-6])m")
    assert "mine" in said
    assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e]", looks_of_ours.sub("", said))
    assert "\n✓ clean" not in said
    assert "\x1b[8m" not in said


def test_one_event_and_one_head_are_told_in_the_singular(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AUDIT_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.chdir(tmp_path)
    begun = (SAMPLES / "dispute.jsonl").read_bytes().splitlines(keepends=True)[:2]
    (tmp_path / "begun.jsonl").write_bytes(b"".join(begun))
    said = [
        run(*line.split()).stdout.decode()
        for line in (
            "store import begun.jsonl", "store list", "key make hall", "seal begun.jsonl",
            "prove head begun.jsonl -o a.head", "witness add hall.jsonl a.head --key hall",
            "witness check hall.jsonl --signer hall",
        )
    ]  # fmt: skip
    assert "1 event, 1 new" in said[0]
    assert re.search(r" 1 event +0 findings +public\n1 in all", said[1])
    assert "1 event, " in said[3]
    assert "1 head, as hall signed it" in said[-1]


def test_a_witness_signs_the_head_and_its_list_holds_for_whoever_names_the_witness(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AUDIT_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.chdir(tmp_path)
    shutil.copy(SAMPLES / "dispute.jsonl", tmp_path)
    for line in ("key make hall", "key make ada", "seal dispute.jsonl --key ada", "prove head dispute.jsonl -o a.head",
                 "witness add hall.jsonl a.head --key hall"):  # fmt: skip
        assert run(*line.split()).returncode == 0, line
    assert [one["name"] for one in json.loads((tmp_path / "a.head").read_bytes())["signatures"]] == ["ada", "hall"]
    assert run("witness", "check", "hall.jsonl", "--signer", "hall").returncode == 0
    nobody = run("witness", "check", "hall.jsonl")
    assert (nobody.returncode, b"you named no witness" in nobody.stdout) == (1, True)


def test_reports_for_programs_bear_any_name(tmp_path: Path) -> None:
    path = str(oddly_named(tmp_path))
    assert json.loads(run("check", path, "--json").stdout)["game"] == ODD
    assert json.loads(run("check", path, "--format", "sarif").stdout)["runs"]
    assert ElementTree.fromstring(run("check", path, "--format", "junit").stdout).get("failures") == "1"


REPLACED = "\ufffd"


def test_of_logs_compared_every_problem_of_one_that_cannot_be_read_has_a_line(tmp_path: Path) -> None:
    shutil.copy(SAMPLES / "clean.jsonl", tmp_path)
    head = (SAMPLES / "clean.jsonl").read_text("utf-8").splitlines()[0]
    (tmp_path / "wrong.jsonl").write_text(f'{head}\n{{"seq": 1, "type": "nope"}}\n{{"seq": 9}}\n', "utf-8")
    done = run("compare", str(tmp_path))
    said = done.stderr.decode()
    assert done.returncode == 2
    assert len(said.splitlines()) == 2
    assert REPLACED not in said


def test_what_is_said_of_a_rulebook_is_said_in_lines(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AUDIT_DATA_DIR", str(tmp_path / "kept"))
    book = tmp_path / "regles.txt"
    book.write_text("1. Jouer\n\nUne carte face visible se joue dans la ligne de son protocole.\n\nFin.\n", "utf-8")
    added = run("rulebook", "add", str(book), "--as", "compile-rules-fr", "--lang", "fr").stdout.decode()
    shown = run("rulebook", "show", "compile-rules-fr").stdout.decode()
    assert len(added.splitlines()) >= 3
    assert "face visible" in shown
    assert REPLACED not in added + shown


@pytest.mark.skipif(sys.platform == "win32", reason="needs a terminal of its own")
def test_keys_walk_through_a_replay_in_a_terminal() -> None:
    import pty

    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "cli", "replay", str(SAMPLES / "dispute.jsonl"), "--step"]
    environment = {**os.environ, "NO_COLOR": "1"}
    walking = subprocess.Popen(command, cwd=ROOT, env=environment, stdin=theirs, stdout=theirs, stderr=theirs)
    os.close(theirs)
    said = pressed(ours, "", "q: quit")
    said += pressed(ours, "25\r", "Step 25")
    said += pressed(ours, "r", "turn.one-action")
    said += pressed(ours, "w", "25  ✗")
    said += pressed(ours, "x", "That key does nothing here.")
    said += pressed(ours, "e", "  1 Ada plays Plague 5 face up in line 1.")
    said += pressed(ours, "1\r", "Variation after event 24")
    said += pressed(ours, "b", "Step 24")
    with suppress(OSError):  # of a terminal that nobody has open any more
        pressed(ours, "q", "never")
    assert walking.wait(60) == 0
    os.close(ours)
    assert REPLACED not in said


def pressed(terminal: int, keys: str, answer: str) -> str:
    """What a terminal shows when keys are pressed, once it listens; those before are lost."""
    shown = b""
    for _ in range(30):
        os.write(terminal, keys.encode())
        while select.select([terminal], [], [], 2)[0]:
            shown += os.read(terminal, 65536)
            if answer in shown.decode(errors="ignore"):
                return shown.decode(errors="ignore")
    raise AssertionError(shown.decode(errors="ignore"))


def test_options_are_decisions_and_small_steps_on_request() -> None:
    decisions = lines(run("options", str(SAMPLES / "dispute.jsonl"), "--at", "24", "--json"))
    assert {(option["player"], option["type"]) for option in decisions} == {("A", "played"), ("A", "refreshed")}
    (step,) = lines(run("options", str(SAMPLES / "dispute.jsonl"), "--at", "25", "--steps", "--json"))
    assert step["type"] == "committed"
    after = lines(run("options", str(SAMPLES / "dispute.jsonl"), "--at", "25", "--json"))
    assert "committed" not in {option["type"] for option in after}


def test_options_at_0_are_those_of_the_start_and_beyond_the_log_there_are_none() -> None:
    assert run("options", str(SAMPLES / "dispute.jsonl"), "--at", "0").returncode == 0
    done = run("options", str(SAMPLES / "dispute.jsonl"), "--at", "9999")
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr.decode().splitlines() == [
        f"{SAMPLES / 'dispute.jsonl'}: there is no event 9999; the last is 130, and 0 is the start"
    ]


def test_a_position_is_printed_and_read_again(tmp_path: Path) -> None:
    printed = run("position", str(SAMPLES / "dispute.jsonl"), "--at", "60", "--as", "A").stdout.decode()
    assert printed.startswith("compile/6B.end.-/plague.fire.water:")
    (tmp_path / "table.txt").write_text(printed, "utf-8")
    for told in (printed, str(tmp_path / "table.txt")):
        shown = run("position", "--read", told)
        assert shown.returncode == 0
        assert b"Plague 5" in shown.stdout
    (data,) = lines(run("position", str(SAMPLES / "dispute.jsonl"), "--at", "60", "--as", "A", "--json"))
    assert lines(run("position", "--read", printed, "--json")) == [data]


def test_a_score_sheet_becomes_a_log_that_can_be_checked(tmp_path: Path) -> None:
    sheet = run("score", "write", str(SAMPLES / "clean.jsonl")).stdout
    done = run("score", "read", "-", "-o", str(tmp_path / "clean.jsonl"), stdin=sheet)
    assert (done.returncode, done.stdout) == (0, b"")
    assert run("check", str(tmp_path / "clean.jsonl")).returncode == 0
    again = run("score", "read", "-", "-o", str(tmp_path / "clean.jsonl"), stdin=sheet)
    assert (again.returncode, b"--force writes over it" in again.stderr) == (2, True)
    assert run("score", "read", "-", "--force", "-o", str(tmp_path / "clean.jsonl"), stdin=sheet).returncode == 0


def test_the_version_says_whether_the_auditor_is_compiled() -> None:
    done = run("--version")
    assert done.returncode == 0
    assert re.fullmatch(rb"audit, version \S+ \((pure Python|compiled)\)\s*", done.stdout)
