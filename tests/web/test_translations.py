"""The interface is whole in every language: nothing untranslated, nothing left over, compiled as written."""

from __future__ import annotations

import re
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import cast

import pytest
from babel.messages.extract import extract_from_dir
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from flask import render_template_string

from web import create_app
from web.games.folder_library import FolderLibrary
from web.site.labels import script_words

LANGUAGES = ("fr", "it", "pl")
METHODS = [("**.py", "python"), ("templates/**.html", "jinja2")]
PLACES = re.compile(r"%\(\w+\)s|\{\w+\}")


@cache
def used(root: Path) -> set[str]:
    """Every message of the code and the templates, by its singular."""
    options = {"templates/**.html": {"trim_blocks": "true", "lstrip_blocks": "true"}}
    found = extract_from_dir(root / "web", METHODS, options)
    return {message[0] if isinstance(message, tuple) else message for _, _, message, _, _ in found}


@pytest.mark.parametrize("language", LANGUAGES)
def test_everything_said_is_said_in_every_language(root: Path, language: str) -> None:
    folder = root / "web" / "translations" / language / "LC_MESSAGES"
    with (folder / "messages.po").open("rb") as file:
        catalogue = read_po(file, locale=language)
    written = {m.id[0] if isinstance(m.id, tuple) else m.id: m for m in catalogue if m.id}
    assert set(written) == used(root)
    for message in written.values():
        forms = message.string if isinstance(message.string, tuple) else (message.string,)
        sources = message.id if isinstance(message.id, tuple) else (message.id,)
        assert all(forms), message.id
        assert not message.fuzzy
        for form in forms:
            assert sorted(PLACES.findall(form)) == sorted(PLACES.findall(sources[0])), message.id
            assert form not in sources or " " not in PLACES.sub("", form).strip(" :"), "this is English"


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_is_compiled_is_what_is_written(root: Path, language: str) -> None:
    folder = root / "web" / "translations" / language / "LC_MESSAGES"
    compiled = BytesIO()
    with (folder / "messages.po").open("rb") as written:
        write_mo(compiled, read_po(written, locale=language))
    assert compiled.getvalue() == (folder / "messages.mo").read_bytes()


@pytest.mark.parametrize(
    ("language", "one", "many"),
    [
        ("en", "1 game", "12,345 games"),
        ("fr", "1 partie", "12\u202f345 parties"),
        ("it", "1 partita", "12.345 partite"),
        ("pl", "1 partia", "12\u00a0345 partii"),
    ],
)
def test_a_sentence_that_counts_writes_its_number_in_the_readers_way(
    root: Path, language: str, one: str, many: str
) -> None:
    app = create_app(FolderLibrary(root / "replays" / "samples"))
    with app.test_request_context(f"/?lang={language}"):
        for count, wanted in ((1, one), (12345, many)):
            text = '{{ ngettext("%(num)s game", "%(num)s games", count) }}'
            assert render_template_string(text, count=count) == wanted


@pytest.mark.parametrize(
    ("language", "few", "many"),
    [
        ("en", "new steps", "new steps"),
        ("fr", "nouvelles étapes", "nouvelles étapes"),
        ("pl", "nowe kroki", "nowych kroków"),
    ],
)
def test_new_steps_are_counted_as_the_language_counts(language: str, few: str, many: str) -> None:
    with create_app().test_request_context(f"/?lang={language}"):
        words = cast("dict[str, str]", script_words()["new"])
    assert (words["few"], words["many"]) == (f"{{n}} {few}", f"{{n}} {many}")
