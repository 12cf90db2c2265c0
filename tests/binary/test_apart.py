"""Alone with the kernel: no network where none is asked for, no Python, no system beyond the C library."""

from __future__ import annotations

import http.server
import os
import shutil
import ssl
import subprocess
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import trustme

from tests.binary.conftest import Program, copy_program, one_line

TASK = "how do I deploy to production?"
MANIFEST = "project: far\nversion: '1'\nunits:\n- {id: a, path: a.md, intent: deploy}\n"


@pytest.fixture
def saved(program: Program, hub: Path, tmp_path: Path) -> Path:
    """A plan to replay."""
    done = program.run("plan", TASK, "--json", "--manifest", hub)
    assert done.code == 0
    (tmp_path / "plan.json").write_bytes(done.out)
    return tmp_path / "plan.json"


def local_commands(hub: Path, saved: Path) -> tuple[tuple[str | Path, ...], ...]:
    return (
        ("plan", TASK, "--manifest", hub),
        ("plan", TASK, "--json", "--trace", "--manifest", hub),
        ("validate", hub),
        ("validate", hub, "--json"),
        ("replay", saved, "--manifest", hub),
    )


def test_local_input_opens_no_socket(program: Program, hub: Path, saved: Path, tmp_path: Path):
    if not shutil.which("strace"):
        pytest.skip("strace is not installed")
    log = tmp_path / "calls"
    before = ("strace", "-f", "-qq", "-e", "trace=network", "-e", "signal=none", "-o", str(log))
    probe = subprocess.run([*before, "true"], capture_output=True, check=False)
    if probe.returncode != 0:
        pytest.skip(f"strace may not trace here: {probe.stderr.decode(errors='replace').strip()}")
    for words in local_commands(hub, saved):
        assert program.run(*words, before=before).code == 0, words
        assert log.read_text() == "", words


def test_local_input_in_an_empty_network_namespace(program: Program, hub: Path, saved: Path, apart: Callable):
    before = apart("--net")
    for words in local_commands(hub, saved):
        assert program.run(*words, before=before) == program.run(*words)
        assert program.run(*words, before=before).code == 0
    done = program.run("plan", TASK, "--manifest", "https://example.test/knowledge.yaml", before=before)
    assert (done.code, done.out) == (3, b"")
    assert len(done.err.splitlines()) <= 2


@pytest.fixture
def certificates() -> trustme.CA:
    return trustme.CA()


@pytest.fixture
def server(certificates: trustme.CA) -> Iterator[str]:
    """The URL of a manifest on a local https server."""

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            body = MANIFEST.encode()
            self.send_response(200)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:
            pass

    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    certificates.issue_cert("localhost", "127.0.0.1").configure_cert(context)
    made = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    made.socket = context.wrap_socket(made.socket, server_side=True)
    thread = threading.Thread(target=made.serve_forever, daemon=True)
    thread.start()
    yield f"https://localhost:{made.server_port}/knowledge.yaml"
    made.shutdown()
    made.server_close()


def test_a_plan_over_https(program: Program, server: str, certificates: trustme.CA, tmp_path: Path):
    words = ("plan", "deploy", "--json", "--allow-private-hosts", "--manifest", server)
    certificates.cert_pem.write_to_path(tmp_path / "ca.pem")
    for variables in ({"SSL_CERT_FILE": tmp_path / "ca.pem"},):
        done = program.run(*words, env=variables)
        assert (done.code, done.err) == (0, b"")
        assert b'"project": "far"' in done.out
    done = program.run(*words)
    assert (done.code, done.out) == (3, b"")


def loader_and_libraries(names: tuple[str, ...]) -> dict[str, Path]:
    """Where the system keeps the C library's loader and some of its parts, by the path they have to have."""
    found = {}
    for line in subprocess.run(
        ["ldd", "/bin/ls"], capture_output=True, text=True, check=True
    ).stdout.splitlines():
        words = line.split()
        if words and "ld-linux" in words[0]:
            found[words[0]] = Path(words[0])
    listed = subprocess.run(["/sbin/ldconfig", "-p"], capture_output=True, text=True, check=True).stdout
    for line in listed.splitlines():
        words = line.split()
        if (
            words
            and words[0] in names
            and words[-1] not in found
            and not any(w in line for w in ("i386", "x32"))
        ):
            found[words[-1]] = Path(words[-1])
    return found


# The C library, in the parts that its older versions came in.
MINIMUM = ("libc.so.6", "libm.so.6", "libpthread.so.0")


class Root:
    """A root folder with hardly anything in it, and the way to run the program there."""

    def __init__(self, path: Path, built: Path, apart: tuple[str, ...], libraries: tuple[str, ...]) -> None:
        self.path = path
        for target, source in loader_and_libraries(libraries).items():
            place = path / target.lstrip("/")
            place.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(source, place)
        for folder in ("proc", "tmp", "etc"):
            (path / folder).mkdir()
        (path / "tmp").chmod(0o1777)
        (path / "etc" / "hosts").write_text("127.0.0.1 localhost\n")
        locale = Path("/usr/lib/locale/C.utf8")
        if locale.is_dir():
            shutil.copytree(locale, path / "usr" / "lib" / "locale" / "C.utf8")
        elif libraries == MINIMUM:
            pytest.skip("this system has no C.UTF-8 to copy")
        copy_program(built, path / "opt")
        self.is_single = not (path / "opt" / "yaml").is_dir()
        self.program = "/opt/kcp-agent"
        self.apart = apart

    def run(
        self, *words: str | Path, proc: bool = True, **variables: str
    ) -> subprocess.CompletedProcess[bytes]:
        mount = 'mount -t proc proc "$0/proc" 2>/dev/null || mount --rbind /proc "$0/proc"; ' if proc else ""
        line = [*self.apart, "sh", "-ec", mount + 'exec chroot "$0" "$@"', str(self.path), self.program]
        environment = {"PATH": os.environ["PATH"], **variables}
        return subprocess.run(
            [*line, *map(str, words)], env=environment, capture_output=True, timeout=60, check=False
        )


@pytest.fixture
def root(built: Path, tmp_path: Path, apart: Callable) -> Root:
    return Root(tmp_path / "root", built, apart("--mount"), MINIMUM)


def test_a_minimal_root(root: Root, hub: Path, program: Program):
    shutil.copytree(hub, root.path / "hub")
    for words in (("--version",), ("plan", TASK, "--json", "--manifest", "/hub"), ("validate", "/hub")):
        done = root.run(*words)
        assert (done.returncode, done.stderr) == (0, b""), words
        assert done.stdout
    done = root.run("keygen", "--key-id", "k", "--out", "/tmp")
    assert done.returncode == 0, done.stderr  # the cryptographic library loads


@pytest.mark.parametrize("locale", ["", "C", "C.UTF-8", "de_DE.UTF-8"])
def test_a_root_without_locales(root: Root, hub: Path, locale: str):
    shutil.rmtree(root.path / "usr" / "lib" / "locale")
    shutil.copytree(hub, root.path / "hüb 漢")
    done = root.run("plan", "für 漢", "--json", "--manifest", "/hüb 漢", LC_ALL=locale)
    assert (done.returncode, done.stderr) == (0, b"")
    assert "für 漢" in done.stdout.decode("utf-8")


def test_a_path_that_only_a_locale_could_read(root: Root):
    shutil.rmtree(root.path / "usr" / "lib" / "locale")
    (root.path / "opt").rename(root.path / "öpt")
    root.program = "/öpt/kcp-agent"
    done = root.run("--version", HOME="/höme", TMPDIR="/tmp")
    if root.is_single:  # it runs from where it unpacked itself
        assert done.returncode == 0
    else:
        assert (done.returncode, done.stdout) == (3, b"")
        assert "C.UTF-8" in one_line(done.stderr)


@pytest.mark.parametrize(
    "bundle",
    ["etc/pki/tls/certs/ca-bundle.crt", "etc/ssl/ca-bundle.pem", "etc/ssl/certs/ca-certificates.crt"],
)
def test_certificates_of_another_layout(root: Root, server: str, certificates: trustme.CA, bundle: str):
    words = ("plan", "deploy", "--json", "--allow-private-hosts", "--manifest", server)
    assert root.run(*words).returncode == 3
    (root.path / bundle).parent.mkdir(parents=True)
    certificates.cert_pem.write_to_path(root.path / bundle)
    done = root.run(*words)
    assert (done.returncode, done.stderr) == (0, b"")
    assert b'"project": "far"' in done.stdout


def test_without_proc(root: Root):
    done = root.run("--version", proc=False)
    assert (done.returncode, done.stdout) == (3, b"")
    assert one_line(done.stderr) == "kcp-agent: needs /proc, which is not mounted here"


def test_without_the_mathematical_library(built: Path, tmp_path: Path, apart: Callable):
    done = Root(tmp_path / "root", built, apart("--mount"), ("libc.so.6",)).run("--version")
    assert done.returncode not in (0, 1, 2)
    assert done.stdout == b""
    assert "libm.so.6" in one_line(done.stderr)


def test_without_the_c_library(program: Program, built: Path, tmp_path: Path, apart: Callable):
    bare = Root(tmp_path / "root", built, apart("--mount"), ("libc.so.6",))
    for folder in ("lib64", "lib", "usr"):
        shutil.rmtree(bare.path / folder, ignore_errors=True)
    done = bare.run("--version")
    assert done.returncode not in (0, 1, 2)
    said = one_line(done.stderr)
    if program.is_single:  # it needs no C library itself and can say so; of the folder, the kernel speaks
        assert done.returncode == 3
        assert "needs the GNU C library" in said


@pytest.mark.parametrize("megabytes", [16, 24, 32, 48, 64, 96])
def test_too_little_memory_is_never_a_success(program: Program, hub: Path, megabytes: int):
    good = program.run("validate", hub)
    limit = ("sh", "-c", f'ulimit -v {megabytes * 1024}; exec "$@"', "sh")
    done = program.run("validate", hub, before=limit)
    assert (done.code == 0 and done.out == good.out) or done.code not in (0, 1, 2)
