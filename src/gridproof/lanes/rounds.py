"""Compiled rounds of propagation: 512 puzzles at once, one bit each in a vector of eight words.

The state is an array of vectors, one per candidate; ``flags`` has one per cell: the lanes where the cell has exactly
one candidate left. Accumulating "at least one" and "at least two" of a group with AND and OR is the usual bit-sliced
counter, saturated at two.

A vector is one value in numba code. numba leaves vectorising to LLVM's loop vectoriser, which gives up where it cannot
prove that rows of one array do not overlap: just what in-place propagation looks like. Here a vector is one LLVM value
of type ``<8 x i64>`` instead, so that accumulators stay in registers whatever the machine (one 512-bit register, or two
of 256, or four of 128 bits).

``load``, ``store`` and ``item`` address by offset in elements (words) from the start of a C-contiguous array, without
bounds check or wrap-around of negative indices; vectors must lie at multiples of 64 bytes.
"""

from __future__ import annotations

import importlib
import operator
from collections.abc import Callable
from typing import Any

from gridproof.lanes.kernel_numba import WORDS

# Whether numba is installed, and whether it is typed, differs: to a type checker it is Any throughout.
_extending: Any = importlib.import_module("numba.extending")
_models: Any = importlib.import_module("numba.extending").models
_numba: Any = importlib.import_module("numba")
_types: Any = _numba.types
uint64: Any = _numba.uint64
_ir: Any = importlib.import_module("llvmlite.ir")
_intrinsic: Callable[[Callable[..., Any]], Any] = _extending.intrinsic
_overload: Callable[[Any], Callable[[Any], Any]] = _extending.overload
_register_model: Callable[[Any], Callable[[Any], Any]] = _extending.register_model

ALIGNMENT = 8 * WORDS

_WORD = _ir.IntType(64)
_VECTOR = _ir.VectorType(_WORD, WORDS)


class WordVector(_types.Type):  # type: ignore[misc]
    """The numba type of a vector."""

    def __init__(self) -> None:
        super().__init__(name=f"WordVector{WORDS}")


VECTOR = WordVector()


@_register_model(WordVector)
class _WordVectorModel(_models.PrimitiveModel):  # type: ignore[misc]
    def __init__(self, manager: Any, numba_type: Any) -> None:
        super().__init__(manager, numba_type, _VECTOR)


def _address(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    array = context.make_array(signature.args[0])(context, builder, arguments[0])
    return builder.gep(array.data, [arguments[1]])


@_intrinsic
def load(typing_context: Any, array: Any, offset: Any) -> Any:
    """``load(array, offset)``: the vector that starts ``offset`` words into ``array``."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        pointer = builder.bitcast(_address(context, builder, signature, arguments), _VECTOR.as_pointer())
        return builder.load(pointer, align=ALIGNMENT)

    return VECTOR(array, _types.intp), generate


@_intrinsic
def store(typing_context: Any, array: Any, offset: Any, vector: Any) -> Any:
    """``store(array, offset, vector)``: write ``vector`` from ``offset`` words into ``array`` on."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        pointer = builder.bitcast(_address(context, builder, signature, arguments), _VECTOR.as_pointer())
        builder.store(arguments[2], pointer, align=ALIGNMENT)
        return context.get_dummy_value()

    return _types.void(array, _types.intp, VECTOR), generate


@_intrinsic
def item(typing_context: Any, array: Any, offset: Any) -> Any:
    """``item(array, offset)``: an element of an int64 table."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.load(_address(context, builder, signature, arguments))

    return _types.int64(array, _types.intp), generate


@_intrinsic
def splat(typing_context: Any, word: Any) -> Any:
    """``splat(word)``: ``word`` in every place."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        vector = _ir.Constant(_VECTOR, _ir.Undefined)
        for place in range(WORDS):
            vector = builder.insert_element(vector, arguments[0], _ir.Constant(_ir.IntType(32), place))
        return vector

    return VECTOR(_types.uint64), generate


def _define_binary(instruction: str, *operators: Callable[[Any, Any], Any]) -> None:
    @_intrinsic
    def apply(typing_context: Any, left: Any, right: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            return getattr(builder, instruction)(*arguments)

        return VECTOR(VECTOR, VECTOR), generate

    for function in operators:

        @_overload(function)
        def _implement(left: Any, right: Any) -> Any:
            def implementation(left: Any, right: Any) -> Any:
                return apply(left, right)

            both = isinstance(left, WordVector) and isinstance(right, WordVector)
            return implementation if both else None


@_overload(operator.invert)
def _implement_invert(vector: Any) -> Any:
    def implementation(vector: Any) -> Any:
        return vector ^ splat(uint64(0xFFFFFFFFFFFFFFFF))

    return implementation if isinstance(vector, WordVector) else None


_define_binary("and_", operator.and_, operator.iand)
_define_binary("or_", operator.or_, operator.ior)
_define_binary("xor", operator.xor, operator.ixor)
_define_binary("shl", operator.lshift)
_define_binary("lshr", operator.rshift)


CONFLICT, CHANGED, SCRATCH = 0, WORDS, 2 * WORDS
"""Offsets in ``status``: lanes found contradictory, lanes changed in this round, then 2 * order vectors of scratch."""


def compiled(function: Callable[..., Any], *, entry: bool = False) -> Any:
    """Compile on first call. entry: called from Python; its machine code, which holds all others, is kept on disk.

    Without numba's counting of references (``_nrt``): nothing here makes an array, and to count those that are handed
    on took half of the time of hard puzzles. What is no entry is inlined wherever it is called, so that tuples of many
    arrays are handed on for nothing; wrappers for Python and C would hold and optimise the same code twice more.
    """
    options: dict[str, Any] = {"nogil": True, "error_model": "numpy", "boundscheck": False, "no_cfunc_wrapper": True}
    options["_nrt"] = False
    if not entry:
        return _numba.njit(**options, forceinline=True, no_cpython_wrapper=True)(function)
    try:
        return _numba.njit(cache=True, **options)(function)
    except RuntimeError:  # numba found no writable cache folder
        return _numba.njit(**options)(function)


@compiled
def count_cells(state: Any, flags: Any, order: int) -> None:
    """Set ``flags`` from ``state``."""
    zero = splat(uint64(0))
    for cell in range(order * order):
        once = zero
        twice = zero
        for symbol in range(order):
            value = load(state, (cell * order + symbol) * WORDS)
            twice |= once & value
            once |= value
        store(flags, cell * WORDS, once & ~twice)


@compiled
def propagate_houses(state: Any, flags: Any, tables: Any, status: Any) -> None:
    """Naked and hidden singles of every house, in place, house after house.

    tables: see ``kernel_numba.Tables``. Sets bits of ``status``: a conflict is a cell or a house without a candidate, a
    symbol settled twice in a house, or a cell that two symbols need.
    """
    zero = splat(uint64(0))
    order, candidates, singles = tables.order, tables.house_candidates, tables.house_flags
    conflict = load(status, CONFLICT)
    changed = load(status, CHANGED)
    fixed_at = SCRATCH + order * WORDS
    for start in range(0, candidates.size, order):
        for symbol in range(order):
            once = zero
            twice = zero
            fixed = zero
            clash = zero
            for place in range(start, start + order):
                value = load(state, item(candidates, place) + symbol * WORDS)
                single = value & load(flags, item(singles, place))
                twice |= once & value
                once |= value
                clash |= fixed & single
                fixed |= single
            conflict |= ~once | clash
            store(status, SCRATCH + symbol * WORDS, once & ~twice)
            store(status, fixed_at + symbol * WORDS, fixed)
        for place in range(start, start + order):
            at = item(candidates, place)
            flag = load(flags, item(singles, place))
            hidden = zero
            clash = zero
            for symbol in range(order):
                value = load(state, at + symbol * WORDS) & load(status, SCRATCH + symbol * WORDS)
                clash |= hidden & value
                hidden |= value
            once = zero
            twice = zero
            for symbol in range(order):
                before = load(state, at + symbol * WORDS)
                value = before & (flag | ~load(status, fixed_at + symbol * WORDS))
                value &= load(status, SCRATCH + symbol * WORDS) | ~hidden
                twice |= once & value
                once |= value
                changed |= before ^ value
                store(state, at + symbol * WORDS, value)
            conflict |= ~once | clash
            single = once & ~twice
            # A flag that was behind the state means that other cells have not seen it yet: not a fixpoint.
            changed |= flag ^ single
            store(flags, item(singles, place), single)
    store(status, CONFLICT, conflict)
    store(status, CHANGED, changed)


@compiled
def propagate_segments(state: Any, tables: Any, parts: Any, status: Any) -> None:
    """Locked candidates, in place: what a house needs in a segment leaves the rest of the segment's other house.

    tables: see ``kernel_numba.Tables``. ``parts`` is scratch: one vector per segment ("the segment has the symbol"),
    then two per segment ("the first, the second house needs it there").
    """
    zero = splat(uint64(0))
    segment_starts, segment_cells = tables.segment_starts, tables.segment_cells
    family_starts, family_sides = tables.family_starts, tables.family_sides
    rest_starts, rest_cells = tables.rest_starts, tables.rest_cells
    changed = load(status, CHANGED)
    segments = segment_starts.size - 1
    families = family_starts.size - 1
    needed_at = segments * WORDS
    for symbol in range(0, tables.order * WORDS, WORDS):
        for segment in range(segments):
            some = zero
            for index in range(item(segment_starts, segment), item(segment_starts, segment + 1)):
                some |= load(state, item(segment_cells, index) + symbol)
            store(parts, segment * WORDS, some)
        for family in range(families):
            first = item(family_starts, family)
            last = item(family_starts, family + 1)
            once = zero
            twice = zero
            for index in range(item(rest_starts, family), item(rest_starts, family + 1)):
                once |= load(state, item(rest_cells, index) + symbol)
            for index in range(first, last):
                some = load(parts, (item(family_sides, index) >> 1) * WORDS)
                twice |= once & some
                once |= some
            for index in range(first, last):
                side = item(family_sides, index)
                store(parts, needed_at + side * WORDS, load(parts, (side >> 1) * WORDS) & ~twice)
        for family in range(families):
            first = item(family_starts, family)
            last = item(family_starts, family + 1)
            once = zero
            twice = zero
            for index in range(first, last):
                needed = load(parts, needed_at + (item(family_sides, index) ^ 1) * WORDS)
                twice |= once & needed
                once |= needed
            for index in range(first, last):
                side = item(family_sides, index)
                keep = ~twice & (~once | load(parts, needed_at + (side ^ 1) * WORDS))
                segment = side >> 1
                for place in range(item(segment_starts, segment), item(segment_starts, segment + 1)):
                    at = item(segment_cells, place) + symbol
                    before = load(state, at)
                    value = before & keep
                    changed |= before ^ value
                    store(state, at, value)
            for index in range(item(rest_starts, family), item(rest_starts, family + 1)):
                at = item(rest_cells, index) + symbol
                before = load(state, at)
                value = before & ~once
                changed |= before ^ value
                store(state, at, value)
    store(status, CHANGED, changed)


@compiled
def transpose(source: Any, source_at: int, target: Any, target_at: int) -> None:
    """Eight 64x64 bit transpositions at once: 64 vectors of ``source`` to 64 vectors of ``target``, offsets in words.

    Bit b of word w of vector k becomes bit k of word w of vector b. Source: the block-swapping transposition of Warren,
    "Hacker's Delight", section 7-3.
    """
    for row in range(0, 64 * WORDS, WORDS):
        store(target, target_at + row, load(source, source_at + row))
    width = 32
    mask = uint64(0xFFFFFFFF)
    while width:
        keep = splat(mask)
        shift = splat(uint64(width))
        for block in range(0, 64, 2 * width):
            for row in range(block, block + width):
                upper = target_at + row * WORDS
                lower = upper + width * WORDS
                first = load(target, upper)
                second = load(target, lower)
                swap = ((first >> shift) ^ second) & keep
                store(target, upper, first ^ (swap << shift))
                store(target, lower, second ^ swap)
        width >>= 1
        mask ^= mask << uint64(width)
