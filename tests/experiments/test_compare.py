"""Plans, summaries, claims, files and progress of a comparison: everything that needs no process."""

from __future__ import annotations

import csv
import json
from collections.abc import Sequence
from dataclasses import replace
from itertools import groupby, permutations
from math import inf
from pathlib import Path
from typing import Any

import pytest

from experiments.compare_fakes import Fake
from gridproof.errors import BackendUnavailable, EncodingError, InputError
from gridproof.experiments import (
    Comparison,
    ContradictionError,
    PuzzleSet,
    RunRecord,
    Setup,
    plan,
    statistics,
)
from gridproof.experiments import records as files
from gridproof.experiments.plan import Entry, Plan, schedule
from gridproof.experiments.records import NOT_APPLICABLE, Clock
from gridproof.experiments.results import Claims
from gridproof.experiments.sets import load_sets
from gridproof.puzzle.board import Board
from gridproof.puzzle.geometry import Geometry
from gridproof.runs.frames import Kind

SMALL = Geometry.classic(2)
LINES = ("1...............", "2...............", "3...............", "4...............")
BOARDS = tuple(Board.from_symbols(SMALL, line) for line in LINES)
FOUR = PuzzleSet("four", BOARDS)


def record(**changes: object) -> RunRecord:
    """A run that went well, but for the changes."""
    what = {"puzzle_set": "set", "puzzle": 1, "geometry": "Geometry.classic(2, 2)", "board": LINES[0]}
    how = {"backend": "alpha", "backend_version": "1.0", "family": "sat", "encoding": "extended", "mode": "cold"}
    where = {"gridproof": "0", "python": "CPython", "machine": "here", "started": 1.5e9}
    plan = {"repeat": 0, "position": 0, "seed": 0, "limit": 10.0}
    times = {"encode_seconds": 0.1, "load_seconds": 0.2, "first_seconds": 0.3, "prove_seconds": 0.4}
    found = {"verdict": "unique", "solution": "1234341221434321"}
    return RunRecord(**{**what, **how, **where, **plan, **times, **found, **changes})  # type: ignore[arg-type]


def timed(seconds: float, **changes: object) -> RunRecord:
    """A run that took so long; ``inf``: not solved."""
    if seconds == inf:
        return record(verdict="undecided", solution="", first_seconds=10.0, prove_seconds=None, **changes)
    parts = dict.fromkeys(("encode_seconds", "load_seconds", "prove_seconds"), 0.0)
    return record(first_seconds=seconds, **parts, **changes)


# ---- plans ---------------------------------------------------------------------------------------------------------


def entries(backends: Sequence[Any], encodings: Sequence[str] = (), **options: Any) -> tuple[list[Entry], list[str]]:
    notes: list[str] = []
    return plan.entries(Plan([FOUR], backends, encodings, **options), notes), notes


def test_the_product_of_what_fits_and_a_note_for_each_encoding_that_does_not() -> None:
    setups, notes = entries(["cadical153", "glucose4", "cp-sat", "reference"], ["extended", "linked"], mode="both")
    assert [str(entry.setup) for entry in setups] == [
        *(f"{name} {mode}" for name in ("cadical153/extended", "glucose4/extended") for mode in ("cold", "warm")),
        *(f"{name} {mode}" for name in ("cp-sat/linked", "reference") for mode in ("cold", "warm")),
    ]
    assert notes == [
        "linked is for cp-sat, so it is skipped with cadical153, glucose4",
        "extended is for cnf, so it is skipped with cp-sat",
    ]


def test_a_backend_that_no_encoding_fits_takes_its_own() -> None:
    setups, notes = entries(["cadical153", "cp-sat"], ["extended"])
    assert setups[0].setup.name == "cadical153/extended"
    assert setups[1].encoding is not None
    assert notes == [f"cp-sat takes cp-sat encodings, none of extended: it runs with {setups[1].encoding.name}"]
    setups, notes = entries(["cadical153", "cadical153", "search-bits"])
    assert [entry.encoding is None for entry in setups] == [False, True]
    assert not notes


def test_setups_that_cannot_be_are_skipped_or_refused(tmp_path: Path) -> None:
    setups, notes = entries([Fake("a"), Fake("b", missing="not built")])
    assert [entry.setup.name for entry in setups] == ["a"]
    assert notes == ["b is skipped: not built"]
    with pytest.raises(InputError, match="nothing to compare; b is skipped: not built"):
        entries([Fake("b", missing="not built")])
    with pytest.raises(BackendUnavailable, match="nosuch"):
        entries(["nosuch"])
    with pytest.raises(EncodingError, match="nosuch"):
        entries(["cadical153"], ["nosuch"])
    with pytest.raises(InputError, match="two different backends are called 'a'"):
        entries([Fake("a"), Fake("a")])
    mine = tmp_path / "extended.toml"
    minimal = Path(__file__).parents[2] / "encodings" / "minimal.toml"
    mine.write_text(minimal.read_text(encoding="utf-8"), encoding="utf-8")
    with pytest.raises(EncodingError, match="two different encodings are called 'extended'"):
        entries(["cadical153"], ["extended", str(mine)])


def test_one_thing_is_a_list_of_one_and_wrong_types_are_refused() -> None:
    single: Any = FOUR
    assert Plan(single).sets == [FOUR]
    plan_of_names = Plan("hard", "cadical153", "extended")
    assert (plan_of_names.sets, plan_of_names.backends, plan_of_names.encodings) == (
        ["hard"],
        ["cadical153"],
        ["extended"],
    )
    wrong: list[dict[str, Any]] = [{"sets": 3}, {"backends": [3]}, {"seconds": "3"}, {"repeat": 1.5}]
    wrong += [{"mode": "hot"}, {"seconds": 0}, {"repeat": 0}, {"jobs": -1}, {"sample": 0}, {"resume": True}]
    for options in wrong:
        with pytest.raises(InputError, match="expected"):
            Plan(**{"sets": [FOUR], **options})


def setups_of(number: int) -> list[Entry]:
    return entries([Fake(f"b{index:02}") for index in range(number)])[0]


def keys_of(setups: list[Entry], seed: int, repeat: int = 3) -> list[tuple[str, int, Setup, int, int | None]]:
    return [task.record.key for task in schedule(Plan([FOUR], seed=seed, repeat=repeat), setups, [FOUR])]


def test_every_run_is_scheduled_once_in_an_order_that_the_seed_gives() -> None:
    setups = setups_of(5)
    keys = keys_of(setups, 1)
    assert len(keys) == len(set(keys)) == 5 * 4 * 3
    assert keys == keys_of(setups, 1)
    assert keys != keys_of(setups, 2)
    assert [task.record.position for task in schedule(Plan([FOUR]), setups, [FOUR])] == list(range(60))
    # a longer comparison of the same seed begins with the shorter one, so that it can go on from it
    assert keys_of(setups, 1, repeat=5)[:60] == keys
    many = keys_of(setups_of(20), 0, repeat=1)
    first, second = ({key[2] for key in part} for part in (many[:64], many[64:]))
    assert (len(first), len(second), len(first & second)) == (16, 4, 0), "many setups take turns in groups"


def test_rounds_follow_each_other_and_each_puzzle_meets_all_setups_at_once() -> None:
    keys = keys_of(setups_of(5), 7)
    assert [number for number, _ in groupby(key[3] for key in keys)] == [0, 1, 2]
    blocks = [list(block) for _, block in groupby(keys, lambda key: (key[1], key[3]))]
    assert [len(block) for block in blocks] == [5] * 12
    assert len({tuple(str(key[2]) for key in block) for block in blocks}) > 6  # in an order of its own each time
    puzzles = [tuple(key[1] for key, *_ in blocks[start : start + 4]) for start in (0, 4, 8)]
    assert len(set(puzzles)) > 1


# ---- sets ----------------------------------------------------------------------------------------------------------


def test_sets_are_read_from_files_and_by_name(tmp_path: Path) -> None:
    file = tmp_path / "mine.txt"
    file.write_text("\n".join(LINES), encoding="ascii")
    mine, hard = load_sets([file, "hard"])
    assert (mine.name, mine.boards, mine.numbers) == ("mine", BOARDS, (1, 2, 3, 4))
    assert hard.name == "hard"
    assert len(hard.boards) > 3
    (tmp_path / "other").mkdir()
    other = tmp_path / "other" / "mine.txt"
    other.write_text(LINES[0], encoding="ascii")
    assert [puzzles.name for puzzles in load_sets([file, other])] == [str(file), str(other)]


def test_sets_that_cannot_be_used_are_refused(tmp_path: Path) -> None:
    bad, empty = tmp_path / "bad.txt", tmp_path / "empty.txt"
    bad.write_text(f"{LINES[0]}\n{LINES[1]}x\n", encoding="ascii")
    empty.write_text("# nothing\n", encoding="ascii")
    for source, message in ((bad, r"bad\.txt: line 2"), (empty, "no puzzle in it"), ("nosuch", "'nosuch'.*hard")):
        with pytest.raises(InputError, match=message):
            load_sets([source])
    with pytest.raises(InputError, match="at least one file"):
        load_sets([])
    (single,) = load_sets([LINES[0], BOARDS[1]])
    assert (single.name, single.boards) == ("puzzles", BOARDS[:2])
    with pytest.raises(InputError, match="a name of its own"):
        load_sets([FOUR, FOUR])
    with pytest.raises(InputError, match="at least one board"):
        PuzzleSet("none", ())


def test_samples_are_drawn_with_the_seed_and_boards_run_once() -> None:
    assert PuzzleSet("twice", (*BOARDS, BOARDS[1], BOARDS[0])).distinct() == replace(FOUR, name="twice")
    large = PuzzleSet("large", tuple(board for board in BOARDS for _ in range(25)))
    sample = large.sample(10, 1)
    assert sample == large.sample(10, 1)
    assert sample.numbers != large.sample(10, 2).numbers
    assert list(sample.numbers) == sorted(sample.numbers)
    assert sample.boards == tuple(large.boards[number - 1] for number in sample.numbers)
    assert large.sample(None, 1) is large.sample(100, 1) is large


# ---- records and summaries -----------------------------------------------------------------------------------------


def test_the_time_of_a_cold_run_has_all_stages_that_of_a_warm_one_not_its_sessions_opening() -> None:
    assert record().seconds == pytest.approx(1.0)
    assert record(mode="warm").seconds == pytest.approx(0.7)
    assert record(prove_seconds=None).seconds == pytest.approx(0.6)


@pytest.mark.parametrize(
    ("changes", "stopped"),
    [
        ({}, ""),
        ({"verdict": "none"}, ""),
        ({"verdict": "undecided", "stage": "encode"}, "encode"),
        ({"verdict": "undecided", "stage": "load"}, "load"),
        ({"verdict": "undecided", "stage": "prove"}, "solve"),
        ({"verdict": "failed"}, "failed"),
        ({"limit": 0.99}, "solve"),  # it answered, but too late
        ({"cpu_limit": 2.0, "first_cpu": 1.0, "memory_limit": 10, "peak_memory": 9}, ""),
        ({"cpu_limit": 0.5, "first_cpu": 1.0}, "solve"),
        ({"memory_limit": 10, "peak_memory": 11}, "solve"),
    ],
)
def test_solved_is_a_verdict_within_all_limits(changes: dict[str, object], stopped: str) -> None:
    assert record(**changes).stopped == stopped
    assert record(**changes).solved is not bool(stopped)


def test_an_instances_time_is_the_median_of_its_repeats() -> None:
    runs = [timed(seconds, repeat=number) for number, seconds in enumerate((5.0, 1.0, 2.0))]
    runs += [timed(seconds, puzzle=2, repeat=number) for number, seconds in enumerate((1.0, inf, inf))]
    (times,) = statistics.instance_times(iter(runs))["set"].values()
    assert times == {1: 2.0, 2: inf}
    assert statistics.mean_score([1.0, 3.0, inf], 20.0) == (1 + 3 + 20) / 3
    assert [statistics.percentile([*map(float, range(1, 21))], share) for share in (0.5, 0.95)] == [10.0, 19.0]
    assert statistics.percentile([1.0, inf, 2.0], 0.95) == inf
    opened = record(mode="warm", session_age=0, encode_seconds=0.5)
    later = [record(mode="warm", session_age=age, encode_seconds=0.0, puzzle=age + 1) for age in (1, 2, 3)]
    (row,), (warm,) = (ranking.rows for ranking in statistics.rankings([record(), opened, *later], 10.0))
    assert warm.encode == 0.5, "the opening of a warm session is counted where it happened"
    assert row.ratio == warm.ratio == 1.0, "cold and warm are not compared with each other"


def two_setups() -> list[RunRecord]:
    """alpha solves 1, 2 and 4 seconds; beta 8, 2 and not; alpha alone was run on puzzle 4."""
    alpha = [timed(seconds, puzzle=puzzle) for puzzle, seconds in ((1, 1.0), (2, 2.0), (3, 4.0), (4, 9.0))]
    beta = {"backend": "beta", "encoding": None, "family": "search", "nodes": 1234, "peak_memory": 50_000_000}
    return [*alpha, *(timed(seconds, puzzle=puzzle, **beta) for puzzle, seconds in ((1, 8.0), (2, 2.0), (3, inf)))]


def test_setups_are_summed_up_over_the_puzzles_that_all_were_run_on() -> None:
    (ranking,) = statistics.rankings(two_setups(), 10.0)
    alpha, beta = ranking.rows
    assert ranking.virtual_best == alpha.par
    assert (alpha.setup.name, alpha.instances, alpha.solved) == ("alpha/extended", 3, 3)
    assert alpha.par == pytest.approx(7 / 3)
    assert (alpha.median, alpha.p95, alpha.ratio) == (2.0, 4.0, 1.0)
    assert (beta.instances, beta.solved, beta.par, beta.median, beta.p95) == (3, 2, 10.0, 8.0, inf)
    assert beta.ratio == pytest.approx(10 / (7 / 3))
    assert (beta.work, beta.work_unit, beta.peak_memory) == (1234, "nodes", 50_000_000)


def test_the_table_has_one_unit_for_each_column() -> None:
    comparison = Comparison(tuple(two_setups()), 10.0, 0, 8)
    assert str(comparison).splitlines() == [
        "set: 3 puzzles, cold, limit 10 s",
        "setup           solved  PAR-2  median  95th  x best  Shapley  load  first  prove     work  MB",
        "                            s       s     s                      s      s      s",
        "--------------  ------  -----  ------  ----  ------  -------  ----  -----  -----  -------  --",
        "alpha/extended     3/3   2.33    2.00  4.00    1.00      72%     0   2.00      0        -   -",
        "beta               2/3   10.0    8.00   >10    4.29      28%     0   8.00      0  1,234 n  50",
        "virtual best (the fastest on each puzzle): PAR-2 2.33 s; gap of the single best: 0 s",
        "marginal contributions to the virtual best: alpha/extended 7.67 s",
        "runs not solved, by where they stopped: beta 1 solve",
        "3 puzzles are too few to test which setup is better",
        "",
        "PAR-2: mean time, a puzzle not solved in time counts twice the limit; x best: its ratio to the best.",
        "median, 95th: percentiles of the times of puzzles. Shapley: contribution to the virtual best.",
        "cold: each run compiles, loads and solves; times include all (medians of the stages: right).",
        "load: with encoding. work: median decisions (d) or search nodes (n). MB: most memory, libraries too.",
        "Incomplete: 7 of 8 runs; puzzles that were not run on all of these are omitted.",
    ]


def test_contributions_to_the_virtual_best_are_those_computed_by_hand() -> None:
    """Saved, of 20 seconds that no solver costs: alpha 19, 18, 16 and beta 12, 18, 0."""
    alpha, beta = statistics.rankings(two_setups(), 10.0)[0].rows
    assert [alpha.marginal, beta.marginal] == pytest.approx([(7 + 0 + 16) / 3, 0.0])
    assert alpha.shapley == pytest.approx((6 + 7 + 9 + 16) / 53)
    assert beta.shapley == pytest.approx((6 + 9 + 0) / 53)
    a, b, c = (Setup(name, None, "cold") for name in "abc")
    # the orders of three setups: a saves 9, b 6, c 6 of 10 on the first; on the second c alone saves 3
    times = {a: [1.0, inf], b: [4.0, inf], c: [4.0, 7.0]}
    orders = list(permutations(times))
    expected = dict.fromkeys(times, 0.0)
    for order in orders:
        best = [10.0, 10.0]
        for setup in order:
            better = [min(old, 10.0 if new == inf else new) for old, new in zip(best, times[setup], strict=True)]
            expected[setup] += (sum(best) - sum(better)) / len(orders) / 12
            best = better
    made = statistics.contributions(times, 10.0)
    assert [marginal for marginal, _ in made.values()] == [1.5, 0.0, 1.5]
    assert [shapley for _, shapley in made.values()] == pytest.approx([*expected.values()])
    assert made[b][1] == pytest.approx(2 / 12)
    assert statistics.contributions({a: [inf], b: [inf]}, 10.0) == {a: (0.0, 0.0), b: (0.0, 0.0)}


def test_the_gap_and_the_contributions_are_in_every_form() -> None:
    rival = [timed(3.0, puzzle=3, backend="beta", encoding=None), *two_setups()[:-1]]  # the virtual best has its third
    comparison = Comparison.of([replace(run, limit=10.0) for run in rival])
    (ranking,) = comparison.rankings()
    assert [ranking.rows[0].par, ranking.virtual_best] == pytest.approx([7 / 3, 2.0])
    assert ranking.gap == pytest.approx(1 / 3)
    (table,) = json.loads(comparison.to_json("solve"))
    assert (table["clock"], table["gap"], table["virtual_best"]) == ("solve", ranking.gap, ranking.virtual_best)
    assert [row["marginal"] for row in table["rows"]] == [row.marginal for row in ranking.rows]
    assert "gap of the single best: 333 ms" in comparison.text()
    assert "alpha/extended 2.33 s, beta 333 ms" in comparison._repr_html_()
    assert "| marginal [ms] | Shapley |" in comparison.to_markdown()
    unsolved = json.loads(Comparison.of([timed(inf)]).to_json())[0]["rows"][0]
    assert (unsolved["median"], unsolved["par"], unsolved["stopped"]) == (None, 20.0, {"solve": 1})


def test_a_setup_that_mostly_loads_is_named_where_times_are_of_whole_cold_runs() -> None:
    loads = [
        record(puzzle=number, encode_seconds=0.3, load_seconds=0.3, first_seconds=0.4, prove_seconds=0.0)
        for number in range(3)
    ]
    solves = [
        record(puzzle=number, encode_seconds=0.1, load_seconds=0.1, first_seconds=0.8, prove_seconds=0.0)
        for number in range(3)
    ]
    warm = [
        record(puzzle=number, mode="warm", encode_seconds=0.6, first_seconds=0.4, prove_seconds=0.0)
        for number in range(3)
    ]
    named = "mostly compiling and loading: alpha/extended 60%; --clock solve ranks by solving alone"
    assert named in Comparison.of(loads).text()
    assert "mostly" not in Comparison.of(loads).text("solve")
    assert "mostly" not in Comparison.of(solves).text()
    assert "mostly" not in Comparison.of(warm).text()


def test_a_busy_machine_is_named() -> None:
    for share, busy in ((0.56, True), (0.97, False), (3.0, False)):
        runs = [record(puzzle=number, first_cpu=share) for number in range(5)]
        assert ("had the processor 56% of its time" in str(Comparison.of(runs))) is busy


def test_the_clock_chooses_times_and_limit() -> None:
    parts = {"encode_seconds": 2.0, "load_seconds": 3.0, "first_seconds": 0.5, "prove_seconds": 0.25}
    runs = [record(**parts, first_cpu=0.4, prove_cpu=0.2, cpu_limit=4.0), record(puzzle=2, verdict="failed")]
    comparison = Comparison.of([replace(run, cpu_limit=4.0) for run in runs])
    clocks: tuple[Clock, ...] = ("whole", "solve", "cpu")
    assert [comparison.summaries(clock)[0].par for clock in clocks] == [
        pytest.approx(value) for value in ((5.75 + 20) / 2, (0.75 + 20) / 2, (0.6 + 8) / 2)
    ]
    assert "Times are of the solving alone" in comparison.text("solve")
    assert "are processor times" in comparison.text("cpu")
    assert comparison.summaries()[0].stopped == {"failed": 1}


def test_setups_are_found_by_what_people_call_them() -> None:
    runs = [record(), record(encoding="triad"), record(backend="beta", encoding=None), record(mode="warm")]
    comparison = Comparison.of(runs)
    assert comparison.setup("beta") == Setup("beta", None, "cold")
    assert comparison.setup("alpha/triad") == comparison.setup("alpha/triad cold") == Setup("alpha", "triad", "cold")
    assert comparison.setup("alpha warm") == Setup("alpha", "extended", "warm")
    for text, problem in (("alpha", "several"), ("alpha/extended", "several"), ("gamma", "nothing")):
        with pytest.raises(InputError, match=f"'{text}' means {problem}"):
            comparison.setup(text)


def test_runs_of_different_limits_or_one_run_twice_are_no_comparison() -> None:
    with pytest.raises(InputError, match="of 5 s, 10 s"):
        Comparison.of([record(), record(puzzle=2, limit=5.0)])
    with pytest.raises(InputError, match="one run twice"):
        Comparison.of([record(), record()])


@pytest.mark.parametrize("kind", ["pandas", "polars", "arrow"])
def test_a_table_has_every_field_and_what_is_derived(kind: Kind) -> None:
    package = pytest.importorskip("pyarrow" if kind == "arrow" else kind)
    comparison = Comparison.of([replace(run, parameters=(("order", 4),)) for run in two_setups()])
    table = comparison.to_table(kind)
    assert isinstance(table, package.Table if kind == "arrow" else package.DataFrame)
    names = table.column_names if kind == "arrow" else table.columns
    assert list(names) == [
        *(name for name in RunRecord.__dataclass_fields__ if name != "parameters"),
        *("instance_order", "seconds", "solving_seconds", "solved"),
    ]
    columns = {name: list(table[name].to_pylist() if kind == "arrow" else table[name]) for name in names}
    by = zip(columns["backend"], columns["solved"], strict=True)
    assert sorted(name for name, solved in by if solved) == ["alpha"] * 4 + ["beta"] * 2
    assert set(columns["instance_order"]) == {4}
    assert columns["seconds"] == [run.seconds for run in comparison.records]


def test_a_setup_that_cannot_take_a_set_is_left_out_of_it_alone() -> None:
    refused = {"verdict": NOT_APPLICABLE, "solution": "", "reason": "it takes houses only", "backend": "beta"}
    runs = [
        timed(1.0),
        timed(2.0, puzzle=2),
        timed(3.0, puzzle_set="other"),
        timed(4.0, puzzle_set="other", backend="beta"),
    ]
    runs += [record(**refused), timed(1.0, puzzle=2, backend="beta")]
    comparison = Comparison.of(runs)
    other, ranking = comparison.rankings()
    assert [row.setup.backend for row in other.rows] == ["alpha", "beta"]
    assert other.not_applicable == ()
    assert [(row.setup.backend, row.instances, row.stopped) for row in ranking.rows] == [("alpha", 2, {})]
    assert ranking.not_applicable == (("beta/extended", "it takes houses only"),)
    sentence = "not applicable: beta/extended (it takes houses only)"
    assert comparison.text().count(sentence) == comparison.to_markdown().count(sentence) == 1
    assert "Not applicable: beta/extended (it takes houses only)" in comparison.to_latex()
    tables = json.loads(comparison.to_json())
    assert [table["not_applicable"] for table in tables[:2]] == [[], [["beta/extended", "it takes houses only"]]]


def test_a_stage_that_overran_the_limit_counts_as_the_limit() -> None:
    late = {"verdict": "undecided", "solution": "", "limit": 2.0, "prove_seconds": None, "nodes": 1}
    cold = record(**late, encode_seconds=1.5, load_seconds=1.0, first_seconds=3.03)
    warm = record(**late, mode="warm", session_age=0, encode_seconds=30.0, load_seconds=4.0, first_seconds=3.03)
    comparison = Comparison.of([cold, warm])
    of_cold, of_warm = comparison.summaries()
    assert (of_cold.first, of_warm.first) == (2.0, 2.0)
    assert (of_warm.encode, of_warm.load) == (30.0, 4.0), "a warm session may take longer to open"
    row = comparison.text().splitlines()[4]
    assert row.split()[6:9] == ["100%", "2.00", "2.00"] or "2.00" in row
    assert "3.03" not in comparison.text()
    assert "2.50" not in comparison.text()


# ---- claims --------------------------------------------------------------------------------------------------------

GRID, OTHER = "1234341221434321", "1243432121343412"
CLAIMS = {
    "none": {"verdict": "none", "solution": ""},
    "unique": {"verdict": "unique", "solution": GRID},
    "unique other": {"verdict": "unique", "solution": OTHER},
    "multiple": {"verdict": "multiple", "solution": GRID},
    "multiple other": {"verdict": "multiple", "solution": OTHER},
    "undecided": {"verdict": "undecided", "solution": ""},
    "undecided with": {"verdict": "undecided", "solution": GRID},
    "undecided other": {"verdict": "undecided", "solution": OTHER},
    "failed": {"verdict": "failed", "solution": ""},
    "unique without": {"verdict": "unique", "solution": ""},
    "multiple without": {"verdict": "multiple", "solution": ""},
}
CONTRADICT = {
    frozenset(pair)
    for pair in (
        *(("none", name) for name, claim in CLAIMS.items() if claim["solution"]),
        ("unique", "unique other"),
        *((name, "none") for name in ("unique without", "multiple without")),
        *((name, "unique without") for name in CLAIMS if name.startswith("multiple")),
        *((name, "multiple without") for name in CLAIMS if name.startswith("unique")),
        *(("unique", name) for name in ("multiple", "multiple other", "undecided other")),
        *(("unique other", name) for name in ("multiple", "multiple other", "undecided with")),
    )
}


@pytest.mark.parametrize("first", CLAIMS)
@pytest.mark.parametrize("second", CLAIMS)
def test_claims_that_cannot_both_be_true_are_found(first: str, second: str) -> None:
    claims = Claims()
    assert claims.add(record(**CLAIMS[first])) is None
    # another set does not make it another board
    problem = claims.add(record(backend="beta", puzzle_set="elsewhere", **CLAIMS[second]))
    assert (problem is not None) is (frozenset((first, second)) in CONTRADICT)
    if problem:
        assert all(part in problem for part in ("alpha/extended", "beta/extended", LINES[0]))
    assert claims.add(record(board=LINES[1], **CLAIMS["unique"])) is None, "another board"
    assert claims.add(record(geometry="Geometry.latin(4)", **CLAIMS["none"])) is None, "another geometry"
    problem = claims.add(record(verdict="disagreement", reason="gave a grid that is no solution: r1c1"))
    assert problem is not None
    assert "alpha/extended cold (round 1) gave a grid that is no solution: r1c1" in problem


# ---- files ---------------------------------------------------------------------------------------------------------


def varied() -> list[RunRecord]:
    return [
        record(puzzle=3, parameters=(("order", 4), ("holes", 0.5), ("kind", "qwh"))),
        record(decisions=0, peak_memory=123, reason='a "quoted", broken\nreason', started=1.25),
        record(puzzle=2, encoding=None, encode_seconds=None, prove_seconds=1e-7, verdict="failed", solution=""),
    ]


@pytest.mark.parametrize("ending", [".csv", ".parquet", ".jsonl"])
def test_records_come_back_from_their_file_as_they_were(tmp_path: Path, ending: str) -> None:
    if ending == ".parquet":
        pytest.importorskip("pyarrow")
    path = tmp_path / f"results{ending}"
    Comparison.of(varied()).write(path)
    assert files.read(path) == varied()
    assert Comparison.read(path).records == tuple(varied())
    assert [file.name for file in tmp_path.iterdir()] == [path.name]


def test_other_files_are_not_taken_for_results(tmp_path: Path) -> None:
    for name, text in (("a.csv", "x,y\n1,2\n"), ("b.jsonl", "{}\n"), ("c.jsonl", "no"), ("d.csv", "")):
        path = tmp_path / name
        path.write_text(text, encoding="ascii")
        if text:
            with pytest.raises(InputError, match=f"{name}: not a file of results"):
                files.read(path)
        else:
            assert files.read(path) == []
    good = tmp_path / "good.csv"
    files.write(varied(), good)
    good.write_text(good.read_text(encoding="utf-8").replace(",10.0,", ",ten,"), encoding="utf-8")
    with pytest.raises(InputError, match="not a file of results"):
        files.read(good)


def test_a_file_of_another_ending_or_below_a_file_is_refused_and_a_new_folder_is_made(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    for path in (tmp_path / "results.xlsx", tmp_path / "results", tmp_path / "file" / "results.csv"):
        with pytest.raises(InputError, match="expected"):
            files.write(varied(), path)
    files.write(varied(), tmp_path / "new" / "results.csv")
    assert files.read(tmp_path / "new" / "results.csv") == varied()


# ---- plain results -------------------------------------------------------------------------------------------------

THEIRS = """instance,solver,time,status
set/1,theirs,0.5,unique
set/2,theirs,0.5,solved
set/3,theirs,11,solved
set/1,theirs/mine warm,2.5,timeout
"""


def test_results_of_other_programs_stand_beside_ours(tmp_path: Path) -> None:
    ours, theirs = tmp_path / "ours.csv", tmp_path / "theirs.csv"
    Comparison.of([replace(run, parameters=(("order", 4),)) for run in two_setups()]).write(ours)
    theirs.write_text(THEIRS, encoding="utf-8")
    comparison = Comparison.read(theirs, ours)
    cold, warm = comparison.rankings()
    assert [(row.setup.name, row.solved, row.instances) for row in cold.rows] == [
        *(("alpha/extended", 3, 3), ("theirs", 2, 3), ("beta", 2, 3))
    ]
    assert cold.rows[1].par == pytest.approx((0.5 + 0.5 + 20) / 3), "eleven seconds are above our limit"
    assert cold.virtual_best == pytest.approx((0.5 + 0.5 + 4) / 3)
    assert [row.setup for row in warm.rows] == [Setup("theirs", "mine", "warm")]
    assert comparison.times_by("order")[Setup("theirs", None, "cold")] == {4: [0.5, 0.5, inf]}
    assert comparison.records[0].board == LINES[0]
    assert warm.rows[0].stopped == {"solve": 1}
    # the same again from one file, and the limit cut down
    comparison.write(tmp_path / "both.csv")
    assert Comparison.read(tmp_path / "both.csv").rankings() == comparison.rankings()
    cut = Comparison.read(theirs, ours, limit=1.5).rankings()[0]
    assert [(row.setup.name, row.solved) for row in cut.rows] == [("theirs", 2), ("alpha/extended", 1), ("beta", 0)]
    with pytest.raises(InputError, match="a limit of 30 s for runs that were stopped after 10 s"):
        Comparison.read(theirs, ours, limit=30)
    theirs.write_text(THEIRS.replace("0.5,unique", "0.5,none"), encoding="utf-8")
    with pytest.raises(ContradictionError, match=r"set, puzzle 1: .*claims none"):
        Comparison.read(ours, theirs)
    theirs.write_text(THEIRS.replace("timeout", "Error"), encoding="utf-8")
    assert Comparison.read(theirs, ours).rankings()[1].rows[0].stopped == {"failed": 1}


def test_plain_results_come_back(tmp_path: Path) -> None:
    comparison = Comparison.of([*two_setups(), *(replace(run, puzzle_set="other") for run in two_setups()[:2])])
    comparison.export(tmp_path / "plain.csv")
    header, *lines = (tmp_path / "plain.csv").read_text(encoding="utf-8").splitlines()
    assert header == "instance,solver,time,status,seed,round"
    assert lines[0] == "set/1,alpha/extended,1.0,unique,,1"
    assert "set/3,beta,10.0,timeout,,1" in lines
    again = Comparison.read(tmp_path / "plain.csv", limit=10.0)
    for old, new in zip(comparison.rankings(), again.rankings(), strict=True):
        assert (old.puzzle_set, old.virtual_best, old.gap) == (new.puzzle_set, new.virtual_best, new.gap)
        assert [(row.setup, row.solved, row.par) for row in old.rows] == [
            (row.setup, row.solved, row.par) for row in new.rows
        ]


def test_plain_results_keep_seeds_and_limits_apart(tmp_path: Path) -> None:
    many = {"verdict": "undecided", "solution": "", "reason": "ended from outside"}
    runs = [
        *(timed(1.0 + seed, solver_seed=seed) for seed in (0, 1)),
        timed(2.0, solver_seed=1, repeat=1, mode="warm"),
        timed(inf, puzzle=2),
        record(puzzle=3, **many, memory_limit=100, peak_memory=101),
        record(puzzle=4, verdict="failed", solution="", puzzle_set="=set"),
        record(puzzle=5, first_seconds=11.0),  # it answered, but too late
        record(puzzle=6, verdict=NOT_APPLICABLE, solution=""),
    ]
    Comparison.of(runs).export(tmp_path / "plain.csv")
    rows = list(csv.DictReader((tmp_path / "plain.csv").open(encoding="utf-8")))
    assert [(row["solver"], row["seed"], row["round"]) for row in rows[:3]] == [
        ("alpha/extended", "0", "1"),
        ("alpha/extended", "1", "1"),
        ("alpha/extended warm", "1", "2"),
    ]
    assert [row["status"] for row in rows[2:]] == ["unique", "timeout", "memout", "failed", "timeout"]
    again = Comparison.read(tmp_path / "plain.csv", limit=10.0).records
    assert [(run.setup, run.solver_seed) for run in again[:3]] == [(run.setup, run.solver_seed) for run in runs[:3]]
    assert [run.solved for run in again] == [True] * 3 + [False] * 4
    assert rows[5]["instance"] == "'=set/4", "no spreadsheet runs it"
    assert again[5].puzzle_set == "=set"


def test_other_plain_files_are_refused(tmp_path: Path) -> None:
    for name, text, problem in (
        ("a.csv", THEIRS.replace("timeout", "tiemout"), r"status 'tiemout' of set/1; did you mean timeout"),
        ("b.csv", THEIRS.replace("11", "x"), "could not convert"),
        ("c.csv", THEIRS.replace("11", "nan"), "time 'nan' of set/3; expected seconds"),
    ):
        (tmp_path / name).write_text(text, encoding="utf-8")
        with pytest.raises(InputError, match=f"{name}: not a file of plain results .*{problem}"):
            Comparison.read(tmp_path / name)
    with pytest.raises(InputError, match=r"expected a name that ends in \.csv"):
        Comparison.of([record()]).export(tmp_path / "plain.txt")
