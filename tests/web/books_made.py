"""A small rulebook of our own writing, and a viewer whose data folder starts empty."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient

from replays.rulebooks.loading import Loading
from replays.rulebooks.store import RulebookStore
from web import create_app, samples
from web.games.folder_library import FolderLibrary
from web.rulebooks.qa_kept import Learning
from web.rulebooks.quotes import StoredQuotes

FRENCH = """# La partie de petits bateaux

## Le début

Chaque joueur reçoit trois bateaux et les pose devant lui sur la table.

## La fin

La partie s'arrête quand un joueur n'a plus de bateau, et il a perdu.
"""
VIEWER_ORIGIN = {"Origin": "http://localhost"}


@cache
def samples_with_books() -> Flask:
    """The viewer of the samples, which weighs its rules once; what it keeps of rulebooks it keeps by their folder."""
    return create_app(FolderLibrary(samples()), quotes=StoredQuotes())


def viewer(folder: Path, monkeypatch: pytest.MonkeyPatch) -> FlaskClient:
    """A reader at the machine, over the sample games, with nothing loaded yet; proposals go by words."""
    monkeypatch.setenv("AUDIT_DATA_DIR", str(folder))
    monkeypatch.setattr("web.rulebooks.pages.learned_answers", lambda *_: None)
    app = samples_with_books()
    app.testing = True
    app.extensions["audit.learning"] = Learning()
    app.extensions.pop("audit.cases", None)
    return app.test_client()


def load_own(document: str = "bateaux-fr", game: str = "compile") -> str:
    """Load the small rulebook; its edition."""
    return RulebookStore().add_bytes(FRENCH.encode(), "bateaux.md", Loading(document, "fr", game=game)).edition


def load_real(root: Path) -> None:
    """Load the three editions of Compile, where they are; else the test is skipped."""
    folder = root.parent / "shared" / "rulebooks"
    if not folder.is_dir():
        pytest.skip("the rulebooks are not here")
    files = {"compile-faq-fr": "000", "compile-rules-it": "001", "compile-rules-pl": "003"}
    for document, start in files.items():
        RulebookStore().add(next(folder.glob(f"{start}_*.txt")), Loading(document))
