"""JSON lines: what is written comes back, whatever its kinds of rules; records of other people; what is wrong."""

from __future__ import annotations

import csv
import json
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

import gridproof
from cli_runner import Command
from gridproof import Geometry
from gridproof.errors import NotUnderstoodError, PuzzleFormatError
from gridproof.formats import Puzzle, Unread, read, read_puzzle
from gridproof.formats.known.jsonl import puzzle_record, write_record
from gridproof.puzzle.board import Board
from gridproof.puzzle.digits import Digits
from gridproof.rules import Rule, all_kinds, parse_rule
from rules.random_rules import random_rule

NINE = Geometry.classic(3)
KINDS = list(all_kinds().values())


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.kind)
def test_every_kind_of_rule_comes_back(kind: type[Rule]) -> None:
    random = Random(kind.kind)
    rules = [parse_rule(kind.example).make(NINE)]
    for _ in range(4):
        rules.append(random_rule(kind, NINE, random))
    for rule in rules:
        board = Board.empty(NINE).with_rules(rule)
        record = puzzle_record(Puzzle(board))
        assert record["rule_list"][0]["kind"] == kind.kind
        assert record["sentences"] == [rule.sentence(NINE)]
        (by_text,) = read([json.dumps(record)])
        assert isinstance(by_text, Puzzle), by_text
        assert by_text.board == board
        del record["puzzle"]  # the keys state all of it
        (by_keys,) = read([json.dumps(record)])
        assert isinstance(by_keys, Puzzle), by_keys
        assert by_keys.board == board


@pytest.mark.parametrize(
    "geometry",
    [
        Geometry.classic(2),
        Geometry.classic(2, 3),
        Geometry.latin(5),
        Geometry.jigsaw("AAAB CABB CCDB CDDD"),
        NINE.with_diagonals(),
        NINE.with_windoku(),
        Geometry.classic(2).with_houses([[5, 6, 9, 10]]),
        NINE.with_digits(Digits(0, 8)),
        Geometry.oblong(4, 6),
        Geometry.latin(36),
    ],
    ids=lambda geometry: geometry.description,
)
def test_every_shape_comes_back(geometry: Geometry) -> None:
    clues = [0] * geometry.cell_count
    clues[1] = geometry.symbol_count
    filled = [0] * geometry.cell_count
    filled[0] = 1
    puzzle = Puzzle(Board(geometry, tuple(clues)).with_filled(filled), title="A title", author="Nobody", prose="Words.")
    (again,) = read([write_record(puzzle)])
    assert again == puzzle


def test_marks_solution_and_what_is_unread_come_back() -> None:
    board = gridproof.parse("1... ..2. .3.. ...4")
    solution = gridproof.verify(board).solutions[0]
    puzzle = Puzzle(board.with_marks([7] + [15] * 15), solution, unread=(Unread("line 1", "drawn"),))
    (again,) = read([write_record(puzzle)], despite_unread=True)
    assert isinstance(again, Puzzle)
    assert (again.board.candidates, again.solution) == (puzzle.board.candidates, solution)
    assert [part.where for part in again.not_understood] == ["line 1"]
    (refused,) = read([write_record(puzzle)])
    assert isinstance(refused, NotUnderstoodError)


def test_drawings_come_back() -> None:
    text = '{"grid": [[{}, {}], [{}, {}]], "line": [{"lines": [["R1C1", "R1C2"]], "outlineC": "#0f0"}]}'
    line = gridproof.convert(text, "jsonl", despite_unread=True)
    assert json.loads(line)["drawn"][0]["cells"] == ["r1c1 r1c2"]
    assert gridproof.read_puzzle(line).not_understood
    named = gridproof.read_puzzle(line, readings={"A": "renban"})
    assert [rule.kind for rule in named.board.rules] == ["renban"]


def test_lines_among_other_lines(call: Command, tmp_path: Path) -> None:
    grid = "1234341221434321"
    line = write_record(Puzzle(Board.empty(Geometry.classic(2)).with_rules("killer 5 r1c1 r1c2")))
    path = tmp_path / "mixed.txt"
    path.write_text(f"{grid}\n{line}\n{grid}\n")
    code, out, _ = call("verify", str(path), "-q", "--json")
    assert code == 1
    assert [json.loads(row)["line"] for row in out.splitlines()] == [1, 2, 3]
    table = tmp_path / "verdicts.csv"
    assert call("verify", str(path), "-q", "-o", str(table))[0] == 1
    with table.open(newline="") as lines:
        assert [row["verdict"] for row in csv.DictReader(lines)] == ["unique", "multiple", "unique"]


@pytest.mark.parametrize(
    "record",
    [
        {"puzzle": "1.....2..3.....4", "solution": "1243342143122134", "source": "a book"},
        {"Question": "1.....2..3.....4", "answer": "1243342143122134"},
        {"id": 7, "quizzes": [[1, 0, 0, 0], [0, 0, 2, 0], [0, 3, 0, 0], [0, 0, 0, 4]], "solutions": [1, 2, 4, 3] * 4},
        {"board": {"clues": "1.....2..3.....4"}},
    ],
)
def test_records_of_other_people(record: dict[str, object]) -> None:
    (puzzle,) = read([json.dumps(record)])
    assert isinstance(puzzle, Puzzle)
    assert puzzle.board == gridproof.parse("1.....2..3.....4")
    assert puzzle.columns == record
    assert (puzzle.solution is not None) == (len(record) > 1)


def test_a_link_in_a_record() -> None:
    board = Board.empty(NINE).with_rules("killer 5 r1c1 r1c2")
    link = gridproof.convert(board, "f-puzzles").strip()
    assert gridproof.parse(json.dumps({"puzzle": link})) == board


def test_rules_that_nobody_reads_are_unread() -> None:
    puzzle = read_puzzle('{"puzzle": "1.....2..3.....4", "rules": ["a knight never sees its own digit"]}')
    assert [part.where for part in puzzle.not_understood] == ["rules"]
    assert not read_puzzle('{"puzzle": "1.....2..3.....4", "rules": []}').not_understood


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"puzzle": "2.....2..3.....4"}, "puzzle and board state two different puzzles"),
        ({"rule_list": [{"kind": "even", "cells": ["r1c2"]}]}, "puzzle and board state two different puzzles"),
        ({"rule_list": [{"kind": "evn", "cells": ["r1c2"]}]}, "no kind of rule is called 'evn'"),
        ({"rule_list": [{"kind": "even", "cells": [["r1c2"], 3]}]}, "expected cells such as"),
        ({"rule_list": [{"kind": "even", "cells": ["r7c2"]}]}, "r7c2 is not on a board"),
        ({"rule_list": "even"}, "cells is missing"),
        ({"board": {"clues": "1.....2..3.....4", "colour": "red"}}, "unknown key colour"),
        ({"board": {"boxes": "2x2"}}, "no key clues"),
        ({"board": {"clues": "1.....2..3....4"}}, "clues: "),
        ({"digits": "1-9"}, "digits 1-9 of a board whose digits are 1-4"),
    ],
)
def test_what_is_wrong_in_a_record(change: dict[str, object], message: str) -> None:
    record = puzzle_record(Puzzle(gridproof.parse("1.....2..3.....4"))) | change
    (item,) = read([json.dumps(record)])
    assert isinstance(item, PuzzleFormatError)
    assert message in str(item)


def test_text_that_is_no_record() -> None:
    for text in ('{"puzzle": 3}', '{"puzzle": "1.....2..3.....4"', '{"a": "puzzle"}'):
        (item,) = read([text])
        assert isinstance(item, PuzzleFormatError)
    deep = '{"puzzle": ' + "[" * 100_000 + "]" * 100_000 + "}"
    assert all(isinstance(item, PuzzleFormatError) for item in read([deep]))


def test_a_record_keeps_its_other_keys_apart() -> None:
    puzzle = Puzzle(gridproof.parse("1.....2..3.....4"))
    (again,) = read([json.dumps({**puzzle_record(puzzle), "grade": "easy", "seed": 7})])
    assert isinstance(again, Puzzle)
    assert again == replace(puzzle)
    assert (again.columns["grade"], again.columns["seed"]) == ("easy", 7)
