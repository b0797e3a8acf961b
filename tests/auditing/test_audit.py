"""Audits: what is planted is found and nothing else, whatever the jobs, the shares and the interruptions."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from random import Random

import numpy as np
import pandas
import pytest

import gridproof
from gridproof import Geometry, audit
from gridproof.auditing import matches
from gridproof.auditing.fingerprints import NOTHING, fingerprints
from gridproof.auditing.matches import How, Match, Tally, find_matches
from gridproof.auditing.stages import Sample
from gridproof.cli import main
from gridproof.errors import InputError, Interrupted
from gridproof.formats import datasets, to_line
from gridproof.generation.images import images
from gridproof.puzzle.board import Board

BOARDS = datasets.load("seventeen")[:12]
TEXTS = [board.text() for board in BOARDS]


def disguise(number: int) -> str:
    """An image of a board."""
    (image,) = images(BOARDS[number], 1, seed=number)
    return image.board.text()


def solution_of(board: Board) -> str:
    return "".join(str(symbol) for symbol in gridproof.verify(board).solutions[0])


@pytest.fixture
def planted(tmp_path: Path) -> tuple[Path, Path]:
    """A training and a test set with faults, doubles and leaks."""
    rows = [(board.text(), solution_of(board)) for board in BOARDS[:8]]
    rows[1] = (rows[1][0], rows[2][1])  # another puzzle's answer
    rows.append((TEXTS[3].replace(".", "0"), rows[3][1]))  # the same cells, written otherwise
    rows.append((disguise(4), ""))
    rows.append(("1" + "." * 80, ""))
    rows.append(("11" + "." * 79, ""))
    rows.append(("damaged", ""))
    train = tmp_path / "train.csv"
    train.write_text("id,puzzle,solution\n" + "".join(f"{n},{p},{s}\n" for n, (p, s) in enumerate(rows)))
    test = tmp_path / "test.txt.gz"
    lines = [TEXTS[8], disguise(5), TEXTS[9], TEXTS[6], TEXTS[10], disguise(6)]
    test.write_bytes(gzip.compress("\n".join(lines).encode()))
    return train, test


def test_what_is_planted_is_found_and_nothing_else(planted: tuple[Path, Path], tmp_path: Path) -> None:
    output = tmp_path / "pairs.csv"
    found = audit(*planted, output=output, grades=3, jobs=0)
    train, test = found.files
    assert train.verdicts == {"malformed": 1, "multiple": 1, "none": 1, "unique": 10}
    assert train.stored == {"right": 8, "wrong": 1}
    assert (train.same, train.symmetric, train.different) == (1, 1, 10)
    assert train.faults == 4
    assert sum(train.grades.values()) == 3
    assert (test.rows, test.same, test.symmetric, test.different) == (6, 0, 1, 5)
    assert [(overlap.same, overlap.symmetric) for overlap in found.overlaps] == [(1, 2)]
    pairs = pandas.read_csv(output)
    shown = []
    for one in pairs.itertuples():
        shown.append((Path(one.file).name, one.row, Path(one.equal_to_file).name, one.equal_to_row, one.how))
    assert sorted(shown) == sorted(
        [
            ("train.csv", 9, "train.csv", 4, "same"),
            ("train.csv", 10, "train.csv", 5, "symmetric"),
            ("test.txt.gz", 2, "train.csv", 6, "symmetric"),
            ("test.txt.gz", 4, "train.csv", 7, "same"),
            ("test.txt.gz", 6, "train.csv", 7, "symmetric"),
            ("test.txt.gz", 6, "test.txt.gz", 4, "symmetric"),
        ]
    )
    assert not found.is_clean
    lines = str(found).splitlines()
    assert lines[0].endswith("train.csv: 13 rows, 10 with exactly one solution")
    assert "  10 puzzles differ up to symmetry; 2 rows are an earlier one again: 1 the same, 1 in disguise" in lines
    assert lines[-1].endswith(": 1 the same, 2 in disguise")
    assert lines[-1].startswith("3 rows of")


def test_the_page_of_a_set_of_images_reads_well(tmp_path: Path) -> None:
    several, other = tmp_path / "images.txt", tmp_path / "other.txt"
    texts = [
        to_line(image.board.clues, image.board.geometry)
        for image in images(gridproof.parse("1.....2..3.....4"), 5, seed=1)
    ]
    several.write_text("".join(f"{text}\n" for text in texts))
    other.write_text("12............34\n")
    assert str(audit(several, other, grades=3)).replace(f"{tmp_path}/", "").splitlines() == [
        "images.txt: 5 rows, each with exactly one solution",
        "  all 5 puzzles are one up to symmetry: 4 in disguise",
        "  clues: 4 in every puzzle",
        "  grades of a sample of 3: all easy",
        "other.txt: 1 row, 0 with exactly one solution",
        "  at fault: 1 multiple",
        "  no puzzle is there twice",
        "  clues: 4",
        "no row of other.txt is in images.txt",
    ]


@pytest.mark.process
def test_jobs_and_shares_change_nothing(
    planted: tuple[Path, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    results = []
    for jobs in (0, 2):
        output = tmp_path / f"pairs-{jobs}.csv"
        results.append((str(audit(*planted, output=output, grades=2, jobs=jobs)), output.read_bytes()))
    assert results[0] == results[1]
    monkeypatch.setattr(matches, "ROWS_AT_ONCE", 4)
    output = tmp_path / "shares.csv"
    assert str(audit(*planted, output=output, grades=2, jobs=0)) == results[0][0]
    assert sorted(output.read_bytes().splitlines()) == sorted(results[0][1].splitlines())


def test_an_audit_that_was_stopped_goes_on(planted: tuple[Path, Path], tmp_path: Path) -> None:
    whole = str(audit(*planted, grades=2, jobs=0))
    folder = tmp_path / "kept"
    for looks in (0, 1, 2):
        left = [looks]

        def stop(left: list[int] = left) -> bool:
            left[0] -= 1
            return left[0] < 0

        with pytest.raises(Interrupted):
            audit(*planted, grades=2, jobs=0, folder=folder, resume=True, stop=stop)
    with pytest.raises(InputError, match="--resume"):
        audit(*planted, grades=2, jobs=0, folder=folder)
    with pytest.raises(InputError, match="of these files"):
        audit(planted[0], jobs=0, folder=folder, resume=True)
    assert str(audit(*planted, grades=2, jobs=0, folder=folder, resume=True)) == whole


def test_fingerprints_are_those_of_least_forms() -> None:
    texts = [*TEXTS, *(disguise(number) for number in range(6)), "", "damaged", "1.....2..3.....4"]
    records = fingerprints(texts)
    forms = [record["form"].tobytes() for record in records]
    assert forms[:6] == forms[12:18]
    assert len(set(forms[:12])) == 12
    assert forms[18] == forms[19] == NOTHING
    assert records[18]["text"].tobytes() == NOTHING
    assert records[19]["text"].tobytes() != NOTHING
    assert records["clues"].tolist()[:12] == [17] * 12
    for number in range(6):
        assert gridproof.canonical(texts[12 + number]).board == gridproof.canonical(BOARDS[number]).board


def test_matches_agree_with_a_comparison_of_all_pairs() -> None:
    random = Random(4)
    pool = TEXTS[:3] + [disguise(number) for number in range(3)]
    files = [[random.choice(pool) for _ in range(random.randint(3, 9))] for _ in range(3)]
    tally = Tally()
    found = set(find_matches([fingerprints(texts) for texts in files], tally))
    kind = {text: number % 3 for number, text in enumerate(pool)}
    expected = set()
    for file, texts in enumerate(files, 1):
        for row, text in enumerate(texts, 1):
            for earlier in range(1, file + 1):
                before = files[earlier - 1][: row - 1 if earlier == file else None]
                alike = [place for place, other in enumerate(before, 1) if kind[other] == kind[text]]
                same = [place for place, other in enumerate(before, 1) if other == text]
                if alike:
                    how: How = "same" if same else "symmetric"
                    expected.add(Match(file, row, earlier, (same or alike)[0], how))
    assert found == expected
    assert sum(tally.within.values()) + sum(tally.between.values()) == len(expected)
    assert [tally.different[file] for file in (1, 2, 3)] == [len({kind[text] for text in texts}) for texts in files]


def test_boards_with_rules_are_compared_by_the_symmetries_that_keep_them(tmp_path: Path) -> None:
    path = tmp_path / "rules.txt"
    path.write_text(
        ".Shape~4x4.~R1C1_1.AntiKnight\n" * 2 + ".Shape~4x4.~R4C4_2.AntiKnight\n.Shape~4x4.~R2C2_2.AntiKnight\n"
    )
    found = audit(path, grades=0, jobs=0).files[0]
    assert (found.not_compared, found.same, found.symmetric, found.different) == (0, 1, 1, 2)
    kept_by_none = "1............... # named\n.Jigsaw~AAAABBBCBDCCDDDC.Shape~4x4.Cage~3~R1C1~R1C2\n"
    path.write_text(kept_by_none)
    assert audit(path, grades=0, jobs=0).files[0].not_compared == 1


def test_a_sample_gives_each_text_the_same_chance() -> None:
    chosen = np.zeros(10, int)
    for seed in range(2000):
        sample = Sample(3, seed)
        for text in "0123456789":
            sample.offer(text)
        assert len(set(sample.chosen)) == 3
        for text in sample.chosen:
            chosen[int(text)] += 1
    assert chosen.min() > 520
    assert chosen.max() < 680


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "set.txt"
    path.write_text(f"{TEXTS[0]}\n{TEXTS[1]}\n")
    assert main(["audit", str(path), "--jobs", "0", "--grades", "0", "-q", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["is_clean"]
    empty = tmp_path / "empty.txt"
    empty.write_text("")
    for arguments, problem in (
        ([str(empty)], "no puzzle in it"),
        ([str(path), str(path)], "each file once"),
        ([str(tmp_path / "none")], "is no file"),
    ):
        assert main(["audit", "--jobs", "0", "-q", *arguments]) == 2
        assert problem in capsys.readouterr().err


def test_large_boards() -> None:
    board = Board.empty(Geometry.classic(4)).with_clue("r1c1", 3)
    one, other = fingerprints([board.text(), board.without_clue("r1c1").with_clue("r5c9", 16).text()])
    assert one["form"] == other["form"]
