"""Runs every command of the command line under one disturbance, each in a process of its own.

python -m tests.attacks.every_command FOLDER [DISTURBANCE[=SHARE]]...

Of the commands a share such as 2/8 takes one in eight, beginning with the second; rules are then sought by words alone,
and not by meaning. Prints a line for every run that ended otherwise than with a clear answer: a traceback, a signal, or
no end at all. The files are prepared and the modules imported once, in this process; each run is a copy of it
(`os.fork`), so that hundreds of runs take a minute.
"""

from __future__ import annotations

import contextlib
import io
import os
import resource
import shlex
import shutil
import signal
import sys
import traceback
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

import click

from replays.rulebooks import meaning
from tests import command_line

ROOT = Path(__file__).resolve().parents[2]
SAMPLES = ROOT / "replays" / "samples"
SECONDS = 90
TOO_LONG = "did not end"

COMMANDS = {
    "replay": "game.jsonl", "check": "game.jsonl", "why": "game.jsonl --at 20", "options": "game.jsonl --at 20",
    "position show": "game.jsonl --at 24", "position import": "game.jsonl",
    "score import": "sheet.txt",
    "score forms": "compile", "score read": "sheet.txt", "score write": "game.jsonl -o new.txt",
    "rule": "play.face-up-needs-protocol", "deck": "deck.json",
    "new-ruleset": "my-game -o my-game", "schema": "--ruleset compile", "import": "game.jsonl -o imported",
    "conform": "game.jsonl", "simulate": "--seed 7", "seal": "game.jsonl --key mine",
    "verify": "game.jsonl --signer mine", "key make": "other", "key list": "", "key trust": "{key} --name friend",
    "prove step": "game.jsonl --at 20 -o step.proof", "prove head": "game.jsonl -o new.head",
    "witness add": "heads.jsonl game.head --key mine", "witness check": "heads.jsonl --signer mine",
    "store import": "game.jsonl", "store list": "", "store show": "r3-t12", "store export": "r3-t12 -o out.jsonl",
    "store seal": "r3-t12", "store verify": "", "store rebuild": "", "store share": "r3-t12 unlisted",
    "store reaudit": "--reading fr", "store append": "r3-t12 more.jsonl --expected 130", "serve": "game.jsonl --port 1",
    "site": "-o taken --pyodide .",
    "publish": "game.jsonl -o page.json --as public", "token make": "t --days 2", "token list": "",
    "token revoke": "old", "rulebook add": "regles.txt --as petit-livret --lang fr --game compile", "rulebook list": "",
    "rulebook show": "petit-livret", "rulebook import": "regles.txt", "rulebook remove": "petit-livret",
    "rulebook link": "petit-livret", "rulebook tasks": "", "rulebook cut": "petit-livret", "record": "new.jsonl",
    "ask": "game.jsonl --at 24", "backup": "game.jsonl --to 112 -o remedy.jsonl", "qa": "compile --lang fr",
    "compare": "game.jsonl --readings fr,it", "stats": "game.jsonl --csv games.csv",
    "watch": ". --once --to found.txt",
    "note add": "game.jsonl --at 25 --by Ada why?", "note list": "game.jsonl",
    "case open": "game.jsonl --at 25 --by Ada why? --in cases", "case list": "--in cases", "case show": "c --in cases",
    "case claim": "c A 'A plague-5 1' --by Ada --in cases", "case agree": "c yes --by Ada --in cases",
    "case evidence": "c --file deck.json --by Ada --in cases", "case rule": "c --no so --by Ada --in cases",
    "case reword": "c so --by Ada --in cases", "case question": "c so? --by Ada --in cases",
    "case appeal": "c --player A --by Ada --in cases", "case final": "c --by Ada --in cases",
    "case withdraw": "c --by Ada --in cases", "case supersede": "c c why --by Ada --in cases",
    "case share": "c public --by Ada --in cases", "case export": "c -o case.jsonl --in cases",
    "case bundle": "c --log game.jsonl -o case.html --in cases",
    "case remedy": "c --to 24 --log game.jsonl -o branch.jsonl --by Ada --in cases",
    "case infractions": "--csv --in cases", "precedents": "game.jsonl --at 25 --in cases",
    "note export": "game.jsonl -o notes.md", "note import": "game.jsonl old.notes.jsonl",
}  # fmt: skip


def every(group: click.Group, before: str = "") -> Iterator[str]:
    """The name of every command."""
    context = click.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        assert command is not None
        if isinstance(command, click.Group):
            yield from every(command, f"{before}{name} ")
        else:
            yield before + name


Disturbance = Callable[[], None]
"""What is done in the process before the command runs."""


def closed(*numbers: int) -> Disturbance:
    """Standard streams that the caller has closed."""

    def disturb() -> None:
        for number in numbers:
            os.close(number)
            setattr(sys, ("stdin", "stdout", "stderr")[number], None)

    return disturb


def written_to(place: str) -> Disturbance:
    """Standard output that leads there."""
    return lambda: _lead(os.open(place, os.O_WRONLY))


def nobody_reads() -> None:
    """Standard output is a pipe whose reader has gone."""
    reading, writing = os.pipe()
    os.close(reading)
    _lead(writing)


def _lead(opened: int) -> None:
    os.dup2(opened, 1)
    os.close(opened)
    sys.stdout = open(1, "w")  # noqa: SIM115


def letters(encoding: str) -> Disturbance:
    """A terminal with other letters."""

    def disturb() -> None:
        os.environ.update(PYTHONIOENCODING=encoding, LC_ALL="C")
        sys.stdout = io.TextIOWrapper(io.FileIO(1, "w", closefd=False), encoding=encoding)

    return disturb


def full_disk() -> None:
    """No file may grow, those for the output of this test included."""
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
    _lead(os.open(os.devnull, os.O_WRONLY))


def no_place(folder: str) -> Disturbance:
    """A data folder that cannot be made."""
    return lambda: os.environ.update(AUDIT_DATA_DIR=folder)


def every_file(shell: str) -> Disturbance:
    """Every file and folder here but the data folder is replaced by something else."""

    def disturb() -> None:
        for path in [path for path in Path().iterdir() if path.name != "data"]:
            shutil.rmtree(path) if path.is_dir() else path.unlink()
            os.system(shell.format(shlex.quote(str(path))))

    return disturb


def every_key(shell: str) -> Disturbance:
    """Every key, token file and database is replaced by something else."""

    def disturb() -> None:
        for path in [path for path in Path("data").rglob("*") if path.is_file()]:
            path.unlink()
            os.system(shell.format(shlex.quote(str(path))))

    return disturb


SPECIAL = {
    "nothing": "true", "zero": "ln -s /dev/zero {0}", "full": "ln -s /dev/full {0}", "pipe": "mkfifo {0}",
    "folder": "mkdir {0}", "loop": "ln -s {0} {0}", "other letters": "printf '\\xff\\xfe\\x00{{' > {0}",
}  # fmt: skip
DISTURBANCES: dict[str, Disturbance] = {
    "none": lambda: None,
    "input closed": closed(0), "output closed": closed(1), "errors closed": closed(2), "all closed": closed(0, 1, 2),
    "output full": written_to("/dev/full"), "nobody reads": nobody_reads, "latin-1": letters("latin-1"),
    "ascii": letters("ascii"), "disk full": full_disk, "no data folder": no_place("game.jsonl/data"),
    "read-only data folder": no_place("/sys/audit"), "arguments": lambda: None,
    **{f"files: {name}": every_file(shell) for name, shell in SPECIAL.items()},
    **{f"keys: {name}": every_key(shell) for name, shell in SPECIAL.items()},
}  # fmt: skip


def arguments(name: str, key: str) -> list[str]:
    """The words of a command."""
    return [*name.split(), *shlex.split(COMMANDS[name].replace("{key}", shlex.quote(key)))]


def not_utf_8(words: Sequence[str], name: str) -> Iterator[list[str]]:
    """The words with one of them after the other replaced by what is no UTF-8."""
    for at in range(len(name.split()), len(words)):
        if not words[at].startswith("-"):
            yield [*words[:at], "\udcff\udc80", *words[at + 1 :]]


def prepare(folder: Path) -> str:
    """Files that the commands need, and a public key."""
    folder.mkdir(parents=True)
    os.chdir(folder)
    os.environ["AUDIT_DATA_DIR"] = "data"
    shutil.copy(SAMPLES / "dispute.jsonl", "game.jsonl")
    shutil.copy(SAMPLES / "altered-deck.json", "deck.json")
    Path("more.jsonl").write_text('{"seq": 131, "type": "flagged"}\n', "utf-8")
    Path("regles.txt").write_text("Un petit livret\n\nOn pose une carte de sa main sur la table.\n" * 3, "utf-8")
    for shell in (
        "key make mine", "seal game.jsonl --key mine", "prove head game.jsonl -o game.head",
        "witness add heads.jsonl game.head --key mine", "store import game.jsonl", "token make old",
        "note add game.jsonl --at 20 --by Ada why?", "note export game.jsonl -o old.notes.jsonl",
        "case open game.jsonl --at 25 --by Ada why --in cases",
        "score write game.jsonl -o sheet.txt", "rulebook add regles.txt --as petit-livret --lang fr --game compile",
    ):  # fmt: skip
        done = command_line.run(*shell.split())
        assert done.returncode == 0, (shell, done.stderr)
    return next(Path("data/keys").glob("mine.pub")).read_text("utf-8").strip()


def run(words: Sequence[str], disturb: Disturbance, told: Path) -> tuple[str, str]:
    """How a command ended, in a copy of this process, and what it printed."""
    status = os.waitpid(started(words, disturb, told), 0)[1]
    ended = f"exit code {os.WEXITSTATUS(status)}" if os.WIFEXITED(status) else f"signal {os.WTERMSIG(status)}"
    return TOO_LONG if ended == f"signal {signal.SIGALRM}" else ended, told.read_text("utf-8", "replace")


def started(words: Sequence[str], disturb: Disturbance, told: Path) -> int:
    """The number of a copy of this process that carries out a command."""
    sys.stdout.flush()
    child = os.fork()
    if not child:
        _be(words, disturb, told)
    return child


def _be(words: Sequence[str], disturb: Disturbance, told: Path) -> None:
    kept = os.open(told, os.O_RDWR | os.O_CREAT | os.O_TRUNC, 0o600)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(kept, 1)
    os.dup2(kept, 2)
    sys.stdin, sys.stdout, sys.stderr = open(0), open(1, "w"), open(2, "w", errors="backslashreplace")  # noqa: SIM115
    code = 70
    signal.signal(signal.SIGALRM, signal.SIG_DFL)  # pytest may have put its own there
    signal.alarm(SECONDS)
    try:
        disturb()
        from cli import main

        sys.argv = ["audit", *words]
        try:
            main()
        except SystemExit as done:
            code = done.code if isinstance(done.code, int) else 0
        if sys.stdout is not None:
            sys.stdout.flush()
    except BaseException:
        with contextlib.suppress(OSError):
            os.write(kept, traceback.format_exc().encode("utf-8", "replace"))
        code = 70
    os._exit(code)


def share_of(commands: Iterable[str], share: str) -> list[str]:
    """The commands of a share; all of them without one."""
    first, _, of = share.partition("/")
    return list(commands)[int(first) - 1 :: int(of)] if share else list(commands)


def disturbed(folder: Path, key: str, name: str, share: str = "") -> Iterator[tuple[str, str, str]]:
    """Each command with how it ended and what it said."""
    for number, command in enumerate(share_of(COMMANDS, share)):
        words = arguments(command, key)
        for more, asked in enumerate(not_utf_8(words, command) if name == "arguments" else [words]):
            place = folder / f"{number}-{more}"
            shutil.copytree(folder / "prepared-here", place)
            os.chdir(place)
            ended, said = run(asked, DISTURBANCES[name], folder / "told")
            yield shlex.join(asked), ended, said
            os.chdir(folder)
            shutil.rmtree(place)


def is_clear(ended: str, said: str) -> bool:
    """Whether a command ended with an answer: findings and errors are answers too, and that nobody read on (141)."""
    return ended in ("exit code 0", "exit code 1", "exit code 2", "exit code 141") and "Traceback" not in said


def main() -> int:
    """Run the commands; 1 where one did not end with an answer."""
    import cli

    assert set(every(cli.audit)) == set(COMMANDS), set(every(cli.audit)) ^ set(COMMANDS)
    folder, names = Path(sys.argv[1]).resolve(), sys.argv[2:]
    if "=" in "".join(names):  # to encode every statement takes half a minute
        meaning._encoder = lambda: None
    key = prepare(folder / "prepared-here")
    wrong = all_runs = 0
    for asked in names or DISTURBANCES:
        runs = 0
        name, _, share = asked.partition("=")
        for words, ended, said in disturbed(folder, key, name, share):
            runs += 1
            if not is_clear(ended, said):
                wrong += 1
                print(f"{name}: audit {words}: {ended}\n{said[-1500:]}", flush=True)
        print(f"{name:24}{runs:6}", flush=True)
        all_runs += runs
    print(f"{all_runs} runs, {wrong} without a clear answer")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
