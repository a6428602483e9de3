"""What is expected in the place of a mistake at night: the nearest to what was told."""

from __future__ import annotations

from typing import Any

from audit.core.model import Event
from audit.games.altered.events import CharacterRested, CleanupChoice
from tests.altered.situations import audited, first_finding
from tests.altered.test_real_play import EMPTY, day, found

HILL, BANNER = {"id": "ox"}, {"id": "banner"}
FIELD = {"kim": {"hero": [BANNER], "companion": []}, "leo": {"hero": [], "companion": [{**HILL, "statuses": []}]}}


def expected(given: dict[str, Any], told: dict[str, Any]) -> list[Event]:
    """What should have been told in the place of this one thing."""
    finding = first_finding(audited(given, [told]))
    return list(finding.expected) if finding else []


def rest(**more: Any) -> dict[str, Any]:
    """Kim's banner, which is a Permanent, lies in her expedition at Rest, and Leo's ox in his."""
    types = {"banner": "expedition_permanent", "ox": "character"}
    return day("night", daily_effect="rest", characters=FIELD, types=types, permanents=["banner"], **more)


def rested(to: str) -> dict[str, Any]:
    return {"type": "character_rested", "player": "kim", "card": "banner", "to": to}


def test_of_a_banner_that_is_swept_up_is_said_that_it_stays() -> None:
    [only] = expected(rest(), rested("reserve"))
    assert isinstance(only, CharacterRested)
    assert (only.player, only.card, only.to) == ("kim", "banner", "stays")


def test_who_writes_down_that_the_banner_stays_is_right() -> None:
    assert found(audited(rest(), [rested("stays")])) == []


def test_of_three_landmarks_any_two_may_be_kept_and_nothing_is_said_of_the_reserve() -> None:
    three = ["inn", "mill", "tower"]
    zones = {"kim": three, "leo": []}
    limits = {seat: {"reserve": 2, "landmark_zone": 2} for seat in zones}
    given = day("night", daily_effect="cleanup", characters={"kim": EMPTY, "leo": EMPTY}, limits=limits)
    kept = {"type": "cleanup_choice", "player": "kim", "zone": "landmark_zone", "kept": three}
    meant = expected({**given, "landmark_zone": zones}, kept)
    pairs = [("inn", "mill"), ("inn", "tower"), ("mill", "tower")]
    assert [(one.zone, one.kept) for one in meant if isinstance(one, CleanupChoice)] == [
        ("landmark_zone", pair) for pair in pairs
    ]
