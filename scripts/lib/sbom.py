"""Write a CycloneDX list of components, with versions and licences, into --out (dist/release).

It is called kcp-agent-VERSION.cdx.json, or with --binary kcp-agent-VERSION-SYSTEM.cdx.json.
The wheel is installed in a clean environment as in check-package, and cyclonedx-py reads that. With --binary
the interpreter and the libraries in it are listed too; run it with the one that the program is built with.
Exit codes: 0 done, 1 the list is not valid.
"""

from __future__ import annotations

import argparse
import json
import platform
import re
import sqlite3
import ssl
import subprocess
import sys
import tempfile
import zlib
from pathlib import Path
from typing import Any

from scripts.lib.check_package import ROOT, CheckError, build, install, run
from scripts.lib.pack_release import system


def interpreter_parts() -> dict[str, str]:
    """What an interpreter brings into the program: name and version."""
    import yaml

    openssl = re.match(r"\S+ ([\w.]+)", ssl.OPENSSL_VERSION)
    parts = {
        "cpython": platform.python_version(),
        "openssl": openssl[1] if openssl else ssl.OPENSSL_VERSION,
        "sqlite": sqlite3.sqlite_version,
        "zlib": zlib.ZLIB_RUNTIME_VERSION,
    }
    if yaml.__with_libyaml__:
        from yaml import _yaml

        parts["libyaml"] = _yaml.get_version_string()
    return parts


def as_product(bom: dict[str, Any], parts: dict[str, str]) -> dict[str, Any]:
    """A list of an environment as that of the program in it, with more parts."""
    (product,) = [each for each in bom["components"] if each["name"] == "kcp-agent"]
    others = [each for each in bom["components"] if each is not product]
    added = [
        {
            "bom-ref": name,
            "type": "library",
            "name": name,
            "version": version,
            "purl": f"pkg:generic/{name}@{version}",
        }
        for name, version in sorted(parts.items())
    ]
    needs = [dict(each) for each in bom["dependencies"] if each["ref"] != "root-component"]
    for each in needs:
        if each["ref"] == product["bom-ref"]:
            each["dependsOn"] = sorted([*each.get("dependsOn", []), *parts])
    # Where it was installed from is a temporary folder's path.
    own = {key: value for key, value in product.items() if key != "externalReferences"}
    return bom | {
        "metadata": bom["metadata"] | {"component": own | {"type": "application"}},
        "components": sorted([*others, *added], key=lambda each: str(each["bom-ref"])),
        "dependencies": [*needs, *({"ref": name} for name in sorted(parts))],
    }


def read_environment(scratch: Path) -> dict[str, Any]:
    """What cyclonedx-py says of a clean environment with the wheel in it."""
    wheel, _ = build(scratch)
    python = install(wheel, scratch) / "python"
    present = run(python, "-I", "-m", "pip", "list", "--format=freeze", cwd=scratch)
    tools = [name for name in ("setuptools", "pip") if f"{name}==" in present]
    run(python, "-I", "-m", "pip", "uninstall", "-q", "-y", *tools, cwd=scratch)
    reader = Path(sys.executable).with_name("cyclonedx-py")
    answer = scratch / "environment.json"
    run(reader, "environment", "--output-reproducible", "--no-validate", "-o", answer, python, cwd=scratch)
    bom: dict[str, Any] = json.loads(answer.read_text("utf-8"))
    return bom


def check(text: str) -> None:
    """CheckError unless the text is what CycloneDX says it must be."""
    from cyclonedx.schema import SchemaVersion
    from cyclonedx.validation.json import JsonStrictValidator

    wrong = JsonStrictValidator(SchemaVersion.V1_6).validate_str(text)
    if wrong:
        raise CheckError(f"the list is not valid: {wrong}")


def main() -> int:
    """Write the list; returns the exit code."""
    parser = argparse.ArgumentParser(prog="sbom", description="Write the list of components.")
    parser.add_argument("--binary", action="store_true", help="list what the interpreter brings, too")
    parser.add_argument(
        "--out", type=Path, default=ROOT / "dist" / "release", help="folder to put the file into"
    )
    given = parser.parse_args()
    try:
        with tempfile.TemporaryDirectory(prefix="kcp-sbom-") as name:
            bom = as_product(
                read_environment(Path(name).resolve()), interpreter_parts() if given.binary else {}
            )
        text = json.dumps(bom, indent=2, sort_keys=True, ensure_ascii=False) + "\n"
        check(text)
    except (CheckError, OSError, subprocess.SubprocessError) as error:
        print(f"sbom: {error}", file=sys.stderr)
        return 1
    given.out.mkdir(parents=True, exist_ok=True)
    number = bom["metadata"]["component"]["version"]
    target = given.out / f"kcp-agent-{number}{f'-{system()}' if given.binary else ''}.cdx.json"
    target.write_bytes(text.encode())
    print(target)
    return 0


if __name__ == "__main__":
    sys.exit(main())
