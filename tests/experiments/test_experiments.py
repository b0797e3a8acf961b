"""Experiments: parameters of instances, seeds, budgets, statistics, tables, folders that run again."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import asdict, replace
from itertools import product
from math import inf
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from experiments.compare_fakes import Fake
from experiments.test_compare import record, timed
from gridproof import Geometry, __version__, backends
from gridproof.backends.protocol import Values
from gridproof.cli import main
from gridproof.errors import InputError
from gridproof.experiments import (
    Comparison,
    ContradictionError,
    Plan,
    PuzzleSet,
    RunRecord,
    compare,
    experiment,
    folder,
    scheduler,
)
from gridproof.experiments import records as files
from gridproof.experiments.instances import instance
from gridproof.experiments.plan import entries
from gridproof.experiments.sets import load_sets
from gridproof.experiments.significance import (
    DRAWS,
    holm,
    permutation_test,
    smallest_probability,
)

SMALL = Geometry.classic(2)


# ---- statistics ---------------------------------------------------------------------------------------------------


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), min_size=1, max_size=7))
def test_the_permutation_test_counts_exchanges(pairs: list[tuple[int, int]]) -> None:
    apart = abs(sum(a - b for a, b in pairs))
    all_signs = product((1, -1), repeat=len(pairs))
    sums = [sum(sign * (a - b) for sign, (a, b) in zip(signs, pairs, strict=True)) for signs in all_signs]
    expected = sum(abs(other) >= apart for other in sums) / len(sums)
    assert permutation_test([a for a, _ in pairs], [b for _, b in pairs]) == pytest.approx(expected)


def test_a_drawn_permutation_test_counts_the_observed_case() -> None:
    """With 20 instances no draw is as one-sided as the observed case, which is one of the cases itself."""
    slow = [float(number + 1) for number in range(20)]
    assert permutation_test([0.0] * 20, slow) == 1 / (DRAWS + 1)
    assert permutation_test([0.0, 1.0] * 7, [1.0, 0.0] * 7) == 1.0, "14 instances that cancel out"
    exact = permutation_test([0.0] * 12, slow[:12])
    assert exact == 2 / 2**12, "up to 12 instances all signs are gone through"
    assert permutation_test([0.0] * 13, slow[:13]) == pytest.approx(exact / 2, abs=5e-4)


@given(st.lists(st.floats(0, 1), max_size=8))
def test_holm_never_makes_surer_and_keeps_the_order(values: list[float]) -> None:
    corrected = holm(values)
    assert all(before <= after <= 1 for before, after in zip(values, corrected, strict=True))
    assert all(corrected[a] <= corrected[b] for a, b in product(range(len(values)), repeat=2) if values[a] < values[b])
    assert not values or min(corrected) == pytest.approx(min(1.0, min(values) * len(values)))


def twelve() -> Comparison:
    """The best solves 17 of 18, four are nearly as good, seven solve two of 18: clearly worse."""
    runs = [timed(1.0 if puzzle else inf, puzzle=puzzle, backend="best") for puzzle in range(18)]
    for number in range(11):
        for puzzle in range(18):
            seconds = 1.0 - 0.1 * (-1) ** puzzle if number < 4 else 0.5 if puzzle in (7, 8) else inf
            runs.append(timed(seconds if puzzle else inf, puzzle=puzzle, backend=f"b{number:02}"))
    return Comparison.of(runs)


@pytest.mark.slow
def test_only_what_may_be_as_good_as_the_best_is_named() -> None:
    comparison = twelve()
    best, *rivals = comparison.rankings()[0].rows
    assert (best.setup.backend, best.faster, best.probability) == ("best", None, None)
    assert [(rival.faster, rival.slower) for rival in rivals][:5] == [(8, 9)] * 4 + [(2, 15)]
    assert comparison.rankings()[0].virtual_best == pytest.approx((8 * 0.9 + 9 - 2 * 0.5 + 20) / 18, abs=0.1)
    close = {rival.setup.backend for rival in rivals if rival.probability is not None and rival.probability >= 0.05}
    assert close == {"b00", "b01", "b02", "b03"}
    lines = str(comparison).replace("\n  ", " ").splitlines()
    (line,) = [line for line in lines if line.startswith("not significantly")]
    assert line == "not significantly slower than the best: " + ", ".join(
        f"b{number:02}/extended (faster on 8)" for number in range(4)
    )
    assert smallest_probability(5, 1) > 0.05 > smallest_probability(6, 1)
    assert smallest_probability(9, 12) < 0.05 < smallest_probability(9, 13)


# ---- instances and their parameters -------------------------------------------------------------------------------


def test_other_columns_of_a_file_are_parameters(tmp_path: Path) -> None:
    path = tmp_path / "made.csv"
    path.write_text("puzzle,order,holes,kind\n1...............,4,0.9375,qwh\n2...............,4,,\n", encoding="utf-8")
    (puzzles,) = load_sets([path])
    assert puzzles.parameters == ({"order": 4, "holes": 0.9375, "kind": "qwh"}, {"order": 4})


# ---- seeds and budgets --------------------------------------------------------------------------------------------


class Seeded(Fake):
    """A backend with a seed."""

    seed_option = "luck"

    def _known_options(self) -> Mapping[str, Values]:
        return {"luck": range(9)}


def test_solvers_run_once_with_each_seed_if_they_take_one() -> None:
    notes: list[str] = []
    setups = entries(Plan("hard", [Seeded("a"), Fake("b")], solver_seeds=3), notes)
    assert [(entry.setup.name, entry.seed, entry.backend.name) for entry in setups] == [
        *(("a", seed, f"a:luck={seed}") for seed in range(3)),
        ("b", None, "b"),
    ]
    assert notes == ["b takes no seed: it runs once"]


@pytest.mark.process
@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="this system does not measure what a process uses")
def test_a_run_that_overruns_its_processor_time_is_ended_from_outside(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scheduler, "GRACE", 0.1)
    hard = PuzzleSet("hard", (instance("qwh", Geometry.latin(30), 0.45, seed=1).board,))
    made = compare([hard], ["search-scan"], repeat=1, seconds=30, cpu_seconds=0.2)
    assert [run.verdict for run in made.records] == ["undecided"]
    assert "0.2 processor seconds" in made.records[0].reason


# ---- tables and pictures ---------------------------------------------------------------------------------------------


def by_order() -> Comparison:
    """Runs in which a grows as n**3, b as 1.5**n; b is not in time at 30."""
    runs: list[RunRecord] = []
    for order in (5, 10, 15, 20, 25, 30):
        for puzzle in range(3):
            common = {
                "puzzle": order * 10 + puzzle,
                "parameters": (("kind", "qwh"), ("order", order), ("half", puzzle)),
            }
            runs.append(timed(1e-5 * order**3 * (1 + puzzle / 10), backend="a", **common))
            slow = 1e-4 * 1.5**order * (1 + puzzle / 10)
            runs.append(timed(slow if slow < 10 else inf, backend="b", **common))
    return Comparison.of(runs)


def test_only_parameters_that_are_numbers_have_times() -> None:
    for unusable in ("holes", "kind"):
        with pytest.raises(InputError, match=f"instances by '{unusable}'; expected half or order$"):
            by_order().times_by(unusable)


def test_tables_for_papers() -> None:
    comparison = by_order()
    lines = comparison.to_markdown().splitlines()
    assert lines[0] == "### set: 18 puzzles, cold, limit 10 s"
    rows = [line.split(" | ") for line in lines[4:6]]
    assert [row[:2] for row in rows] == [["| a/extended", "18/18"], ["| b/extended", "15/18"]]
    assert rows[1][-3:-1] == ["3 solve", "6"], "where runs stopped; on how many puzzles it is faster than the best"
    assert float(rows[1][-1].rstrip(" |")) < 0.05
    latex = comparison.to_latex()
    for part in ("table", "tabular"):
        assert latex.count(rf"\begin{{{part}}}") == latex.count(rf"\end{{{part}}}") == 1
    assert r"\caption{set: 18 puzzles, cold, limit 10 s. Wall time of whole runs." in latex
    assert r"\label{tab:comparison-1}" in latex
    assert "b/extended & 15/18 & " in latex
    assert "& 3 solve & 6 & " in latex
    assert all(len(line) <= 100 for line in comparison.text().splitlines())


def test_the_card_has_the_tables_and_does_not_wrap_them() -> None:
    comparison = by_order()
    (table,) = ElementTree.fromstring(comparison._repr_html_()).iter("pre")
    assert table.text == comparison.text()
    assert "white-space:pre;overflow-x:auto" in table.attrib["style"]


def axes_of(comparison: Comparison, *drawn: str) -> list[Any]:
    return list(comparison.plot(*drawn).axes)


@pytest.mark.slow
def test_no_picture_pools_sets() -> None:
    pytest.importorskip("matplotlib")
    runs = [replace(run, puzzle_set=name) for name in ("one", "two", "three") for run in by_order().records]
    panels = [axes for axes in axes_of(Comparison.of(runs), "against", "order") if axes.axison]
    assert [axes.get_title() for axes in panels] == ["one", "three", "two"]
    assert all(len(axes.lines) >= 2 for axes in panels)
    halves = [axes.get_title() for axes in axes_of(Comparison.of(runs), "cactus", "half") if axes.axison]
    assert halves == [f"{name}, half {half} (6 puzzles)" for name in ("one", "three", "two") for half in range(3)]
    (pooled,) = axes_of(Comparison.of(runs), "scatter", "a", "b")
    three = axes_of(Comparison.of(runs), "scatter", "a", "b", "set")
    assert [axes.get_title() for axes in three if axes.axison] == ["one", "three", "two"]
    assert sum(len(points.get_offsets()) for points in pooled.collections) == 54
    assert [sum(len(points.get_offsets()) for points in axes.collections) for axes in three] == [18, 18, 18, 0]
    with pytest.raises(InputError, match=r"panels by 'holes'; expected set or half or kind or order$"):
        Comparison.of(runs).plot("cactus", "holes")
    with pytest.raises(InputError, match="did you mean against"):
        Comparison.of(runs).plot("agains")


def test_each_order_has_a_panel_and_sets_of_one_value_share_one() -> None:
    pytest.importorskip("matplotlib")
    by_half = axes_of(by_order(), "against", "half")
    assert [axes.get_title() for axes in by_half if axes.axison] == [f"set, order {n}" for n in (5, 10, 15, 20, 25, 30)]
    whole = by_order()
    files = [replace(run, puzzle_set=f"q{dict(run.parameters)['order']:02}") for run in whole.records]
    (axes,) = axes_of(Comparison.of(files), "against", "order")
    assert axes.get_title() == "q05 + q10 + q15 + q20 + q25 + q30"
    assert list(axes.lines[0].get_xdata()) == [5, 10, 15, 20, 25, 30]
    assert axes.lines[1].get_ydata()[-1] == whole.limit, "what is not in time stands at the limit"


# ---- folders ------------------------------------------------------------------------------------------------------


@pytest.mark.process
def test_a_folder_runs_again_somewhere_else(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("mine.toml").write_bytes((Path(__file__).parents[2] / "encodings" / "minimal.toml").read_bytes())
    Path("small.txt").write_text("1...............\n1234341243212143\n", encoding="utf-8")
    options = ["small.txt", "many", "--sample", "1", "-b", "cadical153", "-e", "./mine.toml", "--repeat", "1", "-q"]
    solver_version = backends.find("cadical153").version
    written = ["--table", "t.tex", "--draw", "cactus", "c.svg"]
    assert main(["compare", *options, *written, "--folder", "kept"]) == 0
    assert sorted(path.name for path in Path("kept").iterdir()) == [
        "c.svg", "experiment.json", "files", "runs.csv", "sets", "t.tex", "tables.md", "tables.tex"
    ]  # fmt: skip
    made = json.loads(Path("kept/experiment.json").read_text())
    assert made["machine"]["cores"] == os.cpu_count()
    assert made["machine"]["memory"] > 0
    assert made["cite"] == f"Measured with gridproof {__version__}, {made['python']} and cadical153 ({solver_version})."
    assert json.loads(Path("kept/experiment.json").read_text())["options"]["sets"] == [
        "sets/small.txt",
        "sets/many.txt",
    ]
    for name in ("mine.toml", "small.txt"):
        Path(name).unlink()
    Path("kept").rename("elsewhere")
    capsys.readouterr()
    assert main(["compare", "--replay", "elsewhere", "-q"]) == 0
    printed = capsys.readouterr().out
    assert "small, cadical153/mine cold: PAR-2 " in printed
    first, again = (Comparison.read(f"elsewhere/{name}.csv") for name in ("runs", "runs-2"))
    assert [run.board for run in first.records] == [run.board for run in again.records]
    assert main(["compare", *options[1:], "--folder", "elsewhere"]) == 2


@pytest.mark.process
def test_a_folder_is_resumed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("small.txt").write_text("1...............\n1234341243212143\n", encoding="utf-8")
    command = ["compare", "small.txt", "-b", "reference", "--repeat", "2", "--folder", "kept"]
    assert main([*command, "--resume"]) == 0, "a new folder, too"
    runs, output = Comparison.read("kept/runs.csv").records, Path("kept/runs.csv")

    def killed() -> None:
        """Leave what a comparison leaves that was killed after two of its four runs."""
        journal = files.open_journal(files.journal(output))
        for run in runs[:2]:
            journal.add(asdict(run))
        journal.close()
        output.unlink()
        Path("kept/tables.md").unlink(missing_ok=True)

    for again in ([*command, "--resume"], ["compare", "--folder", "kept", "--resume"]):
        killed()
        capsys.readouterr()
        assert main(again) == 0
        assert "resumed: 2 of 4 runs were made before" in capsys.readouterr().err
        assert Comparison.read(output).records[:2] == runs[:2]
        assert len(Comparison.read(output).records) == 4
        assert Path("kept/tables.md").exists()
    assert main([*command, "--resume", "--seconds", "3"]) == 2
    assert "cannot resume: seconds was 10.0 in 'kept', it is 3.0 now" in capsys.readouterr().err
    assert main(["compare", "--folder", "kept", "--resume", "--seconds", "3"]) == 2
    assert "go on with what the folder holds; expected no --seconds" in capsys.readouterr().err
    Path("kept/runs-2.csv").write_bytes(output.read_bytes())
    assert folder.next_runs("kept", resume=True) == Path("kept/runs-2.csv"), "a replay that was killed, too"
    assert folder.next_runs("kept") == Path("kept/runs-3.csv")


def test_a_replay_that_contradicts_the_first_runs_is_a_contradiction() -> None:
    first = Comparison.of([record(verdict="unique")])
    with pytest.raises(ContradictionError, match="claims none"):
        experiment.describe_changes(first, Comparison.of([record(verdict="none", solution="")]))


def test_a_folder_stays_inside_itself_and_wrong_options_are_one_error(tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("1...............", encoding="utf-8")
    made = tmp_path / "made"
    made.mkdir()
    options = {"sets": ["../secret", str(tmp_path / "secret"), "hard"], "backends": ["cadical153"], "encodings": []}
    (made / "experiment.json").write_text(json.dumps({"options": options | {"seed": 3}}), encoding="utf-8")
    plan = folder.unpack(made)
    assert (plan.sets, plan.seed) == (options["sets"], 3), "only what lies in the folder is taken from it"
    wrong: list[dict[str, Any]] = [{"seconds": "x"}, {"mode": "lukewarm"}, {"nosuch": 3}, {"sets": 3}]
    for text in ("", "[]", "{}", '{"options": 3}', *(json.dumps({"options": options | one}) for one in wrong)):
        (made / "experiment.json").write_text(text, encoding="utf-8")
        with pytest.raises(InputError, match="expected a folder made by compare"):
            folder.unpack(made)
