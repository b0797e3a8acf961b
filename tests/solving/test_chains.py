"""Chains: what they are made of, their notation, their stories, and what they exclude."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gridproof import Board, Geometry, solutions
from gridproof.cli import main
from gridproof.experiments.instances import instance
from gridproof.solving import Position, Step, StoryLine
from gridproof.solving.chain import Chain, Node, Order
from gridproof.solving.links import SETS, LinkNetwork
from gridproof.solving.naming import name_by_story
from gridproof.solving.path import SolvingPath
from solving.test_names import SAMPLES, named, position
from solving.test_next_step import HARD
from solving.test_story import check_story

NOTATIONS = {
    "XY-chain": "(1=2)r1c1-(2=3)r1c5-(3=4)r5c5-(4=1)r5c9 => r1c9<>1",
    "X-chain": "(5)r1c1=r1c9-r3c8=r7c8-r8c7=r8c2 => r2c2<>5",
    "AIC": "(5)r1c1=r1c9-(5=6)r5c9-(6)r9c9=r9c1 => r9c1<>5",
    "discontinuous loop": "(5)r1c1=r1c9-(5=6)r5c9-(6)r9c9=r9c1-(6=5)r1c1 => r2c2<>5",
    "X-chain with groups": "(5)r1c78=r3c9-r8c9=r8c5-r5c5=r5c2 => r1c2<>5",
    "AIC with groups": "(5)r1c78=r3c9-(5=6)r5c9-(6)r5c2=r1c2 => r1c2<>5",
    "ALS-XZ": "(5=1)r1c125-(1=5)r3c178 => r1c8<>5",
    "AIC with ALS": "(5=1)r1c125-(1)r5c1=r5c9-(1=5)r8c9 => r8c5<>5",
    "XY-wing": "(3=1)r1c9-(1=2)r1c1-(2=3)r9c1 => r9c9<>3",
    "W-wing": "(1=2)r1c1-(2)r5c1=r5c9-(2=1)r9c9 => r1c9<>1",
    "kite": "(5)r1c9=r1c3-r2c1=r9c1 => r9c9<>5",
}
"""The notation of the chain in each position of a pattern, from one of its ends or from the other."""


def chain_step(name: str) -> Step:
    """Return the step in the position of a pattern, with its story."""
    statements, goals = (text.split() for text in SAMPLES[name])
    step = named(position(statements), *goals)
    assert step.name == name
    with SolvingPath(position(statements)) as path:
        return path.with_story(step)


def from_the_other_end(chain: Chain) -> Chain:
    links = [link._replace(first=link.other, other=link.first) for link in reversed(chain.links)]
    return replace(chain, links=tuple(links))


@pytest.mark.parametrize("name", NOTATIONS)
def test_a_chain_is_written_from_end_to_end(name: str) -> None:
    step = chain_step(name)
    assert step.chain is not None
    back = replace(step, chain=from_the_other_end(step.chain))
    assert NOTATIONS[name] in (step.notation(), back.notation())


@pytest.mark.parametrize("name", [*NOTATIONS, "continuous loop"])
def test_the_story_of_a_chain_goes_along_it(name: str) -> None:
    step = chain_step(name)
    assert step.chain is not None
    check_story(step)
    geometry = step.position.board.geometry
    nodes = step.chain.refuting(geometry, step.removed[0]).nodes
    told = [line.candidates[0] for line in step.story if line.kind == "is"]
    along = [(node.cells[0], node.symbol) for node in nodes[1::2] if len(node.cells) == 1]
    assert told[: len(along)] == along


def test_a_loop_ends_with_a_weak_link() -> None:
    step = chain_step("continuous loop")
    assert step.chain is not None
    assert step.chain.is_loop
    assert step.notation().endswith("- => r3c1<>6, r3c9<>5") or step.notation().endswith("- => r3c9<>5, r3c1<>6")


def test_the_facts_of_a_chain_are_named_in_its_order() -> None:
    sentence = chain_step("XY-chain").because()
    cells = [sentence.index(cell) for cell in ("r1c1", "r1c5", "r5c5", "r5c9")]
    assert cells in (sorted(cells), sorted(cells, reverse=True))


def test_records_and_lines_have_the_notation(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["steps", "--json", HARD]) == 0
    records = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    notations = [record["notation"] for record in records if record.get("notation")]
    assert notations
    assert all(record["notation"] is None for record in records if record["name"] == "naked pair")
    assert main(["steps", "--notation", HARD]) == 0
    lines = [line.strip() for line in capsys.readouterr().out.splitlines()]
    assert [line for line in lines if " => " in line] == notations


@settings(max_examples=12, deadline=None)
@given(st.integers(0, 10**6), st.floats(0.3, 0.7))
def test_links_and_chains_hold_in_every_grid(seed: int, share: float) -> None:
    """Of a strong link one node holds in the only solution; no chain excludes what is in it."""
    random = Random(seed)
    geometry = Geometry.classic(2, 3)
    grid = next(iter(solutions(instance("sudoku", geometry, 1.0, seed=seed).board)))
    marks = [sum(1 << s for s in range(6) if s + 1 == symbol or random.random() > share) for symbol in grid]
    board = Board.empty(geometry).with_marks(marks)
    order = Order(tuple(range(36)), tuple(range(1, 7)))
    network = LinkNetwork(Position(board, board.candidates, (0,) * 36), order, SETS)

    def holds(node: Node) -> bool:
        return any(grid[cell] == node.symbol for cell in node.cells)

    for links in network.strong.values():
        for link in links:
            assert holds(link.first) or holds(link.other)
    for cell, symbol in enumerate(grid):
        assert network.find_chain([(cell, symbol)]) is None
        assert network.find_loop([(cell, symbol)]) is None


@pytest.mark.parametrize(
    ("name", "lines"),
    [
        ("", [StoryLine("conclusion")]),
        ("forcing chain", [StoryLine("suppose"), StoryLine("is"), StoryLine("contradiction", after=(0, 1))]),
        (
            "Nishio",
            [StoryLine("suppose"), StoryLine("is", after=(0,)), StoryLine("is", after=(0,))]
            + [StoryLine("contradiction", after=(1, 2))],
        ),
        ("contradiction with cases", [StoryLine("suppose"), StoryLine("cases"), StoryLine("case", depth=1)]),
        ("contradiction with cases", [StoryLine("open")]),
    ],
)
def test_a_step_without_a_pattern_has_the_name_of_its_form(name: str, lines: Sequence[StoryLine]) -> None:
    assert name_by_story(lines) == name
