"""Many small cases in one test: it goes through all of them, and a failure names the case."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import wraps
from inspect import signature
from itertools import repeat

Test = Callable[..., None]


def every(names: str | tuple[str, ...], cases: Iterable[object], ids: object = None) -> Callable[[Test], Test]:
    """Like `pytest.mark.parametrize`, for cases that need no fixture of their own and take a few milliseconds each."""
    keys = [name.strip() for name in names.split(",")] if isinstance(names, str) else [*names]
    listed = list(cases)
    called = map(ids, listed) if callable(ids) else ids if isinstance(ids, Iterable) else repeat("")

    def of_all(test: Test) -> Test:
        @wraps(test)
        def through_all(**given: object) -> None:
            for case, id in named:
                values = (case,) if len(keys) == 1 else case
                try:
                    test(**given, **dict(zip(keys, values, strict=True)))  # type: ignore[call-overload]
                except Exception as wrong:
                    wrong.add_note(f"in the case {id or case!r}")
                    raise

        whole = signature(test)
        rest = [given for name, given in whole.parameters.items() if name not in keys]
        through_all.__signature__ = whole.replace(parameters=rest)  # type: ignore[attr-defined]
        return through_all

    named = list(zip(listed, called, strict=False))
    assert named, "no case at all"
    return of_all
