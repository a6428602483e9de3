"""Whether a step stands, who set it aside and why, and whether it was recorded late, in lines of text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import cast

from audit.core.record_events import is_about_the_record
from audit.core.sentences import sentence

Json = Mapping[str, object]


def standing_lines(steps: Sequence[Json], step: Json, language: str) -> list[str]:
    """What is to be said of a step besides its verdict; `steps` are those of the whole game."""
    lines = []
    if by := step.get("superseded_by"):
        lines += [_word(language, "superseded_by", seq=by), *who(_of_seq(steps, by), language)]
    else:
        lines += who(step, language)
    if late := step.get("late"):
        lines.append(_word(language, "late_record" if step["seq"] else "late_inferred", seq=late))
    return [*lines, _word(language, "provisional")] if step.get("provisional") else lines


def who(step: Json, language: str) -> list[str]:
    """Who wrote an event about the record, and why; nothing for an event of the game."""
    event = cast("Json | None", step.get("event"))
    if event is None or not is_about_the_record(event):
        return []
    lines = [_word(language, key, by=event[key]) for key in ("by", "ordered_by") if event.get(key)]
    lines += [_word(language, "agreed")] if event.get("agreed") else []
    if why := event.get("reason") or event.get("why"):
        lines.append(_word(language, "why", why=why))
    return [*lines, _word(language, "note", note=event["note"])] if event.get("note") else lines


def _of_seq(steps: Sequence[Json], seq: object) -> Json:
    return next((step for step in steps if step["seq"] == seq), {})


def _word(language: str, key: str, **data: object) -> str:
    return sentence("replays", language, key, data, "terminal")
