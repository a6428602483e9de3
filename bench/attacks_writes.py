"""Full disks, kills and eight at once on every command that writes: what was acknowledged is kept, and all can be read.

python -m bench.attacks_writes [--rounds 6] [--seed 1] [COMMAND]...

A command has acknowledged a write if its exit code is 0. What it acknowledged and is not there afterwards is **lost**;
a file that could be read before, and cannot be read afterwards, is **unreadable**. If there is any, the exit code is 1.

- **limit**: no file may grow over a number of bytes, at random up to twice what the command writes;
- **small disk**: a file system of its own with a few bytes left (only for who may mount one, else it is left out);
- **killed**: SIGKILL at a random moment of the run;
- **at once**: eight of the command, each with words of its own.
"""

from __future__ import annotations

import argparse
import os
import random
import resource
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from msgspec import Struct

from tests.attacks.every_command import COMMANDS, prepare, run, started

TOGETHER = 8
NUMBER = "{n}"


class Writer(Struct, frozen=True):
    """A command that writes; `{n}` is the number of one of several that run at once."""

    words: str
    shows: str = ""
    """The command that shows what was written; without one, a file is made, and is whole or not there."""
    marker: str = ""
    """What that command prints of it. Empty: only one of several can win, and only that it can be read counts."""
    file: str = ""


WRITERS: Mapping[str, Writer] = {
    "note add": Writer("game.jsonl --at 25 --by Ada word{n}", "note list game.jsonl", "word{n}"),
    "note import": Writer("game.jsonl old.notes.jsonl", "note list game.jsonl"),
    "note export": Writer("game.jsonl -o notes{n}.md", file="notes{n}.md"),
    "case open": Writer("game.jsonl --at 25 --by Ada word{n} --in cases", "case list --in cases", "word{n}"),
    "case agree": Writer("last word{n} --by Ada --in cases", "case show last --in cases", "word{n}"),
    "case claim": Writer("last A 'A plague-5 1' --by Ada{n} --in cases", "case show last --in cases", "Ada{n}"),
    "case evidence": Writer("last --text word{n} --source here --by Ada --in cases", "case show last --in cases",
                            "word{n}"),
    "case rule": Writer("last --no word{n} --by Ada --in cases", "case show last --in cases"),
    "case withdraw": Writer("last --by Ada{n} --in cases", "case show last --in cases"),
    "case share": Writer("last public --by Ada --in cases", "case show last --in cases"),
    "case export": Writer("last -o case{n}.jsonl --in cases", file="case{n}.jsonl"),
    "case bundle": Writer("last --log game.jsonl -o case{n}.html --in cases", file="case{n}.html"),
    "key make": Writer("key{n}", "key list", "key{n}"),
    "key trust": Writer("{public} --name friend{n}", "key list", "friend{n}"),
    "token make": Writer("token{n} --days 2", "token list", "token{n}"),
    "token revoke": Writer("old", "token list"),
    "seal": Writer("game.jsonl --key signer{n}", "verify game.jsonl --trusted", "signer{n}"),
    "witness add": Writer("heads.jsonl game{n}.head --key mine", "witness check heads.jsonl --signer mine"),
    "prove step": Writer("game.jsonl --at 20 -o step{n}.proof", file="step{n}.proof"),
    "prove head": Writer("game.jsonl -o new{n}.head", file="new{n}.head"),
    "publish": Writer("game.jsonl -o page{n}.json --as public", file="page{n}.json"),
    "score write": Writer("game.jsonl -o sheet{n}.txt", file="sheet{n}.txt"),
    "score read": Writer("sheet.txt -o read{n}.jsonl", file="read{n}.jsonl"),
    "backup": Writer("game.jsonl --to 112 -o remedy{n}.jsonl", file="remedy{n}.jsonl"),
    "stats": Writer("game.jsonl --csv games{n}.csv", file="games{n}.csv"),
    "store import": Writer("game{n}.jsonl", "store list", "game-{n}"),
    "store append": Writer("r3-t12 more{n}.jsonl --expected 130", "store show r3-t12"),
    "store seal": Writer("r3-t12 --key signer{n}", "store verify"),
    "store share": Writer("r3-t12 unlisted", "store show r3-t12"),
    "store rebuild": Writer("", "store list"),
    "store reaudit": Writer("--reading fr", "store list"),
    "store export": Writer("r3-t12 -o out{n}.jsonl", file="out{n}.jsonl"),
    "rulebook add": Writer("regles.txt --as book{n} --lang fr --game compile", "rulebook list", "book{n}"),
    "rulebook remove": Writer("other", "rulebook list"),
    "rulebook cut": Writer("petit-livret drop un-petit-livret/1 --by Ada{n}", "rulebook cut petit-livret"),
    "rulebook link": Writer("petit-livret setup.opening-hand un-petit-livret/1 --by Ada{n}", "rulebook list"),
}  # fmt: skip
READERS: Mapping[str, tuple[str, ...]] = {
    "note": ("note list game.jsonl",),
    "case": ("case list --in cases", "case show last --in cases"),
    "key": ("key list", "verify game.jsonl --trusted"),
    "seal": ("verify game.jsonl --trusted", "key list"),
    "token": ("token list",),
    "witness": ("witness check heads.jsonl --signer mine",),
    "store": ("store list", "store verify", "store show r3-t12"),
    "rulebook": ("rulebook list", "rulebook cut petit-livret"),
}
"""What has to be readable after a write, by the first word of the command."""


class Tried(Struct):
    """What became of the writes of one command under one attack."""

    tried: int = 0
    acknowledged: int = 0
    lost: int = 0
    unreadable: int = 0


Ending = tuple[int, str]
Attack = Callable[["Desk", Writer, random.Random], Iterator[int]]
"""Carries out the command, and yields the numbers of what was acknowledged."""


class Desk:
    """A copy of the prepared folder, in which one command is attacked."""

    def __init__(self, folder: Path, name: str) -> None:
        self.folder = folder
        self.name = name

    @property
    def readers(self) -> tuple[str, ...]:
        """The commands that read what this one writes."""
        return READERS.get(self.name.partition(" ")[0], ("verify game.jsonl --trusted",))

    def words(self, writer: Writer, number: int) -> list[str]:
        """The command as it is typed."""
        return [*self.name.split(), *shlex.split(filled(writer.words, number))]

    def reads(self, words: str, number: int = 0) -> Ending:
        """How a command ends that is not disturbed, and what it prints."""
        ended, said = run(shlex.split(filled(words, number)), lambda: None, self.folder.parent / "told")
        return int(ended.rpartition(" ")[2]), said


def filled(words: str, number: int) -> str:
    """The words with the number of this one, and its public key."""
    told = words.replace(NUMBER, str(number))
    if "{public}" in told:
        told = told.replace("{public}", shlex.quote(Path(f"friend{number}.pub").read_text("utf-8").strip()))
    return told


def limited(desk: Desk, writer: Writer, dice: random.Random) -> Iterator[int]:
    """No file may grow over so many bytes."""
    most = int(dice.choice((0, 1, 100, 1_000, 10_000, 200_000)) * dice.uniform(0.5, 1.5))

    def disturb() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))

    ended, _ = run(desk.words(writer, 1), disturb, Path(os.devnull))
    yield from [1] if ended == "exit code 0" else []


def killed(desk: Desk, writer: Writer, dice: random.Random) -> Iterator[int]:
    """The process is killed at some moment; it has acknowledged only if it had ended before."""
    child = started(desk.words(writer, 1), lambda: None, Path(os.devnull))
    time.sleep(dice.uniform(0.0, _LASTS[desk.name]))
    os.kill(child, signal.SIGKILL)
    status = os.waitpid(child, 0)[1]
    yield from [1] if os.WIFEXITED(status) and os.WEXITSTATUS(status) == 0 else []


def small_disk(desk: Desk, writer: Writer, dice: random.Random) -> Iterator[int]:
    """A file system with so many bytes left."""
    left = int(dice.choice((0, 4_096, 8_192, 65_536)))
    stat = os.statvfs(".")
    free = stat.f_bavail * stat.f_frsize
    with open("filler", "wb") as filler:
        filler.write(b"\0" * max(0, free - left))
    ended, _ = run(desk.words(writer, 1), lambda: None, Path(os.devnull))
    Path("filler").unlink()
    yield from [1] if ended == "exit code 0" else []


def at_once(desk: Desk, writer: Writer, dice: random.Random) -> Iterator[int]:
    """Eight run at the same time."""
    children = {
        started(desk.words(writer, number), lambda: None, Path(os.devnull)): number
        for number in dice.sample(range(1, TOGETHER + 1), TOGETHER)
    }
    for child, number in children.items():
        status = os.waitpid(child, 0)[1]
        if os.WIFEXITED(status) and os.WEXITSTATUS(status) == 0:
            yield number


ATTACKS: Mapping[str, Attack] = {"limit": limited, "small disk": small_disk, "killed": killed, "at once": at_once}
_LASTS: dict[str, float] = {}
"""Seconds that each command takes undisturbed."""


def attacked(prepared: Path, desk: Desk, attack: str, dice: random.Random, wanted: Mapping[str, bytes]) -> Tried:
    """Attack one command once, in a copy of the folder."""
    writer = WRITERS[desk.name]
    with place_for(desk.folder, attack == "small disk"):
        shutil.copytree(prepared, desk.folder, dirs_exist_ok=True)
        os.chdir(desk.folder)
        done = list(ATTACKS[attack](desk, writer, dice))
        found = Tried(TOGETHER if attack == "at once" else 1, len(done))
        found.unreadable = sum(desk.reads(words)[0] > 1 for words in desk.readers)
        found.lost = sum(not is_kept(desk, writer, number, wanted) for number in done)
        if writer.file:
            found.unreadable += sum(is_torn(writer, number, wanted) for number in range(1, TOGETHER + 1))
        os.chdir(prepared)
    return found


def is_kept(desk: Desk, writer: Writer, number: int, wanted: Mapping[str, bytes]) -> bool:
    """Whether what was acknowledged is there."""
    if writer.file:
        return Path(filled(writer.file, number)).is_file()
    code, said = desk.reads(writer.shows, number)
    return code <= 1 and filled(writer.marker, number) in said


def is_torn(writer: Writer, number: int, wanted: Mapping[str, bytes]) -> bool:
    """Whether a file is there that is not what the command makes undisturbed."""
    made = Path(filled(writer.file, number))
    return made.is_file() and len(made.read_bytes()) != len(wanted[writer.file])


@contextmanager
def place_for(folder: Path, is_small: bool) -> Iterator[None]:
    """An empty folder, if asked for on a small file system of its own."""
    folder.mkdir()
    try:
        if is_small:
            subprocess.run(["mount", "-t", "tmpfs", "-o", "size=8m", "tmpfs", str(folder)], check=True)
        yield
    finally:
        if is_small:
            os.chdir(folder.parent)
            subprocess.run(["umount", str(folder)], check=False)
        shutil.rmtree(folder)


def can_mount(folder: Path) -> bool:
    """Whether a file system may be mounted here."""
    folder.mkdir()
    made = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", str(folder)], capture_output=True)
    if made.returncode == 0:
        subprocess.run(["umount", str(folder)], check=True)
    folder.rmdir()
    return made.returncode == 0


def prepared_in(folder: Path) -> Path:
    """The folder with all that the commands need: eight games, keys, heads and lines."""
    place = folder / "desk"
    prepare(place)
    desk = Desk(place, "")
    assert desk.reads("rulebook add regles.txt --as other --lang fr --game compile")[0] == 0
    game = Path("game.jsonl").read_text("utf-8")
    for number in range(1, TOGETHER + 1):
        Path(f"game{number}.jsonl").write_text(game.replace("r3-t12", f"game-{number}", 1), "utf-8")
        Path(f"more{number}.jsonl").write_text(f'{{"seq": 131, "type": "flagged", "note": "{number}"}}\n', "utf-8")
        for words in (f"key make signer{number}", f"seal game{number}.jsonl --key signer{number}",
                      f"prove head game{number}.jsonl -o game{number}.head"):  # fmt: skip
            assert desk.reads(words)[0] == 0, words
        public = Path(f"data/keys/signer{number}.pub").read_text("utf-8")
        Path(f"friend{number}.pub").write_text(public, "utf-8")
    return place


def undisturbed(prepared: Path, name: str) -> tuple[float, dict[str, bytes]]:
    """How long the command takes, and the file that it makes."""
    writer, folder = WRITERS[name], prepared.parent / "undisturbed"
    shutil.copytree(prepared, folder)
    os.chdir(folder)
    desk, begun = Desk(folder, name), time.perf_counter()
    ended, said = run(desk.words(writer, 1), lambda: None, prepared.parent / "told")
    lasts = time.perf_counter() - begun
    assert ended == "exit code 0", (name, ended, said)
    made = {writer.file: Path(filled(writer.file, 1)).read_bytes()} if writer.file else {}
    assert writer.file or is_kept(desk, writer, 1, {}), (name, desk.reads(writer.shows, 1))
    unread = [words for words in desk.readers if desk.reads(words)[0] > 1]
    assert not unread, (name, unread)
    os.chdir(prepared)
    shutil.rmtree(folder)
    return lasts, made


def main() -> int:
    """Attack each command, and print a line for each."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("commands", nargs="*", default=list(WRITERS), metavar="COMMAND")
    parser.add_argument("--rounds", type=int, default=6, help="times each command meets each attack")
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    assert set(asked.commands) <= set(WRITERS) <= set(COMMANDS), set(WRITERS) - set(COMMANDS)
    dice, whole = random.Random(asked.seed), Counter[str]()
    with tempfile.TemporaryDirectory(prefix="writes-") as made:
        prepared = prepared_in(Path(made).resolve())
        attacks = [one for one in ATTACKS if one != "small disk" or can_mount(Path(made) / "mounted")]
        print(f"{'command':18}{'attack':12}{'tried':>7}{'acknowledged':>14}{'lost':>6}{'unreadable':>12}")
        for name in asked.commands:
            _LASTS[name], wanted = undisturbed(prepared, name)
            for attack in attacks:
                rounds = 1 if attack == "at once" else asked.rounds
                desk = Desk(prepared.parent / "attacked", name)
                found = [attacked(prepared, desk, attack, dice, wanted) for _ in range(rounds)]
                counts = {field: sum(getattr(one, field) for one in found) for field in Tried.__struct_fields__}
                whole.update(counts)
                print(f"{name:18}{attack:12}" + row(counts), flush=True)
    print(f"{'all':30}" + row(whole))
    return 1 if whole["lost"] or whole["unreadable"] else 0


def row(counts: Mapping[str, int]) -> str:
    """The four numbers of a line."""
    return f"{counts['tried']:7}{counts['acknowledged']:14}{counts['lost']:6}{counts['unreadable']:12}"


if __name__ == "__main__":
    sys.exit(main())
