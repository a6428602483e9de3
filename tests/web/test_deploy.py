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
    copied = {word for line in re.findall(r"^COPY ([^-].+) \S+$", text, re.M) for word in line.split()}
    assert {"audit", "commands", "replays", "web", "cli.py", "pyproject.toml"} <= copied
    assert [name for name in copied if not (root / name).exists()] == []


def test_the_container_installs_what_is_locked_with_hashes(root: Path) -> None:
    text = (root / "deploy" / "Containerfile").read_text("utf-8").replace("\\\n", " ")
    locks = {
        name for line in re.findall(r"--require-hashes .*", text) for name in re.findall(r"-r (requirements/\S+)", line)
    }
    assert locks == {f"requirements/{name}.txt" for name in ("base", "compile", "production")}
    assert all("--hash=sha256:" in (root / lock).read_text("utf-8") for lock in locks)
    others = [line for line in re.findall(r"pip (?:install|wheel) .*", text) if "--require-hashes" not in line]
    assert all("--no-deps" in part for line in others for part in re.findall(r"pip (?:install|wheel)[^&]*", line))
    assert re.search(r"^ARG PYTHON=\S+:3\.\d+\.\d+-slim-\w+$", text, re.M)


def test_a_container_without_machine_code_is_not_built(root: Path) -> None:
    text = (root / "deploy" / "Containerfile").read_text("utf-8")
    assert text.index("pip wheel") < text.index("AUDIT_BUILD=native audit --version") < text.index("USER audit")
