"""Situations of Altered: a position, what happens, and what is to be said of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Union

import msgspec

from audit.core.auditor import audit
from audit.core.cases import cases_of
from audit.core.model import LOG_VERSION, Event, Header
from audit.core.steps import Step
from audit.games.altered import RULESET

CASES = cases_of("audit.games.altered")
_READ = msgspec.json.Decoder(Union[RULESET.rules.events])  # noqa: UP007


def header(given: Mapping[str, Any]) -> Header:
    """A log that starts from that position."""
    return Header(log=LOG_VERSION, ruleset="altered", game="situation", setup=dict(given))


def events(told: Sequence[Mapping[str, Any]]) -> list[Event]:
    """Events as a log has them, numbered where they are not."""
    return [_READ.decode(msgspec.json.encode({"seq": n, **event})) for n, event in enumerate(told, 1)]


def audited(given: Mapping[str, Any], told: Sequence[Mapping[str, Any]]) -> list[Step]:
    """What the auditor says of it, step by step."""
    return list(audit(RULESET, header(given), events(told)))


def first_finding(steps: Sequence[Step]) -> Step | None:
    """The first step a judge has to look at."""
    return next((step for step in steps if step.verdict.is_finding), None)


def deck(told: Mapping[str, Any]) -> dict[str, Any]:
    """A registration of so many names with three copies each and what comes on top."""
    plain = [{"name": f"card {n}", "copies": 3} for n in range(told["names"])]
    return {
        "type": "deck_registered",
        "player": "ann",
        "heroes": told.get("heroes", [{"name": "captain", "faction": "sun"}]),
        "cards": [{"rarity": "common", "faction": "sun", **card} for card in (*plain, *told.get("more", ()))],
        "tokens": told.get("tokens", []),
    }
