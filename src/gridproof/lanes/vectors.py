"""Vectors of eight machine words, as values in numba code.

numba leaves vectorising to LLVM's loop vectoriser, which gives up where it cannot prove that rows of one array do not
overlap: just what in-place propagation looks like. Here a vector is one LLVM value of type ``<8 x i64>`` instead, so
that accumulators stay in registers whatever the machine (one 512-bit register, or two of 256, or four of 128 bits).

``load``, ``store``, ``item`` and ``put`` address by offset in elements from the start of a C-contiguous array, of any
shape, without bounds check or wrap-around of negative indices; vectors must lie at multiples of 64 bytes.
"""

from __future__ import annotations

import importlib
import operator
from collections.abc import Callable
from typing import Any

from gridproof.lanes.batch_numba import WORDS

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
    """``item(array, offset)``: an element of an array."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.load(_address(context, builder, signature, arguments))

    return array.dtype(array, _types.intp), generate


@_intrinsic
def put(typing_context: Any, array: Any, offset: Any, value: Any) -> Any:
    """``put(array, offset, value)``: write an element of an array."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        builder.store(arguments[2], _address(context, builder, signature, arguments))
        return context.get_dummy_value()

    return _types.void(array, _types.intp, array.dtype), generate


@_intrinsic
def count_ones(typing_context: Any, word: Any) -> Any:
    """``count_ones(word)``: the number of bits that are set."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.ctpop(arguments[0])

    return _types.int64(_types.uint64), generate


@_intrinsic
def lowest_one(typing_context: Any, word: Any) -> Any:
    """``lowest_one(word)``: the place of the lowest bit that is set; 64 if none is."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.cttz(arguments[0], _ir.Constant(_ir.IntType(1), 0))

    return _types.int64(_types.uint64), generate


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
