"""What the API's document promises is what it does, tried by schemathesis with whatever the document allows."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings

from replays.store.store import Store
from web import create_app
from web.games.store_library import StoreLibrary
from web.site.tokens import make_token

SAMPLES = Path(__file__).resolve().parents[2] / "replays" / "samples"
LIMITS = {"AUDIT_API_BURST": 10**9, "AUDIT_LIVE_EVERY": 0.005, "AUDIT_LIVE_SECONDS": 0.01}
OPERATIONS = 24
REFUSING = ("/ask", "/games", "/events", "/cases", "/precedents", "/notes", "/import/position", "/import/sheet")
EXAMPLES = 2


@pytest.fixture(scope="module")
def operations(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[list[Any], dict[str, str]]]:
    """Every operation of the document, and the header of a judge who may do all of them."""
    schemathesis = pytest.importorskip("schemathesis", reason="needs schemathesis")
    folder = tmp_path_factory.mktemp("contract")
    with pytest.MonkeyPatch.context() as patch, Store(folder / "games.db") as store:
        patch.setenv("AUDIT_DATA_DIR", str(folder))
        store.import_log(SAMPLES / "dispute.jsonl")
        app = create_app(StoreLibrary(store), config=LIMITS)
        schema = schemathesis.openapi.from_wsgi("/api/v1/openapi.json", app)
        token = make_token("judge", "judge")
        yield (
            [found.ok() for found in schema.get_all_operations()],
            {"Authorization": f"Bearer {token}", "Accept-Encoding": "identity"},
        )


@pytest.mark.parametrize("number", range(OPERATIONS))
def test_an_operation_does_what_its_document_says(operations: tuple[list[Any], dict[str, str]], number: int) -> None:
    """A schema cannot say which texts are positions, which lines go on with a game, and what may happen in a case.

    So these operations may refuse what fits their schema.
    """
    positive_data_acceptance = pytest.importorskip("schemathesis.specs.openapi.checks").positive_data_acceptance
    found, headers = operations
    assert len(found) == OPERATIONS

    @given(case=found[number].as_strategy())
    @settings(
        max_examples=EXAMPLES, deadline=None, derandomize=True, database=None, suppress_health_check=list(HealthCheck)
    )
    def tried(case: Any) -> None:
        left_out = [positive_data_acceptance] if found[number].path.endswith(REFUSING) else []
        case.validate_response(case.call(headers=headers), excluded_checks=left_out)

    tried()
