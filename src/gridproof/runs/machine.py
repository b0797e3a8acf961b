"""The machine that a measurement is made on: what a reader has to have to judge its times."""

from __future__ import annotations

import os
import platform
import re
from contextlib import suppress
from dataclasses import asdict, dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

PROCESSORS = Path("/proc/cpuinfo")
GOVERNOR = Path("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor")


@dataclass(frozen=True)
class Machine:
    """A machine as it was at a moment. ``None`` and empty texts: the system does not tell.

    Attributes
    ----------
    processor : str
        The model of the processor.
    cores : int
        The number of logical cores.
    megahertz : float, or None
        The clock of the first core at this moment.
    memory : int
        The memory, in bytes.
    system, kernel, distribution : str
        The operating system, the release of its kernel, and the name of the distribution.
    governor : str
        The rule by which the system sets the clock, such as ``performance``.
    load : float, or None
        The mean number of processes that ran or waited during the last minute.
    """

    processor: str
    cores: int
    megahertz: float | None
    memory: int
    system: str
    kernel: str
    distribution: str
    governor: str
    load: float | None

    def as_json(self) -> dict[str, Any]:
        """Return the attributes, as ``experiment.json`` has them."""
        return asdict(self)

    def sentence(self) -> str:
        """Return the machine as a sentence for a paper.

        Examples
        --------
        >>> Machine("Xeon", 2, 2300.0, 24 << 30, "Linux", "6.1", "Debian 12", "performance", 0.1).sentence()
        'Xeon, 2 cores at 2.30 GHz (governor performance), 24 GiB of memory, Linux 6.1 (Debian 12), load 0.10.'
        """
        clock = f"{self.cores} cores"
        if self.megahertz:
            clock += f" at {self.megahertz / 1000:.2f} GHz"
        if self.governor:
            clock += f" (governor {self.governor})"
        system = f"{self.system} {self.kernel}"
        if self.distribution:
            system += f" ({self.distribution})"
        parts = [self.processor, clock, f"{self.memory / 2**30:.0f} GiB of memory", system]
        if self.load is not None:
            parts.append(f"load {self.load:.2f}")
        return ", ".join(parts) + "."


def read_machine() -> Machine:
    """Return this machine as it is now."""
    import psutil

    megahertz = None
    with suppress(OSError, NotImplementedError, RuntimeError):
        frequency = psutil.cpu_freq()
        if frequency is not None and frequency.current:
            megahertz = float(frequency.current)
    load = None
    with suppress(OSError, AttributeError):
        load = os.getloadavg()[0]
    return Machine(
        processor=processor_name(),
        cores=os.cpu_count() or 1,
        megahertz=megahertz,
        memory=psutil.virtual_memory().total,
        system=platform.system(),
        kernel=platform.release(),
        distribution=distribution_name(),
        governor=_read(GOVERNOR),
        load=load,
    )


@lru_cache(maxsize=1)
def processor_name() -> str:
    """Return the model of the processor."""
    model = re.search(r"model name\s*: (.*)", _read(PROCESSORS))
    if model:
        return model[1]
    return platform.processor() or platform.machine()


@lru_cache(maxsize=1)
def distribution_name() -> str:
    """Return the name of the distribution, or an empty text on a system that has none."""
    with suppress(OSError):
        return platform.freedesktop_os_release().get("PRETTY_NAME", "")
    return platform.version()


def _read(path: Path) -> str:
    """Return the text of a file of the system, or an empty text where there is none."""
    try:
        return path.read_text(encoding="utf-8", errors="replace").strip()
    except OSError:
        return ""
