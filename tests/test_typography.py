"""French sets a no-break space before high signs and inside its quotation marks, wherever the words come from."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from babel.lists import format_list
from babel.messages.pofile import read_po

from audit.core.catalogue import words
from audit.core.sentences import alternatives, edition_words, listed
from audit.core.typography import READ_NOT_SHOWN, colon, heading, labelled, typeset
from tests.command_line import run

ROOT = Path(__file__).resolve().parent.parent
BREAKS = re.compile(r"[^\S\u00a0](?=[;:!?»])|«[^\S\u00a0]|\w[;!?»](?=\s|$)|«\w")
FILES = sorted(
    file for file in ROOT.glob("*/**/text/fr/*.toml")
    if file.stem not in READ_NOT_SHOWN and not {"build", "new_ruleset", "node_modules"} & set(file.parts)
)  # fmt: skip


def forms(found: object) -> list[str]:
    return [found] if isinstance(found, str) else list(found.values()) if isinstance(found, dict) else []


@pytest.mark.every("file", FILES, ids=lambda file: "-".join(file.relative_to(ROOT).parts))
def test_a_french_file_is_set_as_french_is(file: Path) -> None:
    package = ".".join(file.relative_to(ROOT).parts[:-3])
    told = [form for found in words(package, "fr", file.stem).values() for form in forms(found)]
    assert [form for form in told if BREAKS.search(form)] == []


def test_the_french_of_the_pages_is_set_so_too() -> None:
    with (ROOT / "web/translations/fr/LC_MESSAGES/messages.po").open("rb") as file:
        catalogue = read_po(file, locale="fr")
    told = [
        form for one in catalogue if one.id for form in ([one.string] if isinstance(one.string, str) else one.string)
    ]
    assert [form for form in told if BREAKS.search(form)] == []


def test_only_french_has_a_space_before_a_colon() -> None:
    assert (colon("fr"), colon("it")) == ("\u00a0:", ":")
    assert labelled("fr", "Attendu", "rien") == "Attendu\u00a0: rien"
    assert heading("pl", "Oczekiwano") == "Oczekiwano:"
    assert typeset("fr", "Quoi ? « Rien » !") == "Quoi\u00a0? «\u00a0Rien\u00a0»\u00a0!"
    assert typeset("en", "what : this") == "what : this"


def test_no_capital_follows_a_comma_in_the_last_lines_of_a_report() -> None:
    for language in ("en", "fr", "it", "pl"):
        said = run("check", "replays/samples/clean.jsonl", "--lang", language).stdout.decode()
        assert not re.search(r", [A-ZÀÉŻ]", said.splitlines()[1]), said


@pytest.mark.every("language", ["fr", "it", "pl"])
def test_the_first_edition_is_called_by_a_word_of_the_language(language: str) -> None:
    assert edition_words("first", language) not in ("first", "edition.first")
    assert edition_words("2024-10", language) == "2024-10"
    done = run("check", "replays/samples/dispute.jsonl", "--edition", "first", "--lang", language)
    assert "first" not in done.stdout.decode().splitlines()[1]


def test_a_mean_has_the_decimal_sign_of_the_language() -> None:
    told = {language: run("stats", "replays/samples", "--lang", language).stdout.decode() for language in ("en", "fr")}
    assert re.search(r"Decisions a turn: \d\.\d", told["en"])
    assert re.search(r"Décisions par tour\u00a0: \d,\d", told["fr"])


@pytest.mark.every("language", ["en", "fr", "it", "pl"])
def test_lists_end_as_unicode_has_it(language: str) -> None:
    for names in (["A"], ["A", "B"], ["A", "B", "C"], ["A", "B", "C", "D"]):
        assert listed(names, language) == format_list(names, "standard", language)
        assert alternatives(names, language) == format_list(names, "or", language)
