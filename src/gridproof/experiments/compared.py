"""The runs of a comparison with their limits: what tables and plots are made from."""

from __future__ import annotations

from dataclasses import dataclass

from gridproof.errors import InputError
from gridproof.experiments.records import Clock, RunRecord, Setup
from gridproof.experiments.statistics import instance_times


@dataclass(frozen=True, repr=False)
class ComparedRuns:
    """Runs of one limit. Its attributes are those of ``Comparison``, which shows and writes them."""

    records: tuple[RunRecord, ...]
    limit: float
    seed: int
    expected: int
    notes: tuple[str, ...] = ()

    @property
    def complete(self) -> bool:
        """True if all runs were made."""
        return len(self.records) >= self.expected

    @property
    def setups(self) -> tuple[Setup, ...]:
        """The setups in alphabetical order."""
        return tuple(sorted({record.setup for record in self.records}, key=str))

    def setup(self, text: str | Setup) -> Setup:
        """Return the setup that a text means.

        Parameters
        ----------
        text : str or Setup
            ``backend`` or ``backend/encoding``, either with `` cold`` or `` warm`` behind. A setup means itself.

        Raises
        ------
        InputError
            There is none, or more than one.
        """
        if isinstance(text, Setup):
            return text
        meant = []
        for setup in self.setups:
            if text in (setup.backend, setup.name, f"{setup.backend} {setup.mode}", str(setup)):
                meant.append(setup)
        if len(meant) != 1:
            number = "several runs" if meant else "nothing here"
            known = ", ".join(repr(str(setup)) for setup in meant or self.setups)
            raise InputError(f"{text!r} means {number}; expected one of {known}")
        return meant[0]

    def limit_by(self, clock: Clock) -> float:
        """Return the seconds that an unsolved run counts twice: the limit, or by ``cpu`` that of processor time."""
        limits = [run.cpu_limit for run in self.records if clock == "cpu" and run.cpu_limit is not None]
        return max(limits, default=self.limit)

    def times_by(self, parameter: str, clock: Clock = "whole") -> dict[Setup, dict[float, list[float]]]:
        """Return the times of the instances for each setup and each value of the parameter, in ascending order."""
        value_of: dict[tuple[str, int], float] = {}
        known = set()
        for run in self.records:
            for name, value in run.parameters:
                if isinstance(value, int | float):
                    known.add(name)
                    if name == parameter:
                        value_of[run.puzzle_set, run.puzzle] = value
        if not value_of:
            expected = " or ".join(sorted(known)) or "runs with parameters that are numbers"
            raise InputError(f"instances by {parameter!r}; expected {expected}")
        times_by: dict[Setup, dict[float, list[float]]] = {}
        for puzzle_set, times in instance_times(self.records, clock).items():
            for setup, seconds in times.items():
                for puzzle in sorted(seconds):
                    value_here = value_of.get((puzzle_set, puzzle))
                    if value_here is not None:
                        times_by.setdefault(setup, {}).setdefault(value_here, []).append(seconds[puzzle])
        return {setup: dict(sorted(by_value.items())) for setup, by_value in times_by.items()}
