"""The model that a backend gets of a problem: compiled with the encoding that was named, or with its default one."""

from __future__ import annotations

from gridproof.backends.protocol import Backend, Model
from gridproof.errors import BackendUnavailable
from gridproof.expect import expect
from gridproof.limits import NO_LIMITS, Limits, model_made_within
from gridproof.models import catalog, targets
from gridproof.models.targets import Encoding
from gridproof.puzzle.board import Problem
from gridproof.puzzle.geometry import Geometry


def compile_model(
    problem: Problem | Geometry, backend: Backend, encoding: Encoding | None, limits: Limits = NO_LIMITS
) -> Model:
    """Return the model of ``problem`` that ``backend`` takes.

    Raises ``Interrupted`` if the time limit comes first; ``limits.MODEL_SECONDS`` are allowed in any case.
    """
    problem = Problem.of(problem)
    if backend.accepts == "problem" or encoding is None:
        return problem
    with model_made_within(limits):
        return targets.find(encoding.target).compile(problem, encoding)


def default_encoding(backend: Backend, problem: Problem | Geometry | None = None) -> Encoding | None:
    """Return the default encoding, or ``None`` for a backend that takes the problem itself.

    Without a problem it is the default for boards of usual size without rules.
    """
    if backend.accepts == "problem":
        return None
    name = targets.find(backend.accepts).default_encoding(None if problem is None else Problem.of(problem))
    return catalog.packaged(name)


def encoding_for(backend: Backend, encoding: str | Encoding | None) -> Encoding | None:
    """Return the named encoding, or the default one.

    Raises ``BackendUnavailable`` if the backend does not take it, and ``EncodingError`` if there is no such encoding.
    """
    if encoding is None:
        return default_encoding(backend)
    expect(encoding, (str, Encoding), "encoding", "a name, a path ending in .toml, or an Encoding")
    if backend.accepts == "problem":
        name = encoding if isinstance(encoding, str) else encoding.name
        raise BackendUnavailable(f"{backend.name} searches the board itself and takes no encoding, so not {name!r}")
    named = catalog.load(encoding) if isinstance(encoding, str) else encoding
    if named.target != backend.accepts:
        raise BackendUnavailable(
            f"{backend.name} takes encodings of target {backend.accepts!r}; {named.name!r} has {named.target!r}"
        )
    return named
