"""The body of an append, read to the byte: what is stored of an event is what was sent, or nothing."""

from __future__ import annotations

import json

import msgspec
from flask import request
from msgspec import Struct

from replays.errors import LogError, Problem
from replays.log.lines import MAX_LINE_BYTES
from replays.log.strict_json import Json

NAME = "body"
MAX_DIGITS = 400
"""So many digits a number may have before it is looked at; the reader of logs then says what is wrong with it."""


class _Sent(Struct):
    events: list[msgspec.Raw]


def lines_sent() -> bytes:
    """The events of this request, each as a line with the very bytes that were sent.

    Raises `LogError` where two programs might read the body differently, or an event does not fit in one line.
    """
    try:
        sent = msgspec.json.decode(request.get_data(cache=True), type=_Sent)
    except (ValueError, RecursionError) as problem:
        raise _wrong("", "a JSON object with `events`", str(problem)) from None
    return b"".join(_line(bytes(event).strip(), number) + b"\n" for number, event in enumerate(sent.events, 1))


def check_body(body: bytes) -> None:
    """Refuse a body that the usual reader would change or trip over, before it reads it; raises `LogError`."""
    try:
        text = body.decode("utf-8")
        json.loads(text, object_pairs_hook=_once, parse_int=_whole, parse_constant=_constant)
    except RecursionError:
        raise _wrong("", "a JSON object", "one that is nested too deeply") from None
    except UnicodeDecodeError:
        raise _wrong("", "UTF-8 text", "other bytes") from None
    except json.JSONDecodeError:
        return  # the usual reader says so
    except ValueError as problem:
        raise _wrong("", "JSON that all programs read alike", str(problem)) from None


def _line(event: bytes, number: int) -> bytes:
    if not event.startswith(b"{"):
        raise _wrong(f"events.{number - 1}", "a JSON object", "something else")
    if b"\n" in event or b"\r" in event:
        raise _wrong(f"events.{number - 1}", "an event without line ends, as it stands in a log", "several lines")
    if len(event) > MAX_LINE_BYTES:
        raise _wrong(f"events.{number - 1}", f"at most {MAX_LINE_BYTES:,} bytes", "more")
    return event


def _once(pairs: list[tuple[str, object]]) -> Json:
    made = dict(pairs)
    if len(made) < len(pairs):
        raise ValueError("a key more than once")
    return made


def _whole(text: str) -> int:
    if len(text) > MAX_DIGITS:
        raise ValueError(f"a number of {len(text):,} characters")
    return int(text)


def _constant(text: str) -> object:
    raise ValueError(f"{text}, which JSON has no word for")


def _wrong(field: str, expected: str, found: str) -> LogError:
    return LogError(NAME, (Problem(0, field, expected, found),))
