"""How many situations show each card text carried out and broken, kept beside the cards for `audit rule --coverage`.

python -m tests.compile.counted_situations     writes the counts anew
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from tests.compile import card_facts
from tests.compile.card_situations import Situation, by_hand, situations

PATH = Path(__file__).resolve().parents[2] / "audit" / "games" / "compile" / "situations.toml"

HEAD = """# How many situations show each card text carried out, and how many show it broken.
# Written by `python -m tests.compile.counted_situations`; tests/compile/test_card_situations.py runs the situations.
"""


def counted(found: Iterable[Situation]) -> dict[str, list[int]]:
    """By text, such as `fire-0 middle`: how many situations carry it out, and how many break it."""
    counts: dict[str, list[int]] = {}
    for situation in found:
        for text in {" ".join(place.split()[:2]) for place in situation.at}:
            counts.setdefault(text, [0, 0])[situation.how is not None] += 1
    return counts


def lines(counts: dict[str, list[int]]) -> str:
    """The counts as they are kept."""
    return HEAD + "".join(f'"{text}" = {numbers}\n' for text, numbers in sorted(counts.items()))


def all_situations() -> list[Situation]:
    """Those made from the facts and those written by hand."""
    facts = card_facts.cards()
    return [*(situation for card in facts for situation in situations(card)), *by_hand()]


if __name__ == "__main__":
    PATH.write_text(lines(counted(all_situations())), "utf-8")
