"""Reading the folder of a certificate, which may be hostile: no link is followed, every size is bounded."""

from __future__ import annotations

import os
import stat
from pathlib import Path

from .findings import Limits, Refusal, quote

CLAIM_FILE = "claim.json"


def names(path: Path, limits: Limits) -> list[str]:
    """Return the names of all files in a folder and its sub-folders, with ``/`` between folder and file.

    Raises
    ------
    Refusal
        For anything but plain files, a folder in a sub-folder, and too many files.
    """
    listed: list[str] = []
    try:
        if not stat.S_ISDIR(path.stat().st_mode):
            raise Refusal("unreadable", f"{quote(str(path))} is not a folder")
        for folder, prefix in [
            (path, ""),
            *((sub, f"{sub.name}/") for sub in sorted(path.iterdir()) if stat.S_ISDIR(sub.lstat().st_mode)),
        ]:
            for entry in sorted(folder.iterdir()):
                mode, name = entry.lstat().st_mode, f"{prefix}{entry.name}"
                if stat.S_ISLNK(mode):
                    raise Refusal("unsafe-link", "this is a symbolic link; expected plain files and folders", name)
                if stat.S_ISDIR(mode) and prefix:
                    raise Refusal("unexpected-file", "a certificate has no folder here", name)
                if not stat.S_ISDIR(mode) and not stat.S_ISREG(mode):
                    raise Refusal("unsafe-file", "this is a device, pipe or socket; expected plain files", name)
                listed += [name] * stat.S_ISREG(mode)
                if len(listed) > limits.entries:
                    raise Refusal("too-large", f"there are more than {limits.entries} files", prefix)
    except (OSError, ValueError) as error:
        raise Refusal("unreadable", f"{quote(str(path))} cannot be read: {_reason(error)}") from None
    return listed


def read(path: Path, name: str, most: int) -> bytes:
    """Return the content of a file of at most so many bytes."""
    # It may have become something else since it was listed: never follow, never block, then look again.
    flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    try:
        with os.fdopen(os.open(path / name, flags), "rb") as stream:
            status = os.fstat(stream.fileno())
            if not stat.S_ISREG(status.st_mode):
                raise Refusal("unsafe-file", "this is not a plain file", name)
            data = stream.read(min(status.st_size, most) + 1)
    except FileNotFoundError:
        raise Refusal("missing-file", "the certificate has no such file", name) from None
    except (OSError, ValueError) as error:
        raise Refusal("unreadable", f"cannot be read: {_reason(error)}", name) from None
    if len(data) > most:
        raise Refusal("too-large", f"this file has more than {most} bytes", name)
    return data


def _reason(error: BaseException) -> str:
    return (getattr(error, "strerror", None) or str(error) or type(error).__name__)[:120]
