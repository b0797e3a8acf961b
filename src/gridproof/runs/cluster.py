"""Calls of functions on a cluster of Dask."""

from __future__ import annotations

import gc
import importlib
from concurrent.futures import Executor
from typing import Any

from gridproof._version import __version__
from gridproof.errors import BackendUnavailable

RETRIES = 3
"""Repetitions by Dask of a part that failed, not counting parts whose worker was lost."""


class Cluster:
    """A client of a Dask scheduler and its workers. distributed is imported when it is needed.

    Parameters
    ----------
    address
        The address of the scheduler, such as ``tcp://host:8786``.
    timeout
        How many seconds to wait for the scheduler and for workers.

    Raises
    ------
    BackendUnavailable
        If distributed is not installed, if no scheduler answers, if it has no workers, or if these have no gridproof or
        another version, whose results might differ.
    """

    def __init__(self, address: str, timeout: float = 10.0) -> None:
        try:
            distributed: Any = importlib.import_module("distributed")
        except ImportError:
            raise BackendUnavailable("--dask needs distributed; pip install 'gridproof[dask]'") from None
        gc.collect()  # distributed hangs if a client that found no scheduler is collected while another starts
        try:
            self._client = distributed.Client(address, timeout=timeout, set_as_default=False)
        except (OSError, ValueError, TimeoutError) as problem:
            raise BackendUnavailable(f"no Dask scheduler answers at {address!r}: {problem}") from None
        try:
            self._client.wait_for_workers(1, timeout=timeout)
            self._check_workers()
        except TimeoutError:
            self._client.close()
            message = f"the Dask scheduler at {address!r} has no workers; expected `dask worker {address}`"
            raise BackendUnavailable(message) from None
        except BaseException:
            self._client.close()
            raise
        self.executor: Executor = self._client.get_executor(pure=False, retries=RETRIES)

    def threads(self) -> int:
        """Return how many parts the cluster can do at a time now; workers may come and go."""
        return sum(self._client.nthreads().values())

    def close(self) -> None:
        """Leave the cluster."""
        self._client.close()

    def _check_workers(self) -> None:
        try:
            versions: dict[str, str] = self._client.run(version)
        except Exception as problem:  # whatever a worker raises instead of returning its version
            raise BackendUnavailable(f"the Dask workers cannot import gridproof: {problem}") from problem
        for worker, installed in versions.items():
            if installed != __version__:
                raise BackendUnavailable(f"the Dask worker {worker} has gridproof {installed}; expected {__version__}")


def version() -> str:
    """Return the version of gridproof in the process that calls this."""
    return __version__
