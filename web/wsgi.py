"""The application for a server such as gunicorn: `gunicorn web.wsgi:app`, over the store.

Nobody is taken here for a reader at this machine, unless the environment says so: behind a proxy all seem to be.
"""

from __future__ import annotations

import os

from replays.store.store import Store
from replays.trust.keys import data_folder
from web import create_app, keep_for_good
from web.games.store_library import StoreLibrary
from web.rulebooks.quotes import StoredQuotes

__all__ = ["app"]

PATIENCE = 0.8
"""Seconds for which a reader waits for the database."""

app = create_app(
    StoreLibrary(lambda: Store(patience=PATIENCE)),
    quotes=StoredQuotes(),
    config={
        "AUDIT_VIEWPOINTS": os.environ.get("AUDIT_VIEWPOINTS", "public"),
        "AUDIT_HOSTS": os.environ.get("AUDIT_HOSTS", ""),
        "AUDIT_PROXIES": os.environ.get("AUDIT_PROXIES", ""),
        "AUDIT_LIMITS": os.environ.get("AUDIT_LIMITS") or str(data_folder() / "limits.db"),
    },
)
keep_for_good()
