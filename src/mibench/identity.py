"""An object and its one-line spelling, in both directions, and the fingerprint of its identity.

A spelling such as `Spiral(speed=0.5)` names a registered frozen dataclass and gives its fields as literals: numbers
(with + - * / among them), strings, True, False, None, inf, tuples, lists, and further spellings. It is read by
walking Python's syntax tree and accepting nothing else, so reading one runs no code. Only where the caller allows it
may a name be `module:Name`, which imports that module.
"""

from __future__ import annotations

import ast
import dataclasses
import hashlib
import importlib
import io
import math
import tokenize
from collections.abc import Callable
from typing import Any, TypeVar, cast

from mibench.errors import MiBenchError, ParameterError, SpellingError, unknown

T = TypeVar("T")

_LONGEST = 1_000_000
_REGISTRY: dict[str, type] = {}
_CONSTANTS = {"inf": math.inf, "nan": math.nan}
_OPERATORS: dict[type[ast.operator], Callable[[float, float], float]] = {
    ast.Add: lambda a, b: a + b,
    ast.Sub: lambda a, b: a - b,
    ast.Mult: lambda a, b: a * b,
    ast.Div: lambda a, b: a / b,
}


def register(cls: type[T]) -> type[T]:
    """Class decorator: let this frozen dataclass be spelled by its bare name."""
    if not isinstance(cls, type) or not _is_frozen_dataclass(cls):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise ParameterError(f"only a frozen dataclass can be registered, and {cls!r} is none")
    taken = _REGISTRY.get(cls.__name__, cls)
    if (taken.__module__, taken.__qualname__) != (cls.__module__, cls.__qualname__):
        raise ParameterError(f"the name {cls.__name__} is taken by {taken.__module__}; choose another")
    _REGISTRY[cls.__name__] = cls
    return cls


def registered() -> dict[str, type]:
    """The classes that a spelling may name, by name."""
    return dict(_REGISTRY)


def spell(thing: object) -> str:
    """The one-line spelling of an object: its class and those fields that are not at their defaults.

    A field that makes no difference to what the object is (one with `compare=False`, such as `n_jobs`) is left out.

    >>> import mibench as mi
    >>> mi.spell(mi.Spiral(speed=0.5, plane=(0, 1)))
    'Spiral(speed=0.5)'
    """
    _ = _name(type(thing))  # a number, say, has a spelling as a field only
    return _spell(thing, every_field=False)


def identity_fingerprint(thing: object) -> str:
    """SHA-256 of an object's spelling with every field written out, so that a changed default shows.

    A field that makes no difference to what the object is (see `spell`) makes none here.

    >>> import mibench as mi
    >>> identity_fingerprint(mi.NormalCDF()) == identity_fingerprint(mi.parse("NormalCDF()"))
    True
    """
    _ = _name(type(thing))
    return hashlib.sha256(_spell(thing, every_field=True).encode()).hexdigest()


def parse(text: str, *, allow_imports: bool = False) -> Any:
    """The object that a spelling stands for; with `allow_imports`, names may be `module:Name`.

    >>> import mibench as mi
    >>> mi.parse("Spiral(speed=1/3)") == mi.Spiral(speed=1 / 3)
    True
    >>> mi.parse("HalfCubed()")
    Traceback (most recent call last):
    ...
    mibench.errors.UnknownName: unknown name 'HalfCubed'; did you mean 'HalfCube'? (a spelling names a class of mibench)
    """
    if not isinstance(text, str):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise SpellingError(f"a spelling must be a string, got {type(text).__name__}")
    if len(text) > _LONGEST:
        raise SpellingError(f"a spelling may have {_LONGEST} characters, got {len(text)}")
    source, outside = _lift_modules(text)
    try:
        tree = ast.parse(source.strip(), mode="eval").body
        return _Reader(text, outside, allow_imports).call(tree)
    except SyntaxError as error:
        raise SpellingError(f"cannot read {_short(text)}: {error.msg}; write it like KSG(k=10)") from None
    except RecursionError:
        raise SpellingError(f"cannot read {_short(text)}: it is nested too deeply") from None
    except MemoryError:
        raise SpellingError(f"cannot read {_short(text)}: it takes too much memory") from None
    except ValueError as error:
        if isinstance(error, MiBenchError):
            raise
        raise SpellingError(f"cannot read {_short(text)}: {error}") from None


class _Reader:
    """Reads one syntax tree; `outside` holds what `module:Name` each placeholder stands for."""

    def __init__(self, text: str, outside: dict[str, tuple[str, str]], allow_imports: bool) -> None:
        self.text = text
        self.outside = outside
        self.allow_imports = allow_imports

    def refuse(self, node: ast.AST, why: str) -> SpellingError:
        return SpellingError(f"cannot read {_short(ast.unparse(node))} in {_short(self.text)}: {why}")

    def call(self, node: ast.expr) -> Any:
        if isinstance(node, ast.Name):
            node = ast.Call(func=node, args=[], keywords=[])
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name):
            raise self.refuse(node, "a spelling is a name with its fields, like KSG(k=10)")
        cls = self.lookup(node.func.id)
        if any(k.arg is None for k in node.keywords):
            raise self.refuse(node, "** is not allowed")
        positional = [self.value(a) for a in node.args]
        named: dict[str, Any] = {}
        for keyword in node.keywords:
            name = str(keyword.arg)
            if name in named:
                raise SpellingError(f"{cls.__name__} is given {name} twice")
            named[name] = self.value(keyword.value)
        self.check_fields(cls, len(positional), named)
        try:
            return cls(*positional, **named)
        except MiBenchError:
            raise
        except Exception as error:  # whatever the code of a class from elsewhere may raise
            raise SpellingError(
                f"{cls.__name__} cannot be made of {_short(ast.unparse(node))}: {_reason(error)}"
            ) from error

    def lookup(self, name: str) -> type:
        if name in self.outside:
            return self.import_class(*self.outside[name])
        if name not in _REGISTRY:
            raise unknown("name", name, _REGISTRY, "a spelling names a class of mibench")
        return _REGISTRY[name]

    def import_class(self, module: str, name: str) -> type:
        if not self.allow_imports:
            raise SpellingError(
                f"{module}:{name} would import the module {module!r}, which is not allowed here; "
                "parse(text, allow_imports=True) allows it"
            )
        try:
            found = getattr(importlib.import_module(module), name, None)
        except Exception as error:  # whatever the code of that module may raise
            raise SpellingError(f"cannot import {module!r} for {module}:{name}: {_reason(error)}") from error
        if not isinstance(found, type) or not _is_frozen_dataclass(found):
            raise SpellingError(f"{module}:{name} must be a frozen dataclass, got {type(found).__name__}")
        return found

    def check_fields(self, cls: type, positional: int, named: dict[str, Any]) -> None:
        fields = sorted((f for f in dataclasses.fields(cls) if f.init), key=lambda f: f.kw_only is True)
        names = [f.name for f in fields]
        in_order = [f.name for f in fields if f.kw_only is not True]
        for name in named:
            if name not in names:
                advice = f"{cls.__name__} takes {', '.join(names) or 'no fields'}"
                raise unknown(f"field of {cls.__name__}", name, names, advice)
        if positional > len(in_order):
            raise SpellingError(f"{cls.__name__} takes {len(in_order)} fields, got {positional}")
        for name in names[:positional]:
            if name in named:
                raise SpellingError(f"{cls.__name__} is given {name} twice")
        missing = [f.name for f in fields[positional:] if _is_required(f) and f.name not in named]
        if missing:
            raise SpellingError(f"{cls.__name__} needs {', '.join(missing)}")

    def value(self, node: ast.expr) -> Any:
        match node:
            case ast.Constant(value=bool() | int() | float() | str() | None as constant):
                return constant
            case ast.Tuple(elts=parts) | ast.List(elts=parts):
                return tuple(self.value(p) for p in parts)
            case ast.UnaryOp(op=ast.USub() | ast.UAdd() as sign, operand=operand):
                number = self.number(operand)
                return -number if isinstance(sign, ast.USub) else number
            case ast.BinOp(left=left, op=op, right=right) if type(op) in _OPERATORS:
                return self.arithmetic(node, _OPERATORS[type(op)], left, right)
            case ast.Name(id=name) if name in _CONSTANTS:
                return _CONSTANTS[name]
            case ast.Call():
                return self.call(node)
            case ast.Name(id=name) if name in _REGISTRY or name in self.outside:
                raise self.refuse(node, f"write {name}() with its brackets")
            case _:
                raise self.refuse(node, "only literals and further spellings may stand here")

    def arithmetic(
        self, node: ast.BinOp, do: Callable[[float, float], float], left: ast.expr, right: ast.expr
    ) -> float:
        try:
            return do(self.number(left), self.number(right))
        except ArithmeticError as error:
            raise self.refuse(node, str(error)) from None

    def number(self, node: ast.expr) -> float:
        value = self.value(node)
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise self.refuse(node, "arithmetic is for numbers only")
        return value


def _lift_modules(text: str) -> tuple[str, dict[str, tuple[str, str]]]:
    """Replace each `module.path:Name` by a placeholder name, leaving strings alone."""
    if ":" not in text:
        return text, {}
    try:
        tokens = list(tokenize.generate_tokens(io.StringIO(text.strip()).readline))
    except (tokenize.TokenError, SyntaxError, IndentationError):
        return text, {}
    outside: dict[str, tuple[str, str]] = {}
    pieces: list[str] = []
    for token in tokens:
        pieces.append(token.string)
        if len(pieces) >= 3 and pieces[-2] == ":" and pieces[-1].isidentifier() and pieces[-3].isidentifier():
            start = len(pieces) - 3
            while start >= 2 and pieces[start - 1] == "." and pieces[start - 2].isidentifier():
                start -= 2
            placeholder = f"outside_name_{len(outside)}"
            outside[placeholder] = ("".join(pieces[start:-2]), pieces[-1])
            pieces[start:] = [placeholder]
    return (" ".join(pieces), outside) if outside else (text, {})


def _name(cls: type) -> str:
    """What an object's class is called in its spelling."""
    if _REGISTRY.get(cls.__name__) is cls:
        return cls.__name__
    if not _is_frozen_dataclass(cls):
        raise SpellingError(
            f"an object of type {cls.__name__} has no spelling, as its class is no frozen dataclass "
            "(one that is decorated with @dataclass(frozen=True))"
        )
    if cls.__module__.split(".")[0] == __package__:
        raise SpellingError(
            f"an object of type {cls.__name__} has no spelling; distributions, transforms, covariances and estimators "
            "have one (of a task, spell its distribution)"
        )
    if "." in cls.__qualname__:
        raise ParameterError(f"{cls.__qualname__} is not at the top of a module, so it cannot be spelled; register it")
    return f"{cls.__module__}:{cls.__qualname__}"


def _spell(value: object, every_field: bool) -> str:
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        parts = [
            f"{f.name}={_spell(getattr(value, f.name), every_field)}"
            for f in dataclasses.fields(value)
            if f.init and f.compare and (every_field or not _at_default(f, getattr(value, f.name)))
        ]
        return f"{_name(type(value))}({', '.join(parts)})"
    if isinstance(value, tuple):
        inner = [_spell(v, every_field) for v in cast("tuple[object, ...]", value)]
        return f"({inner[0]},)" if len(inner) == 1 else f"({', '.join(inner)})"
    if value is None or isinstance(value, bool | int | float | str):
        return repr(value)
    raise ParameterError(
        f"a field of type {type(value).__name__} has no spelling; use numbers, strings, tuples and frozen dataclasses"
    )


def _at_default(field: dataclasses.Field[Any], value: object) -> bool:
    if field.default is not dataclasses.MISSING:
        return type(value) is type(field.default) and value == field.default
    if field.default_factory is not dataclasses.MISSING:
        return value == field.default_factory()
    return False


def _is_required(field: dataclasses.Field[Any]) -> bool:
    return field.default is dataclasses.MISSING and field.default_factory is dataclasses.MISSING


def _is_frozen_dataclass(cls: type) -> bool:
    parameters = getattr(cls, "__dataclass_params__", None)
    return dataclasses.is_dataclass(cls) and bool(getattr(parameters, "frozen", False))


def _reason(error: Exception) -> str:
    return f"{type(error).__name__}: {' '.join(str(error).split())}"


def _short(text: str) -> str:
    return repr(text if len(text) <= 100 else text[:97] + "...")
