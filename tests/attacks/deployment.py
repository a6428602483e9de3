"""The documented deployment, started as it is documented: gunicorn, and in front of it nginx or Caddy."""

from __future__ import annotations

import http.client
import os
import shutil
import socket
import ssl
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from tests.serving import read_on

HOST = "audit.example.org"
ROOT = Path(__file__).resolve().parents[2]
THREADS = 4


def free_port() -> int:
    """A port on which nobody listens."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        return int(free.getsockname()[1])


@contextmanager
def deployed(folder: Path, **environ: str) -> Iterator[int]:
    """gunicorn with the configuration of `deploy/`, one process with few threads, and its port."""
    pytest.importorskip("gunicorn")
    port = free_port()
    settings = {
        "AUDIT_BIND": f"127.0.0.1:{port}", "AUDIT_DATA_DIR": str(folder), "AUDIT_WORKERS": "1",
        "AUDIT_THREADS": str(THREADS), "AUDIT_HEADERS_WITHIN": "1.5", "PYTHONPATH": str(ROOT), **environ,
    }  # fmt: skip
    command = [sys.executable, "-m", "gunicorn", "--config", str(ROOT / "deploy" / "gunicorn.conf.py"), "web.wsgi:app"]
    server = subprocess.Popen(command, env={**os.environ, **settings}, cwd=folder, stderr=subprocess.PIPE)
    assert server.stderr
    read_on(server.stderr)
    try:
        until = time.monotonic() + 90
        while time.monotonic() < until:
            with suppress(OSError):
                if asked(port, "/about", wait=30)[0] == 200:
                    break
            time.sleep(0.1)
        yield port
    finally:
        server.terminate()
        server.wait(timeout=60)


def program_of(name: str) -> str:
    """Where a web server is installed; the test is skipped without it."""
    found = shutil.which(name, path=f"{os.environ.get('PATH', '')}:/usr/sbin")
    return found or pytest.skip(f"{name} is not installed")


def _edited(text: str, *changes: tuple[str, str]) -> str:
    """A documented file with other ports and folders; nothing else may have to be changed to try it."""
    for old, new in changes:
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    return text


@contextmanager
def nginx(folder: Path, behind: int) -> Iterator[int]:
    """nginx with the documented file, in front of that port."""
    program = program_of("nginx")
    port = free_port()
    _certificate(folder)
    site = _edited(
        (ROOT / "deploy" / "nginx.conf").read_text("utf-8"),
        ("127.0.0.1:8000", f"127.0.0.1:{behind}"),
        ("listen 443 ssl", f"listen 127.0.0.1:{port} ssl"),
        ("/etc/ssl/audit/fullchain.pem", str(folder / "cert.pem")),
        ("/etc/ssl/audit/privkey.pem", str(folder / "key.pem")),
    )
    temporary = "".join(f"{each}_temp_path {folder};" for each in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
    user = "user root;" if os.geteuid() == 0 else ""
    main = f"{user} daemon off; pid {folder}/nginx.pid; error_log {folder}/error.log; events {{}}\n"
    (folder / "nginx.conf").write_text(f"{main} http {{ access_log off; {temporary}\n{site}\n}}", "utf-8")
    with _running([program, "-c", str(folder / "nginx.conf"), "-e", str(folder / "error.log")], folder, port):
        yield port


@contextmanager
def caddy(folder: Path, behind: int) -> Iterator[int]:
    """Caddy with the documented file, in front of that port. It has no TLS and asks nobody for a certificate."""
    program = program_of("caddy")
    port = free_port()
    site = _edited(
        (ROOT / "deploy" / "Caddyfile").read_text("utf-8"),
        ("127.0.0.1:8000", f"127.0.0.1:{behind}"),
        ("{\n\tservers {", "{\n\tadmin off\n\tauto_https off\n\tservers {"),
        (f"\n{HOST} {{", f"\nhttp://{HOST}:{port} {{\n\tbind 127.0.0.1"),
    )
    (folder / "Caddyfile").write_text(site, "utf-8")
    command = [program, "run", "--config", str(folder / "Caddyfile"), "--adapter", "caddyfile"]
    with _running(command, folder, port, HOME=str(folder), XDG_DATA_HOME=str(folder), XDG_CONFIG_HOME=str(folder)):
        yield port


@contextmanager
def _running(command: list[str], folder: Path, port: int, **environ: str) -> Iterator[None]:
    with (folder / "front.log").open("wb") as log:
        server = subprocess.Popen(command, env={**os.environ, **environ}, cwd=folder, stderr=log, stdout=log)
    try:
        until = time.monotonic() + 60
        while time.monotonic() < until and server.poll() is None:
            with suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1):
                break
            time.sleep(0.05)
        assert server.poll() is None, (folder / "front.log").read_text("utf-8", "replace")
        yield
    finally:
        server.terminate()
        server.wait(60)


def _certificate(folder: Path) -> None:
    """A certificate that nobody else knows."""
    key, name, now = ec.generate_private_key(ec.SECP256R1()), _name(HOST), datetime.now(UTC)
    made = x509.CertificateBuilder(name, name, key.public_key(), 1, now - timedelta(days=1), now + timedelta(days=1))
    encoding, plain = serialization.Encoding.PEM, serialization.NoEncryption()
    (folder / "cert.pem").write_bytes(made.sign(key, hashes.SHA256()).public_bytes(encoding))
    (folder / "key.pem").write_bytes(key.private_bytes(encoding, serialization.PrivateFormat.PKCS8, plain))


def _name(host: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, host)])


def connected(port: int, is_tls: bool, wait: float = 60) -> socket.socket:
    """A connection to a server on this machine; its certificate is its own."""
    plain = socket.create_connection(("127.0.0.1", port), timeout=wait)
    if not is_tls:
        return plain
    trusting = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    trusting.check_hostname, trusting.verify_mode = False, ssl.CERT_NONE
    return trusting.wrap_socket(plain, server_hostname=HOST)


def asked(port: int, path: str, wait: float = 60, **headers: str) -> tuple[int, bytes]:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=wait)
    try:
        connection.request("GET", path, headers=headers)
        got = connection.getresponse()
        return got.status, got.read()
    finally:
        connection.close()
