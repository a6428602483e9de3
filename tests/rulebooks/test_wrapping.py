"""A text that was wrapped at a width is read as the lines that it had before, and any other text as it is."""

from __future__ import annotations

import textwrap

import pytest

from audit.rulebooks.cutting.wrapping import whole_lines
from audit.rulebooks.passages import Line

PARAGRAPH = "The keeper climbs the tower at dusk, counts the lamps of the harbour and lights every one that is dark. "
LONG = PARAGRAPH * 6


def lines(text: str) -> list[str]:
    """The lines of the document."""
    file = [Line(number, one, one) for number, one in enumerate(text.split("\n"), 1)]
    return [" ".join(part.shown for part in parts) for parts in whole_lines(file)]


@pytest.mark.every("width", [40, 60, 72, 100])
def test_a_wrapped_text_has_its_paragraphs_again(width: int) -> None:
    paragraphs = [LONG.strip(), "A short one.", f"{LONG}{PARAGRAPH}".strip(), "The end."]
    text = "\n".join(textwrap.fill(one, width) for one in paragraphs * 2)
    assert lines(text) == paragraphs * 2


def test_a_text_with_a_line_for_each_paragraph_is_read_as_it_is() -> None:
    text = "\n".join([LONG, PARAGRAPH, "Short."] * 12)
    assert lines(text) == text.split("\n")


def test_a_few_lines_tell_of_no_width() -> None:
    text = textwrap.fill(PARAGRAPH, 60)
    assert lines(text) == text.split("\n")


def test_an_entry_of_a_list_begins_a_line_of_the_document() -> None:
    entry = "1) Nobody rows before the bell has rung three times over the bay"
    text = "\n".join([textwrap.fill(LONG, 64), *[entry] * 3])
    assert lines(text)[-3:] == [entry] * 3


def test_the_lines_of_a_page_set_in_type_are_not_put_together() -> None:
    ragged = [PARAGRAPH[: 50 + (7 * number) % 40].strip() for number in range(40)]
    assert lines("\n".join(ragged)) == ragged
