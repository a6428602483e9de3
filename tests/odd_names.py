"""A log whose words are not for showing."""

from __future__ import annotations

import json
from pathlib import Path

from tests.conftest import ROOT

ODD = "\ufffe\x1b]0;mine\x07\x0b\x1b[2J\x1b[8m\x85\x9b31m\u2028\u202e</x>&\x00\r\n✓ clean"
"""What a name may hold to take over a terminal – its title, its screen, hidden and backward words, a line of its own –
or to break a page or an XML file."""


def oddly_named(folder: Path) -> Path:
    """The log: its game, a player and three protocols have that name."""
    sample = ROOT / "replays" / "samples" / "dispute.jsonl"
    header = json.loads(sample.read_text("utf-8").splitlines()[0])
    header |= {"game": ODD, "players": [{"seat": "A", "name": ODD}, {"seat": "B", "name": "Bo"}]}
    event = {"seq": 1, "type": "rearranged", "side": "A", "protocols": [ODD, ODD, ODD], "note": ODD}
    path = folder / "odd.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in (header, event)), "utf-8")
    return path
