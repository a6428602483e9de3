"""What real games showed: moments that come up rarely, and what then has to be so."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from audit.core.auditor import audit
from audit.core.event_rules import Obligation, numbered
from audit.core.model import Event, Header, Verdict
from audit.core.steps import Step
from audit.games.compile import RULESET
from audit.games.compile.events import (
    Chose,
    Compiled,
    Deleted,
    Discarded,
    Drew,
    Played,
    Refreshed,
    Reshuffled,
    Returned,
    Shifted,
    Triggered,
    TurnBegan,
)
from audit.games.compile.state import State

Stacks = list[list[str]]


def at_table(
    mine: Stacks, theirs: Stacks, reading: str = "standard", control: str | None = None, **a: list[str]
) -> Header:
    """A plays next; `a` are the zones of A. A card with a star lies face down."""
    sides = {
        "A": {"protocols": ["darkness", "death", "light"], "lines": [[placed(c) for c in s] for s in mine], **a},
        "B": {"protocols": ["metal", "plague", "spirit"], "lines": [[placed(c) for c in s] for s in theirs],
              "hand": ["spirit-1", "spirit-2"], "deck": ["spirit-3", "spirit-4", "spirit-5"]},
    }  # fmt: skip
    position = {"sides": sides, "player": "A", "phase": "action", "turn": 5, "control": control}
    return Header(log="audit/1", ruleset="compile", reading=reading, setup={"position": position})


def placed(name: str) -> dict[str, str]:
    return {"card": name.rstrip("*"), "face": "down" if name.endswith("*") else "up"}


def steps(head: Header, *events: Event) -> list[Step]:
    return list(audit(RULESET, head, [numbered(event, seq) for seq, event in enumerate(events, 1)]))


def findings(found: list[Step]) -> list[tuple[int | None, str]]:
    return [(step.seq, step.rules[0].id) for step in found if step.verdict.is_finding]


def after(found: list[Step]) -> State:
    state = found[-1].state
    assert isinstance(state, State)
    while (forced := RULESET.rules.forced(state)) and forced[0].obligation is Obligation.REQUIRED:
        state = RULESET.rules.evolve(state, forced[1])
    return state


def play(card: str, line: int, face: Any = "up") -> Played:
    return Played(seq=0, player="A", card=card, line=line, face=face)


def test_a_covered_card_shifted_away_is_uncovered_where_it_lands_and_acts() -> None:
    head = at_table([[], [], []], [["plague-0", "metal-5*"], [], []], hand=["darkness-0", "death-5"])
    found = steps(
        head,
        play("darkness-0", 1),
        Shifted(seq=0, card="plague-0", to=2),
        Triggered(seq=0, card="plague-0", command="middle"),
        Discarded(seq=0, player="A", cards=("death-5",)),
    )
    assert findings(found) == []


def test_a_returned_card_is_in_the_hand_when_the_text_it_laid_bare_acts() -> None:
    returned = Returned(seq=0, card="metal-1", to="B")
    lines = [["metal-5", "metal-1*"], [], []]
    at_once = RULESET.rules.evolve(RULESET.rules.start(at_table([[], [], []], lines)), returned)
    assert "metal-1" in at_once.b.hand
    on_its_way = RULESET.rules.evolve(
        RULESET.rules.start(at_table([[], [], []], lines, reading="returns-commit")), returned
    )
    assert "metal-1" not in on_its_way.b.hand


def test_a_line_without_any_card_that_fits_may_be_picked() -> None:
    head = at_table([[], [], []], [["plague-1*"], [], []], hand=["death-2"])
    line = Chose(seq=0, player="A", what="line", line=3)
    found = steps(head, play("death-2", 2), line, TurnBegan(seq=0, player="B", turn=6))
    assert findings(found) == []
    assert after(found).b.lines[0] != ()
    strict = at_table([[], [], []], [["plague-1*"], [], []], reading="line-must-hold-a-target", hand=["death-2"])
    told = steps(strict, play("death-2", 2), Deleted(seq=0, cards=("plague-1",)))
    assert findings(told) == []
    assert Verdict.ILLEGAL in {
        step.verdict for step in steps(strict, play("death-2", 2), line, TurnBegan(seq=0, player="B", turn=6))
    }


def test_what_a_deletion_of_all_leaves_uncovered_acts() -> None:
    lines = [["metal-5", "plague-1*"], [], []]
    deleted = (play("death-2", 2), Deleted(seq=0, cards=("plague-1",)))
    ended = TurnBegan(seq=0, player="B", turn=6)
    acted = (*deleted, Discarded(seq=0, player="B", cards=("spirit-1",)), ended)
    for reading in ("standard", "all-lays-bare"):
        head = at_table([[], [], []], lines, reading=reading, hand=["death-2"])
        assert findings(steps(head, *acted)) == []
        assert findings(steps(head, *deleted, ended)) != []
    silent = at_table([[], [], []], lines, reading="all-is-silent", hand=["death-2"])
    assert findings(steps(silent, *deleted, ended)) == []
    assert findings(steps(silent, *acted)) != []


def test_a_deletion_of_one_card_wakes_the_text_below() -> None:
    head = at_table([[], [], []], [["metal-5", "plague-1*"], [], []], hand=["death-3"])
    told = (play("death-3", 2), Deleted(seq=0, cards=("plague-1",)), Discarded(seq=0, player="B", cards=("spirit-1",)))
    assert findings(steps(head, *told)) == []


def test_a_group_is_shifted_in_the_order_it_lies_in() -> None:
    head = at_table([[], [], []], [[], [], ["plague-1*", "plague-2*"]], hand=["light-3"])
    lower, upper = Shifted(seq=0, card="plague-1", to=1), Shifted(seq=0, card="plague-2", to=1)
    assert findings(steps(head, play("light-3", 3), lower, upper)) == []
    assert findings(steps(head, play("light-3", 3), upper, lower)) == [(2, "card.light-3")]
    state = after(steps(head, play("light-3", 3), upper, lower))
    assert [placed.card for placed in state.b.lines[0]] == ["plague-2", "plague-1"]


def test_a_draw_before_the_control_component_went_back_is_the_control_rules_matter() -> None:
    head = at_table(
        [[], [], []], [[], [], []], control="A", hand=["death-1"], deck=["death-3", "death-4", "death-5", "light-1"]
    )
    drawn = Drew(seq=0, player="A", cards=("death-3", "death-4", "death-5", "light-1"))
    log = (Refreshed(seq=0, player="A"), drawn)
    assert findings(steps(head, *log)) == []  # nobody says that it did not go back
    assert findings(steps(replace(head, complete=True), *log)) == [(2, "control.back-on-refresh")]


def test_a_card_that_is_not_covered_yet_is_no_covered_card() -> None:
    head = at_table([["hate-4"], [], []], [[], [], []], hand=["death-4"])
    itself = steps(head, play("death-4", 1, "down"), Deleted(seq=0, cards=("hate-4",)))
    assert findings(itself) == [(2, "target.covered-if-named")]


def test_a_turn_that_ends_without_its_action_breaks_the_rule_of_one_action() -> None:
    head = at_table([[], [], []], [[], [], []], hand=["death-1"])
    assert findings(steps(head, TurnBegan(seq=0, player="B", turn=6))) == [(1, "turn.one-action")]


def test_a_trash_shuffled_for_a_play_from_the_deck_is_found() -> None:
    head = at_table([[], [], []], [[], [], []], hand=["light-1"], trash=["death-3"])
    found = steps(head, play("light-1", 3, "down"), Reshuffled(seq=0, player="A", deck=("death-3",)))
    assert findings(found) == [(2, "deck.only-drawing-reshuffles")]


def against_metal_2() -> Header:
    mine, theirs = [["death-5"], ["death-3", "light-5"], []], [["metal-2"], [], []]
    return at_table(mine, theirs, hand=["death-4", "light-3"], deck=["light-4", "light-1"])


def test_after_a_mistake_the_card_lies_where_it_was_played_though_another_line_would_ask_for_fewer_steps() -> None:
    found = steps(against_metal_2(), play("death-4", 1, "down"), TurnBegan(seq=0, player="B", turn=6))
    assert findings(found) == [(1, "effects.cards-beat-rules")]
    assert [placed.card for placed in after(found).a.lines[0]] == ["death-5", "death-4"]
    assert not any(step.guessed for step in found)


def test_a_mistake_is_taken_otherwise_only_where_what_follows_asks_for_it_and_that_step_is_a_guess() -> None:
    found = steps(
        against_metal_2(),
        play("death-4", 1, "down"),
        TurnBegan(seq=0, player="B", turn=6),
        Played(seq=0, player="B", card="spirit-1", line=3, face="down"),
        TurnBegan(seq=0, player="A", turn=7),
        Compiled(seq=0, player="A", line=2),
    )
    assert findings(found) == [(1, "effects.cards-beat-rules")]
    assert {step.seq for step in found if step.guessed} >= {5}
    assert not any(step.guessed for step in found if step.seq in (1, 2, 3, 4))
