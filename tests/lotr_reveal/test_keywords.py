"""Keywords by the names that are printed on cards, in each of our languages."""

from __future__ import annotations

from typing import Any

import pytest

from audit.core.catalogue import LANGUAGES, words
from audit.core.model import Verdict
from audit.core.sentences import tell
from audit.games.lotr_reveal import RULESET
from audit.games.lotr_reveal.cards import KEYWORDS
from audit.games.lotr_reveal.names import gain_called, keyword_called
from tests.lotr_reveal.situations import audited, events, findings

in_every_language = pytest.mark.every("language", LANGUAGES)


def printed(keyword: str, language: str) -> str:
    known: dict[str, str] = words("audit.games.lotr_reveal", language, "names")
    return known[f"keyword.{keyword}"]


def revealed(language: str, *told: dict[str, Any]) -> dict[str, Any]:
    """A card with Doomed 2 and Surge, told in that language, and what is told of it."""
    keywords = {printed("doomed", language): 2, printed("surge", language): True}
    log = [
        {"type": "reveal_started", "frame": "f1", "card": "omen", "cause": "staging", "player": "ann"},
        *[{"frame": "f1", "step": "5.1", "card": "omen", **one} for one in told],
    ]
    return {
        "given": {
            "players": ["ann"], "encounter_deck": ["omen", "orc"], "threat": {"ann": 20}, "in_play": {},
            "cards": {"omen": {"type": "enemy", "hit_points": 2, "keywords": keywords}},
        },
        "events": log,
    }  # fmt: skip


def doomed(language: str, value: int = 2) -> dict[str, Any]:
    return {"type": "keyword_resolved", "keyword": printed("doomed", language), "value": value}


MOVED = {"type": "card_moved", "step": "8", "from": "revealing", "to": "staging_area"}
ARMED = {"type": "surge_armed", "origin": "printed"}


@in_every_language
def test_keywords_in_any_language_are_judged(language: str) -> None:
    steps = audited(revealed(language, doomed(language), ARMED, MOVED))
    assert findings(steps) == []
    assert [step for step in steps if step.verdict is Verdict.UNCHECKED] == []


@in_every_language
def test_another_value_is_found(language: str) -> None:
    (finding,) = findings(audited(revealed(language, doomed(language, value=3))))
    assert (finding.seq, finding.rules[0].id) == (2, "reveal.5.1.doomed")


@in_every_language
def test_a_surge_left_out_is_found(language: str) -> None:
    case = revealed(language, doomed(language), MOVED)
    case["events"].append({"type": "reveal_ended", "frame": "f1", "step": "12", "card": "omen", "outcome": "completed"})
    case["events"].append({"type": "reveal_started", "frame": "f2", "card": "orc", "cause": "staging", "player": "ann"})
    assert findings(audited(case)) != []


@in_every_language
def test_every_keyword_is_known_by_its_name(language: str) -> None:
    ids = [keyword for keyword in sorted(KEYWORDS) if keyword != "guarded-x"]
    assert [keyword_called(printed(keyword, language)) for keyword in ids] == ids
    assert gain_called(f"{printed('doomed', language)} 2") == "doomed 2"
    assert keyword_called(f"{printed('guarded', language)} X") == "guarded-x"


def test_another_keyword_keeps_its_name() -> None:
    assert (keyword_called("Victory"), gain_called("Victory 3")) == ("victory", "victory 3")


@in_every_language
def test_a_keyword_is_told_in_the_language_of_the_reader(language: str) -> None:
    log = {"en": events(revealed("en", doomed("en"))), "other": events(revealed(language, doomed(language)))}
    assert tell(RULESET, log["other"][1], language) == tell(RULESET, log["en"][1], language)
