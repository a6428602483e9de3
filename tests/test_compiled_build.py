"""Machine code and source: which of them judges, after an update, a build that was broken off, a build that failed."""

from __future__ import annotations

import ast
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path

import pytest

from audit import machine_code
from audit.machine_code import STAMP, SUFFIX, NativeModules, current_build, is_native, sources


@pytest.fixture
def checkout(tmp_path: Path) -> tuple[Path, Path]:
    """A package of two files, and a whole build of it."""
    package, built = tmp_path / "audit", tmp_path / "build"
    (package / "game").mkdir(parents=True)
    (package / "auditor.py").write_text("old")
    (package / "game" / "rules.py").write_text("old")
    (built / f"first{SUFFIX}").mkdir(parents=True)
    (built / STAMP).write_text(f"first{SUFFIX}\n{sources(package)}", "utf-8")
    return built, package


def test_the_build_of_this_source_is_used(checkout: tuple[Path, Path]) -> None:
    built, package = checkout
    assert current_build(built, package) == built / f"first{SUFFIX}"


@pytest.mark.parametrize("name", ["auditor.py", "game/rules.py"])
def test_after_an_update_the_new_source_judges_and_not_the_old_build(checkout: tuple[Path, Path], name: str) -> None:
    built, package = checkout
    (package / name).write_text("newer")
    assert current_build(built, package) is None


def test_an_update_of_the_same_length_is_noticed_by_its_time(checkout: tuple[Path, Path]) -> None:
    built, package = checkout
    file = package / "auditor.py"
    before = file.stat().st_mtime_ns
    file.write_text("new")
    os.utime(file, ns=(before + 1, before + 1))
    assert current_build(built, package) is None


def test_a_file_that_came_or_went_makes_the_build_another_source(checkout: tuple[Path, Path]) -> None:
    built, package = checkout
    (package / "game" / "more.py").write_text("new")
    assert current_build(built, package) is None
    (package / "game" / "more.py").unlink()
    (package / "game" / "rules.py").unlink()
    assert current_build(built, package) is None


def test_a_build_that_was_broken_off_is_not_used(checkout: tuple[Path, Path]) -> None:
    built, package = checkout
    (built / STAMP).unlink()
    assert current_build(built, package) is None


def test_a_stamp_without_its_build_leaves_the_source(checkout: tuple[Path, Path]) -> None:
    built, package = checkout
    (built / f"first{SUFFIX}").rmdir()
    assert current_build(built, package) is None


def test_a_build_for_another_python_is_not_used(checkout: tuple[Path, Path]) -> None:
    built, package = checkout
    (built / "first.cpython-30-other.so").mkdir()
    (built / STAMP).write_text(f"first.cpython-30-other.so\n{sources(package)}", "utf-8")
    assert current_build(built, package) is None


def test_modules_and_packages_are_found_by_their_names(tmp_path: Path) -> None:
    for name in ("audit/core/auditor", "audit/games/compile/event_rules/__init__", "common__mypyc"):
        file = tmp_path / f"{name}{SUFFIX}"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.touch()
    finder = NativeModules(tmp_path)
    assert sorted(finder.files) == ["audit.core.auditor", "audit.games.compile.event_rules", "common__mypyc"]
    found = finder.find_spec("audit.games.compile.event_rules")
    assert found is not None
    assert found.submodule_search_locations == [str(machine_code.PACKAGE / "games" / "compile" / "event_rules")]
    assert finder.find_spec("audit.games.compile") is None


def test_the_tests_run_on_what_they_ask_for() -> None:
    assert is_native() == (os.environ["AUDIT_BUILD"] == "native")


def test_asking_for_machine_code_where_there_is_none_is_an_error(tmp_path: Path) -> None:
    shutil.copytree(machine_code.PACKAGE, tmp_path / "audit", ignore=shutil.ignore_patterns("__pycache__"))
    done = _python(tmp_path, "import audit", AUDIT_BUILD="native")
    assert done.returncode == 1
    assert "there is no machine code of this source" in done.stderr


# Packages


def _python(folder: Path, code: str, **environment: str) -> subprocess.CompletedProcess[str]:
    env = {**os.environ, "PYTHONPATH": str(folder), **environment}
    return subprocess.run([sys.executable, "-c", code], cwd=folder, env=env, capture_output=True, text=True)


@pytest.fixture(scope="module")
def source(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of everything that a package is made from."""
    folder = tmp_path_factory.mktemp("source")
    for name in ("setup.py", "pyproject.toml", "README.md", "LICENSE", "NOTICE", "cli.py", "cli_start.py"):
        shutil.copy(root / name, folder)
    for name in ("audit", "commands", "replays", "web"):
        shutil.copytree(root / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    return folder


def made(source: Path, kind: str, **environment: str) -> tuple[Path, str]:
    """A package made from the source, and what was said."""
    code = f"from setuptools import build_meta; print('=' + build_meta.build_{kind}('dist'))"
    done = _python(source, code, **environment)
    assert done.returncode == 0, done.stderr[-2_000:]
    name = next(line for line in done.stdout.splitlines() if line.startswith("="))
    return source / "dist" / name[1:], done.stderr


def compiled_in(package: Path) -> list[str]:
    with zipfile.ZipFile(package) as packed:
        return [name for name in packed.namelist() if name.endswith(SUFFIX)]


def installed(package: Path, folder: Path, *, with_pip: bool) -> Path:
    """A new virtual environment with the package, by its own pip or by that of the tests: to make one takes long.

    What it needs it finds where the tests find it.
    """
    place = folder / "environment"
    subprocess.run([sys.executable, "-m", "venv", *([] if with_pip else ["--without-pip"]), place], check=True)
    python = place / "bin" / "python"
    site = Path(sysconfig.get_path("purelib", vars={"base": str(place), "platbase": str(place)}))
    (site / "needed.pth").write_text(f"{sysconfig.get_path('purelib')}\n", "utf-8")
    pip = [python, "-m", "pip"] if with_pip else [sys.executable, "-m", "pip", "--python", python]
    install = ["install", "--quiet", "--no-deps", "--no-index", "--no-compile", package]
    subprocess.run([*pip, *install], check=True, cwd=folder)
    return place / "bin"


def works(programs: Path, folder: Path, build: str, root: Path) -> None:
    """What docs/README.md and docs/client-author.md say works from another folder."""

    def said(*command: str) -> str:
        left_out = ("PYTHONPATH", "AUDIT_BUILD", "PYTHONDONTWRITEBYTECODE")
        clean = {name: value for name, value in os.environ.items() if name not in left_out}
        env = {**clean, "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}"}
        done = subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True, check=False)
        assert done.returncode in (0, 1), done.stderr
        return done.stdout

    shutil.copytree(root / "replays" / "samples", folder / "replays" / "samples")
    assert said("audit", "--version").endswith(f"({build})\n")
    assert "5 findings" in said(str(programs / "python"), "-m", "audit", "check", "replays/samples/dispute.jsonl")
    page = (root / "docs" / "client-author.md").read_text("utf-8")
    ((program, printed), *_) = re.findall(r"```python\n(.*?)```.*?```text\n(.*?)```", page, re.DOTALL)
    assert said(str(programs / "python"), "-c", program) == printed
    for shell in filter(shutil.which, ("bash", "zsh")):
        begin = "autoload -U compinit && compinit -u; " if shell == "zsh" else ""
        script = f'{begin}eval "$(audit --completion {shell})" && echo loaded'
        assert said(shell, "-c", script).endswith("loaded\n")


def test_a_package_of_the_source_is_for_every_machine_and_works_from_another_folder(
    source: Path, root: Path, tmp_path: Path
) -> None:
    pure, _ = made(source, "wheel", AUDIT_BUILD="pure")
    assert pure.name.endswith("-none-any.whl")
    assert compiled_in(pure) == []
    works(installed(pure, tmp_path, with_pip=False), tmp_path, "pure Python", root)


@pytest.mark.prove
@pytest.mark.slow
@pytest.mark.parametrize("build", ["pure Python", "compiled"])
def test_pip_installs_it_with_and_without_a_compiler(build: str, source: Path, root: Path, tmp_path: Path) -> None:
    if build == "compiled" and not shutil.which("cc"):
        pytest.skip("there is no C compiler")
    package, _ = made(source, "wheel", AUDIT_BUILD="native" if build == "compiled" else "pure")
    works(installed(package, tmp_path, with_pip=True), tmp_path, build, root)


@pytest.mark.prove
@pytest.mark.slow
def test_a_compiler_that_fails_leaves_the_source_and_one_line_that_says_so(source: Path) -> None:
    package, said = made(source, "wheel", AUDIT_BUILD="", CC="false")
    assert package.name.endswith("-none-any.whl")
    assert compiled_in(package) == []
    assert [line for line in said.splitlines() if line.startswith("audit: not compiled, the pure Python code is used")]


@pytest.mark.prove
def test_an_editable_install_puts_no_machine_code_beside_the_source(source: Path) -> None:
    made(source, "editable", AUDIT_BUILD="")
    assert not list(source.glob(f"audit/**/*{SUFFIX}"))


def test_only_who_can_compile_is_asked_to_load_the_compiler_and_what_it_imports(source: Path) -> None:
    """mypyc follows every import; where one is missing an installed program would stay pure Python."""
    needed = "print(build_meta.get_requires_for_build_wheel())"
    both = f"import os; from setuptools import build_meta; {needed}; os.environ['AUDIT_BUILD'] = 'native'; {needed}"
    said = _python(source, both, AUDIT_BUILD="pure").stdout.splitlines()
    pure, asked = (line for line in said if line.startswith("["))
    assert ("mypy[mypyc]" in pure, "mypy[mypyc]" in asked) == (False, True)
    package = Path(machine_code.__file__).parent
    trees = [ast.parse(file.read_text("utf-8")) for file in package.rglob("*.py")]
    nodes = [node for tree in trees for node in ast.walk(tree)]
    names = {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
    names |= {node.module or "" for node in nodes if isinstance(node, ast.ImportFrom) and not node.level}
    foreign = {name.partition(".")[0] for name in names} - sys.stdlib_module_names - {"audit", "web", "replays"}
    with_mypy = {"mypy_extensions"}
    assert foreign - with_mypy == {"babel", "msgspec", "rapidfuzz"}
    assert [name for name in sorted(foreign - with_mypy) if f"'{name}>=" not in asked] == []
