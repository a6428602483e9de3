"""Changes of code, one at a time: a comparison, a number, a condition, a citation, a line.

Docstrings, type hints, decorators, assertions, errors raised and the words of a finding are left alone.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from copy import deepcopy

from msgspec import Struct

COMPARISONS: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
}

WITHOUT_CONSEQUENCE = frozenset({"strict", "maxsize", "gc", "frozen", "eq", "kw_only"})
"""Keywords whose value no rule depends on."""

COPYING = frozenset({"replace", "moved", "updated"})
"""Functions that copy a value with some fields changed: a field left out is a change forgotten."""

LEFT_ALONE = (ast.Raise, ast.Assert, ast.JoinedStr)
"""What an error says is no rule, an assertion only tells the type checker what is known, and text is wording."""

Topics = Mapping[str, Sequence[str]]
"""The names of the rules that each module of a catalogue declares."""

Function = ast.FunctionDef | ast.AsyncFunctionDef


class Edit(Struct, frozen=True):
    """One change of a source: the bytes replaced and what stands there instead."""

    start: int
    end: int
    new: str
    line: int
    where: str
    """The class and function it is in; empty at the level of the module."""
    in_body: bool
    """Whether it is in the body of a function, so that nothing but this function has to be made anew."""
    what: str
    """What was changed, in a few words."""

    def of(self, source: str) -> str:
        """The source with this change."""
        data = source.encode()
        return (data[: self.start] + self.new.encode() + data[self.end :]).decode()


def edits(source: str, topics: Topics | None = None) -> list[Edit]:
    """Every change of a source, each once, in the order of the source."""
    walk = _Walk(source, topics or {})
    walk.body(ast.parse(source).body)
    return sorted(set(walk.found), key=lambda edit: (edit.start, edit.end, edit.new))


class _Walk(ast.NodeVisitor):
    """Goes through a module and notes each change with its place."""

    def __init__(self, source: str, topics: Topics) -> None:
        self.found: list[Edit] = []
        self._topics = topics
        self._data = source.encode()
        self._starts = [0]
        for row in self._data.splitlines(keepends=True):
            self._starts.append(self._starts[-1] + len(row))
        self._names: list[str] = []
        self._functions: list[Function] = []
        self._bound: set[str] = set()

    # Noting a change

    def _note(self, node: ast.expr | ast.stmt, new: str, what: str = "") -> None:
        start = self._starts[node.lineno - 1] + node.col_offset
        end = self._starts[(node.end_lineno or node.lineno) - 1] + (node.end_col_offset or 0)
        old = " ".join(self._data[start:end].decode().split())
        what = what or f"{_short(old)} → {_short(new)}"
        self.found.append(Edit(start, end, new, node.lineno, ".".join(self._names), bool(self._functions), what))

    def _instead(self, node: ast.expr, new: ast.expr) -> None:
        self._note(node, f"({ast.unparse(new)})" if isinstance(new, _LOOSE) else ast.unparse(new))

    # Statements

    def visit(self, node: ast.AST) -> None:
        """Note the changes of a node, unless no rule depends on it."""
        if not isinstance(node, LEFT_ALONE):
            super().visit(node)

    def body(self, statements: Sequence[ast.stmt]) -> None:
        for statement in statements:
            self.visit(statement)

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        self._names.append(node.name)
        self.body(node.body)
        self._names.pop()

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        if node.name in ("__repr__", "__str__"):
            return
        self._names.append(node.name)
        for default in (*node.args.defaults, *filter(None, node.args.kw_defaults)):
            self.visit(default)
        outer = self._bound
        self._bound = {arg.arg for arg in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs)}
        self._functions.append(node)
        self.body(node.body)
        self._functions.pop()
        self._bound = outer
        self._names.pop()

    def visit_Expr(self, node: ast.Expr) -> None:
        if isinstance(node.value, ast.Constant):
            return
        if self._functions:
            self._note(node, "pass", f"left out: {_short(ast.unparse(node))}")
        self.generic_visit(node)

    def visit_Assign(self, node: ast.Assign) -> None:
        names = {name.id for target in node.targets for name in ast.walk(target) if isinstance(name, ast.Name)}
        again = all(isinstance(target, ast.Attribute | ast.Subscript) for target in node.targets)
        if self._functions and (again or (names and names <= self._bound)):
            self._note(node, "pass", f"left out: {_short(ast.unparse(node))}")
        self._bound |= names
        self.visit(node.value)

    def visit_AugAssign(self, node: ast.AugAssign) -> None:
        self._note(node, "pass", f"left out: {_short(ast.unparse(node))}")
        self.visit(node.value)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        if isinstance(node.target, ast.Name):
            self._bound.add(node.target.id)
        if node.value:
            self.visit(node.value)

    def visit_Continue(self, node: ast.Continue | ast.Break) -> None:
        self._note(node, "pass", f"left out: {ast.unparse(node)}")

    visit_Break = visit_Continue

    def visit_Return(self, node: ast.Return) -> None:
        if node.value is None:
            return
        told = ast.unparse(self._functions[-1].returns) if self._functions and self._functions[-1].returns else ""
        none = "()" if told == "Violations" else "None" if told == "Violation | None" else ""
        if none and ast.unparse(node.value) != none:
            self._note(node.value, none)
        self.visit(node.value)

    def visit_If(self, node: ast.If) -> None:
        self._condition(node.test)
        self.body([*node.body, *node.orelse])

    def visit_While(self, node: ast.While) -> None:
        if not isinstance(node.test, ast.Constant):
            self._note(node.test, "False")
            self.visit(node.test)
        self.body([*node.body, *node.orelse])

    # Expressions

    def _condition(self, test: ast.expr) -> None:
        if ast.unparse(test) == "TYPE_CHECKING":
            return
        self._note(test, "True")
        self._note(test, "False")
        self.visit(test)

    def visit_IfExp(self, node: ast.IfExp) -> None:
        self._condition(node.test)
        self.visit(node.body)
        self.visit(node.orelse)

    def visit_comprehension(self, node: ast.comprehension) -> None:
        self.visit(node.iter)
        for test in node.ifs:
            self._note(test, "True")
            self.visit(test)

    def visit_Compare(self, node: ast.Compare) -> None:
        for at, operator in enumerate(node.ops):
            other = deepcopy(node)
            other.ops[at] = COMPARISONS[type(operator)]()
            self._instead(node, other)
        self.generic_visit(node)

    def visit_BoolOp(self, node: ast.BoolOp) -> None:
        other = deepcopy(node)
        other.op = ast.Or() if isinstance(node.op, ast.And) else ast.And()
        self._instead(node, other)
        for at in range(len(node.values)):
            kept = [*node.values[:at], *node.values[at + 1 :]]
            self._instead(node, kept[0] if len(kept) == 1 else ast.BoolOp(node.op, kept))
        self.generic_visit(node)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> None:
        if isinstance(node.op, ast.Not):
            self._instead(node, node.operand)
        self.generic_visit(node)

    def visit_Constant(self, node: ast.Constant) -> None:
        if isinstance(node.value, bool):
            self._note(node, str(not node.value))
        elif isinstance(node.value, int):
            self._note(node, str(node.value + 1))
            self._note(node, str(node.value - 1) if node.value else "(-1)")

    def visit_Attribute(self, node: ast.Attribute) -> None:
        topic = ast.unparse(node.value).rpartition(".")[2]
        known = self._topics.get(topic, ())
        if node.attr in known and len(known) > 1:
            other = known[(known.index(node.attr) + 1) % len(known)]
            self._note(node, f"{ast.unparse(node.value)}.{other}")
        else:
            self.visit(node.value)

    def visit_Call(self, node: ast.Call) -> None:
        name = ast.unparse(node.func).rpartition(".")[2]
        if name in ("TypeVar", "NewType", "cast"):
            return
        if name in COPYING:
            for at, keyword in enumerate(node.keywords):
                if keyword.arg:
                    other = deepcopy(node)
                    del other.keywords[at]
                    self._note(node, ast.unparse(other), f"left out: {_short(ast.unparse(keyword))}")
        self.visit(node.func)
        for argument in node.args:
            if not isinstance(argument, ast.Dict):
                self.visit(argument)
        for keyword in node.keywords:
            if keyword.arg not in WITHOUT_CONSEQUENCE and not isinstance(keyword.value, ast.Dict):
                self.visit(keyword.value)

    def visit_Dict(self, node: ast.Dict) -> None:
        if not self._functions and len(node.keys) > 1:
            for at, key in enumerate(node.keys):
                if key is not None:
                    other = ast.Dict(
                        [*node.keys[:at], *node.keys[at + 1 :]], [*node.values[:at], *node.values[at + 1 :]]
                    )
                    self._note(node, ast.unparse(other), f"left out: {_short(ast.unparse(key))}")
        for value in node.values:
            self.visit(value)


_LOOSE = (ast.Compare, ast.BoolOp, ast.UnaryOp, ast.IfExp, ast.NamedExpr, ast.Lambda)


def _short(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= 70 else f"{text[:48]} … {text[-20:]}"
