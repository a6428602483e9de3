"""`make test` skips what needs a browser where none is installed; so every test can be collected there."""

from __future__ import annotations

import subprocess
import sys

from tests.conftest import ROOT

WITHOUT_BROWSER = """
import sys
import pytest
sys.modules.update(dict.fromkeys(("playwright", "axe_playwright_python")))
sys.exit(pytest.main(["--collect-only", "-q", "-p", "no:cacheprovider", "tests/browser"]))
"""


def test_the_browser_tests_are_collected_where_no_browser_is_installed() -> None:
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT_BROWSER], cwd=ROOT, capture_output=True, text=True, timeout=300
    )  # fmt: skip
    assert done.returncode == 0, done.stdout[-2000:]
