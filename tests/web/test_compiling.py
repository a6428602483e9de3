"""The site is built with what a first answer imports compiled, so that no browser has to."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from web.offline.compiling import compile_file, part


def test_a_compiled_module_is_imported_without_its_source(tmp_path: Path) -> None:
    (tmp_path / "dice.py").write_text('"""Dice."""\n\ndef sides():\n    return 6\n')
    compile_file(tmp_path, "dice.py")
    assert [path.name for path in tmp_path.iterdir()] == ["dice.pyc"]
    asks = "import dice; print(dice.sides(), dice.__doc__)"
    found = subprocess.run([sys.executable, "-c", asks], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert found.stdout == "6 None\n"


def test_python_begins_with_whole_packages_and_the_rest_is_unpacked_with_the_program(tmp_path: Path) -> None:
    stdlib, later = tmp_path / "stdlib", tmp_path / "app" / "stdlib"
    for name in ("json/decoder.py", "json/tool.py", "tomllib/_parser.py", "os.pyc", "uuid.py"):
        (stdlib / name).parent.mkdir(parents=True, exist_ok=True)
        (stdlib / name).touch()
    part(stdlib, later, {"json", "os"})
    assert sorted(path.name for path in stdlib.iterdir()) == ["json", "os.pyc"]
    assert sorted(path.name for path in later.iterdir()) == ["tomllib", "uuid.py"]
    assert (stdlib / "json" / "tool.py").exists()


def test_a_declaration_keeps_what_the_api_says_of_it(tmp_path: Path) -> None:
    (tmp_path / "events.py").write_text(
        'from msgspec import Struct\n\n\nclass Seat(Struct):\n    """Who sits where."""\n'
    )
    compile_file(tmp_path, "events.py")
    asks = "import events; print(events.Seat.__doc__)"
    found = subprocess.run([sys.executable, "-c", asks], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert found.stdout == "Who sits where.\n"
