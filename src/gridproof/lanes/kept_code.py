"""Folders for machine code that numba compiles, so that it is compiled once and not in every process.

numba loads what it finds in its cache folder and runs it, whoever wrote it and whatever has become of it since. So it
is sent to a folder of our own. *Nobody else can write there*: the folder belongs to this user and is closed to all
others, and no folder above it can be replaced by anybody else. *What is loaded is whole*: the folder is sealed by a
digest of its files when they are complete; if the seal does not fit, as after a crash in the middle, they are removed
and made anew. If there is no such folder, nothing is kept.
"""

from __future__ import annotations

import os
import shutil
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import lru_cache
from hashlib import blake2b
from importlib.metadata import version
from pathlib import Path

from gridproof.runs.journal import replace_file

_SEAL = "seal"
_LOCK = "lock"


def find_folder(source: str, name: str) -> Path | None:
    """Return the folder for the code of a function, or ``None`` if no safe one can be written to.

    source: the path of the module of the function. The name of the folder stands for all that the code depends on: the
    processor, Python and numba; and the sources, which are the module, those beside it whose names begin with its name,
    and this package.
    """
    module = Path(source)
    sources = blake2b(digest_size=10)
    for path in [*sorted(module.parent.glob(f"{module.stem}*.py")), *sorted(Path(__file__).parent.glob("*.py"))]:
        sources.update(path.read_bytes())
    for base in list_base_folders():
        folder = base / f"gridproof-{name}-{digest_makers()}-{sources.hexdigest()}"
        with suppress(OSError):
            base.mkdir(parents=True, exist_ok=True)
            if is_safe(base):
                folder.mkdir(mode=0o700, exist_ok=True)
                if is_private(folder) and os.access(folder, os.W_OK):
                    return folder.resolve()
    return None


def list_base_folders() -> Iterator[Path]:
    """Yield the folder of numba's settings, that in which Python keeps the code of this package, and the user's own."""
    chosen = os.environ.get("NUMBA_CACHE_DIR")
    if chosen:
        yield Path(chosen)
    yield Path(__file__).parent / "__pycache__"
    with suppress(RuntimeError):  # there is no home folder
        yield Path(os.environ.get("XDG_CACHE_HOME") or Path("~/.cache").expanduser(), "gridproof")


@lru_cache(maxsize=1)
def digest_makers() -> str:
    """Return a digest of what makes code: the versions of numba and Python, and the processor."""
    import llvmlite.binding as llvm

    makers = [version("numba"), sys.version, llvm.get_host_cpu_name(), llvm.get_host_cpu_features().flatten()]
    return blake2b("\n".join(makers).encode(), digest_size=6).hexdigest()


# ---- who can write there ---------------------------------------------------------------------------------------------


def is_safe(folder: Path) -> bool:
    """Return whether nobody but this user and the administrator can replace what this user makes in a folder.

    In a folder such as ``/tmp``, where everybody can write, but nobody can touch what others have made (the sticky
    bit), that is so, too.
    """
    if not hasattr(os, "getuid"):  # Windows, where the folders of users are closed to others
        return True
    place = folder.resolve()
    for each in (place, *place.parents):
        state = each.stat()
        is_open = state.st_mode & (stat.S_IWGRP | stat.S_IWOTH) and not state.st_mode & stat.S_ISVTX
        if is_open or state.st_uid not in (0, os.getuid()):
            return False
    return True


def is_private(folder: Path) -> bool:
    """Return whether a folder belongs to this user and is closed to all others."""
    if not hasattr(os, "getuid"):
        return True
    state = folder.lstat()
    return stat.S_ISDIR(state.st_mode) and state.st_uid == os.getuid() and not state.st_mode & 0o077


# ---- whether it is whole ---------------------------------------------------------------------------------------------


def is_sealed(folder: Path) -> bool:
    """Return whether the files in a folder are those that were there when it was sealed."""
    try:
        return (folder / _SEAL).read_text() == _digest_of_files(folder)
    except (OSError, UnicodeDecodeError):
        return False


def seal(folder: Path) -> None:
    """State that the files in a folder are complete. What earlier versions of this installation left is removed."""
    with replace_file(folder / _SEAL, durable=True) as draft:
        draft.write_text(_digest_of_files(folder))
    if folder.parent.name == "__pycache__":
        alike = folder.name.rpartition("-")[0]
        for stale in folder.parent.glob(f"{alike}-*"):
            if stale != folder:
                shutil.rmtree(stale, ignore_errors=True)


def clear(folder: Path) -> None:
    """Remove the files in a folder. Folders in it stay: numba expects those that it has made."""
    for path in _files(folder):
        path.unlink(missing_ok=True)


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Wait until no other process is in this block for a folder, so that one compiles and the others load."""
    try:
        import fcntl
    except ImportError:  # Windows: then several compile, and the last one's files stay
        yield
        return
    with (folder / _LOCK).open("wb") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _digest_of_files(folder: Path) -> str:
    digest = blake2b(digest_size=16)
    for path in _files(folder):
        content = path.read_bytes()
        digest.update(f"{path.relative_to(folder)} {len(content)}\n".encode())
        digest.update(content)
    return digest.hexdigest()


def _files(folder: Path) -> list[Path]:
    """Return the files that numba has written to a folder."""
    files = []
    for path in sorted(folder.rglob("*")):
        if path.is_file() and path.parent != folder:
            files.append(path)
    return files
