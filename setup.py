"""Compile the auditor and the event rules of each game to machine code, with mypyc.

`pip install` does it where there is a C compiler; without one, or if it fails, the source is installed alone. An
editable install holds no compiled file; `python setup.py compile_here` (`make compiled`) puts them into `build/native`
instead. `AUDIT_BUILD=pure` never compiles, `AUDIT_BUILD=native` makes a failure an error.
"""

from __future__ import annotations

import os
import shlex
import shutil
import sys
import sysconfig
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import redirect_stdout
from hashlib import sha256
from importlib.metadata import version
from io import StringIO
from pathlib import Path
from typing import ClassVar

from setuptools import Command, Distribution, Extension, setup
from setuptools.command.build_ext import build_ext

sys.path.insert(0, str(Path(__file__).parent / "audit"))
from machine_code import BUILT, PACKAGE, STAMP, SUFFIX, sources

COMPILED = {
    "core": "auditor conservation expectations explanation findings inference late_audit late_records nearest_moment"
    " record record_audit standing",
    "games/compile": "automatic criteria event_rules/* fast_replay/* following moves occasions parts"
    " procedures texts totals",
    "games/altered": "event_rules/* agenda carrying_out daily_effects places races seats unread untold triggers victory"
    " zones",
    "games/lotr_reveal": "event_rules/* frames lookup procedure steps tasks texts zones",
}
"""What judges, a library for the core and one for each game. Values stay as they are: Python's own frozen values are
faster than compiled ones."""
NEEDED = ["mypy[mypyc]>=1.13", "babel>=2.16", "msgspec>=0.19", "rapidfuzz>=3.9"]
"""mypyc, and what the package `audit` imports: mypyc follows it."""
HEADER = PACKAGE / "machine_code.h"
"""How frozen values are read. It is written for the compilers of Linux and macOS."""
OPTIMISED = "1"
"""More takes twice as long to compile, and judges no faster."""


def wanted() -> bool:
    """Whether to compile: unless told not to, where there is a C compiler."""
    told = os.environ.get("AUDIT_BUILD")
    command = shlex.split(os.environ.get("CC") or str(sysconfig.get_config_var("CC") or "cl"))
    return told != "pure" and (told == "native" or shutil.which(command[0]) is not None)


def modules(folder: str, names: str) -> list[str]:
    """The files of one library, from the folder of the project."""
    found = (file for name in names.split() for file in sorted(PACKAGE.joinpath(folder).glob(f"{name}.py")))
    return [file.relative_to(PACKAGE.parent).as_posix() for file in found]


def _translated(folder: str) -> list[Extension]:
    """The C code of all libraries, written into this folder."""
    from mypyc.build import mypycify

    said = StringIO()
    try:
        with redirect_stdout(said):
            return [
                *mypycify(
                    [file for folder, names in COMPILED.items() for file in modules(folder, names)],
                    opt_level=OPTIMISED,
                    debug_level="0",
                    multi_file=True,
                    target_dir=folder,
                )
            ]
    except SystemExit:
        errors = [line for line in said.getvalue().splitlines() if ": error:" in line]
        raise RuntimeError("; ".join(errors) or "mypyc gave up") from None


class Compiling(build_ext):
    """Compiles all libraries, several C files at a time; leaves nothing behind where that fails."""

    def run(self) -> None:
        """Compile into the build folder, or say in one line why not."""
        if self.editable_mode or self.inplace or not wanted():
            return
        try:
            self._compile()
        except Exception as error:
            if os.environ.get("AUDIT_BUILD") == "native":
                raise
            for file in Path(self.build_lib).rglob(f"*{SUFFIX}"):
                file.unlink()
            self._is_for_every_machine()
            why = " ".join(str(error).split())[:200]
            print(f"audit: not compiled, the pure Python code is used instead ({why})", file=sys.stderr)

    def _is_for_every_machine(self) -> None:
        """A wheel of the source alone is not called one for this platform, which was expected when it was begun."""
        self.distribution.is_compiled = False
        if wheel := self.distribution.command_obj.get("bdist_wheel"):
            wheel.root_is_pure = True

    def _compile(self) -> None:
        lib, temp = self.build_lib, self.build_temp
        self.distribution.ext_modules = _translated(temp)
        self.initialize_options()
        self.build_lib, self.build_temp = lib, temp
        self.finalize_options()
        super().run()

    def build_extensions(self) -> None:
        """All C files at once, the long ones first, as many at a time as there are cores."""
        if self.compiler.compiler_type == "unix":
            for each in self.extensions:
                each.extra_compile_args += ["-include", str(HEADER.resolve())]
        one = self.compiler.compile

        def many(files: Sequence[str], *rest: object, **named: object) -> list[str]:
            with ThreadPoolExecutor(os.cpu_count()) as pool:
                longest = sorted(files, key=os.path.getsize, reverse=True)
                return [made for each in pool.map(lambda file: one([file], *rest, **named), longest) for made in each]

        self.compiler.compile = many
        super().build_extensions()


class CompilingHere(Command):
    """Compile for this checkout, beside the source: a whole build or none, and not again for the same source."""

    description = "compile for this checkout, into build/native"
    user_options: ClassVar[list[tuple[str, str | None, str]]] = []

    def initialize_options(self) -> None:
        """Nothing to choose."""

    def finalize_options(self) -> None:
        """Nothing to choose."""

    def run(self) -> None:
        """Compile into a folder named after the source, then say that it is whole."""
        made_from = sources()
        name = f"{self._digest()}{SUFFIX}"
        if wanted() and not (BUILT / name).is_dir() and not self._compiled_to(BUILT / name):
            return
        if wanted():
            _replace(BUILT / STAMP, f"{name}\n{made_from}")
        self._forget_all_but(name)

    def _digest(self) -> str:
        digest = sha256(f"{sys.version} {version('mypy')}".encode() + Path(__file__).read_bytes())
        for file in (HEADER, *sorted(PACKAGE.rglob("*.py"))):
            digest.update(f"{file.relative_to(PACKAGE)}\n".encode() + file.read_bytes())
        return digest.hexdigest()[:16]

    def _compiled_to(self, folder: Path) -> bool:
        part = BUILT / f"unfinished-{os.getpid()}"
        build = self.get_finalized_command("build_ext")
        build.build_lib, build.build_temp = str(part / "lib"), str(part / "temp")
        print("compiling the auditor (half a minute; AUDIT_BUILD=pure does without)", flush=True)
        try:
            build.run()
            whole = any((part / "lib").rglob(f"*{SUFFIX}"))
            if whole:
                (part / "lib").rename(folder)
        finally:
            shutil.rmtree(part, ignore_errors=True)
        return whole

    def _forget_all_but(self, name: str) -> None:
        """Keep this build and the one before it, which a program just starting may be loading."""
        builds = sorted(BUILT.glob(f"*{SUFFIX}"), key=lambda each: each.stat().st_mtime, reverse=True)
        for each in [each for each in builds if each.name != name][1:]:
            shutil.rmtree(each, ignore_errors=True)


def _replace(file: Path, text: str) -> None:
    part = file.with_name(f"{file.name}-{os.getpid()}")
    part.write_text(text, "utf-8")
    part.replace(file)


class WithExtensions(Distribution):
    """What is compiled is known only once mypyc has run."""

    is_compiled = True

    def has_ext_modules(self) -> bool:
        """Whether the package will be for one platform."""
        return self.is_compiled and wanted()


if __name__ == "__main__":
    asked_for_needs = "egg_info" in sys.argv or "dist_info" in sys.argv
    setup(
        distclass=WithExtensions,
        cmdclass={"build_ext": Compiling, "compile_here": CompilingHere},
        setup_requires=NEEDED if asked_for_needs and wanted() else [],
    )
