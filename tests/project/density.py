"""How dense the lines of the package are; ``python tests/project/density.py [PATH]`` prints each figure and its bound.

A construct is *dense* if a reader has to hold several thoughts at once to follow it. Each figure is a number for 1,000
lines of code: lines with a token, without docstrings and comments. The bounds stand a little above what
python-chess, CPMpy, attrs, httpx, CNFgen and Lark have, whose pages people call easy. A line that a measurement keeps
dense (a hot loop) counts like any other; the bounds leave room for some.
"""

from __future__ import annotations

import ast
import io
import sys
import tokenize
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

PACKAGE = Path(__file__).parents[2] / "src" / "gridproof"

BOUNDS = {
    "comprehensions": 40.0,
    "nested comprehensions": 1.0,
    "conditional expressions": 22.0,
    "stars in displays": 3.0,
    "assignment expressions": 2.0,
    "text * condition": 0.0,
    "next(..., default)": 0.5,
    "loops over one element": 0.0,
    "map and filter": 2.0,
    "lambda": 4.0,
    "tuple assignments": 3.0,
    "stacked statements": 5.0,
}
"""The largest number of each construct for 1,000 lines of code."""

STACKED = 2
"""Number of dense constructs from which on a statement is *stacked*; of all figures this one parts easy pages from hard
ones best."""

MOST_USED_ONCE = 8.0
"""The largest share of private functions that are used in one place, in percent of all functions."""

COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
WITHOUT_CODE = {
    tokenize.COMMENT,
    tokenize.NL,
    tokenize.NEWLINE,
    tokenize.INDENT,
    tokenize.DEDENT,
    tokenize.ENDMARKER,
}
"""The tokens that do not make a line a line of code."""


def count_code_lines(source: str, tree: ast.Module) -> int:
    """Return the number of lines with a token that is no docstring and no comment."""
    docstring_lines: set[int] = set()
    for node in ast.walk(tree):
        if isinstance(node, (ast.Module, ast.ClassDef, *FUNCTIONS)) and ast.get_docstring(node) is not None:
            docstring = node.body[0]
            docstring_lines.update(range(docstring.lineno, (docstring.end_lineno or docstring.lineno) + 1))
    lines: set[int] = set()
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type not in WITHOUT_CODE:
            lines.add(token.start[0])
    return len(lines - docstring_lines)


def dense_constructs(node: ast.AST) -> Iterator[str]:
    """Yield the name of each dense construct in a node and below it that counts towards a stacked statement."""
    for inner in ast.walk(node):
        if isinstance(inner, COMPREHENSIONS):
            yield "comprehensions"
            if _has_comprehension_inside(inner):
                yield "nested comprehensions"
        elif isinstance(inner, ast.IfExp):
            yield "conditional expressions"
        elif isinstance(inner, ast.NamedExpr):
            yield "assignment expressions"
        elif isinstance(inner, (ast.List, ast.Tuple, ast.Set)):
            if any(isinstance(element, ast.Starred) for element in inner.elts):
                yield "stars in displays"
        elif isinstance(inner, ast.BinOp) and isinstance(inner.op, ast.Mult):
            if _is_condition(inner.left) or _is_condition(inner.right):
                yield "text * condition"
        elif isinstance(inner, ast.Call) and _calls(inner, "next") and len(inner.args) == 2:
            yield "next(..., default)"
        elif isinstance(inner, ast.For) and isinstance(inner.iter, (ast.List, ast.Tuple)) and len(inner.iter.elts) == 1:
            yield "loops over one element"


def further_constructs(tree: ast.AST) -> Iterator[str]:
    """Yield the name of each construct that is dense by itself."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Lambda):
            yield "lambda"
        elif isinstance(node, ast.Call) and (_calls(node, "map") or _calls(node, "filter")):
            yield "map and filter"
        elif (
            isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Tuple) and _has_computed_value(node.value)
        ):
            yield "tuple assignments"


def stacked_statements(tree: ast.AST) -> Iterator[ast.stmt]:
    """Yield each statement with several dense constructs, without those of the statements inside it."""
    for node in ast.walk(tree):
        if isinstance(node, ast.stmt):
            constructs = 0
            for expression in _own_expressions(node):
                constructs += len(list(dense_constructs(expression)))
            if constructs >= STACKED:
                yield node


def private_functions_used_once(trees: Iterable[ast.AST]) -> tuple[list[str], int]:
    """Return the private functions whose name occurs in one place but their own, and the number of all functions."""
    functions = 0
    private: list[str] = []
    uses = Counter[str]()
    for tree in trees:
        for node in ast.walk(tree):
            if isinstance(node, FUNCTIONS):
                functions += 1
                if node.name.startswith("_") and not node.name.startswith("__"):
                    private.append(node.name)
            elif isinstance(node, ast.Name):
                uses[node.id] += 1
            elif isinstance(node, ast.Attribute):
                uses[node.attr] += 1
    return [name for name in private if uses[name] == 1], functions


def measure(files: Iterable[Path]) -> dict[str, float]:
    """Return each figure for some files."""
    lines = 0
    constructs = Counter[str]()
    for path in files:
        source = path.read_text(encoding="utf-8")
        tree = ast.parse(source)
        lines += count_code_lines(source, tree)
        constructs.update(dense_constructs(tree))
        constructs.update(further_constructs(tree))
        constructs["stacked statements"] += len(list(stacked_statements(tree)))
    return {name: 1000 * constructs[name] / max(lines, 1) for name in BOUNDS}


def _has_comprehension_inside(node: ast.AST) -> bool:
    return any(isinstance(inner, COMPREHENSIONS) for inner in ast.walk(node) if inner is not node)


def _is_condition(node: ast.AST) -> bool:
    if isinstance(node, ast.UnaryOp):
        return isinstance(node.op, ast.Not)
    return isinstance(node, (ast.Compare, ast.BoolOp))


def _calls(node: ast.Call, name: str) -> bool:
    return isinstance(node.func, ast.Name) and node.func.id == name


def _has_computed_value(node: ast.expr) -> bool:
    """Return whether a tuple has a value that is more than a name, a constant or an empty list, set or dict."""
    return isinstance(node, ast.Tuple) and not all(_is_plain(element) for element in node.elts)


def _is_plain(node: ast.expr) -> bool:
    if isinstance(node, (ast.Attribute, ast.Starred)):
        return _is_plain(node.value)
    if isinstance(node, ast.UnaryOp):
        return _is_plain(node.operand)
    if isinstance(node, (ast.List, ast.Tuple, ast.Set)):
        return not node.elts
    if isinstance(node, ast.Dict):
        return not node.keys
    return isinstance(node, (ast.Name, ast.Constant))


def _own_expressions(statement: ast.stmt) -> list[ast.AST]:
    """Return the expressions of a statement itself, without those of statements inside it."""
    if isinstance(statement, (ast.For, ast.AsyncFor)):
        return [statement.target, statement.iter]
    if isinstance(statement, (ast.If, ast.While)):
        return [statement.test]
    if isinstance(statement, (ast.With, ast.AsyncWith)):
        return [item.context_expr for item in statement.items]
    if isinstance(statement, (ast.Assign, ast.AnnAssign, ast.AugAssign, ast.Return, ast.Expr, ast.Raise, ast.Assert)):
        return [statement]
    return []


def main(root: Path) -> None:
    """Print each figure of a file or folder beside its bound, then the places of stacked statements."""
    files = [root] if root.is_file() else sorted(root.rglob("*.py"))
    for name, figure in measure(files).items():
        print(f"{name:28}{figure:8.1f}   at most {BOUNDS[name]:g}")
    trees = [ast.parse(path.read_text(encoding="utf-8")) for path in files]
    once, functions = private_functions_used_once(trees)
    share = 100 * len(once) / max(functions, 1)
    print(f"{'private, used once, %':28}{share:8.1f}   at most {MOST_USED_ONCE:g}")
    for path, tree in zip(files, trees, strict=True):
        for statement in stacked_statements(tree):
            print(f"{path}:{statement.lineno}: {ast.unparse(statement).splitlines()[0][:100]}")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else PACKAGE)
