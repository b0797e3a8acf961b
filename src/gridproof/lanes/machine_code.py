"""Machine code that numba has compiled, kept on the disk and called without numba.

numba's own cache is read by numba, and to import that takes as long as deciding half a million puzzles; llvmlite, on
which numba stands, loads the same code in a tenth of the time.
"""

from __future__ import annotations

import ctypes
import importlib
import os
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cached_property
from hashlib import blake2b
from pathlib import Path
from typing import Any

import numpy as np

from gridproof.runs.tables import replaced

llvm: Any = importlib.import_module("llvmlite.binding")


class MachineCode:
    """A compiled function that returns a truth value.

    Parameters
    ----------
    module, name
        Where the function is; the module is imported only to compile it.
    example
        Returns arguments whose types are those of every call: whole numbers, arrays in C order, and tuples of these.
    """

    def __init__(self, module: str, name: str, example: Callable[[], tuple[Any, ...]]) -> None:
        self._module, self._name, self._example = module, name, example
        self._engine: Any = None
        self._call: Any = None

    def __call__(self, *arguments: Any) -> bool:
        result, problem = ctypes.c_int8(), ctypes.c_void_p()
        numbers = map(ctypes.c_int64, _flat(arguments))
        self._call(ctypes.byref(result), ctypes.byref(problem), *numbers)
        return bool(result)

    def is_ready(self) -> bool:
        """Load the code if it is kept; compile it if there is no folder to keep it in. Return whether it is there."""
        if self._call is None:
            file = self._file()
            if file is None:
                self.compile()
            elif file.exists():
                self._load(file.read_bytes())
        return self._call is not None

    def compile(self) -> None:
        """Compile, try and keep the code; of several processes that are to do so, one does."""
        with Path(__file__).open("rb") as this:
            with suppress(ImportError, OSError):
                import fcntl

                fcntl.flock(this, fcntl.LOCK_EX)
            file = self._file()
            if file is not None and self.is_ready():
                return
            code = self._compiled()
            self._load(code)
            self(*self._example())
            if file is not None:
                for stale in file.parent.glob(f"{self._name}-*.o"):
                    stale.unlink(missing_ok=True)
                with replaced(file) as partial:
                    partial.write_bytes(code)

    @cached_property
    def _digest(self) -> str:
        digest = blake2b("".join(_processor()).encode(), digest_size=10)
        for source in sorted(Path(__file__).parent.glob("*.py")):
            digest.update(source.read_bytes())
        return digest.hexdigest()

    def _file(self) -> Path | None:
        """The file of the code; its name stands for the sources of the module and those beside it, and the processor.

        ``None`` if no folder for it can be written to.
        """
        for folder in _folders():
            file = folder / f"{self._name}-{self._digest}.o"
            with suppress(OSError):
                folder.mkdir(parents=True, exist_ok=True)
                if file.exists() or os.access(folder, os.W_OK):
                    return file
        return None

    def _compiled(self) -> bytes:
        """Compile; return the name of the function in the code, a line end and the code."""
        import numba

        function = getattr(importlib.import_module(self._module), self._name)
        function.compile(tuple(map(numba.typeof, self._example())))
        whole = llvm.parse_assembly(function.inspect_llvm(function.signatures[0]))
        name: str = next(one.name for one in whole.functions if not one.is_declaration)
        code: bytes = _machine(*_processor(), opt=3).emit_object(whole)
        return name.encode() + b"\n" + code

    def _load(self, code: bytes) -> None:
        name, _, machine_code = code.partition(b"\n")
        self._engine = llvm.create_mcjit_compiler(llvm.parse_assembly(""), _machine())
        self._engine.add_object_file(llvm.ObjectFileRef.from_data(machine_code))
        self._engine.finalize_object()
        self._call = ctypes.CFUNCTYPE(ctypes.c_int32)(self._engine.get_function_address(name.decode()))


def _folders() -> Iterator[Path]:
    """The folders for code: where numba's is kept, if that is set; else beside the sources, or the user's own."""
    chosen = os.environ.get("NUMBA_CACHE_DIR")
    if chosen:
        yield Path(chosen)
    yield Path(__file__).parent / "__pycache__"
    with suppress(RuntimeError):  # there is no home folder
        yield Path(os.environ.get("XDG_CACHE_HOME") or Path("~/.cache").expanduser(), "gridproof")


def _processor() -> tuple[str, str]:
    return llvm.get_host_cpu_name(), llvm.get_host_cpu_features().flatten()


def _machine(*processor: str, **options: Any) -> Any:
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    return llvm.Target.from_default_triple().create_target_machine(*processor, **options)


def _flat(value: Any) -> list[int]:
    """Return the numbers that numba's functions take for a value: for an array seven or more."""
    if isinstance(value, tuple):
        return [number for one in value for number in _flat(one)]
    if isinstance(value, np.ndarray):
        return [0, 0, value.size, value.itemsize, value.ctypes.data, *value.shape, *value.strides]
    return [value]
