"""Applications lent to test after test: making one takes longer than most of what a test asks of it."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, partial

from flask import Flask

from replays.files import Cache
from web import create_app, samples
from web.games.folder_library import FolderLibrary
from web.games.library import Library
from web.games.live import Slots
from web.site.headers import ConditionalGet
from web.site.limits import Buckets

Settings = tuple[tuple[str, object], ...]


@cache
def _made(settings: Settings) -> tuple[Flask, Mapping[str, object], Mapping[str, object]]:
    app = create_app(config=dict(settings))
    return app, dict(app.config), dict(app.extensions)


SAMPLES = FolderLibrary(samples())


def viewer_over(library: Library = SAMPLES, **settings: object) -> Flask:
    """The viewer of these games, as it is when nobody has asked it anything: lent to one borrower at a time."""
    app, config, parts = _made(tuple(sorted(settings.items())))
    app.config.clear()
    app.config.update(config)
    app.extensions.clear()
    app.extensions.update({name: Cache() if isinstance(part, Cache) else part for name, part in parts.items()})
    for kind in ("api", "page", "costly"):
        rate, burst = (app.config[f"AUDIT_{kind.upper()}_{what}"] for what in ("RATE", "BURST"))
        app.extensions[f"audit.buckets.{kind}"] = Buckets(rate, burst, name=kind)
    app.extensions["audit.live"] = Slots(app.config["AUDIT_LIVE_MOST"], app.config["AUDIT_LIVE_EACH"])
    app.extensions["audit.library"] = library
    app.wsgi_app = ConditionalGet(partial(Flask.wsgi_app, app))  # type: ignore[method-assign]
    return app
