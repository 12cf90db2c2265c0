"""Make a virtual environment of the checkout from its lock file: `.venv requirements.lock` or another pair.

Run by venv.sh with the interpreter to build on; standard library only. Several first runs at once take
turns; a run that was interrupted leaves an environment without its copy of the lock file, which the next
run replaces. Exit codes: 0 done, 3 not possible (one line says why), 130 interrupted.
"""

from __future__ import annotations

import contextlib
import filecmp
import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
VENV = ROOT / (sys.argv[1] if len(sys.argv) > 2 else ".venv")
LOCK = ROOT / (sys.argv[2] if len(sys.argv) > 2 else "requirements.lock")
STAMP = VENV / LOCK.name
MUTEX = ROOT / ".venv-setup" / "mutex"
WAIT_AT_MOST = 900  # seconds for another run to finish its set-up

# A person's pip settings for installing elsewhere must not send packages past the environment.
PIP_SETTINGS_TO_DROP = (
    "PIP_USER",
    "PIP_TARGET",
    "PIP_PREFIX",
    "PIP_ROOT",
    "PIP_NO_DEPS",
    "PIP_REQUIRE_VIRTUALENV",
)


class SetUpError(Exception):
    """Why the environment cannot be made, in one line."""


def say(text: str) -> None:
    """Tell the person on stderr; stdout belongs to the command that is about to run."""
    print(f"kcp-agent: {text}", file=sys.stderr, flush=True)


def try_lock(descriptor: int) -> bool:
    """Whether this process now holds the lock; the system releases it when the process ends."""
    try:
        if sys.platform == "win32":
            import msvcrt

            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


@contextlib.contextmanager
def one_at_a_time() -> Iterator[None]:
    """Hold off other set-ups of this checkout while the body runs."""
    MUTEX.parent.mkdir(exist_ok=True)
    descriptor = os.open(MUTEX, os.O_RDWR | os.O_CREAT, 0o666)
    try:
        if not try_lock(descriptor):
            say(f"waiting for another run to finish setting up {VENV.name} …")
            deadline = time.monotonic() + WAIT_AT_MOST
            while not try_lock(descriptor):
                if time.monotonic() > deadline:
                    raise SetUpError(
                        f"another run has been setting up {VENV.name} for too long; end it and run again"
                    )
                time.sleep(0.2)
        yield
    finally:
        os.close(descriptor)


def venv_python() -> Path:
    """The environment's interpreter, whether or not it exists yet."""
    return VENV / "Scripts" / "python.exe" if os.name == "nt" else VENV / "bin" / "python"


def is_current() -> bool:
    """Whether the environment is whole and made from the present lock file."""
    return venv_python().exists() and STAMP.exists() and filecmp.cmp(LOCK, STAMP, shallow=False)


def run(step: str, *command: str | Path) -> None:
    """Run one step quietly; its output shows only when it fails."""
    environment = {name: value for name, value in os.environ.items() if name not in PIP_SETTINGS_TO_DROP}
    done = subprocess.run(
        [str(part) for part in command],
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        check=False,
    )
    if done.returncode != 0:
        sys.stderr.write(done.stdout.decode(errors="replace"))
        raise SetUpError(
            f"{step} failed with {Path(sys.executable).name} {sys.version.split()[0]} (output above)"
        )


def tools_to_build_with() -> str:
    """The entries of setuptools and wheel, with what wheel needs, where the lock file has them."""
    entries = re.split(r"\n(?=\S)", LOCK.read_text("utf-8"))
    tools = [entry for entry in entries if entry.startswith(("packaging==", "setuptools==", "wheel=="))]
    return "\n".join(tools) if len(tools) == 3 else ""


def make() -> None:
    """Build the environment in its place and write the stamp last."""
    if VENV.exists():
        shutil.rmtree(VENV)
    # The resolved interpreter: when an upgrade replaces it, the link breaks and the environment is remade,
    # where `python3` would silently become a version that does not see the installed packages.
    run(f"making {VENV.name}", os.path.realpath(sys.executable), "-I", "-m", "venv", VENV)
    pip = (venv_python(), "-I", "-m", "pip", "--disable-pip-version-check", "--no-input", "install", "-qq")
    step = f"installing {LOCK.name}"
    builders = tools_to_build_with()
    if builders:
        # What comes as source only is built with the locked tools, not with whatever is newest today.
        file = VENV / "builders.txt"
        file.write_text(builders, "utf-8")
        run(step, *pip, "--require-hashes", "-r", file)
    run(step, *pip, *(["--no-build-isolation"] if builders else []), "--require-hashes", "-r", LOCK)
    # A path file makes `import kcp` find the checkout; relative, so that the folder can be moved.
    site_packages = next(VENV.glob("[Ll]ib/**/site-packages"))
    (site_packages / "kcp-checkout.pth").write_text(os.path.relpath(ROOT, site_packages) + "\n", "utf-8")
    shutil.copyfile(LOCK, STAMP)


def main() -> int:
    """Make the environment unless another run has just done so."""
    try:
        with one_at_a_time():
            if not is_current():
                version = sys.version.split()[0]
                say(f"setting up {VENV.name} with Python {version} (once; about half a minute) …")
                make()
    except KeyboardInterrupt:
        return 130
    except SetUpError as error:
        say(str(error))
        return 3
    except OSError as error:
        say(f"cannot set up {VENV}: {error.strerror or error} ({error.filename or ROOT})")
        return 3
    return 0


if __name__ == "__main__":
    sys.exit(main())
