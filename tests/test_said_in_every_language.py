"""Whatever a command answers is said in the language that was asked for: what it prints, and what is wrong."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
from babel.messages.pofile import read_po

from audit.core.catalogue import words
from audit.core.errors import PositionTextError, SetupError, UnknownReadingError
from audit.rulebooks.languages import SURE, detected
from replays.error_words import error_lines, error_words, phrase
from replays.errors import whole_file_error
from tests.command_line import run

OTHERS = ("fr", "it", "pl")
FILES = ("errors", "games", "phrases", "usage", "verify")
PLACES = re.compile(r"\{\w+\}")
SAMPLES = "replays/samples"
POSITION = "compile/4A.action.-/fire.life.water:f3;;l1*:4:9:/death.metal.speed:;;:5:13:"
PLAYERS = b"game x   A Ada: fire life water   B Bo: death metal speed   first A\n"
ENGLISH = re.compile(
    r"\b(expected|found|cannot|there|line \d|column|called|no (game|rule|case|such)|invalid|value for|see|which|the)\b"
)
WRONG: dict[str, tuple[tuple[str, ...], bytes]] = {
    "a card that there is not": (("ask", POSITION, "A foo 2"), b""),
    "a line that there is not": (("ask", POSITION, "A fire-1 9"), b""),
    "an envelope with another field": (("ask", POSITION, 'A fire-1 2 {"x":1}'), b""),
    "a broken position": (("ask", "compile/4A.act"), b""),
    "no position": (("ask", "hello"), b""),
    "a protocol that is misspelt": (("ask", POSITION.replace("water", "wat")), b""),
    "an unknown reading": (("ask", POSITION, "--reading", "fo"), b""),
    "an unknown edition": (("ask", POSITION, "--edition", "fo"), b""),
    "an event of a position": (("ask", POSITION, "--at", "3"), b""),
    "an event after the last": (("ask", f"{SAMPLES}/dispute.jsonl", "--at", "999"), b""),
    "a number that is none": (("ask", POSITION, "--at", "x"), b""),
    "nothing to ask about": (("ask",), b""),
    "an address without a position": (("ask", "https://x.y/z"), b""),
    "a source that is not there": (("score", "import", "/nowhere/chat.txt"), b""),
    "an answer that is not possible": (("score", "import", f"{SAMPLES}/chat.txt", "--answer", "1=9"), b""),
    "an answer without a number": (("score", "import", f"{SAMPLES}/chat.txt", "--answer", "x"), b""),
    "an answer to nothing": (("score", "import", f"{SAMPLES}/chat.txt", "--answer", "77=9"), b""),
    "a chat without players": (("score", "import", "-"), b"hello\n"),
    "a chat with questions": (("score", "import", "-"), PLAYERS + b'Ada: plays fire 9\n{"a":1\n'),
    "a save that is none": (("position", "import", f"{SAMPLES}/chat.txt"), b""),
    "a save with open questions": (("position", "import", f"{SAMPLES}/table-save.json"), b""),
    "a step that there is not": (("precedents", f"{SAMPLES}/dispute.jsonl", "--at", "999"), b""),
    "a log without a step": (("precedents", f"{SAMPLES}/dispute.jsonl"), b""),
    "no rule, case or position": (("precedents", "nope"), b""),
    "notes of no game": (("note", "list", "nope"), b""),
    "notes of standard input": (("note", "list", "-"), b""),
    "notes of no log": (("note", "list", f"{SAMPLES}/chat.txt"), b""),
    "a viewer that there is not": (("note", "list", f"{SAMPLES}/dispute.jsonl", "--as", "Q"), b""),
    "a log that is not there": (("check", "/nowhere/game.jsonl"), b""),
    "a sheet that is none": (("check", f"{SAMPLES}/chat.txt"), b""),
    "a deck that is not there": (("deck", "/nowhere/deck.json"), b""),
    "a step after the last": (("replay", f"{SAMPLES}/dispute.jsonl", "--at", "888"), b""),
    "a case that there is not": (("case", "show", "nope"), b""),
    "nothing to compare": (("compare",), b""),
}


@pytest.mark.sampled(2)
@pytest.mark.parametrize("language", OTHERS)
@pytest.mark.parametrize("name", WRONG)
def test_what_is_wrong_is_said_in_the_language(
    name: str, language: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AUDIT_DATA_DIR", str(tmp_path))
    args, typed = WRONG[name]
    done = run(*args, "--lang", language, stdin=typed)
    assert done.returncode in (1, 2)
    said = done.stderr.decode()
    assert said
    own = "\n".join(line for line in said.splitlines() if not line.startswith("   "))  # answers, as they are typed
    assert not ENGLISH.search(own.casefold()), own


@pytest.mark.parametrize("language", OTHERS)
def test_a_game_is_recorded_in_the_language(language: str, tmp_path: Path) -> None:
    typed = PLAYERS + b'A fire-1 2\nwhy\ntable\noptions\nA foo\nA fire-1 1 {"x":1}\nrefreshed foo=1\nquit\n'
    done = run("record", str(tmp_path / "game.jsonl"), "--lang", language, stdin=typed)
    assert not ENGLISH.search(done.stderr.decode().casefold()), done.stderr.decode()
    first = run("record", str(tmp_path / "other.jsonl"), "--lang", language, stdin=b"hello\n")
    assert first.returncode == 2
    assert not ENGLISH.search(first.stderr.decode().casefold()), first.stderr.decode()


@pytest.mark.parametrize("language", OTHERS)
def test_notes_are_listed_in_the_language(language: str, tmp_path: Path) -> None:
    log = tmp_path / "game.jsonl"
    log.write_bytes(Path(SAMPLES, "dispute.jsonl").read_bytes())
    run("note", "add", str(log), "--at", "25", "--by", "Ada", "Pourquoi", "--kind", "commentary")
    told = run("note", "list", str(log), "--lang", language).stdout.decode()
    known = words("replays", language, "cases")
    assert known["note.commentary"] in told
    assert known["audience.judges"] in told


@pytest.mark.parametrize("language", OTHERS)
def test_seals_witnesses_and_the_store_speak_the_language(
    language: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AUDIT_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.chdir(tmp_path)
    Path("a.jsonl").write_bytes((Path(__file__).parent.parent / SAMPLES / "dispute.jsonl").read_bytes())
    told = [run("key", "list", "--lang", language), run("seal", "a.jsonl", "--lang", language)]
    for line in ("key make hall", "seal a.jsonl --key hall", "prove head a.jsonl -o a.head", "store import a.jsonl"):
        assert run(*line.split()).returncode == 0
    for line in ("witness add l.jsonl a.head --key hall", "witness check l.jsonl", "store seal r3-t12", "store verify"):
        told.append(run(*line.split(), "--lang", language))
    heads = Path("l.jsonl").read_text("utf-8")
    Path("l.jsonl").write_text(heads.replace('"size":1', '"size":2'), "utf-8")
    told.append(run("witness", "check", "l.jsonl", "--lang", language))
    said = b"".join(one.stdout + one.stderr for one in told).decode()
    assert said.count("\n") > len(told)
    assert not re.search(r"(?<!-)\b(head|events?|signed|pinned|key not|the)\b", said), said


NO_SENTENCES = ("asking", "card_texts", "concepts")
"""Files that say which words people may use, and not what is said to them."""
LONG = re.compile(r"(\W*\b[^\W\d_]{2,}){5}")


def texts(told: object) -> Iterator[str]:
    """Every text of a language file, without the places that are filled in."""
    if isinstance(told, str):
        yield re.sub(r"\{[^}]*\}|<[^>]*>|%\(\w+\)s", " ", told)
    for one in told.values() if isinstance(told, dict) else told if isinstance(told, list | tuple) else ():
        yield from texts(one)


@pytest.mark.parametrize("language", ["en", *OTHERS])
def test_what_is_long_enough_to_tell_is_in_the_language_of_its_file(language: str, root: Path) -> None:
    pytest.importorskip("lingua")
    files = [
        path for folder in ("audit", "replays", "web") for path in root.glob(f"{folder}/**/text/{language}/*.toml")
    ]
    said = [tomllib.loads(path.read_text("utf-8")) for path in files if path.stem not in NO_SENTENCES]
    labels = root / "web" / "translations" / language / "LC_MESSAGES" / "messages.po"
    if labels.is_file():
        said += [message.string for message in read_po(labels.read_text("utf-8").splitlines()) if message.id]
    found = {text: detected(text) for text in texts(said) if LONG.search(text)}
    assert len(found) > 1000
    assert [text for text, one in found.items() if one and one.confidence >= SURE and one.language != language] == []


@pytest.mark.every("language", ("en", *OTHERS))
def test_a_ruling_says_yes_and_no_as_every_answer_does(language: str) -> None:
    ruling, answer = words("replays", language, "cases"), words("web", language, "publishing")
    for decision, verdict in (("yes", "legal"), ("no", "illegal")):
        yes_or_no = str(answer[f"answer_{verdict}"]).partition(".")[0]
        assert str(ruling[f"decision.{decision}"]).startswith(f"{yes_or_no},")


def plurals(told: object) -> Iterator[dict[str, str]]:
    """The forms of each text of a language file that counts."""
    for one in told.values() if isinstance(told, dict) else ():
        yield from [one] if isinstance(one, dict) and "many" in one else plurals(one)


def test_polish_has_other_words_for_two_and_for_five(root: Path) -> None:
    """A half takes the genitive singular. Five takes the genitive plural, which is the same of `partia` alone here."""
    files = [path for folder in ("audit", "replays", "web") for path in root.glob(f"{folder}/**/text/pl/*.toml")]
    counted = [forms for path in files for forms in plurals(tomllib.loads(path.read_text("utf-8")))]
    assert len(counted) > 50
    wrong = [forms for forms in counted if forms["few"] != forms["many"] == forms.get("other")]
    assert [forms for forms in wrong if "partii" not in forms["many"]] == []


@pytest.mark.every("file", FILES)
@pytest.mark.every("language", OTHERS)
def test_every_language_has_the_same_sentences(language: str, file: str) -> None:
    english, other = words("replays", "en", file), words("replays", language, file)
    assert english.keys() == other.keys()
    for key, sentence in english.items():
        assert set(PLACES.findall(str(other[key]))) == set(PLACES.findall(str(sentence))), key


def test_in_english_an_error_says_all_that_is_known() -> None:
    error = whole_file_error("game.jsonl", "a file", "a folder")
    assert error_lines(error, "en") == ["game.jsonl: expected a file, found a folder"]


def test_an_expectation_is_said_where_the_language_has_words_for_it() -> None:
    assert error_words(PositionTextError(3, "a card of this game", "x"), "it").endswith(
        "Atteso: una carta di questo gioco."
    )
    assert error_words(SetupError("deck", "some words that no file has"), "it") == "Questo non va bene: deck"


def test_several_things_that_would_fit_are_joined_as_the_language_joins_them() -> None:
    assert phrase("fr", 'A or B or "down"') == 'A, B ou "down"'
    assert phrase("pl", "a whole number from 1 to 3 (a line) or is") == "liczba od 1 do 3 lub is"
    assert phrase("it", "something nobody has words for or A") == ""


def test_the_name_that_was_meant_is_named_and_else_all_there_are() -> None:
    assert error_words(UnknownReadingError("standart", ("standard", "pl")), "fr").endswith(
        "Vouliez-vous dire standard\u00a0?"
    )
    assert error_words(UnknownReadingError("x", ("standard", "pl")), "pl").endswith("Do wyboru: standard, pl.")
