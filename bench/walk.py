"""How long an editor's whole way takes: each command of `docs/editor.md`, then each page in the browser.

    python -m bench.walk

Needs the rulebooks beside the project. The documents in German and Spanish are our own (`bench/documents`).
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
import tomllib
from collections.abc import Callable, Iterator
from io import BytesIO
from pathlib import Path

from flask.testing import FlaskClient

ROOT = Path(__file__).resolve().parent.parent
RULEBOOKS = ROOT.parent / "shared" / "rulebooks"
PAGE = ROOT / "docs" / "editor.md"
REAL = {"faq-fr.txt": "000", "regole-it.txt": "001", "zasady-pl.txt": "003"}
OWN = {"regeln-de.md": ("de", "Teil"), "reglas-es.md": ("es", "Parte")}
SECTION = 20
"""Sentences under one title of our own documents."""

Runner = Callable[[list[str]], str]
"""Runs a command line without its first word and gives what it prints."""


def commands() -> list[str]:
    """The command lines of the page, in its order."""
    return re.findall(r"^ {4}(audit .+)$", PAGE.read_text("utf-8"), re.MULTILINE)


def printed_documents() -> dict[str, str]:
    """The documents whose words stand on the page, by the name of the file, which stands before them."""
    blocks = re.finditer(r"```markdown\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)
    return {re.findall(r"`(\S+\.md)`", block.string[: block.start()])[-1]: block[1] for block in blocks}


def lay_out(folder: Path) -> None:
    """The documents as the page names them: three rulebooks, four of our own, and a later edition of one of these."""
    for name, text in printed_documents().items():
        (folder / name).write_text(text, "utf-8")
    for name, start in REAL.items():
        shutil.copy(next(RULEBOOKS.glob(f"{start}_*.txt")), folder / name)
    for name, (language, title) in OWN.items():
        (folder / name).write_text(own_document(language, title), "utf-8")
    later = (folder / "regeln-de.md").read_text("utf-8").replace("fünf Karten", "sechs Karten")
    (folder / "regeln-de-2.md").write_text(later, "utf-8")


def own_document(language: str, title: str) -> str:
    """One of our documents as Markdown, a paragraph for each sentence."""
    data = tomllib.loads((ROOT / "bench" / "documents" / f"rules-{language}.toml").read_text("utf-8"))
    said = [one[0] for one in data["sentences"]]
    parts = [said[at : at + SECTION] for at in range(0, len(said), SECTION)]
    return "\n\n".join(text for at, part in enumerate(parts, 1) for text in (f"# {title} {at}", *part)) + "\n"


def walked(run: Runner, folder: Path) -> Iterator[tuple[str, float, str]]:
    """Each command of the page with its seconds and what it printed; `ID` and `TASK` are the first listed."""
    named = {"ID": "", "TASK": ""}
    for line in commands():
        if line.startswith("audit rulebook import"):
            edit(folder / shlex.split(line)[3])
        words = [named.get(word, word) for word in shlex.split(line)[1:]]
        start = time.perf_counter()
        told = run(words)
        yield line, time.perf_counter() - start, told
        for lists, name in (("audit qa compile", "ID"), ("audit rulebook tasks", "TASK")):
            if line == lists:
                named[name] = re.findall(r"^([0-9a-f]{12})  ", told, re.MULTILINE)[0]


def edit(file: Path) -> None:
    """What a translator changes: a word of our own put into the first Italian text of a table, another first term."""
    data = file.read_bytes().decode("utf-8")
    if file.suffix == ".tbx":
        file.write_text(data.replace(">pescare<", ">attingere<", 1), "utf-8")
        return
    from audit.rulebooks.exports.csv import read_csv, write_csv

    rows = read_csv(file.read_bytes())
    first = next(row for row in rows if "it" in row.texts)
    first.texts["it"] = f"Sempre: {first.texts['it']}"
    file.write_bytes(write_csv(rows))


def browsed(client: FlaskClient, folder: Path) -> Iterator[tuple[str, float, int]]:
    """The same way in the browser: each page or form with its seconds and its status."""
    origin = {"Origin": "http://localhost"}
    cut = {"act": "retitle", "passage": "regeln-de/teil-1/1", "words": "Aufbau", "by": "Ada"}
    told = {"rule": "field.three-lines", "passage": "regeln-de/teil-1/11", "by": "Ada"}
    names = {"regole-it.txt": ("compile-rules-it", "it"), "zasady-pl.txt": ("compile-rules-pl", "pl"),
             "regeln-de.md": ("regeln-de", "de"), "reglas-es.md": ("reglas-es", "es")}  # fmt: skip
    asked: list[tuple[str, dict[str, object] | None]] = [("/rulebooks/", None)]
    asked += [
        ("/rulebooks/", {"document": name, "language": language, "game": "compile",
                         "file": (BytesIO((folder / file).read_bytes()), file)})
        for file, (name, language) in names.items()
    ]  # fmt: skip
    asked += [
        ("/rulebooks/regeln-de", None), ("/rulebooks/regeln-de/cut", None), ("/rulebooks/regeln-de/cut", {**cut}),
        ("/rulebooks/regeln-de/links?propose=1", None), ("/rulebooks/regeln-de/links", {**told}),
        ("/qa/compile", None), ("/qa/compile", None), ("/qa/compile/matrix", None), ("/qa/compile/export/csv", None),
        ("/qa/compile/export/xliff", None),
    ]  # fmt: skip
    for path, form in asked:
        start = time.perf_counter()
        answer = client.post(path, data=form, headers=origin) if form is not None else client.get(path)
        yield f"{'send' if form is not None else 'open'} {path}", time.perf_counter() - start, answer.status_code
    edited = folder / "from-the-page.csv"
    edited.write_bytes(client.get("/qa/compile/export/csv").data)
    edit(edited)
    sent = {"by": "Ada", "file": (BytesIO(edited.read_bytes()), edited.name)}
    start = time.perf_counter()
    answer = client.post("/qa/compile/return", data=sent, headers=origin)
    yield "send /qa/compile/return", time.perf_counter() - start, answer.status_code


def main() -> int:
    """Walk both ways and print the seconds; 2 where the rulebooks are not there."""
    if not RULEBOOKS.is_dir():
        print("needs the folder shared/rulebooks beside the project", file=sys.stderr)
        return 2
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        lay_out(folder)
        for line, seconds, _ in walked(_in_a_process(folder), folder):
            print(f"{seconds:6.2f} s  {line}")
        for what, seconds, status in browsed(_client(folder / "browser"), folder):
            print(f"{seconds:6.2f} s  {what}  {status}")
    return 0


def _in_a_process(folder: Path) -> Runner:
    env = {**os.environ, "AUDIT_DATA_DIR": str(folder / "data"), "PYTHONPATH": str(ROOT)}

    def run(words: list[str]) -> str:
        done = subprocess.run(
            [sys.executable, "-m", "cli", *words], cwd=folder, env=env, capture_output=True, text=True
        )  # fmt: skip
        if done.returncode not in (0, 1) or "Traceback" in done.stderr:
            raise SystemExit(f"audit {shlex.join(words)}: {done.stderr}")
        return done.stdout

    return run


def _client(folder: Path) -> FlaskClient:
    os.environ["AUDIT_DATA_DIR"] = str(folder)
    from web import create_app, samples
    from web.games.folder_library import FolderLibrary

    library = FolderLibrary(samples())
    library.catch_up(600)
    return create_app(library).test_client()


if __name__ == "__main__":
    sys.exit(main())
