"""Many small cases in one test: it goes through all of them, and a failure names the case."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import wraps
from inspect import signature
from itertools import repeat

import pytest
from _pytest.mark import ParameterSet

Test = Callable[..., None]


def every(names: str | tuple[str, ...], cases: Iterable[object], ids: object = None) -> Callable[[Test], Test]:
    """Like `pytest.mark.parametrize`, for cases that need no fixture of their own and take a few milliseconds each."""
    keys = [name.strip() for name in names.split(",")] if isinstance(names, str) else [*names]
    listed = [ParameterSet.extract_from(case, force_tuple=len(keys) == 1) for case in cases]
    assert listed, "no case at all"
    told = iter(ids) if isinstance(ids, Iterable) else repeat("")
    called = ["-".join(map(str, map(ids, case.values))) if callable(ids) else case.id or next(told) for case in listed]

    def of_all(test: Test) -> Test:
        @wraps(test)
        def through_all(**given: object) -> None:
            for case, id in zip(listed, called, strict=True):
                try:
                    test(**given, **dict(zip(keys, case.values, strict=True)))
                except Exception as wrong:
                    wrong.add_note(f"in the case {id or case.values!r}")
                    raise

        whole = signature(test)
        rest = [given for name, given in whole.parameters.items() if name not in keys]
        through_all.__signature__ = whole.replace(parameters=rest)  # type: ignore[attr-defined]
        for mark in {mark for case in listed for mark in case.marks}:
            through_all = pytest.mark.skip(**mark.kwargs)(through_all)
        return through_all

    return of_all
