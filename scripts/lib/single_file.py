"""Make the single file: the launcher of build/launcher with the folder behind it as one compressed archive.

build/launcher/archive.c describes the format and reads it.
"""

from __future__ import annotations

import hashlib
import os
import stat
import struct
import subprocess
from pathlib import Path
from typing import Any

MAGIC = b"kcp-agent/file/1"
FOLDER, PROGRAM, OTHER = stat.S_IFDIR | 0o700, stat.S_IFREG | 0o500, stat.S_IFREG | 0o400


def compile_launcher(sources: Path, target: Path, options: dict[str, Any], compiler: str) -> None:
    """Compile the launcher from its folder, so that no path of this machine gets in."""
    files = sorted(path.name for path in sources.glob("*.c"))
    command = [compiler, *options["flags"], "-o", str(target), *files, *options["link"]]
    subprocess.run(command, cwd=sources, check=True, stdin=subprocess.DEVNULL)


def items(folder: Path) -> list[tuple[str, int, Path]]:
    """Name, mode and path of all below a folder, in one order everywhere: a folder, then what is in it."""
    found = []
    for path in sorted(folder.rglob("*")):
        if path.is_symlink() or not (path.is_dir() or path.is_file()):
            raise ValueError(f"neither a file nor a folder: {path}")
        mode = FOLDER if path.is_dir() else PROGRAM if os.access(path, os.X_OK) else OTHER
        found.append((path.relative_to(folder).as_posix(), mode, path))
    return found


def pack(folder: Path, version: str, modified: int, level: int, window_log: int) -> bytes:
    """The archive of a folder: payload, index and footer. The same folder gives the same bytes."""
    import zstandard  # type: ignore[import-not-found]  # only the build's environment has it

    parameters = zstandard.ZstdCompressionParameters.from_level(level, window_log=window_log)
    listed = items(folder)
    contents = [path.read_bytes() if stat.S_ISREG(mode) else b"" for _, mode, path in listed]
    payload: bytes = zstandard.ZstdCompressor(compression_params=parameters).compress(b"".join(contents))
    index = hashlib.sha256(payload).digest()
    index += struct.pack("<QqI32s", sum(map(len, contents)), modified, len(listed), version.encode())
    for (name, mode, _), content in zip(listed, contents, strict=True):
        encoded = name.encode()
        index += struct.pack("<IQH", mode, len(content), len(encoded)) + encoded
    footer = MAGIC + struct.pack("<QQ", len(payload), len(index)) + hashlib.sha256(index).digest()
    return payload + index + footer


def make(launcher: Path, archive: bytes, target: Path) -> None:
    """Write the single file."""
    target.write_bytes(launcher.read_bytes() + archive)
    target.chmod(0o755)
