"""A sheet leaves out what follows by itself and what the lines before tell; a line may tell of what comes after it."""

from __future__ import annotations

import pytest

from audit.core.model import Event
from replays.errors import LogError
from replays.scoresheet.sheet import read_sheet

HEAD = """game x   p1 Ada   p2 Bo
header {"ruleset":"lotr-reveal","setup":{"cards":{"Rat":{"type":"enemy","keywords":{"surge":true}},\
"Keep":{"type":"location","keywords":{"doomed":1}}},"in_play":{"Watch":{"owner":"p1"}}}}
""".replace("\\\n", "")


def last(*lines: str) -> Event:
    """The event of the last of these lines."""
    return read_sheet(HEAD + "\n".join(lines))[1][-1]


@pytest.mark.parametrize(
    "lines",
    [
        ("rat p1", "Rat goes to the staging area."), ("keep p1", "key doomed 1", "Keep goes to the staging area."),
        ("keep p1", "Keep goes to the staging area."),
        ("keep p1", "key doomed 1", "Keep is through with all its steps."),
        ("keep p1", "key doomed 1", "Keep va dans la zone de cheminement."),
        ("keep p1", "key doomed 1", "Karta Keep trafia do strefy przeciwności."),
        ("keep p1", "Keep va nell'area di allestimento."),
    ],
)  # fmt: skip
def test_a_sentence_is_read_where_what_comes_before_it_was_left_out(lines: tuple[str, ...]) -> None:
    assert type(last(*lines)).__name__ in ("CardMoved", "RevealEnded")


def test_a_sentence_that_tells_too_little_is_answered_with_the_form_that_fits() -> None:
    with pytest.raises(LogError, match=r"moved \{card\} \{from\} \{to\}"):
        read_sheet(HEAD + "Keep goes to the staging area.")


@pytest.mark.parametrize(
    ("line", "short"),
    [
        ("key doomed 1 keep", "f2 5.1 keyword Keep doomed 1"), ("key doomed 1 keep f1", "f1 5.1 keyword Keep doomed 1"),
        ("key doomed keep f1", "f1 5.1 keyword Keep doomed"), ("surge printed rat", "f2 5.1 surge Rat printed"),
        ("watch hit 1 keep f1", "f1 Watch damage Keep 1"), ("rat p2 surge f1", "f3 Rat p2 surge of f1"),
        ("rat p2 surge f1 f9", "f9 Rat p2 surge of f1"),
        ('forced watch "1 damage" f1', 'f1 10 Watch forced "1 damage"'),
        ("p1 watch cancel keep f1", "f1 3 p1 Watch cancel_card Keep"),
    ],
)  # fmt: skip
def test_what_the_lines_before_tell_may_be_given(line: str, short: str) -> None:
    short = short.replace("Watch forced", "forced Watch")
    assert last("keep p1", "rat p2", line) == last("keep p1", "rat p2", short)


def test_a_card_that_nobody_knows_is_no_keyword_with_a_number() -> None:
    with pytest.raises(LogError, match="a card of this game"):
        read_sheet(HEAD + "keep p1\nkey doomed 1 kep")
