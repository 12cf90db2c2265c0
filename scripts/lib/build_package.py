"""Build wheel and sdist into --out (dist/release), twice, and compare.

Exit codes: 0 done, 1 the second build gave other bytes.
"""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
from pathlib import Path

from scripts.lib.check_package import ROOT, CheckError, build


def build_twice(out: Path) -> list[Path]:
    """Wheel and sdist in `out`; CheckError where two builds differ."""
    with tempfile.TemporaryDirectory(prefix="kcp-package-") as name:
        builds = []
        for number in ("first", "second"):
            folder = Path(name).resolve() / number
            folder.mkdir()
            builds.append(build(folder))
        for first, second in zip(*builds, strict=True):
            if (first.name, first.read_bytes()) != (second.name, second.read_bytes()):
                raise CheckError(f"{first.name} came out otherwise the second time")
        out.mkdir(parents=True, exist_ok=True)
        return [Path(shutil.copy(path, out)) for path in builds[0]]


def main() -> int:
    """Build and compare; returns the exit code."""
    parser = argparse.ArgumentParser(prog="build-package", description="Build wheel and sdist.")
    parser.add_argument(
        "--out", type=Path, default=ROOT / "dist" / "release", help="folder to put files into"
    )
    given = parser.parse_args()
    try:
        for path in build_twice(given.out):
            print(path)
    except CheckError as error:
        print(f"build-package: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
