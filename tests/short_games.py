"""The beginnings of sample games: what is tried at one step needs no more of a game than leads there."""

from __future__ import annotations

from pathlib import Path

from web import samples


def beginnings(folder: Path, **events: int) -> Path:
    """Put the first so many events of these samples into the folder, under their names."""
    for name, number in events.items():
        sample = name.replace("_", "-") + ".jsonl"
        lines = (samples() / sample).read_bytes().splitlines(keepends=True)
        (folder / sample).write_bytes(b"".join(lines[: number + 1]))
    return folder
