"""Fill the templates of build/packaging and build/install from the SHA256SUMS of a release.

Between @ signs in them stand VERSION, HOMEPAGE (the project's page), BASE (where the release's files are) and
`SHA256 SYSTEM`, the digest of the archive for a system. A template that names a system without an archive is
left out. Exit codes: 0 done, 1 a file is left out or SHA256SUMS cannot be read.
"""

from __future__ import annotations

import argparse
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PACKAGE_MANIFESTS = tuple(ROOT / "build" / "packaging" / name for name in ("kcp-agent.rb", "kcp-agent.json"))
INSTALLERS = tuple(ROOT / "build" / "install" / name for name in ("install.sh", "install.ps1"))
ARCHIVE = re.compile(r"kcp-agent-(\d[^-]*)-(\w+-\w+)\.(?:tar\.xz|zip)")


class FillError(Exception):
    """Why a template cannot be filled, in one line."""


class Release:
    """What templates need to know of a release."""

    def __init__(self, version: str, homepage: str, digests: dict[str, str]) -> None:
        if not re.fullmatch(r"https://[\w./-]+", homepage):
            raise FillError(f"not an address for a homepage: {homepage}")
        self.homepage = homepage.rstrip("/")
        self.base = f"{self.homepage}/releases/download/v{version}"
        self.version = version
        self.digests = digests

    def fill(self, template: str) -> str:
        """The text of a template with everything put in."""

        def value(match: re.Match[str]) -> str:
            name, system = match[1], match[2]
            if name == "SHA256":
                if system not in self.digests:
                    raise FillError(f"the release has no archive for {system}")
                return self.digests[system]
            return {"VERSION": self.version, "HOMEPAGE": self.homepage, "BASE": self.base}[name]

        return re.sub(r"@(VERSION|HOMEPAGE|BASE|SHA256(?= ))(?: ([\w-]+))?@", value, template)


def read_sums(text: str, homepage: str) -> Release:
    """The release whose SHA256SUMS this is."""
    digests, versions = {}, set()
    for line in text.splitlines():
        entry = re.fullmatch(r"([0-9a-f]{64})  (\S+)", line)
        if not entry:
            raise FillError(f"not a line of SHA256SUMS: {line[:80]}")
        archive = ARCHIVE.fullmatch(entry[2])
        if archive:
            versions.add(archive[1])
            digests[archive[2]] = entry[1]
    if len(versions) != 1:
        raise FillError(f"SHA256SUMS has archives of {len(versions)} versions, not of one")
    return Release(versions.pop(), homepage, digests)


def write(release: Release, templates: tuple[Path, ...], out: Path) -> list[str]:
    """Write the filled templates; returns a line for each that was left out."""
    left_out = []
    for template in templates:
        try:
            text = release.fill(template.read_text("utf-8"))
        except FillError as error:
            left_out.append(f"{template.name} is left out: {error}")
            continue
        target = out / template.name
        target.write_bytes(text.encode())
        target.chmod(template.stat().st_mode & 0o777)
    return left_out


def main() -> int:
    """Fill the package manifests; returns the exit code."""
    parser = argparse.ArgumentParser(
        prog="fill-packaging", description="Fill the Homebrew and Scoop templates."
    )
    parser.add_argument("sums", type=Path, help="the SHA256SUMS of a release")
    parser.add_argument("--homepage", required=True, help="the project's page, https://…")
    parser.add_argument("--out", type=Path, required=True, help="folder to put files into")
    given = parser.parse_args()
    try:
        release = read_sums(given.sums.read_text("utf-8"), given.homepage)
        given.out.mkdir(parents=True, exist_ok=True)
        left_out = write(release, PACKAGE_MANIFESTS, given.out)
    except (FillError, OSError) as error:
        left_out = [str(error)]
    for line in left_out:
        print(f"fill-packaging: {line}", file=sys.stderr)
    return 1 if left_out else 0


if __name__ == "__main__":
    sys.exit(main())
