"""What holds for every test: how long properties explore, which tests the edit loop leaves out, which come first.

Hypothesis has a profile for each place: ``ci`` (where ``CI`` is set) asks the same examples every time, ``dev`` new
ones in every run, ``fuzz`` (``make fuzz``) new ones and many more. ``HYPOTHESIS_PROFILE`` names one of them outright.
"""

from __future__ import annotations

import gc
import os
import signal
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis.configuration import set_hypothesis_home_dir
from hypothesis.database import DirectoryBasedExampleDatabase

from browser import browser, lab  # noqa: F401

# Below ``nohup``, or behind ``&`` in a script, signals are ignored: here, and in all processes that tests start.
if hasattr(signal, "SIGHUP"):
    signal.signal(signal.SIGHUP, signal.SIG_DFL)
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

HERE = Path(__file__).parent

CACHE = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "gridproof" / "hypothesis"
"""Examples that failed are kept here, so that they come first in the next run; never in the tree."""

LONGER = 20
"""How many times as many examples ``fuzz`` tries."""

set_hypothesis_home_dir(CACHE)
_always: dict[str, Any] = {"deadline": None, "suppress_health_check": [HealthCheck.too_slow]}
settings.register_profile("ci", derandomize=True, database=None, print_blob=True, **_always)
settings.register_profile(
    "dev", derandomize=False, database=DirectoryBasedExampleDatabase(CACHE / "examples"), **_always
)
settings.register_profile("fuzz", settings.get_profile("dev"), max_examples=100 * LONGER)
PROFILE = os.environ.get("HYPOTHESIS_PROFILE") or ("ci" if os.environ.get("CI") else "dev")
settings.load_profile(PROFILE)

MARKS = {
    "process": (
        "test_bulk_command.py",
        "test_bulk_links.py::test_a_killed_run",
        "test_bulk_run.py",
        "test_checker_external.py",
        "test_children.py",
        "test_cli_first_contact.py",
        "test_cli_signals.py",
        "test_cli_streams.py",
        "test_cli_terminal.py",
        "test_compare_run.py",
        "test_dimacs.py",
        "test_experiments.py::test_a_folder",
        "test_experiments.py::test_a_run",
        "test_experiments.py::test_other_columns",
        "test_experiments.py::test_time_spent",
        "test_exports.py::test_it_is_read_back_and_solved",
        "test_interrupted_sessions.py",
        "test_interrupts.py",
        "test_liars.py",
        "test_readme.py",
        "test_suite.py::test_a_property_is_asked",
        "test_widget.py::test_what_is_found",
        "test_widget.py::test_the_next_board",
        "test_widget.py::test_a_live_widget",
    ),
    "notebook": (
        "test_notebooks.py",
        "test_pictures_browser.py",
        "test_verify_table.py::test_a_notebook",
        "test_widget_browser.py",
    ),
    "packaging": ("test_packaging.py",),
    "cluster": ("test_bulk_dask.py",),
    "slow": (
        "contract/test_backend_contract.py",
        "contract/test_encoding_contract.py::test_dimacs",
        "contract/test_format_contract.py::test_damaged_text",
        "contract/test_proofs.py",
        "contract/test_rule_contract.py::test_every_model_says_what_holds",
        "contract/test_rule_contract.py::test_what_it_expands_to_is_what_holds",
        "test_backend_lanes.py::test_every_solution_once_whatever_the_bounds",
        "test_backend_options.py::test_a_backend_by_the_path",
        "test_backend_options.py::test_from_the_command_line",
        "test_backend_options.py::test_options_are_taken",
        "test_benchmarks.py",
        "test_bulk_parts.py::test_whatever_happens_to_a_journal",
        "test_bulk_reading.py::test_what_comes_before_a_cut_is_read",
        "test_certify.py::test_a_large_board",
        "test_certify.py::test_every",
        "test_certify.py::test_schemes_over_auxiliaries",
        "test_certify_properties.py::test_agrees_with_brute_force",
        "test_certify_rules.py::test_every_kind",
        "test_checker.py::test_accepts_each_encoding",
        "test_checker.py::test_accepts_each_solver",
        "test_checker.py::test_checks_collections_in_order",
        "test_checker_forged.py",
        "test_checker_hostile.py::test_a_directory_of_more_entries_than_it_says",
        "test_cli.py::test_compile_takes_the_encoding_that_verify_takes",
        "test_cli_convert.py::test_rules_come_back",
        "test_cli_results.py::test_results_are_not_overwritten",
        "test_cpmodel.py::test_no_other_parameters",
        "test_datasets.py::test_number_of_solutions_of_large_boards",
        "test_experiments.py::test_an_interval_holds",
        "test_experiments.py::test_every_kind_of_picture",
        "test_explain_rules.py::test_large_boards",
        "test_formats.py::test_long_lines_of_anything",
        "test_formats.py::test_real_puzzles",
        "test_formats_links.py::test_a_payload_of_millions",
        "test_formats_links.py::test_real_puzzles",
        "test_given_solutions.py::test_one_by_one_and_in_bulk",
        "test_given_solutions.py::test_verify_of_a_csv_file",
        "test_instances.py::test_compare_knows",
        "test_instances.py::test_latin_squares_come_evenly",
        "test_plot.py::test_pictures_become_files",
        "test_propagation.py::test_the_work_list",
        "test_reduced.py::test_the_clauses_are_the_rules",
        "test_rule_models.py::test_every_translation",
        "test_search_family.py::test_a_level_for_each_cell_of_a_large_board",
        "test_search_family.py::test_boards_with_rules",
        "test_session_machine.py",
        "test_sessions.py::test_threads_may_share_a_pipeline",
        "test_sources.py::test_of_a_damaged_archive_what_comes_before_is_read",
        "test_sources.py::test_parquet_is_for_bulk",
        "test_text_errors.py::TestHugeInput",
        "test_toml_puzzle.py::test_the_command_line",
    ),
}
"""mark -> the tests that have it: a file, or how the name of a test in it begins. ``make quick`` runs the others."""

FIRST = ("notebook", "cluster", "packaging", "process", "slow")
"""Tests with these marks begin a run, in this order: what one core is left with in the end is short, and shared out
among all without a second browser or cluster."""


def _turn(item: pytest.Item) -> int:
    """When a test comes, as a place in ``FIRST``."""
    return min((FIRST.index(mark.name) for mark in item.iter_markers() if mark.name in FIRST), default=len(FIRST))


def pytest_collection_finish() -> None:
    """Collecting garbage need not look at thousands of tests and all modules again and again."""
    gc.collect()
    gc.freeze()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark and order the tests; in ``fuzz``, let those that say how many examples they try have more, too."""
    for item in items:
        name = item.path.relative_to(HERE).as_posix() + "::" + item.nodeid.partition("::")[2]
        for mark, beginnings in MARKS.items():
            if name.startswith(beginnings):
                item.add_marker(mark)
    items.sort(key=_turn)
    if PROFILE == "fuzz":
        for test in {getattr(item.obj, "__func__", item.obj) for item in items if isinstance(item, pytest.Function)}:
            own = getattr(test, "_hypothesis_internal_use_settings", None)
            if own is not None and own.max_examples < settings().max_examples:
                more = settings(own, max_examples=own.max_examples * LONGER)
                test._hypothesis_internal_use_settings = more
