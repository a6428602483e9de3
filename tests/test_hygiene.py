"""What the project's files may not hold: paths of one machine, addresses of registries, the texts of the games."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
LEFT_BEHIND = re.compile(r"\.git|\.venv|__pycache__|build|dist|\..*_cache|\.hypothesis|\.schemathesis|.*\.egg-info")

FORBIDDEN = {
    "a path of one machine": re.compile(r"(?<![\w.~-])/(?:root|home|Users|work|tmp)/[\w.]"),
    "the address of a registry": re.compile(r"\b(?:py(?:pi|thonhosted)\.org|npmjs\.(?:com|org)|deb\.\w+\.org)\b"),
    "how it was made": re.compile(r"\b(?:cl[a]ude|anthr[o]pic|sub-?ag[e]nts?|co-auth[o]red-by)\b", re.IGNORECASE),
}

RUN = 12
"""So many words in a row that are those of a document are its sentence, not a coincidence."""


def breaches(text: str) -> list[str]:
    found = {what: pattern for what, pattern in FORBIDDEN.items() if pattern.search(text)}
    return [
        f"{number}: {what}"
        for number, line in enumerate(text.splitlines() if found else (), 1)
        for what, pattern in found.items()
        if pattern.search(line)
    ]


@cache
def project_files() -> tuple[Path, ...]:
    """Everything that is or could be committed; without git, everything but what tools leave behind."""
    try:
        listed = subprocess.run(
            ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
            cwd=ROOT, capture_output=True, text=True, check=True,
        ).stdout.split("\0")  # fmt: skip
        found = [ROOT / name for name in listed if name]
    except (OSError, subprocess.CalledProcessError):
        found = [path for path in ROOT.rglob("*") if not any(map(LEFT_BEHIND.fullmatch, path.relative_to(ROOT).parts))]
    return tuple(sorted(path for path in found if path.is_file()))


def texts() -> Iterator[tuple[Path, str]]:
    """The files that are text, with their path in the project."""
    for path in project_files():
        try:
            yield path.relative_to(ROOT), path.read_text("utf-8")
        except UnicodeDecodeError:
            continue


def words_of(text: str) -> list[str]:
    return re.findall(r"[^\W\d_]+|\d+", text.casefold())


def runs(words: list[str]) -> Iterator[tuple[str, ...]]:
    return (tuple(words[n : n + RUN]) for n in range(len(words) - RUN + 1))


@pytest.mark.every(
    "line",
    ["cd /ro" + "ot/x", "see /ho" + "me/ann/log", "https://py" + "pi.org/simple", "path = '/t" + "mp/x'"],
)
def test_what_does_not_belong_is_seen(line: str) -> None:
    assert breaches(line)


def test_what_only_looks_alike_is_let_through() -> None:
    assert not breaches("/var/lib/audit  ./work/x  example.org/home/page  /homework  PyPI  ~/tmp/x")


def test_no_file_names_a_machine_a_registry_or_how_it_was_made() -> None:
    assert not [f"{path}:{breach}" for path, text in texts() for breach in breaches(text)]


def test_the_locks_are_pinned_hashed_and_name_no_place_to_install_from() -> None:
    locks = sorted((ROOT / "requirements").glob("*.txt"))
    assert locks
    for lock in locks:
        pinned = [entry for entry in re.split(r"\n(?=\S)", lock.read_text("utf-8")) if not entry.startswith("#")]
        assert pinned
        assert not [entry for entry in pinned if "==" not in entry or "--hash=sha256:" not in entry], lock.name
        assert not re.search(r"^-|https?:", "\n".join(pinned), re.MULTILINE), lock.name


def test_no_sentence_of_a_rulebook_is_in_the_project(shared: Path) -> None:
    printed = {
        run for path in sorted((shared / "rulebooks").glob("*.txt")) for run in runs(words_of(path.read_text("utf-8")))
    }
    assert printed
    known = set().union(*printed)
    copied = [
        f"{path}: {' '.join(run)}" for path, text in texts() for run in copied_runs(words_of(text), printed, known)
    ]
    assert not copied, copied[:10]


def copied_runs(words: list[str], printed: set[tuple[str, ...]], known: set[str]) -> Iterator[tuple[str, ...]]:
    """The runs that are printed: only where no other word stands in between they are put together and looked up."""
    since = 0
    for at, word in enumerate(words):
        if word not in known:
            since = at + 1
        elif at - since >= RUN - 1 and (run := tuple(words[at + 1 - RUN : at + 1])) in printed:
            yield run


def test_a_copied_sentence_is_seen_where_it_ends() -> None:
    sentence = [f"word{number}" for number in range(RUN)]
    assert [*copied_runs(["before", *sentence, "after"], {tuple(sentence)}, {*sentence})] == [tuple(sentence)]
    assert [*copied_runs([*sentence[:-1], "after"], {tuple(sentence)}, {*sentence})] == []
