"""Fingerprint of the folder of rulebooks, for caches."""

from __future__ import annotations

import hashlib

from replays.rulebooks.folder import rulebooks_folder


def rulebooks_fingerprint() -> str:
    """Changes with any file in the folder of rulebooks: a rulebook, a link, a dismissal."""
    folder = rulebooks_folder()
    found = sorted((str(path), path.stat().st_mtime_ns) for path in folder.rglob("*") if path.is_file())
    return hashlib.blake2b(repr(found).encode(), digest_size=8).hexdigest()
