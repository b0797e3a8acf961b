"""The folder of a certificate, which may be hostile: no link is followed, and every size is bounded."""

from __future__ import annotations

import os
import stat
from pathlib import Path

from .findings import CheckerLimits, Refusal, quote


def list_files(path: Path, limits: CheckerLimits) -> list[str]:
    """Return the names of all files in a folder and its sub-folders, with ``/`` between folder and file.

    Raises
    ------
    Refusal
        For anything but plain files, a folder in a sub-folder, and too many files.
    """
    names: list[str] = []
    try:
        if not stat.S_ISDIR(path.stat().st_mode):
            raise Refusal("unreadable", f"{quote(str(path))} is not a folder")
        folders = [""]
        for prefix in folders:  # which grows by the sub-folders of the first
            for entry in sorted((path / prefix).iterdir()):
                name = f"{prefix}{entry.name}"
                mode = entry.lstat().st_mode
                if stat.S_ISLNK(mode):
                    raise Refusal("unsafe-link", "this is a symbolic link; expected plain files and folders", name)
                if stat.S_ISDIR(mode):
                    if prefix:
                        raise Refusal("unexpected-file", "a certificate has no folder here", name)
                    folders.append(f"{name}/")
                elif stat.S_ISREG(mode):
                    names.append(name)
                else:
                    raise Refusal("unsafe-file", "this is a device, pipe or socket; expected plain files", name)
                if len(names) > limits.entries:
                    raise Refusal("too-large", f"there are more than {limits.entries} files", prefix)
    except (OSError, ValueError) as error:
        raise Refusal("unreadable", f"{quote(str(path))} cannot be read: {describe_error(error)}") from None
    return names


def read_file(path: Path, name: str, most: int) -> bytes:
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
        raise Refusal("unreadable", f"cannot be read: {describe_error(error)}", name) from None
    if len(data) > most:
        raise Refusal("too-large", f"this file has more than {most} bytes", name)
    return data


def describe_error(error: BaseException) -> str:
    """Return the reason for an error in at most 120 characters."""
    text = getattr(error, "strerror", None) or str(error) or type(error).__name__
    return text[:120]
