"""Whether the page around a published record is the one that is made of it, and shows what the record says."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from html.parser import HTMLParser

import msgspec
from markupsafe import escape
from msgspec import Struct

from replays.said import Said
from web.games.payload import VERDICTS
from web.publishing.files import empty_page
from web.publishing.record import Record


def page_problems(file: bytes, record: Record) -> Iterator[str]:
    """What there is in a page besides our page around a record, or what it shows otherwise than its record."""
    parts = _parts(file.decode("utf-8", "replace"), empty_page(record.language).decode().split("\0"))
    if not parts:
        yield Said("other_page")
        return
    header = record.log[0] if record.log else {}
    title = str(header.get("game") or header.get("ruleset"))
    name, description, again, _, others, body = parts
    if {name, again} != {str(escape(title))} or "<" in description + others or '"' in description:
        yield Said("other_title")
    for text in (body, *_languages(others)):
        yield from _Body(text).problems
    yield from _shown_otherwise(body, record, title)


def _parts(text: str, around: Sequence[str]) -> list[str]:
    """What stands between these pieces, in their order; nothing where they are not all there is besides."""
    found, start = [], len(around[0])
    for piece in around[1:-1]:
        end = text.find(piece, start)
        found.append(text[start:end])
        start = end + len(piece)
        if end < 0:
            return []
    last = len(text) - len(around[-1])
    is_framed = text.startswith(around[0]) and text.endswith(around[-1]) and start <= last
    return [*found, text[start:last]] if is_framed else []


def _languages(text: str) -> list[str]:
    try:
        return list(msgspec.json.decode(text, type=dict[str, str]).values())
    except msgspec.MsgspecError:
        return [""]


class _Body(HTMLParser):
    """What is seen of a page: no script but the data of the viewer, no comment, nothing that leads elsewhere."""

    FORBIDDEN = frozenset({"iframe", "object", "embed", "base", "meta", "link", "style", "img", "template"})

    def __init__(self, text: str) -> None:
        super().__init__()
        self.problems: list[str] = []
        self.scripts = 0
        self.feed(text)
        self.close()
        if self.scripts != 1:
            self.problems.append(Said("sets_of_steps", found=self.scripts))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """An element."""
        if tag == "script":
            self.scripts += 1
            if dict(attrs) != {"type": "application/json", "id": "replay"}:
                self.problems.append(Said("other_script"))
        if tag in self.FORBIDDEN:
            self.problems.append(Said("other_element", found=tag))
        for name, value in attrs:
            leads = name in ("href", "src", "action", "xlink:href") and not (value or "").startswith(("#", "?"))
            if name.startswith("on") or name == "style" or leads:
                self.problems.append(Said("other_attribute", found=name))

    def handle_comment(self, data: str) -> None:
        """A comment."""
        self.problems.append("a comment")

    def handle_decl(self, decl: str) -> None:
        """A declaration."""
        self.handle_comment(decl)

    def handle_pi(self, data: str) -> None:
        """A processing instruction."""
        self.handle_comment(data)

    def unknown_decl(self, data: str) -> None:
        """Any other declaration."""
        self.handle_comment(data)


_STEPS = re.compile(r'<script type="application/json" id="replay">(.*?)</script>', re.S)


def _shown_otherwise(body: str, record: Record, title: str) -> Iterator[str]:
    """Where the steps that the viewer shows are not those of the record."""
    try:
        data = msgspec.json.decode(_STEPS.findall(body)[0], type=_Shown)
    except (msgspec.MsgspecError, IndexError):
        yield Said("shown_unreadable")
        return
    steps = [step for number in sorted(data.chunks, key=int) for step in data.chunks[number].steps]
    if data.title != title or len(steps) != len(record.steps):
        yield Said("shown_game")
    letters = "".join(VERDICTS.get(str(step["verdict"]), "u") for step in record.steps)
    if data.overview.get("verdicts") != letters:
        yield Said("shown_verdicts")
    for at, (shown, said) in enumerate(zip(steps, record.steps, strict=False)):
        pairs = (("s", "sentence"), ("m", "message"))
        if any((shown.get(short) or "") != (said.get(name) or "") for short, name in pairs):
            yield Said("shown_words", step=at)


class _Piece(Struct):
    steps: list[dict[str, object]]


class _Shown(Struct):
    title: str
    overview: dict[str, object]
    chunks: dict[str, _Piece]
