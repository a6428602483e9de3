"""Waiting for a page without breaking its content policy."""

from __future__ import annotations

from typing import Any

PATIENCE = 120_000
"""Milliseconds: a crowded machine is slow, and no test of the browser measures time."""
PAUSE = 20


def until(page: Any, expression: str) -> None:
    """Wait until an expression is true in the page."""
    for _ in range(PATIENCE // PAUSE):
        if page.evaluate(expression):
            return
        page.wait_for_timeout(PAUSE)
    raise AssertionError(f"never true: {expression}")
