"""Every command as somebody mistypes it: help, a pipe, a wrong option, a wrong file, a name that nobody knows."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from cli import audit
from tests.command_line import run

SAMPLES = Path(__file__).resolve().parent.parent / "replays" / "samples"
BY = "--by Ada --in cases"

FROM_A_PIPE = """
    check - | replay - --at 3 | why - --at 20 | options - --at 20 | backup - --to 10 | position show - --at 3
    ask - --at 24 | compare - | conform - | stats - | score write - | seal - | verify -
    precedents - --at 25 --in cases | publish - -o game.json | store import -
"""
"""Wherever a log is read. What is printed and the exit code are those of the same log in a file."""

NOT_FROM_A_PIPE = {
    "note": "notes lie beside a log",
    "prove step": "the seal lies beside the log",
    "prove head": "the seal lies beside the log",
    "record": "the log is written",
    "case open": "says who asks; it reads a pipe as `precedents` does",
    "case bundle": "the log is an option",
    "case remedy": "the log is an option",
    "import": "reads a journal, tried in test_import_journal",
}

WRONG = """
check nope.jsonl                             => nope.jsonl: expected a readable file, found no such file
check game.jsonl --reading cards-keep-owne   => did you mean cards-keep-owner?
check game.jsonl --edition fisrt             => did you mean first?
replay nope.jsonl                            => nope.jsonl
replay game.jsonl --at 999                   => no step 999; the last is 130
replay game.jsonl --as C                     => 'C' is none of A, B, public, judge
why nope.jsonl --at 3                        => nope.jsonl
why game.jsonl --at 999                      => no event 999; the last is 130
options nope.jsonl                           => nope.jsonl
options game.jsonl --at 999                  => no event 999; the last is 130
backup nope.jsonl --to 3                     => nope.jsonl
backup game.jsonl --to 999                   => no event 999; the last is 130
ask nope.jsonl                               => found nope.jsonl
ask game.jsonl --at 999                      => no event 999; the last is 130
position show nope.jsonl                     => nope.jsonl
position show game.jsonl --at 999            => no event 999; the last is 130
position import nope.json                    => nope.json
publish nope.jsonl -o x.json                 => no game in the store is called 'nope.jsonl'
publish game.jsonl -o x.json --at 999        => no event 999; the last is 130
publish game.jsonl -o x.json --key nope      => key nope: there is none
compare nope.jsonl                           => nope.jsonl
compare game.jsonl --readings cards-keep-o   => did you mean cards-keep-owner?
conform nope.jsonl                           => nope.jsonl
stats nope.jsonl                             => nope.jsonl
stats game.jsonl --ruleset compil            => did you mean compile?
score read nope.txt                          => nope.txt
score write nope.jsonl                       => nope.jsonl
score import nope.txt                        => nope.txt
import nope.jsonl -o out                     => nope.jsonl
deck nope.json                               => nope.json
deck deck.json --ruleset alterd              => did you mean altered?
record folder                                => File 'folder' is a directory
record new.jsonl --ruleset compil            => did you mean compile?
rule play.fce-up                             => did you mean play.face-up-needs-protocol?
rule play.face-up --ruleset compil           => did you mean compile?
rule gravity-0 --ruleset compil              => did you mean compile?
rule --ruleset compil                        => did you mean compile?
schema --ruleset compil                      => did you mean compile?
simulate --ruleset compil                    => did you mean compile?
simulate --protocols fier                    => did you mean fire?
new-ruleset compile -o out                   => 'compile' is installed already
qa compil                                    => did you mean compile?
seal nope.jsonl                              => nope.jsonl
seal game.jsonl --key nope                   => key nope: there is none
verify nope.jsonl                            => nope.jsonl
verify game.jsonl --signer nope              => key nope: there is none
prove step nope.jsonl --at 3                 => nope.jsonl
prove step game.jsonl --at 999               => no event 999; the last is 130
prove head nope.jsonl                        => nope.jsonl
prove head game.jsonl --since 999            => no earlier head has 999 events
witness add heads.jsonl nope.head --key k    => nope.head
witness check nope.jsonl                     => nope.jsonl
key trust nope                               => nope
token revoke nope                            => token nope: there is none
note add nope.jsonl hm --at 3 --by Ada       => no game in the store is called 'nope.jsonl'
note add game.jsonl hm --at 999 --by Ada     => no event 999; the last is 130
note list nope.jsonl                         => no game in the store is called 'nope.jsonl'
note list game.jsonl --as C                  => 'C' is none of A, B, public, judge
note export nope.jsonl                       => no game in the store is called 'nope.jsonl'
note import game.jsonl nope.md               => nope.md
case open nope.jsonl why --at 3 {BY}         => no game in the store is called 'nope.jsonl'
case open game.jsonl why --at 999 {BY}       => no event 999; the last is 130
case show nope --in cases                    => no case is called 'nope'
case claim nope A lines {BY}                 => no case is called 'nope'
case evidence nope --text hm {BY}            => no case is called 'nope'
case rule nope no --no {BY}                  => no case is called 'nope'
case agree nope hm {BY}                      => no case is called 'nope'
case appeal nope hm --player A {BY}          => no case is called 'nope'
case final nope {BY}                         => no case is called 'nope'
case withdraw nope hm {BY}                   => no case is called 'nope'
case supersede nope last hm {BY}             => no case is called
case share nope public {BY}                  => no case is called 'nope'
case remedy nope --to 3 {BY}                 => no case is called 'nope'
case export nope --in cases                  => no case is called 'nope'
case bundle nope -o x.html --in cases        => no case is called 'nope'
case infractions --rule play.fce-up          => did you mean play.face-up-needs-protocol?
precedents play.fce-up                       => did you mean play.face-up-needs-protocol?
precedents game.jsonl --at 999               => no event 999; the last is 130
store import nope.jsonl                      => nope.jsonl
store list --rule play.fce-up                => did you mean play.face-up-needs-protocol?
store show r3-t11                            => did you mean r3-t12?
store export r3-t11                          => did you mean r3-t12?
store seal r3-t11                            => did you mean r3-t12?
store share r3-t11 public                    => did you mean r3-t12?
store append r3-t12 nope.jsonl --expected 3  => nope.jsonl
store append r3-t11 game.jsonl --expected 3  => did you mean r3-t12?
store reaudit compil --reading fr            => did you mean compile?
rulebook add nope.txt                        => nope.txt
rulebook add rules.txt --game compil         => did you mean compile?
rulebook show nope                           => this rulebook is not loaded
rulebook remove nope                         => this rulebook is not loaded
rulebook cut nope join 1                     => this rulebook is not loaded
rulebook link nope play.fce-up 1             => did you mean play.face-up-needs-protocol?
rulebook tasks --game compil                 => did you mean compile?
rulebook import nope.po                      => nope.po
watch nope --once                            => nope
serve nope                                   => nope
"""
"""A command, and words of the one line that answers it. The log has 130 events, and lies in the store as r3-t12."""

NOTHING_TO_NAME_WRONGLY = """
    case list, key list, key make, rulebook list, site, store rebuild, store verify, token list, token make
"""


def commands(group: click.Group = audit, path: str = "") -> Iterator[str]:
    """Every command and subcommand."""
    context = click.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        yield f"{path}{name}"
        if isinstance(command, click.Group):
            yield from commands(command, f"{path}{name} ")


EVERY = tuple(commands())
LEAVES = tuple(name for name in EVERY if not any(other.startswith(f"{name} ") for other in EVERY))
MISTAKES = [tuple(part.strip() for part in line.split("=>")) for line in WRONG.strip().splitlines()]


@pytest.fixture(scope="module", autouse=True)
def desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A folder with a sealed log, a deck and a rulebook, and a store that has the game."""
    folder = tmp_path_factory.mktemp("desk")
    (folder / "game.jsonl").write_bytes((SAMPLES / "dispute.jsonl").read_bytes())
    (folder / "deck.json").write_bytes((SAMPLES / "altered-deck.json").read_bytes())
    (folder / "folder").mkdir()
    (folder / "rules.txt").write_text("One card is played.\n", "utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        patch.setenv("AUDIT_DATA_DIR", str(folder / "data"))
        patch.setenv("COLUMNS", "40")
        for line in ("store import game.jsonl", "seal game.jsonl", 'case open game.jsonl "Why?" --at 25 ' + BY):
            assert run(*shlex.split(line)).returncode == 0
        yield folder


def refused(line: str) -> str:
    """The one line that answers a mistake, which has exit code 2."""
    done = run(*shlex.split(line.format(BY=BY)))
    said = done.stderr.decode()
    assert done.returncode == 2, said
    assert len(said.splitlines()) == 1, said
    return said


@pytest.mark.parametrize("command", EVERY)
def test_help_fits_forty_columns(command: str) -> None:
    done = run(*command.split(), "--help")
    assert (done.returncode, done.stderr) == (0, b"")
    prose = done.stdout.decode().partition("Example:")[0].splitlines()
    assert [line for line in prose if len(line) > 40 and len(max(line.split(), key=len)) < 24] == []


@pytest.mark.parametrize("command", EVERY)
def test_an_option_that_does_not_exist_is_told_in_a_line(command: str) -> None:
    assert "--no-such" in refused(f"{command} --no-such")


@pytest.mark.parametrize(("line", "words"), MISTAKES)
def test_a_mistake_is_told_in_a_line(line: str, words: str) -> None:
    assert words in refused(line)


@pytest.mark.parametrize("line", [line.strip() for line in FROM_A_PIPE.replace("\n", "|").split("|") if line.strip()])
def test_a_pipe_is_read_like_a_file(line: str, desk: Path) -> None:
    piped = run(*line.split(), stdin=(desk / "game.jsonl").read_bytes())
    named = run(*line.replace(" -", " game.jsonl", 1).split())
    assert piped.stderr == named.stderr
    assert piped.returncode == named.returncode in (0, 1)


@pytest.mark.parametrize(
    ("line", "near"),
    [
        ("chek game.jsonl", "check"),
        ("case opne", "open"),
        ("store exprot x", "export"),
        ("check x --edtion y", "--edition"),
    ],
)
def test_the_command_or_option_that_was_meant_is_named(line: str, near: str) -> None:
    assert re.search(rf"did you mean (one of: )?'?{near}", refused(line))


def test_every_command_has_its_mistakes_here() -> None:
    tried = {name for name in LEAVES for line, _ in MISTAKES if f"{line} ".startswith(f"{name} ")}
    assert sorted({*LEAVES} - tried) == NOTHING_TO_NAME_WRONGLY.strip().split(", ")


def test_every_command_that_reads_a_log_reads_a_pipe() -> None:
    tried = {name for name in LEAVES if re.search(rf"(^|\| *|\n *){name} ", FROM_A_PIPE)}
    assert tried.isdisjoint(NOT_FROM_A_PIPE)
    assert sorted(name for name in LEAVES if _reads_a_log(name) and name not in tried and not _is_excused(name)) == []


def _reads_a_log(name: str) -> bool:
    found: click.Command | None = audit
    for word in name.split():
        assert isinstance(found, click.Group)
        found = found.get_command(click.Context(found), word)
    assert found is not None
    return any(each.name in ("log", "logs", "journal", "place") for each in found.params)


def _is_excused(name: str) -> bool:
    return name in NOT_FROM_A_PIPE or name.split()[0] in NOT_FROM_A_PIPE
