"""`.ci/run` passes only where lint, types and every kind of test pass; tests pass only where one has run."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import ROOT

MAKE = """#!/bin/sh
echo "made $1"
[ "$1" != "$BROKEN" ]
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project with the script, and with a `make` that fails at one target."""
    (tmp_path / ".ci").mkdir()
    shutil.copy(ROOT / ".ci" / "run", tmp_path / ".ci" / "run")
    for name, text in (("make", MAKE), ("cc", "#!/bin/sh\n")):
        (tmp_path / name).write_text(text, "utf-8")
        (tmp_path / name).chmod(0o755)
    return tmp_path


def ci_run(project: Path, broken: str) -> subprocess.CompletedProcess[str]:
    environ = {"PATH": f"{project}{os.pathsep}{os.environ['PATH']}", "BROKEN": broken}
    return subprocess.run(["bash", ".ci/run"], cwd=project, env=environ, capture_output=True, text=True, timeout=60)


@pytest.mark.parametrize("target", ["installed", "check", "test", "test-compiled"])
def test_whatever_fails_fails_the_run(project: Path, target: str) -> None:
    assert ci_run(project, target).returncode != 0


def test_a_run_in_which_nothing_fails_passes_and_tells_what_it_made(project: Path) -> None:
    done = ci_run(project, "nothing")
    assert done.returncode == 0, done.stderr
    for target in ("installed", "check", "test", "test-compiled"):
        assert f"made {target}\n" in done.stdout


@pytest.mark.sampled(6)
@pytest.mark.parametrize(
    ("test", "code"),
    [("def test_it(): pass", 0), ("import pytest\ndef test_it(): pytest.skip('no cards here')", 5), ("", 5)],
    ids=["one that passes", "one that is skipped", "none"],
)
@pytest.mark.parametrize("workers", ["0", "1"])
def test_a_run_without_a_test_that_was_carried_out_fails(tmp_path: Path, test: str, code: int, workers: str) -> None:
    (tmp_path / "test_one.py").write_text(test, "utf-8")
    (tmp_path / "conftest.py").write_text("from tests.conftest import pytest_sessionfinish\n", "utf-8")
    plugins = ["-p", "no:cacheprovider", "-p", "xdist"]
    command = [sys.executable, "-m", "pytest", "-q", *plugins, "-n", workers, "--rootdir", ".", "."]
    environ = {**os.environ, "PYTHONPATH": str(ROOT), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    for name in ("PYTEST_XDIST_WORKER", "PYTEST_XDIST_WORKER_COUNT", "PYTEST_ADDOPTS"):
        environ.pop(name, None)
    done = subprocess.run(command, cwd=tmp_path, env=environ, capture_output=True, text=True, timeout=60)
    assert done.returncode == code, done.stdout + done.stderr
