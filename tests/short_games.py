"""The beginnings of sample games: what is tried at one step needs no more of a game than leads there."""

from __future__ import annotations

from pathlib import Path

from web import samples


def first_events(name: str, number: int | None) -> bytes:
    """The header of a sample and its first events; all of them without a number."""
    lines = (samples() / f"{name}.jsonl").read_bytes().splitlines(keepends=True)
    return b"".join(lines[: None if number is None else number + 1])


def beginnings(folder: Path, **events: int) -> Path:
    """Put the first so many events of these samples into the folder, under their names."""
    for name, number in events.items():
        sample = name.replace("_", "-")
        (folder / f"{sample}.jsonl").write_bytes(first_events(sample, number))
    return folder
