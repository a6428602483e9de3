"""What is deployed names only what there is."""

from __future__ import annotations

import re
import runpy
from inspect import ismodule
from pathlib import Path

import pytest


def test_every_setting_of_gunicorn_is_one_that_gunicorn_knows(root: Path) -> None:
    """gunicorn passes over a name it does not know, and does what it does by default."""
    config = pytest.importorskip("gunicorn.config")
    said = runpy.run_path(str(root / "deploy" / "gunicorn.conf.py"))
    ours = {
        name for name, value in said.items() if not name.startswith("_") and not callable(value) and not ismodule(value)
    }
    assert "control_socket_disable" in ours
    assert ours <= set(config.make_settings())


def test_the_container_is_given_every_package(root: Path) -> None:
    text = (root / "deploy" / "Containerfile").read_text("utf-8")
    copied = {word for line in re.findall(r"^COPY (.+) \S+$", text, re.M) for word in line.split()}
    assert {"audit", "commands", "replays", "web", "cli.py", "pyproject.toml"} <= copied
    assert [name for name in copied if not (root / name).exists()] == []
    extras = re.search(r"source\[([a-z,]+)\]", text)
    assert extras
    known = (root / "pyproject.toml").read_text("utf-8")
    assert all(re.search(rf"^{extra} = \[", known, re.M) for extra in extras[1].split(","))


def test_a_container_without_machine_code_is_not_built(root: Path) -> None:
    text = (root / "deploy" / "Containerfile").read_text("utf-8")
    assert text.index("pip install") < text.index("AUDIT_BUILD=native audit --version") < text.index("USER audit")
