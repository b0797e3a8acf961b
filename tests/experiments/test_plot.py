"""Pictures of comparisons: their lines and points, and their files."""

from __future__ import annotations

import sys
from math import inf
from pathlib import Path
from typing import Any

import pytest

from experiments.test_compare import record, timed
from gridproof.errors import BackendUnavailable, InputError
from gridproof.experiments import Comparison, RunRecord, plot_layout, plots

pytest.importorskip("matplotlib")

TIMES = {"alpha": (0.01, 0.3, 0.002, 4.0), "beta": (0.02, inf, 0.5, 0.1), "gamma": (inf, inf, inf, inf)}
FAMILIES = {"alpha": "sat", "beta": "cp", "gamma": "search"}


def comparison(*sets: str, mode: str = "cold") -> Comparison:
    records: list[RunRecord] = [
        timed(seconds, puzzle=number, puzzle_set=name, backend=backend, family=FAMILIES[backend], mode=mode)
        for name in sets or ("top",)
        for backend, times in TIMES.items()
        for number, seconds in enumerate(times, 1)
    ]
    return Comparison.of(records)


def axes_of(picture: plot_layout.Plot) -> list[Any]:
    return list(picture.figure.axes)


def lines_of(axes: Any) -> dict[str, tuple[list[float], list[float]]]:
    """The points of each line that has a marker, by marker."""
    return {
        line.get_marker(): (list(line.get_xdata()), list(line.get_ydata()))
        for line in axes.get_lines()
        if line.get_marker() not in ("None", None, "")
    }


def test_a_cactus_plot_has_solved_instances_against_sorted_times() -> None:
    picture = plots.cactus(comparison())
    (axes,) = axes_of(picture)
    drawn = list(lines_of(axes).values())
    assert drawn == [([1, 2, 3, 4], [0.002, 0.01, 0.3, 4.0]), ([1, 2, 3], [0.02, 0.1, 0.5]), ([], [])]
    assert axes.get_yscale() == "log"
    assert axes.get_title() == "top (4 puzzles)"
    assert any(list(line.get_ydata()) == [10.0, 10.0] for line in axes.get_lines())  # the limit
    legend = [text.get_text() for text in picture.figure.legends[0].get_texts()]
    assert legend == ["alpha/extended", "beta/extended", "gamma/extended"]  # best first


def test_lines_differ_without_colour() -> None:
    runs = [
        timed(1.0, puzzle=1, backend=f"b{number}", family=family, mode=mode)
        for number in range(4)
        for family in ("sat",)
        for mode in ("cold", "warm")
    ]
    picture = plots.cactus(Comparison.of(runs))
    (axes,) = axes_of(picture)
    looks = [
        (line.get_marker(), line.get_linestyle(), line.get_markerfacecolor() == "white")
        for line in axes.get_lines()
        if line.get_marker() != "None"
    ]
    assert len(set(looks)) == len(runs)


def test_a_scatter_plot_has_a_point_for_each_puzzle_late_ones_hollow_on_the_limit() -> None:
    (axes,) = axes_of(plots.scatter(comparison(), "alpha", "beta"))
    within, late = ([tuple(point) for point in points.get_offsets().tolist()] for points in axes.collections)
    assert within == [(0.01, 0.02), (0.002, 0.5), (4.0, 0.1)]
    assert late == [(0.3, 10.0)]
    assert axes.get_xlabel() == "alpha/extended  (faster on 3 of 4)"
    assert axes.get_ylabel() == "beta/extended  (faster on 1)"
    diagonal = axes.get_lines()[0]
    assert list(diagonal.get_xdata()) == list(diagonal.get_ydata())


def test_a_scatter_plot_needs_two_setups_with_puzzles_in_common() -> None:
    apart = Comparison.of([timed(1.0, puzzle=1), timed(1.0, puzzle=2, backend="beta")])
    for one, other, runs in (("alpha", "alpha", comparison()), ("alpha", "beta", apart)):
        with pytest.raises(InputError, match="two different ones with puzzles in common"):
            plots.scatter(runs, one, other)
    with pytest.raises(InputError, match="'nosuch' means nothing here"):
        plots.scatter(comparison(), "nosuch", "beta")


@pytest.mark.slow
def test_pictures_become_files_by_their_ending_and_fit_into_a_notebook(tmp_path: Path) -> None:
    four = plots.cactus(comparison("one", "two", "three", "four"))
    titles = [axes.get_title() for axes in four.axes if axes.axison]
    assert titles == ["four (4 puzzles)", "one (4 puzzles)", "three (4 puzzles)", "two (4 puzzles)"]
    scatter = plots.scatter(comparison(), "alpha", "beta")
    for picture, ending, start in ((plots.cactus(comparison()), ".svg", b"<?xml"), (scatter, ".pdf", b"%PDF")):
        picture.save(tmp_path / f"picture{ending}")
        assert (tmp_path / f"picture{ending}").read_bytes().startswith(start)
    for picture in (four, scatter):
        image, size = picture._repr_png_()
        assert image.startswith(b"\x89PNG")
        assert 400 < size["width"] <= plot_layout.PIXELS
    (legend,) = four.figure.legends
    assert legend.get_window_extent().x1 <= four.figure.bbox.x1, "the legend is not cut"


@pytest.mark.slow
def test_a_picture_for_a_paper_has_its_width_and_no_title(tmp_path: Path) -> None:
    picture = plots.scatter(comparison(), "alpha", "beta", width=8.4)
    assert picture.figure.get_suptitle() == ""
    assert plots.cactus(comparison(), title="").figure.get_suptitle() == ""
    assert plots.cactus(comparison(), width=17, title="Mine").figure.get_suptitle() == "Mine"
    picture.save(tmp_path / "paper.svg")
    points = 8.4 / 2.54 * 72
    written = (tmp_path / "paper.svg").read_text(encoding="utf-8").partition('width="')[2].partition("pt")[0]
    assert float(written) == pytest.approx(points, abs=0.01)
    for width, lefts in ((8.4, 1), (17, 2)):
        panels = axes_of(plots.cactus(comparison("one", "two"), width=width))
        assert len({axes.get_position().x0 for axes in panels}) == lefts, "panels of a narrow picture are in one column"
    with pytest.raises(InputError, match="a picture 0 cm wide"):
        plots.cactus(comparison(), width=0)


SIXTEEN = [f"dimacs:/opt/solvers/enc_{number:02}" for number in range(8)] + [f"search-{number}" for number in range(8)]


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["cactus", "against"])
def test_sixteen_setups_fit_into_a_column_and_differ(kind: str) -> None:
    runs = [
        timed(0.1 * (puzzle + place), puzzle=puzzle, backend=backend, parameters=(("order", puzzle),))
        for place, backend in enumerate(SIXTEEN, 1)
        for puzzle in range(1, 5)
    ]
    arguments = ["order"] if kind == "against" else []
    picture = Comparison.of(runs).plot(kind, *arguments, width=8.4)
    picture.figure.draw_without_rendering()
    (legend,) = picture.figure.legends
    box = legend.get_window_extent()
    assert 0 <= box.x0 < box.x1 <= picture.figure.bbox.width
    assert 0 <= box.y0 < box.y1 <= picture.figure.bbox.height
    assert len(legend.get_texts()) == 16
    (axes,) = axes_of(picture)
    assert axes.get_window_extent().height > 60, "the legend leaves room for the panel"
    lines = [line for line in axes.get_lines() if line.get_marker() != "None"]
    assert len({(line.get_color(), line.get_linestyle()) for line in lines}) == 16
    assert len({line.get_marker() for line in lines}) == 16


def test_a_panel_of_one_puzzle_is_left_out_beside_larger_ones() -> None:
    runs = [timed(1.0, puzzle=puzzle) for puzzle in (1, 2)] + [timed(1.0, puzzle_set="alone")]
    (axes,) = axes_of(plots.cactus(Comparison.of(runs)))
    assert axes.get_title() == "set (2 puzzles)"
    (axes,) = axes_of(plots.cactus(Comparison.of(runs[2:])))
    assert axes.get_title() == "alone (1 puzzle)"


def test_a_setup_that_cannot_take_a_set_has_no_line_there() -> None:
    refused = [record(puzzle=puzzle, backend="beta", verdict="not applicable", solution="") for puzzle in (1, 2)]
    runs = [timed(1.0, puzzle=puzzle) for puzzle in (1, 2)] + refused
    (axes,) = axes_of(plots.cactus(Comparison.of(runs)))
    assert [line.get_label() for line in axes.get_lines() if line.get_marker() != "None"] == ["alpha/extended"]
    with pytest.raises(InputError, match="expected two different ones with puzzles in common"):
        plots.scatter(Comparison.of(runs), "alpha", "beta")


def test_without_matplotlib_the_message_names_what_to_install(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    for draw in (lambda: plots.cactus(comparison()), lambda: plot_layout.check_ending(tmp_path / "c.svg")):
        with pytest.raises(BackendUnavailable, match=r"gridproof\[plot\]"):
            draw()
