"""Which files of a folder are logs: notes and cases lie beside them under names of their own."""

from __future__ import annotations

from pathlib import Path

ENDING = ".jsonl"
LEDGERS = (".notes.jsonl", ".case.jsonl")
"""How the names of files of notes and of cases end."""


def is_log(name: str) -> bool:
    """Whether a file of that name is a log."""
    return name.endswith(ENDING) and not name.endswith(LEDGERS)


def logs_in(folder: Path) -> list[Path]:
    """The logs of a folder, by name."""
    return sorted(path for path in folder.glob(f"*{ENDING}") if is_log(path.name))
