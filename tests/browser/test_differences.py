"""Pictures of the pages, compared with those that are kept."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("playwright")

from PIL import Image, ImageDraw

from tests.browser import differences
from tests.browser.screenshots import file_name, names


def drawn(size: tuple[int, int] = (800, 600), mark: tuple[int, int] | None = None) -> Image.Image:
    """A page with lines of words, and perhaps with a dark mark."""
    picture = Image.new("RGB", size, "white")
    draw = ImageDraw.Draw(picture)
    for line in range(10, size[1], 20):
        draw.text((10, line), "The card goes to the trash of its owner. " * 3, fill="black")
    if mark:
        draw.rectangle((*mark, mark[0] + 60, mark[1] + 60), fill="red")
    return picture


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "kept"
    monkeypatch.setattr(differences, "KEPT", folder)
    drawn().save(tmp_path / "page.png")
    differences.keep(tmp_path, ["page"])
    return folder


def test_the_same_page_does_not_differ(tmp_path: Path, kept: Path) -> None:
    assert differences.compare(tmp_path, "page", kept) is None


def test_a_mark_on_the_page_is_found_and_shown(tmp_path: Path, kept: Path) -> None:
    drawn(mark=(300, 200)).save(tmp_path / "page.png")
    found = differences.compare(tmp_path, "page", kept)
    assert found is not None
    assert found.share == pytest.approx(61 * 61 / (800 * 600), rel=0.5)
    assert (tmp_path / "page-difference.webp").exists()
    assert "page-kept.webp" in differences.page([found], 1)


def test_a_page_that_was_never_kept_is_new(tmp_path: Path, kept: Path) -> None:
    drawn().save(tmp_path / "other.png")
    found = differences.compare(tmp_path, "other", kept)
    assert found == differences.Difference("other", None)
    assert "1 of 2 pictures differ" in differences.page([found], 2)


def test_every_kept_picture_is_of_a_page_that_is_taken() -> None:
    taken = {file_name(*each) for each in names([])}
    assert {picture.stem for picture in differences.KEPT.glob("*.webp")} == taken
