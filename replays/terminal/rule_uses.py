"""Where the code of a game decides by each rule: the file, the line and the function, read from the sources.

A rule may be named where it decides (`Violation(rules.lay.FROM_HAND, …)`), or in a constant, a class attribute or a
function that stands for it elsewhere. A constant is followed to the places that use it.

`rule_uses` reads all sources, `uses_of` only those that can speak of one rule.
"""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from enum import StrEnum
from functools import cache, cached_property
from importlib import import_module
from inspect import isclass, isfunction, ismodule
from pkgutil import walk_packages
from types import ModuleType
from typing import NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from audit.core.catalogue import Rule
from audit.core.files import package_folder

Name = tuple[str, str]
"""A module, and what it defines there: `("audit.my_game.playing", "PlayRules.citations")`."""

Definition = ast.FunctionDef | ast.AsyncFunctionDef


class Role(StrEnum):
    """What a place in the code does with a rule."""

    VIOLATION = "violation"
    """It finds an event to break the rule."""
    CITATION = "citation"
    """It names the rule as what makes an event legal, or asks for it."""


class RuleUse(Struct, frozen=True, order=True):
    """One place in the code: `audit/my_game/playing.py`, its line, and the function or constant around it."""

    path: str
    line: int
    name: str = ""
    role: Role = Role.CITATION

    @property
    def place(self) -> str:
        """Path and line, as an editor takes them."""
        return f"{self.path}:{self.line}"


class RuleUses(Struct, frozen=True):
    """What the code of a game says of one rule."""

    declared: RuleUse | None
    """Where the constant of the rule is."""
    named: tuple[RuleUse, ...]
    """Every place that names the rule itself."""
    decides: tuple[RuleUse, ...]
    """Every place that decides by it, constants followed to their uses; violations first."""


NO_USES = RuleUses(None, (), ())


class _Mention(Struct, frozen=True):
    """One place that names a rule, or something that stands for rules."""

    use: RuleUse
    holder: Name | None
    """The constant, class attribute or function that stands for the rule from here on."""
    is_constant: bool


class _Sources:
    """The mentions in the modules of a package that were read."""

    def __init__(self, package: str) -> None:
        self.package = package
        self.declared: dict[Rule, RuleUse] = {}
        self.of_rule: dict[Rule, list[_Mention]] = defaultdict(list)
        self.of_holder: dict[Name, list[_Mention]] = defaultdict(list)
        self.imported: dict[Name, Name] = {}

    def read_all(self) -> None:
        """Read every module."""
        for module in _modules_of(self.package):
            _Reader(module, self).visit(ast.parse(_source_of(module)))

    def read_for(self, rule: Rule) -> None:
        """Read what may mean the rule, or what stands for it: parts of modules that have such a word.

        A table of all rules of a topic names none of them: it is made with `vars`.
        """
        texts = {module: _source_of(module) for module in _modules_of(self.package)}
        unread: dict[ModuleType, list[_Part]] = {}
        sought: set[tuple[str, ...]] = {("vars(",), *((name,) for module in texts for name in _names_in(module, rule))}
        done: set[tuple[str, ...]] = set()
        while sought:
            for module, text in texts.items():
                words = {each[-1] for each in sought if all(word in text for word in each)}
                if words:
                    if module not in unread:
                        unread[module] = list(_Reader(module, self).parts(text))
                    words |= self._local_names(module, words)
                    unread[module] = [part for part in unread[module] if not part.is_read(words)]
            done |= sought
            sought = {tuple(name.split(".")) for _, name in self._holders_of(rule)} - done

    def _local_names(self, module: ModuleType, names: set[str]) -> set[str]:
        """What a module calls what it imports under these names."""
        place = module.__name__
        return {local for (where, local), (_, name) in self.imported.items() if where == place and name in names}

    def _holders_of(self, rule: Rule) -> set[Name]:
        """What stands for the rule, as far as it was read: constants, and what they are used in."""
        found: set[Name] = set()
        mentions, users = list(self.of_rule[rule]), self._users()
        while mentions:
            holder = mentions.pop().holder
            if holder and holder not in found:
                found.add(holder)
                mentions += users[holder]
        return found

    def deciding(self, mention: _Mention, seen: frozenset[Name] = frozenset()) -> Iterator[RuleUse]:
        """The places that decide by what is mentioned there."""
        holder = mention.holder
        if holder is None or holder in seen:
            yield mention.use
            return
        found = [use for user in self.users[holder] for use in self.deciding(user, seen | {holder})]
        broken = mention.use.role is Role.VIOLATION
        if mention.is_constant and found:
            yield from (_as_violation(use) if broken else use for use in found)
        elif broken or any(use.role is Role.VIOLATION for use in found):
            yield _as_violation(mention.use)
        else:
            yield mention.use

    @cached_property
    def users(self) -> Mapping[Name, list[_Mention]]:
        """The places that use each constant or function, once everything is read."""
        return self._users()

    def _users(self) -> Mapping[Name, list[_Mention]]:
        """The places read so far that use each constant or function, under whatever name they import it."""
        found: dict[Name, list[_Mention]] = defaultdict(list)
        for name, mentions in self.of_holder.items():
            found[self._origin(name)].extend(mentions)
        return found

    def _origin(self, name: Name) -> Name:
        seen = {name}
        while (before := self.imported.get(name)) and before not in seen:
            seen.add(before)
            name = before
        return name


def _as_violation(use: RuleUse) -> RuleUse:
    return replace(use, role=Role.VIOLATION)


class _Part(NamedTuple):
    """What a module defines at its top level, or a class in it, with its words."""

    reader: _Reader
    around: str
    """The name of the class around, or nothing."""
    node: ast.stmt
    text: str

    def is_read(self, words: set[str]) -> bool:
        """Note what it mentions if it has one of these words; whether it does."""
        if not any(word in self.text for word in words):
            return False
        if self.around:
            self.reader.enter(self.around)
            self.reader.visit(self.node)
            self.reader.leave()
        else:
            self.reader.visit(self.node)
        return True


class _Reader(ast.NodeVisitor):
    """Reads one module: what it imports, declares and mentions."""

    def __init__(self, module: ModuleType, found: _Sources) -> None:
        self.module = module
        self.found = found
        self.path = "/".join(file_of(module))
        self.around: list[str] = []
        """The names of the classes and functions around."""
        self.classes: list[str] = []
        self.holder: Name | None = None
        self.is_constant = False
        self.in_function = False
        self.in_violation = False

    def parts(self, source: str) -> Iterator[_Part]:
        """What the module defines, to be read or not. Its imports are read at once."""
        lines = source.splitlines()
        for node in ast.parse(source).body:
            if isinstance(node, ast.ImportFrom):
                self.visit(node)
            elif isinstance(node, ast.ClassDef):
                yield from (_Part(self, node.name, inner, _text(inner, lines)) for inner in node.body)
            else:
                yield _Part(self, "", node, _text(node, lines))

    def enter(self, name: str) -> None:
        """Go into a class."""
        self.around.append(name)
        self.classes.append(".".join(self.around))

    def leave(self) -> None:
        """Leave the class."""
        self.classes.pop()
        self.around.pop()

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:
        parents = (*self.module.__name__.split("."), *("",) * hasattr(self.module, "__path__"))
        base = ".".join([*parents[: -node.level], *filter(None, [node.module])]) if node.level else node.module or ""
        for alias in node.names:
            self.found.imported[self.module.__name__, alias.asname or alias.name] = (base, alias.name)

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        self.enter(node.name)
        self.generic_visit(node)
        self.leave()

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        self._function(node)

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> None:
        self._function(node)

    def _function(self, node: Definition) -> None:
        before = self.holder, self.is_constant, self.in_function, self.in_violation
        self.around.append(node.name)
        returned = ast.unparse(node.returns) if node.returns else ""
        if not self.in_function:
            stands = "Rule" in returned or "Citations" in returned
            self.holder, self.is_constant = (self._name(".".join(self.around)) if stands else None), False
        self.in_function = True
        self.in_violation = self.in_violation or "Violation" in returned
        self.generic_visit(node)
        self.around.pop()
        self.holder, self.is_constant, self.in_function, self.in_violation = before

    def visit_Assign(self, node: ast.Assign) -> None:
        self._assignment(node, node.targets[0], node.value)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        if node.value:
            self._assignment(node, node.target, node.value)

    def _assignment(self, node: ast.stmt, target: ast.expr, value: ast.expr) -> None:
        if self.in_function or not isinstance(target, ast.Name):
            self.generic_visit(node)
            return
        held = vars(self.module).get(target.id) if not self.around else None
        if isinstance(held, Rule) and isinstance(value, ast.Call):
            self.found.declared.setdefault(held, RuleUse(self.path, node.lineno, target.id))
            return
        self.around.append(target.id)
        self.holder, self.is_constant = self._name(".".join(self.around)), True
        self.visit(value)
        self.holder, self.is_constant = None, False
        self.around.pop()

    def visit_Call(self, node: ast.Call) -> None:
        topic = node.args[0] if node.args and isinstance(node.func, ast.Name) and node.func.id == "vars" else None
        if topic is not None and ismodule(rules := self._value(topic)):
            for rule in vars(rules).values():
                if isinstance(rule, Rule):
                    self._mention(self.found.of_rule[rule], node.lineno)
        before = self.in_violation
        self.in_violation = before or _makes_violations(self._value(node.func))
        self.generic_visit(node)
        self.in_violation = before

    def visit_Attribute(self, node: ast.Attribute) -> None:
        if not self._is_mention(node):
            self.generic_visit(node)

    def visit_Name(self, node: ast.Name) -> None:
        self._is_mention(node)

    def _is_mention(self, node: ast.Name | ast.Attribute) -> bool:
        """Whether the node names a rule or something that may stand for rules; then it is noted."""
        if not isinstance(node.ctx, ast.Load):
            return False
        if isinstance(rule := self._value(node), Rule):
            self._mention(self.found.of_rule[rule], node.lineno)
        elif name := self._named(node):
            self._mention(self.found.of_holder[name], node.lineno)
        else:
            return False
        return True

    def _mention(self, mentions: list[_Mention], line: int) -> None:
        role = Role.VIOLATION if self.in_violation else Role.CITATION
        mentions.append(_Mention(RuleUse(self.path, line, ".".join(self.around), role), self.holder, self.is_constant))

    def _named(self, node: ast.Name | ast.Attribute) -> Name | None:
        if isinstance(node, ast.Name):
            return self._name(node.id)
        if isinstance(node.value, ast.Name) and node.value.id == "self" and self.classes:
            return self._name(f"{self.classes[-1]}.{node.attr}")
        owner = self._value(node.value)
        if ismodule(owner):
            return owner.__name__, node.attr
        if isclass(owner):
            return owner.__module__, f"{owner.__qualname__}.{node.attr}"
        return None

    def _name(self, name: str) -> Name:
        return self.module.__name__, name

    def _value(self, node: ast.AST) -> object:
        """What a dotted name means at the end of the module's own text."""
        if isinstance(node, ast.Name):
            return vars(self.module).get(node.id)
        if isinstance(node, ast.Attribute):
            return getattr(self._value(node.value), node.attr, None)
        return None


def _text(node: ast.stmt, lines: Sequence[str]) -> str:
    decorators = node.decorator_list if isinstance(node, Definition | ast.ClassDef) else ()
    first = min(one.lineno for one in (node, *decorators))
    return "\n".join(lines[first - 1 : node.end_lineno])


def _makes_violations(called: object) -> bool:
    """Whether a call gives violations: the class itself, or a function that says so."""
    if isfunction(called):
        return "Violation" in str(called.__annotations__.get("return", ""))
    return isclass(called) and called.__name__ == "Violation"


@cache
def rule_uses(package: str) -> dict[Rule, RuleUses]:
    """For each rule that the code of a package names: where it is declared, named and decided by."""
    found = _Sources(package)
    found.read_all()
    named = [rule for rule in found.of_rule if rule not in found.declared]
    return {rule: _uses_in(found, rule) for rule in (*found.declared, *named)}


def uses_of(package: str, rule: Rule) -> RuleUses:
    """The same for one rule, without reading the modules that cannot speak of it."""
    found = _Sources(package)
    found.read_for(rule)
    return _uses_in(found, rule)


def _uses_in(found: _Sources, rule: Rule) -> RuleUses:
    mentions = found.of_rule[rule]
    return RuleUses(
        found.declared.get(rule),
        tuple(sorted({mention.use for mention in mentions})),
        _violations_first(use for mention in mentions for use in found.deciding(mention)),
    )


def _names_in(module: ModuleType, rule: Rule) -> Iterator[str]:
    """The names by which a module, or a class in it, has the rule."""
    inside = [vars(one) for one in vars(module).values() if isclass(one) and one.__module__ == module.__name__]
    return (name for names in (vars(module), *inside) for name, value in names.items() if value is rule)


def _violations_first(uses: Iterator[RuleUse]) -> tuple[RuleUse, ...]:
    return tuple(sorted(set(uses), key=lambda use: (use.role is not Role.VIOLATION, use)))


def _modules_of(package: str) -> Iterator[ModuleType]:
    top = import_module(package)
    yield top
    for entry in walk_packages(top.__path__, f"{package}."):
        yield import_module(entry.name)


def _source_of(module: ModuleType) -> str:
    top, *below = file_of(module)
    return package_folder(top).joinpath(*below).read_text("utf-8")


def file_of(module: ModuleType) -> tuple[str, ...]:
    """The parts of the path of a module's source, from the top package on."""
    *above, last = module.__name__.split(".")
    return (*above, last, "__init__.py") if hasattr(module, "__path__") else (*above, f"{last}.py")
