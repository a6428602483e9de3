"""Every command as somebody mistypes it, in a pipe, in a narrow terminal, and read by a program.

A mistake is a wrong option, a wrong file, or a name that nobody knows.
"""

from __future__ import annotations

import json
import os
import re
import shlex
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import click
import pytest
from jsonschema import Draft202012Validator

from audit.rulebooks.languages import SURE, Detected
from cli import audit
from commands.printed import PRINTED, output_schema
from replays.terminal.ansi import wrapped
from tests.command_line import run
from tests.replays.made_journal import journal_of

SAMPLES = Path(__file__).resolve().parent.parent / "replays" / "samples"
BY = "--by Ada --in cases"
KEY = "audit-key/1 11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo= ada"
"""A key of somebody else, which the test trusts under that name."""

FROM_A_PIPE = """
    check - | replay - --at 3 | why - --at 20 | options - --at 20 | backup - --to 10 | position show - --at 3
    ask - --at 24 | compare - | conform - | stats - | score write - | seal - | verify -
    precedents - --at 25 --in cases | publish - -o game.json | store import -
    deck - < deck.json | score read - -o read-{by}.jsonl < sheet.txt | score import - --face up < chat.txt
    position import - < save.json | import - -o imported-{by} < journal.jsonl
    rulebook add - --as ours --lang en < rules.txt | store append r3-t12 - --expected 130 < none.jsonl
"""
"""Wherever a file is read, the log unless another is named. Complaints and the exit code are those of the file."""

NOT_FROM_A_PIPE = {
    "note": "notes lie beside a log",
    "prove step": "the seal lies beside the log",
    "prove head": "the seal lies beside the log",
    "record": "the log is written",
    "case open": "says who asks; it reads a pipe as `precedents` does",
    "case bundle": "the log is an option",
    "case remedy": "the log is an option",
    "rulebook import": "the name of the file tells its format",
    "rulebook tasks": "any number of published files, each told by its name",
    "serve": "a folder",
    "watch": "a folder",
    "witness": "heads are signed where they lie",
}
"""What reads a file and no pipe, and why."""

WRONG = """
check nope.jsonl                             => nope.jsonl: expected a readable file, found no such file
check pipe                                   => pipe: expected a plain file, found a named pipe, which - reads
check /dev/zero                              => /dev/zero: expected a plain file, found a device or socket
store import pipe                            => pipe: expected a plain file
verify pipe                                  => pipe: expected a plain file
conform pipe                                 => pipe: expected a plain file
import pipe -o out                           => pipe: expected a plain file
score read pipe                              => pipe: not a plain file
deck pipe                                    => pipe: not a plain file
serve pipe                                   => pipe is no folder
serve pipe --table                           => pipe is no folder
watch pipe --once                            => pipe is no folder
publish pipe -o x.json                       => pipe: expected a plain file
ask pipe                                     => pipe: not a plain file
position show --read pipe                     => pipe: not a plain file
case open pipe "Why?" --at 25 {BY}           => pipe: not a plain file
precedents pipe --at 25 --in cases           => pipe: not a plain file
seal game.jsonl --add pipe                   => pipe: not a plain file
verify game.jsonl --trust pipe               => pipe: not a plain file
prove step pipe --at 3                       => pipe: expected a plain file
witness add heads.jsonl pipe --key ada       => pipe: not a plain file
witness check pipe                           => pipe: not a plain file
note add pipe "A mistake?" --at 25 --by Ada  => pipe: expected a plain file
rulebook add pipe --as ours --lang en        => pipe: cannot be read: not a plain file
rulebook import pipe                         => pipe: not a plain file
rulebook tasks pipe                          => pipe: not a plain file
store append r3-t12 pipe --expected 130      => pipe: not a plain file
key trust "{KEY}" --name Ada                 => there is ada already, which differs in capital letters only
key make ADA                                 => there is ada already, which differs in capital letters only
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
score forms nope                             => no ruleset is called 'nope'
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
schema --output chek                         => did you mean check?
schema check                                 => --output
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
case reword nope hm {BY}                     => no case is called 'nope'
case reword nope hm --reason-in de hm {BY}   => 'de' is not one of 'en', 'fr', 'it', 'pl'
case question nope hm? {BY}                  => no case is called 'nope'
case open game.jsonl why --langs fr,de {BY}  => 'de' is none of en, fr, it, pl
note add game.jsonl hm --lang de --by Ada    => 'de' is not one of 'en', 'fr', 'it', 'pl'
publish game.jsonl -o page.html --lang fr,xx => 'xx' is none of en, fr, it, pl
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
token make x --game nope                     => no game in the store is called
watch nope --once                            => nope
serve nope                                   => nope
"""
"""A command, and words of the one line that answers it. The log has 130 events, and lies in the store as r3-t12."""

NOTHING_TO_NAME_WRONGLY = {
    "case list": "no argument, and options that say yes or no",
    "key list": "no argument",
    "rulebook list": "no argument",
    "site": "makes its own folder; the file it may be given is tried in test_site",
    "store rebuild": "no argument",
    "store verify": "a head that is not the last is a finding, and no mistake of the command",
    "token list": "no argument",
}
"""What cannot be given a file, id or name that is wrong, and why."""

PRINTS = """
ask game.jsonl --at 24                           | ask game.jsonl --at 24 'A plague-5 2'
backup game.jsonl --to 112                       | backup altered.jsonl --to 20
case infractions --in cases
case list --in cases                             | case list --in cases --contradictions
case show last --in cases
check game.jsonl                                 | check more                     | check hidden.jsonl reveal.jsonl
compare game.jsonl --readings fr,it              | compare more
conform game.jsonl                               | conform journal.jsonl
deck deck.json
import journal.jsonl -o imported
note list game.jsonl                             | note list game.jsonl --as public
options game.jsonl --at 20                       | options altered.jsonl          | options game.jsonl --at 20 --steps
position import save.json
position show game.jsonl --at 24                 | position show altered.jsonl    | position show reveal.jsonl
precedents game.jsonl --at 25 --in cases
replay game.jsonl                                | replay hidden.jsonl            | replay reveal.jsonl
replay altered.jsonl --as public                 | replay game.jsonl --as A
rule play.face-up-needs-protocol                 | rule gravity-0                 | rule "cover gravity-0"
rule ruling.gravity-2                            | rule --coverage fire-0
rulebook add rules.txt --as ours --lang en       | rulebook list                  | rulebook tasks
rulebook import words.csv
score import chat.txt
stats more
store list                                       | store show r3-t12              | store verify
store reaudit --reading fr                       | store reaudit --ruling last
verify game.jsonl                                | verify game.html               | verify game.head
verify step.proof                                | verify game.notes.jsonl        | verify case.html
watch more --once
why game.jsonl --at 73
"""
"""Every command that has `--json`, in each way in which it prints another object."""


def commands(group: click.Group = audit, path: str = "") -> Iterator[str]:
    """Every command and subcommand."""
    context = click.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        yield f"{path}{name}"
        if isinstance(command, click.Group):
            yield from commands(command, f"{path}{name} ")


def made_by(path: str) -> click.Command:
    """The command of that name."""
    found: click.Command = audit
    for name in path.split():
        assert isinstance(found, click.Group)
        found = found.get_command(click.Context(found), name) or found
    return found


EVERY = tuple(commands())
LEAVES = tuple(name for name in EVERY if not any(other.startswith(f"{name} ") for other in EVERY))
PRINTING = {name: [] for name in LEAVES if any("--json" in option.opts for option in made_by(name).params)}
for _line in filter(None, (part.strip() for part in PRINTS.replace("\n", "|").split("|"))):
    next(lines for name, lines in PRINTING.items() if f"{_line} ".startswith(f"{name} ")).append(_line)
PIPED = [line.strip() for line in FROM_A_PIPE.replace("\n", "|").split("|") if line.strip()]
WRITTEN = {
    "import": "writes a folder, which may be there already",
    "score import": "prints a score sheet, which is kept as a file",
}
"""What prints for programs and not for people, and why."""
PEOPLE_READ = [lines[0] for name, lines in PRINTING.items() if lines and name not in WRITTEN]
PEOPLE_READ += ["qa compile", "qa compile --matrix"]
MISTAKES = [tuple(part.strip() for part in line.split("=>")) for line in WRONG.strip().splitlines()]


@pytest.fixture(scope="module", autouse=True)
def desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A folder with a sealed log, a deck and a rulebook, and a store that has the game."""
    folder = tmp_path_factory.mktemp("desk")
    (folder / "game.jsonl").write_bytes((SAMPLES / "dispute.jsonl").read_bytes())
    (folder / "deck.json").write_bytes((SAMPLES / "altered-deck.json").read_bytes())
    (folder / "folder").mkdir()
    os.mkfifo(folder / "pipe")
    (folder / "rules.txt").write_text("One card is played.\n", "utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        patch.setenv("AUDIT_DATA_DIR", str(folder / "data"))
        patch.setenv("COLUMNS", "40")
        for line in (
            "store import game.jsonl",
            f'key trust "{KEY}"',
            "seal game.jsonl",
            'case open game.jsonl "Why?" --at 25 ' + BY,
        ):
            assert run(*shlex.split(line)).returncode == 0
        yield folder


LAID = {
    "altered.jsonl": "altered-duel.jsonl", "reveal.jsonl": "lotr-crows.jsonl", "hidden.jsonl": "hidden.jsonl",
    "more/clean.jsonl": "clean.jsonl", "more/dispute.jsonl": "dispute.jsonl",
    "save.json": "table-save.json", "chat.txt": "chat.txt",
}  # fmt: skip
"""Samples on the desk of a program."""
PREPARED = """
note add game.jsonl "A mistake?" --at 25 --by Ada --public
publish game.jsonl -o game.html
prove head game.jsonl -o game.head
prove step game.jsonl --at 25 -o step.proof
store import more/clean.jsonl
case open game.jsonl "Why?" --at 25 --by Ada --in cases
case rule last --no --rule play.face-up-needs-protocol --penalty A misplay warning "Not here." {BY}
score write game.jsonl -o sheet.txt
case final last {BY}
case bundle last --log game.jsonl -o case.html --in cases
case open game.jsonl "Again?" --at 25 {BY}
case rule last --yes --rule play.face-up-needs-protocol "It may." {BY}
case final last {BY}
case open r3-t12 "Again?" --at 25 --by Ada
case rule last --yes --rule play.face-up-needs-protocol "It may." --by Ada
seal game.notes.jsonl
rulebook add rules.txt --as compile-rules-it --lang it --force
rulebook add rules.txt --as compile-rules-pl --lang pl --force
rulebook link compile-rules-it play.face-up-needs-protocol 1
rulebook link compile-rules-pl play.face-up-needs-protocol 1
qa compile --export csv -o words.csv
rulebook add later.txt --as compile-rules-it --lang it --force
"""


@pytest.fixture(scope="module")
def program_desk(desk: Path) -> Iterator[Path]:
    """The same desk with all that a program may ask about, where languages are known without a detector."""
    (desk / "more").mkdir()
    (desk / "none.jsonl").write_text("", "utf-8")
    (desk / "later.txt").write_text("Two cards are played.\n", "utf-8")
    for name, sample in LAID.items():
        (desk / name).write_bytes((SAMPLES / sample).read_bytes())
    (desk / "journal.jsonl").write_text("".join(f"{json.dumps(line)}\n" for line in journal_of(3, 1)), "utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("audit.rulebooks.languages.detected", lambda text: Detected("en", SURE / 2))
        seconds = count()
        patch.setattr("replays.cases.note.now", lambda: f"2999-01-01T12:00:{next(seconds):02}Z")  # `last` is the latest
        for line in PREPARED.strip().splitlines():
            done = run(*shlex.split(line.format(BY=BY)))
            assert done.returncode == 0, (line, done.stderr)
        yield desk


def refused(line: str) -> str:
    """The one line that answers a mistake, which has exit code 2."""
    done = run(*shlex.split(line.format(BY=BY, KEY=KEY)))
    said = done.stderr.decode()
    assert done.returncode == 2, said
    assert len(said.splitlines()) == 1, said
    return said


MAKES_LOGS = """
backup game.jsonl --to 24 -o {place}           | case remedy last --to 24 --log game.jsonl -o {place} {BY}
import journal.jsonl -o {place}                | simulate --seed 7 -o {place}
score read sheet.txt -o {place}
"""
"""Where a game may have gone on since: what is there is not written over."""
MADE_ANEW = """
case bundle, case export, case infractions, note export, prove head, prove step, publish, qa, score import,
score write, site, store export, new-ruleset
"""
"""What can be made again from what it was made of takes the place of the former file; a new ruleset only of nothing."""


def test_a_log_that_is_there_is_never_written_over(program_desk: Path) -> None:
    lines = [line.strip() for line in MAKES_LOGS.replace("\n", "|").split("|") if line.strip()]
    known = {name for name in LEAVES for line in lines if line.startswith(f"{name} ")}
    writing = {name for name in LEAVES if any("-o" in option.opts for option in made_by(name).params)}
    assert writing == known | {name.strip() for name in MADE_ANEW.split(",")}
    for number, line in enumerate(lines):
        place = program_desk / f"made-{number}"
        words = shlex.split(line.format(BY=BY, place=place))
        assert run(*words).returncode == 0, line
        made = [path for path in (place, *place.rglob("*")) if path.is_file()]
        for path in made:
            path.write_bytes(b"gone on")
        assert run(*words).returncode == 2, line
        assert {path.read_bytes() for path in made} == {b"gone on"}, line


@pytest.mark.every("command", EVERY)
def test_help_fits_forty_columns(command: str) -> None:
    done = run(*command.split(), "--help")
    assert (done.returncode, done.stderr) == (0, b"")
    prose = done.stdout.decode().partition("Example:")[0].splitlines()
    assert [line for line in prose if len(line) > 40 and len(max(line.split(), key=len)) < 24] == []


@pytest.mark.every("command", EVERY)
def test_an_option_that_does_not_exist_is_told_in_a_line(command: str) -> None:
    assert "--no-such" in refused(f"{command} --no-such")


@pytest.mark.every(("line", "words"), MISTAKES)
def test_a_mistake_is_told_in_a_line(line: str, words: str) -> None:
    assert words in refused(line)


@pytest.mark.every("line", PIPED)
def test_a_pipe_is_read_like_a_file(line: str, program_desk: Path) -> None:
    words, _, file = line.partition(" < ")
    piped = run(*words.format(by="pipe").split(), stdin=(program_desk / (file or "game.jsonl")).read_bytes())
    named = run(*words.format(by="name").replace(" -", f" {file or 'game.jsonl'}", 1).split())
    assert piped.stderr == named.stderr
    assert b"\x1b" not in piped.stdout
    assert piped.returncode == named.returncode in (0, 1)


@pytest.mark.every(
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


@pytest.mark.every("line", PEOPLE_READ)
def test_what_is_printed_for_people_fits_a_terminal_of_forty_columns(line: str, program_desk: Path) -> None:
    done = run("--color", "never", *shlex.split(line), is_terminal=True)
    shown = (done.stdout + done.stderr).decode().splitlines()
    assert shown
    assert [one for one in shown if [*wrapped(one, 40)] != [one]] == []


@pytest.mark.every("command", PRINTING)
def test_what_is_printed_for_programs_is_of_the_schema(command: str, program_desk: Path) -> None:
    schema = json.loads(run("schema", "--output", command).stdout)
    validator = Draft202012Validator(schema)
    for line in PRINTING[command]:
        printed = run(*shlex.split(line), "--json").stdout.splitlines()
        assert printed, line
        wrong = [error for one in printed for error in validator.iter_errors(json.loads(one))]
        assert not wrong, (line, wrong[0].message)


@pytest.mark.every("command", PRINTING)
def test_a_schema_leaves_nothing_open_by_oversight(command: str) -> None:
    schema = output_schema(command)
    Draft202012Validator.check_schema(schema)
    parts = [part for part in (schema, *schema["$defs"].values()) if "properties" in part]
    assert [part["title"] for part in parts if part["additionalProperties"] is not False] == (
        ["FindingTold"] if command == "check" else []
    )


def test_every_command_that_prints_for_programs_has_a_schema_and_is_tried() -> None:
    assert run("schema", "--output").stdout.decode().split("\n")[:-1] == [*PRINTED]
    assert sorted(PRINTING) == sorted(PRINTED)
    assert [name for name, lines in PRINTING.items() if not lines] == []


def test_every_command_has_its_mistakes_here() -> None:
    tried = {name for name in LEAVES for line, _ in MISTAKES if f"{line} ".startswith(f"{name} ")}
    assert sorted({*LEAVES} - tried) == sorted(NOTHING_TO_NAME_WRONGLY)


def test_every_command_that_reads_a_file_reads_a_pipe() -> None:
    tried = {name for name in LEAVES if any(line.startswith(f"{name} ") for line in PIPED)}
    assert tried.isdisjoint(NOT_FROM_A_PIPE)
    reading = [name for name in LEAVES if any(map(_is_file, made_by(name).params)) and name not in tried]
    excused = [name for name in NOT_FROM_A_PIPE if name in reading or any(n.startswith(f"{name} ") for n in reading)]
    assert excused == [*NOT_FROM_A_PIPE]
    assert [name for name in reading if not _is_excused(name)] == []


def _is_file(given: click.Parameter) -> bool:
    is_path = isinstance(given.type, click.Path | click.File) and isinstance(given, click.Argument)
    return is_path or given.name in ("log", "place")


def _is_excused(name: str) -> bool:
    return name in NOT_FROM_A_PIPE or name.split()[0] in NOT_FROM_A_PIPE
