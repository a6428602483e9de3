"""What a server keeps in memory while it runs."""

from __future__ import annotations

import gc

from web import keep_for_good


def test_what_a_server_has_loaded_is_not_searched_for_garbage_again() -> None:
    before = len(gc.get_objects())
    keep_for_good()
    try:
        assert gc.get_freeze_count() >= before // 2
        assert len(gc.get_objects()) < before // 10
    finally:
        gc.unfreeze()
