"""The readings of the reveal: each switch can be tried alone, and says in four languages what it changes."""

from __future__ import annotations

from itertools import islice
from pathlib import Path

import pytest

from audit.core.auditor import audit
from audit.core.catalogue import LANGUAGES
from audit.core.ruleset import ruleset
from audit.core.sentences import switch_sentence
from replays.log.reader import open_log
from replays.table.answer import AnswerWriter, answered
from replays.table.question import Question, header_after

CROWS = Path(__file__).parents[2] / "replays" / "samples" / "lotr-crows.jsonl"
SWITCHES = sorted(frozenset().union(*ruleset("lotr-reveal").rules.readings.values()))


@pytest.mark.every("switch", SWITCHES)
def test_a_switch_can_be_tried_alone_and_says_what_it_changes(switch: str) -> None:
    game = ruleset("lotr-reveal")
    assert game.rules.reading(f"standard+{switch}") == {switch}
    assert len({switch_sentence(game, switch, language) for language in LANGUAGES} - {""}) == len(LANGUAGES)


def test_who_asks_about_the_crows_hears_that_the_official_reading_discards_them() -> None:
    with CROWS.open("rb") as file:
        log = open_log(file)
        before = next(islice(audit(log.ruleset, log.header, log), 9, None))
    assert before.event is not None
    answer = answered(Question(header_after(log.header, before.before), (before.event,)))
    (other,) = AnswerWriter(answer, ("en",)).json()["otherwise"]  # type: ignore[misc]
    assert other["reading"] == "official"  # type: ignore[index]
    assert [each["name"] for each in other["switches"]] == ["no-outcome-at-4"]  # type: ignore[index]
