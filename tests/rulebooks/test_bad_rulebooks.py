"""Bad rulebooks on the command line: one clear line each, exit code 2 or more, nothing stored."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

pytestmark = pytest.mark.usefixtures("with_limits")

FRENCH = "La gardienne allume la lampe à la tombée de la nuit, où qu'elle soit. Elle éteint l'autre."
GARBLED = FRENCH.encode().decode("latin-1")


def locked() -> bytes:
    library = pytest.importorskip("pypdf")
    writer, out = library.PdfWriter(), io.BytesIO()
    writer.add_blank_page(200, 200)
    writer.encrypt("secret", algorithm="RC4-128")
    writer.write(out)
    return out.getvalue()


def pictures() -> bytes:
    library = pytest.importorskip("pypdf")
    writer, out = library.PdfWriter(), io.BytesIO()
    writer.add_blank_page(200, 200)
    writer.write(out)
    return out.getvalue()


@pytest.mark.parametrize(
    ("data", "options", "said"),
    [
        (lambda: b"", ["--as", "lamp-fr", "--lang", "fr"], "is empty"),
        (lambda: b"\x7fELF" + bytes(200), ["--as", "lamp-fr", "--lang", "fr"], "binary data"),
        (lambda: FRENCH.encode(), ["--as", "lamp-it", "--lang", "it"], "reads like French (fr)"),
        (lambda: FRENCH.encode("cp1252"), ["--as", "lamp-fr", "--lang", "fr", "--encoding", "utf-8"], "read as utf-8"),
        (lambda: GARBLED.encode(), ["--as", "lamp-fr", "--lang", "fr"], "garbled"),
        (lambda: FRENCH.encode() + b"\xe9 " + FRENCH.encode(), ["--as", "lamp-fr", "--lang", "fr"], "garbled"),
        (lambda: (FRENCH * 3).encode("mac-roman"), ["--as", "lamp-fr", "--lang", "fr"], "garbled"),
        (lambda: FRENCH.encode(), ["--as", "lamp-fr", "--lang", "xx"], "is no language"),
        (locked, ["--as", "lamp-fr", "--lang", "fr"], "password"),
        (pictures, ["--as", "lamp-fr", "--lang", "fr"], "no text layer"),
        (lambda: FRENCH.encode(), ["--as", "compile-faq-fr", "--lang", "fr"], "nothing was stored"),
    ],
    ids=[
        "empty",
        "binary",
        "wrong language",
        "wrong encoding",
        "saved garbled",
        "a stray byte",
        "an encoding nobody guesses",
        "no language",
        "password",
        "pictures",
        "links to nothing",
    ],
)
def test_a_bad_rulebook_gets_one_clear_line_and_nothing_is_stored(
    root: Path, tmp_path: Path, data: Callable[[], bytes], options: list[str], said: str
) -> None:
    if said.startswith("reads"):
        pytest.importorskip("lingua")
    file = tmp_path / "rules.bin"
    file.write_bytes(data())
    refused(root, tmp_path, file, options, said)


def test_a_file_of_two_hundred_megabytes_gets_one_clear_line(root: Path, tmp_path: Path) -> None:
    file = tmp_path / "rules.bin"
    with file.open("wb") as out:
        out.truncate(200_000_000)
    refused(root, tmp_path, file, ["--as", "lamp-fr", "--lang", "fr"], "200.0 MB is more than")


def refused(root: Path, tmp_path: Path, file: Path, options: list[str], said: str) -> None:
    kept = tmp_path / "kept"
    done = subprocess.run(
        [sys.executable, "-m", "cli", "rulebook", "add", str(file), *options],
        cwd=root, env={**os.environ, "AUDIT_DATA_DIR": str(kept)}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode >= 2
    assert said in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1
    assert done.stdout == ""
    assert [path for path in kept.rglob("*") if path.is_file()] == []
