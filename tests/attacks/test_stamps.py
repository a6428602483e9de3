"""Time stamps of a service that runs in the test: taken, checked offline, and not believed where they prove nothing."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator
from hashlib import sha512
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread

import pytest
from msgspec.structs import replace

from commands.verifying import verified
from replays.trust.proofs import as_json, signed_head
from replays.trust.seal import as_text, beside
from replays.trust.witness import StampError, certificates, check_stamps, take_stamp
from tests.attacks.table import JUDGE, Table, judge
from web.publishing.files import publish

pytest.importorskip("rfc3161_client", reason="needs audit[stamps]")
OPENSSL = shutil.which("openssl") or ""
pytestmark = pytest.mark.skipif(not OPENSSL, reason="needs openssl, which is the service here")

CONFIG = """
[ tsa ]
default_tsa = service
[ service ]
serial = serial
signer_cert = service.pem
signer_key = service.key
signer_digest = sha256
default_policy = 1.2.3.4.1
digests = sha256, sha512
[ req ]
distinguished_name = name
prompt = no
[ name ]
CN = Stamps
[ root ]
basicConstraints = critical, CA:TRUE
keyUsage = critical, keyCertSign
subjectKeyIdentifier = hash
[ stamps ]
basicConstraints = CA:FALSE
keyUsage = critical, digitalSignature
extendedKeyUsage = critical, timeStamping
subjectKeyIdentifier = hash
authorityKeyIdentifier = keyid
"""


class Service:
    """A time stamp service: openssl behind a small web server."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir()
        self.folder = folder
        self.wrong = self.misheard = b""
        (folder / "config").write_text(CONFIG)
        (folder / "serial").write_text("01")
        new = "-newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -config config"
        self._run(f"req -x509 {new} -keyout root.key -out root.pem -subj /CN=Root -days 9 -extensions root")
        self._run(f"req {new} -keyout service.key -out service.csr")
        by = "-CA root.pem -CAkey root.key -CAcreateserial -days 9"
        self._run(f"x509 -req -in service.csr {by} -out service.pem -extfile config -extensions stamps")

    def _run(self, words: str) -> None:
        subprocess.run([OPENSSL, *words.split()], cwd=self.folder, check=True, capture_output=True)

    def answer(self, asked: bytes) -> bytes:
        (self.folder / "asked").write_bytes(asked.replace(self.misheard, bytes(len(self.misheard))))
        self._run("ts -reply -config config -queryfile asked -out given")
        return self.wrong or (self.folder / "given").read_bytes()


@pytest.fixture
def service(tmp_path: Path) -> Service:
    return Service(tmp_path / "service")


@pytest.fixture
def url(service: Service) -> Iterator[str]:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            given = service.answer(self.rfile.read(int(self.headers["Content-Length"])))
            self.send_response(200)
            self.send_header("Content-Length", str(len(given)))
            self.end_headers()
            self.wfile.write(given)

        def log_message(self, format: str, *args: object) -> None:
            """Says nothing."""

    server = HTTPServer(("127.0.0.1", 0), Handler)
    thread = Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()
    thread.join()
    server.server_close()


def test_a_stamp_is_taken_and_proves_its_time_offline(table: Table, service: Service, url: str) -> None:
    head = table.seal.tree_head()
    stamp = take_stamp(head, url)
    (found,) = check_stamps([stamp], head, certificates(service.folder / "root.pem"))
    assert (found.problem, found.at[:2]) == ("", "20")
    assert found.words.startswith("existed by 20")


def test_a_stamp_proves_nothing_of_another_head_or_by_another_service(
    table: Table, service: Service, url: str, tmp_path: Path
) -> None:
    head = table.seal.tree_head()
    stamp = take_stamp(head, url)
    roots = certificates(service.folder / "root.pem")
    another = certificates(Service(tmp_path / "another").folder / "root.pem")
    assert check_stamps([stamp], replace(head, root="00" * 32), roots)[0].problem
    assert check_stamps([stamp], head, another)[0].problem
    assert "no certificate" in check_stamps([stamp], head, [])[0].problem
    for broken in ("", "AAAA", stamp[:-8], "é"):
        assert check_stamps([broken], head, roots)[0].problem
    given = check_stamps([stamp, "AAAA", ""], replace(head, root="00" * 32), [])
    assert [each.is_foreign for each in given] == [True] * 3
    assert not check_stamps([stamp], head, [])[0].is_foreign
    last = stamp[-40:]
    turned = stamp[:-40] + last[::-1]
    assert check_stamps([turned], head, roots)[0].problem


def test_a_service_that_answers_something_else(table: Table, service: Service, url: str) -> None:
    other = table.seal.tree_head()
    take_stamp(replace(other, root="00" * 32), url)
    service.wrong = (service.folder / "given").read_bytes()
    with pytest.raises(StampError, match="answered another request"):
        take_stamp(other, url)
    service.wrong = b"<html>"
    with pytest.raises(StampError, match="not a time stamp"):
        take_stamp(other, url)
    service.wrong, service.misheard = b"", sha512(other.signed_data()).digest()
    with pytest.raises(StampError, match="stamped something else"):
        take_stamp(other, url)


def test_a_file_with_the_stamp_of_another_head_is_not_intact(table: Table, url: str) -> None:
    head = table.seal.tree_head()
    for stamped, code in ((head, 0), (replace(head, events=head.events + 1), 1)):
        sealed = replace(table.seal, stamps=(take_stamp(stamped, url),))
        beside(table.log).write_bytes(as_text(sealed))
        for name, data in (
            ("game.head", as_json(replace(signed_head(sealed), stamps=sealed.stamps))),
            ("game.json", publish(table.source, "json", "judge", key=JUDGE)),
        ):
            (table.folder / name).write_bytes(data)
            assert verified(str(table.folder / name), judge()).exit_code == code, name


@pytest.mark.parametrize("address", ["file:///etc/passwd", "http://127.0.0.1:1/", "http://", "nowhere"])
def test_a_service_that_is_none(table: Table, address: str) -> None:
    with pytest.raises(StampError) as caught:
        take_stamp(table.seal.tree_head(), address)
    assert "\n" not in str(caught.value)
