"""What could have come, decision by decision: a branch beside the record, in all games and for every viewer."""

from __future__ import annotations

from pathlib import Path
from typing import cast

import pytest

from audit.core.disclosure import JUDGE
from audit.core.ruleset import ruleset
from replays.errors import NoSuchEventError
from replays.judging.annotate import Annotator
from replays.judging.replay import Replay, replay
from replays.judging.sentences import Json
from replays.log.reader import open_log
from replays.table.variations import (
    MAX_DECISIONS,
    Variation,
    VariationError,
    Varied,
    read_variation,
    varied,
    with_lines,
)

SAMPLES = Path(__file__).resolve().parents[2] / "replays" / "samples"
FORKS = [("clean.jsonl", 24, "A"), ("altered-duel.jsonl", 30, "ann"), ("lotr-journey.jsonl", 10, "p1")]


def branched(name: str, variation: Variation, viewer: str = JUDGE) -> tuple[Varied, Replay]:
    log = open_log(SAMPLES / name)
    found = varied(log.header, list(log), variation, viewer)
    return found, replay((found.header, found.events), viewer=viewer)


def choices(name: str, variation: Variation, viewer: str = JUDGE) -> list[str]:
    found, played = branched(name, variation, viewer)
    game = ruleset(found.header.ruleset)
    decisions = Annotator(game, "en", viewer).decisions(played.steps.steps[-1].state, 60)
    return lines_of(with_lines(game, found.header, decisions))


def lines_of(options: list[Json]) -> list[str]:
    return [line for one in options for line in cast("list[str]", one["lines"])]


def seq_of(step: Json) -> int:
    return cast("int | None", step["seq"]) or 0


@pytest.mark.sampled(2)
@pytest.mark.parametrize("viewer", ["judge", "public", "seat"])
@pytest.mark.parametrize(("name", "after", "seat"), FORKS, ids=[name for name, *_ in FORKS])
def test_one_option_after_another_is_taken_and_none_is_a_mistake(name: str, after: int, seat: str, viewer: str) -> None:
    eyes = seat if viewer == "seat" else viewer
    variation = Variation(after)
    for number in range(6):
        lines = choices(name, variation, eyes)
        if not lines:
            break
        variation = variation.going_on(lines[number % len(lines)])
    found, played = branched(name, read_variation(str(variation)), eyes)
    assert variation.decisions
    assert len(found.ends) == len(variation.decisions)
    assert not [step for step in played.steps if seq_of(step) > found.after and step["verdict"] == "illegal"]


def test_the_branch_begins_as_the_game_did_and_the_game_stays_as_it_was() -> None:
    log = open_log(SAMPLES / "clean.jsonl")
    before = list(log)
    found = varied(log.header, before, Variation(24, ("A refresh",)))
    assert list(found.events[:24]) == before[:24]
    assert found.header.meta["branch_of"] == {"game": log.header.game, "after": 24}
    assert before == list(open_log(SAMPLES / "clean.jsonl"))


def test_what_leaves_no_choice_follows_by_itself() -> None:
    found, played = branched("clean.jsonl", Variation(24, ("A refresh",)))
    assert len(found.events) > found.ends[-1]
    assert all(step["verdict"] == "legal" for step in played.steps if seq_of(step) > 24)


def test_what_should_have_happened_can_be_taken_instead_of_a_mistake() -> None:
    log = open_log(SAMPLES / "dispute.jsonl")
    game = ruleset(log.header.ruleset)
    wrong = next(finding for finding in replay(log).findings if finding["expected"])
    seq = wrong["seq"]
    assert isinstance(seq, int)
    line = lines_of(with_lines(game, log.header, [{"events": wrong["expected"]}]))[0]
    _, played = branched("dispute.jsonl", Variation(seq - 1, (line,)))
    assert not [step for step in played.steps if seq_of(step) >= seq and step["verdict"] != "legal"]


def test_of_a_hidden_hand_nothing_is_offered() -> None:
    assert [line for line in choices("clean.jsonl", Variation(24), "public") if line != "A refresh"] == []


@pytest.mark.every(
    ("text", "said"),
    [
        ("x", "a variation is the number of an event"),
        ("24~", "a variation is the number of an event"),
        ("24~A refresh\n24", "a variation is the number of an event"),
        ("9" * 10, "a variation is the number of an event"),
        ("24" + "~A refresh" * (MAX_DECISIONS + 1), f"at most {MAX_DECISIONS} decisions"),
        ("24~" + "x" * 6000, "6000 letters"),
    ],
)
def test_what_is_no_variation_is_said_in_one_line(text: str, said: str) -> None:
    with pytest.raises(VariationError) as error:
        read_variation(text)
    assert said in str(error.value)
    assert "\n" not in str(error.value)


def test_a_decision_that_is_not_possible_is_named() -> None:
    with pytest.raises(VariationError) as error:
        branched("clean.jsonl", Variation(24, ("A refresh", "A refresh")))
    assert (error.value.decision, str(error.value)) == (
        2, "decision 2 of the variation, 'A refresh', is not possible here"
    )  # fmt: skip
    with pytest.raises(VariationError, match="decision 1 of the variation, 'hello': expected"):
        branched("clean.jsonl", Variation(24, ("hello",)))


def test_an_event_that_the_game_does_not_have_is_named() -> None:
    with pytest.raises(NoSuchEventError):
        branched("clean.jsonl", Variation(100_000))
