"""A card that is not in the hand: which text took it away, and that what follows from there is no second mistake."""

from __future__ import annotations

from audit.core.auditor import audit
from audit.core.rulings import cited
from audit.games.compile import RULESET
from replays.judging.annotate import Annotator
from replays.scoresheet.sheet import read_sheet

RETURNED = (
    "game t1   A Ada: corruption fear ice   B Bo: war peace luck   first A",
    "position compile/15A.action.-/corruption.fear.ice:corruption1;;ice4:3:11:/war.peace.luck:war5;peace4*;luck2:3:11:",
    "A fear2 2",
    "B return luck-2",
)


def told(*lines: str) -> list[tuple[int | None, str, tuple[int, ...], str]]:
    """The findings of a sheet: where, the rule that is named first, the event that led to it, and the reasons."""
    header, events = read_sheet("\n".join(lines), game="compile")
    found = [step for step in audit(RULESET, header, events) if step.verdict.is_finding]
    say = Annotator(RULESET, "en", header=header).message
    return [(one.seq, cited(RULESET, one)[0].id, one.because, say(one).partition(". ")[2]) for one in found]


def test_a_card_that_a_text_put_on_the_deck_is_played_from_the_hand_once() -> None:
    lines = (*RETURNED, "B luck2 3", "B discard peace-2 deck", "B draw 2", "A ?1* 1")
    reason = "Luck 2 is not in the hand. By Corruption 1 it went to the deck."
    assert told(*lines) == [(4, "effects.cards-beat-rules", (3,), reason)]


def test_a_ruling_about_empty_decks_says_nothing_of_the_top_of_a_full_one() -> None:
    (finding,) = told(*RETURNED, "B luck4 3", "B discard peace-2 deck")
    assert finding == (5, "effects.must-be-applied", (4,), "The top of the deck is Luck 2.")


def test_a_text_that_emptied_the_hand_is_named_to_who_plays_from_it() -> None:
    lines = (
        "game t3   A Ada: luck peace chaos   B Bo: mirror ice corruption   first A",
        "position compile/13A.action.-/luck.peace.chaos:luck5;;chaos3*:3:11:/mirror.ice.corruption:mirror3;ice4;:3:10:",
        "A peace1 2",
        "Ada discards Chaos 2 and Luck 0.",
        "A draw 1",
        "B mirror0 1",
    )
    reason = "Mirror 0 is not in the hand. Peace 1 left no card in the hand."
    assert told(*lines) == [(5, "effects.must-be-applied", (2,), reason)]


def test_a_card_that_a_text_had_discarded_is_told_with_that_text() -> None:
    lines = (
        "game t4   A Ada: peace luck ice   B Bo: mirror courage clarity   first A",
        "position compile/9A.action.-/peace.luck.ice:;;:peace1,luck0:11:/mirror.courage.clarity:;;:courage5:12:",
        "A peace1 1",
        "A discard luck-0",
        "B discard courage-5",
        "A draw 1",
        "B courage5* 3",
    )
    reason = "Courage 5 is not in the hand. By Peace 1 it went to the trash."
    assert told(*lines) == [(6, "turn.one-action", (4,), reason)]  # the discard was told, and so not forgotten
