"""Bad rulebooks on the command line: one clear line each, exit code 2 or more, nothing stored."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.command_line import run

Refused = Callable[[Path, list[str], str], None]

FRENCH = "La gardienne allume la lampe à la tombée de la nuit, où qu'elle soit. Elle éteint l'autre."
GARBLED = FRENCH.encode().decode("latin-1")


def locked() -> bytes:
    library = pytest.importorskip("pypdf")
    writer, out = library.PdfWriter(), io.BytesIO()
    writer.add_blank_page(200, 200)
    writer.encrypt("secret", algorithm="RC4-128")
    writer.write(out)
    return out.getvalue()


@pytest.mark.every(
    ("data", "options", "said"),
    [
        (b"", ["--as", "lamp-fr", "--lang", "fr"], "is empty"),
        (FRENCH.encode(), ["--as", "lamp-it", "--lang", "it"], "reads like French (fr)"),
        (GARBLED.encode(), ["--as", "lamp-fr", "--lang", "fr"], "garbled"),
        (FRENCH.encode() + b"\xe9 " + FRENCH.encode(), ["--as", "lamp-fr", "--lang", "fr"], "garbled"),
        ((FRENCH * 3).encode("mac-roman"), ["--as", "lamp-fr", "--lang", "fr"], "garbled"),
        (FRENCH.encode(), ["--as", "lamp-fr", "--lang", "xx"], "is no language"),
        (FRENCH.encode(), ["--as", "compile-faq-fr", "--lang", "fr"], "nothing was stored"),
    ],
)
def test_a_bad_rulebook_gets_one_clear_line_and_nothing_is_stored(
    tmp_path: Path, refused: Refused, data: bytes, options: list[str], said: str
) -> None:
    """What else is none is told by the store (`test_rulebook_store`)."""
    pytest.importorskip("lingua")
    file = tmp_path / "rules.bin"
    file.write_bytes(data)
    refused(file, options, said)


@pytest.mark.usefixtures("with_limits")
def test_what_a_process_of_its_own_cannot_read_gets_one_clear_line(tmp_path: Path, refused: Refused) -> None:
    file = tmp_path / "rules.bin"
    file.write_bytes(locked())
    refused(file, ["--as", "lamp-fr", "--lang", "fr"], "password")


def test_a_file_of_two_hundred_megabytes_gets_one_clear_line(tmp_path: Path, refused: Refused) -> None:
    file = tmp_path / "rules.bin"
    with file.open("wb") as out:
        out.truncate(200_000_000)
    refused(file, ["--as", "lamp-fr", "--lang", "fr"], "200.0 MB is more than")


@pytest.fixture
def refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Refused:
    """Checks that a file is not added, and that one line says why."""
    kept = tmp_path / "kept"
    monkeypatch.setenv("AUDIT_DATA_DIR", str(kept))

    def add(file: Path, options: list[str], said: str) -> None:
        done = run("rulebook", "add", str(file), *options)
        assert done.returncode >= 2
        assert said in done.stderr.decode()
        assert len(done.stderr.decode().strip().splitlines()) == 1
        assert done.stdout == b""
        assert [path for path in kept.rglob("*") if path.is_file()] == []

    return add
