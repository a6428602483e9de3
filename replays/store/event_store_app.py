"""The eventsourcing application behind the store, opened on SQLite or PostgreSQL."""

from __future__ import annotations

from collections.abc import Callable
from typing import cast

from eventsourcing.application import Application
from eventsourcing.persistence import InfrastructureFactory
from eventsourcing.utils import Environment

from replays.store.database import Address, StoreError, Tables
from replays.store.recorded import RecordedMapper

Complete = Callable[[InfrastructureFactory], None]


class EventStoreApp(Application[str]):
    """The eventsourcing application that stores the events."""

    name = "Audit"
    is_snapshotting_enabled = False

    def __init__(self, settings: dict[str, str], complete: Complete = lambda factory: None) -> None:
        """`complete` adjusts the factory before it connects."""
        self._complete = complete
        super().__init__({**settings, "ORIGINATOR_ID_TYPE": "text"})

    def construct_factory(self, env: Environment) -> InfrastructureFactory:
        """The database, with connections as the address says."""
        factory = super().construct_factory(env)
        self._complete(factory)
        return factory

    def construct_mapper(self) -> RecordedMapper:
        """Our own: one class, one topic, our own formats."""
        return RecordedMapper()


def open_event_store(place: Address, lock_timeout: int, patience: float) -> tuple[EventStoreApp, Tables]:
    """The application at an address, and the tables beside its events; raises `StoreError` where that cannot be."""
    return _on_postgres(place, lock_timeout, patience) if place.is_postgres else _on_sqlite(place, lock_timeout)


def _on_sqlite(place: Address, lock_timeout: int) -> tuple[EventStoreApp, Tables]:
    from replays.store.sqlite import SqliteTables, environment, keep_private, retry_while_locked

    keep_private(place)

    def open_it() -> tuple[EventStoreApp, Tables]:
        games = EventStoreApp(environment(place, lock_timeout))
        return games, cast(SqliteTables, games.factory.tracking_recorder(SqliteTables))

    return retry_while_locked(open_it, lock_timeout)


def _on_postgres(place: Address, lock_timeout: int, patience: float) -> tuple[EventStoreApp, Tables]:
    try:
        from replays.store.postgres import PostgresTables, complete, environment, exclusive_setup
    except ImportError:
        raise StoreError(place.name, "needs the package psycopg: install audit[postgres]") from None
    with exclusive_setup(place, patience) as has_tables:
        settings = environment(place, lock_timeout, has_tables)
        games = EventStoreApp(settings, lambda factory: complete(factory, place, patience))
        return games, cast(PostgresTables, games.factory.tracking_recorder(PostgresTables))
