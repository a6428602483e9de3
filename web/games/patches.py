"""Differences between consecutive positions, small enough to send a whole game in one page.

A patch is an object with the fields that changed. A field that was and is an object is patched in turn; a list of
the same length is patched as `{"#": {index: …}}`; fields that are gone are named under `-`. `static/patches.js`
applies them.
"""

from __future__ import annotations

from collections.abc import Mapping

GONE = "-"
INSIDE = "#"
_SAME = object()

Json = Mapping[str, object]


def patch(before: Json, after: Json) -> dict[str, object]:
    """What turns the one object into the other."""
    found = {
        key: change for key, value in after.items() if (change := _change(before.get(key, _SAME), value)) is not _SAME
    }
    if gone := [key for key in before if key not in after]:
        found[GONE] = gone
    return found


def _change(before: object, after: object) -> object:
    if before == after and type(before) is type(after):
        return _SAME
    if isinstance(before, Mapping) and isinstance(after, Mapping):
        return patch(before, after)
    if _alike(before, after):
        inner = [_change(old, new) for old, new in zip(before, after, strict=True)]  # type: ignore[call-overload]
        return {INSIDE: {str(index): change for index, change in enumerate(inner) if change is not _SAME}}
    return after


def _alike(before: object, after: object) -> bool:
    """Lists that are worth going into: of things that have parts of their own."""
    return (
        isinstance(before, (list, tuple))
        and isinstance(after, (list, tuple))
        and len(before) == len(after)
        and any(isinstance(item, (Mapping, list, tuple)) for item in after)
    )


def patched(before: object, change: object) -> object:
    """The object after a patch; what the browser does."""
    if not isinstance(change, Mapping):
        return change
    if isinstance(before, (list, tuple)) and INSIDE in change:
        inner = change[INSIDE]
        assert isinstance(inner, Mapping)
        return [patched(old, inner[str(n)]) if str(n) in inner else old for n, old in enumerate(before)]
    old = before if isinstance(before, Mapping) else {}
    gone = change.get(GONE, ())
    assert isinstance(gone, (list, tuple))
    kept = {key: value for key, value in old.items() if key not in gone}
    return {**kept, **{key: patched(kept.get(key), value) for key, value in change.items() if key != GONE}}
