"""The contract of ``Incremental``, on every backend: those that offer it keep it, the others are refused."""

from __future__ import annotations

from itertools import combinations, product
from random import Random

import pytest

from core_samples import pigeons
from gridproof import backends
from gridproof.backends import Backend
from gridproof.errors import BackendUnavailable, Interrupted
from gridproof.limits import Limits, Watch

ALL = [backend for backend in backends.all_backends() if not backend.unavailable()]
OFFERING = [backend for backend in ALL if not backend.no_incremental()]
REFUSING = [backend for backend in ALL if backend.no_incremental()]


def random_clauses(random: Random, variables: int, number: int) -> list[list[int]]:
    return [
        [variable * random.choice((1, -1)) for variable in random.sample(range(1, variables + 1), 3)]
        for _ in range(number)
    ]


def satisfiable(clauses: list[list[int]], variables: int) -> bool:
    return any(
        all(any((literal > 0) == values[abs(literal) - 1] for literal in clause) for clause in clauses)
        for values in product((False, True), repeat=variables)
    )


def test_some_offer_it_and_some_do_not() -> None:
    assert {"cadical153", "glucose4", "minisat22"} <= {backend.name for backend in OFFERING}
    assert {"kissat404", "lingeling", "cp-sat", "reference"} <= {backend.name for backend in REFUSING}


@pytest.mark.parametrize("backend", OFFERING, ids=lambda backend: backend.name)
class TestOffered:
    def test_answers_models_and_cores_are_true_while_clauses_come(self, backend: Backend) -> None:
        random = Random(backend.name)
        answers = set()
        for _ in range(6):
            clauses = random_clauses(random, 6, 12)
            with backend.incremental(clauses) as solver:
                for _ in range(8):
                    assumptions = [v * random.choice((1, -1)) for v in random.sample(range(1, 7), 2)]
                    units = [[literal] for literal in assumptions]
                    answer = solver.solve(assumptions)
                    answers.add(answer)
                    assert answer == satisfiable([*clauses, *units], 6)
                    if answer:
                        true = set(solver.model())
                        assert all(true & set(clause) for clause in [*clauses, *units])
                    else:
                        core = solver.core()
                        assert set(core) <= set(assumptions)
                        assert not satisfiable([*clauses, *([literal] for literal in core)], 6)
                    clauses += random_clauses(random, 6, 2)
                    solver.add(clauses[-2])
                    solver.add(clauses[-1])
        assert answers == {True, False}

    def test_of_a_group_at_most_one_literal_is_true(self, backend: Backend) -> None:
        random = Random(backend.name)
        answers = set()
        for _ in range(40):
            clauses = random_clauses(random, 6, 8)
            groups = random_clauses(random, 6, 5)
            pairs = [[-first, -second] for group in groups for first, second in combinations(group, 2)]
            with backend.incremental(clauses, groups) as solver:
                answer = solver.solve()
                answers.add(answer)
                assert answer == satisfiable([*clauses, *pairs], 6)
                if answer:
                    true = set(solver.model())
                    assert all(true & set(clause) for clause in [*clauses, *pairs])
        assert answers == {True, False}

    @pytest.mark.slow
    def test_a_limit_stops_it_and_it_goes_on(self, backend: Backend) -> None:
        with backend.incremental(pigeons(7)) as solver:
            with pytest.raises(Interrupted) as stop:
                solver.solve((), Watch(Limits(conflicts=10)))
            assert stop.value.limit == "conflicts"
            with pytest.raises(Interrupted) as stop:
                solver.solve((), Watch(Limits(seconds=1e-9)))
            assert stop.value.limit == "seconds"
            assert not solver.solve()

    def test_it_counts(self, backend: Backend) -> None:
        with backend.incremental(pigeons(5)) as solver:
            solver.prefer([1])
            assert not solver.solve()
            counters = solver.counters()
        assert {"decisions", "conflicts", "propagations", "restarts"} <= set(counters)
        assert counters["conflicts"] > 0


@pytest.mark.parametrize("backend", REFUSING, ids=lambda backend: backend.name)
def test_a_backend_without_it_gives_the_reason(backend: Backend) -> None:
    with pytest.raises(BackendUnavailable) as refused:
        backend.incremental([[1]])
    assert str(refused.value) == f"{backend.name}: {backend.no_incremental()}"
    with pytest.raises(BackendUnavailable, match="cadical153") as refused:
        backends.find_able(backend, "explain", lambda one: one.no_incremental())
    assert str(refused.value).startswith(f"{backend.name} cannot explain: ")
