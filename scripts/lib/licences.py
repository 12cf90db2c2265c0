"""The licences of everything that a built program holds, gathered into its folder."""

from __future__ import annotations

import importlib.metadata
import shutil
import subprocess
import sysconfig
from pathlib import Path
from typing import Any

NAMES = ("license", "licence", "copying", "notice", "authors")


def of_packages(names: list[str]) -> dict[str, str]:
    """The licence texts that installed Python packages carry."""
    found = {}
    for name in names:
        package = importlib.metadata.distribution(name)
        # Of what a package vendors for building, nothing gets into the program.
        files = [file for file in package.files or () if ".dist-info" in file.parts[0]]
        texts = [
            file.locate().read_text("utf-8")  # type: ignore[attr-defined]
            for file in sorted(files, key=str)
            if file.name.lower().startswith(NAMES)
        ]
        found[f"{name} {package.version}"] = "\n\n".join(texts) or str(package.metadata["License"])
    return found


def of_system(package: str) -> str:
    """What Debian says of a package's copyright, or that it is elsewhere."""
    for folder in (package, f"{package}:amd64"):
        path = Path("/usr/share/doc", folder, "copyright")
        if path.is_file():
            return path.read_text("utf-8", "replace")
    return "See the system that this program was built on."


def of_libraries(folder: Path) -> dict[str, str]:
    """The copyright of the system's libraries that lie beside the program."""
    found = {}
    for path in sorted(folder.glob("lib*.so*")):
        asked = (
            subprocess.run(
                ["dpkg-query", "-S", f"*/{path.name}"], capture_output=True, text=True, check=False
            )
            if shutil.which("dpkg-query")
            else None
        )
        package = asked.stdout.partition(":")[0] if asked else ""
        found[path.name] = of_system(package) if package else "See the system that this program was built on."
    return found


def add(own: Path, folder: Path, options: dict[str, Any]) -> None:
    """Put LICENSE and THIRD-PARTY.txt into the folder."""
    shutil.copyfile(own, folder / "LICENSE")
    python = Path(sysconfig.get_path("stdlib"), "LICENSE.txt")
    texts = {
        f"Python {sysconfig.get_python_version()}": python.read_text("utf-8") if python.is_file() else ""
    }
    texts |= of_packages(options["packages"]) | of_libraries(folder)
    texts |= {name: of_system(name) for name in options["system"]}
    parts = [f"{'=' * 78}\n{name}\n{'=' * 78}\n\n{text.strip()}\n" for name, text in texts.items()]
    (folder / "THIRD-PARTY.txt").write_text("\n".join(parts), "utf-8")
