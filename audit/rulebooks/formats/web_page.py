"""The text of a web page: its headings, list entries, terms and paragraphs, without menus and scripts."""

from __future__ import annotations

import re
from html.parser import HTMLParser

_BLOCKS = frozenset(
    [
        "p",
        "div",
        "section",
        "article",
        "main",
        "li",
        "dt",
        "dd",
        "h1",
        "h2",
        "h3",
        "h4",
        "h5",
        "h6",
        "tr",
        "blockquote",
        "pre",
        "ul",
        "ol",
        "dl",
        "table",
        "td",
        "th",
        "figcaption",
    ]
)
_SKIPPED = frozenset(
    [
        "script",
        "style",
        "nav",
        "header",
        "footer",
        "aside",
        "head",
        "template",
        "noscript",
        "svg",
        "form",
        "button",
        "select",
    ]
)
_BEGINS = re.compile(
    rb"^\s*(?:<\?xml[^>]*>\s*)?(?:<!--.*?-->\s*)*<(?:!doctype\s+html|html)\b", re.IGNORECASE | re.DOTALL
)
_CHARSET = re.compile(rb"<meta[^>]+charset\s*=\s*[\"']?([\w-]+)", re.IGNORECASE)
_START = 4096


def is_web_page(data: bytes) -> bool:
    """Whether it begins as a web page does."""
    return bool(_BEGINS.match(data[:_START].removeprefix(b"\xef\xbb\xbf")))


def declared_encoding(data: bytes) -> str:
    """The encoding that the page names; empty if it names none."""
    found = _CHARSET.search(data[:_START])
    return found[1].decode("ascii").lower() if found else ""


def page_text(text: str) -> str:
    """The text of a page, one block a paragraph, headings and list entries marked as in Markdown."""
    reader = _Blocks()
    reader.feed(text)
    reader.close()
    reader.end_block()
    return "\n\n".join(reader.blocks)


class _Blocks(HTMLParser):
    """Collects the blocks of a page."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.blocks: list[str] = []
        self._pieces: list[str] = []
        self._mark = ""
        self._apart: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in _SKIPPED:
            self._apart.append(tag)
        elif tag in _BLOCKS:
            self.end_block()
            self._mark = _mark(tag) or self._mark
        elif tag == "br":
            self._pieces.append("\n")

    def handle_endtag(self, tag: str) -> None:
        if tag in self._apart:
            while self._apart and self._apart.pop() != tag:
                pass
        elif tag in _BLOCKS:
            self.end_block()
            self._mark = ""

    def handle_data(self, data: str) -> None:
        if not self._apart:
            self._pieces.append(data)

    def end_block(self) -> None:
        """Keep what was collected as a block."""
        text = " ".join("".join(self._pieces).split())
        if text:
            self.blocks.append(f"- **{text}:**" if self._mark == "dt" else f"{self._mark}{text}")
            self._mark = ""
        self._pieces = []


def _mark(tag: str) -> str:
    if tag == "li":
        return "- "
    if tag == "dt":
        return "dt"
    return "#" * int(tag[1]) + " " if re.fullmatch(r"h[1-6]", tag) else ""
