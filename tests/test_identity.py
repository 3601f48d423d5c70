"""Spellings: read as literals only, written back the same, and never run."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

import mibench as mi
from mibench.errors import InvalidInput, MiBenchError, ParameterError, SpellingError, UnknownName


@dataclass(frozen=True)
class Plain:
    """A frozen dataclass that is not registered."""

    size: int = 3
    label: str = "a, b: c"


@dataclass
class Thawed:
    """A dataclass that is not frozen."""

    size: int = 3


def test_what_may_stand_in_a_spelling() -> None:
    assert mi.parse("Spiral(speed=1/3)") == mi.Spiral(1 / 3)
    assert mi.parse(" Spiral ( speed = -(2 - 3*1.5) , plane = [ 1, 2 ] ) ") == mi.Spiral(2.5, plane=(1, 2))
    assert mi.parse("NormalCDF") == mi.NormalCDF()
    assert mi.parse("NormalCDF()") == mi.NormalCDF()
    assert mi.parse("Noise(2, 1, dof=inf)") == mi.Noise(2, 1)
    assert mi.parse("Chain((NormalCDF(), Scale(2)))") == mi.Chain((mi.NormalCDF(), mi.Scale(2.0)))
    assert mi.parse("FactorCovariance(2, 2, unit_variance=True)").unit_variance is True
    long = "Chain((\n  NormalCDF(),  # margins first\n  Scale(2),\n))"
    assert mi.parse(long) == mi.Chain((mi.NormalCDF(), mi.Scale(2.0)))


def test_numbers_have_one_form() -> None:
    assert mi.spell(mi.Scale(2, 0)) == mi.spell(mi.Scale(2.0, -0.0)) == "Scale(factor=2.0)"
    assert mi.spell(mi.Student([[1, 0], [0, 1]], dof=3, dim_x=1)) == (
        "Student(dispersion=((1.0, 0.0), (0.0, 1.0)), dof=3.0, dim_x=1)"
    )
    tenth = mi.Scale(0.1 + 0.2)
    assert mi.parse(mi.spell(tenth)) == tenth


def test_fields_at_their_defaults_are_left_out_but_count_for_the_fingerprint() -> None:
    assert mi.spell(mi.Scale()) == "Scale()"
    assert mi.identity_fingerprint(mi.Scale()) == mi.identity_fingerprint(mi.Scale(1.0, 0.0))
    assert mi.identity_fingerprint(mi.Scale()) != mi.identity_fingerprint(mi.Scale(1.5))
    assert len(mi.identity_fingerprint(mi.Scale())) == 64


@pytest.mark.parametrize(
    "text",
    [
        "__import__('os').system('echo')",
        "Scale(__import__('os').getpid())",
        "Scale(factor=open('x'))",
        "Scale.__class__()",
        "Scale(factor=Scale.factor)",
        "Scale(factor=(lambda: 1)())",
        "Scale(factor=[i for i in (1,)][0])",
        "Scale(factor=2**3)",
        "Scale(factor=1 if True else 2)",
        "Scale(*(1, 2))",
        "Scale(**{'factor': 1})",
        "Scale(factor={'a': 1})",
        "Scale(factor=f'{1}')",
        "Scale(factor=b'1')",
        "Scale(factor=1j)",
        "Scale(factor=...)",
        "Scale(factor=(x := 1))",
        "Scale(factor=True + True)",
        "Scale(factor=1/0)",
        "Scale(factor='a' * 1000)",
        "Scale(factor=not True)",
        "Scale(factor=Scale)",
        "Scale(factor=speed)",
        "Scale(1)(2)",
        "Scale(1); Scale(2)",
        "Scale(1",
        "Scale(factor=1, factor=2)",
        "Scale(1, factor=2)",
        "Scale(1, 2, 3)",
        "Spiral()",
        "3",
        "'Scale()'",
        "(Scale(),)",
        "",
        "   ",
        "\0",
        "os:system('echo')",
        "os.path:join('a')",
        "lambda: 1",
        "(" * 3000 + ")" * 3000,
        "Scale(" + "-" * 50_000 + "1)",
        "Scale(" + "9" * 5000 + ")",
        "Scale(" + "1+" * 100_000 + "1)",
        "x" * 1_000_001,
    ],
)
def test_everything_else_is_refused(text: str) -> None:
    with pytest.raises((SpellingError, UnknownName, ParameterError)) as caught:
        mi.parse(text)
    assert len(str(caught.value)) < 600


def test_refusals_say_what_is_wrong() -> None:
    cases = {
        "Scal(2)": r"unknown name 'Scal'; did you mean 'Scale'",
        "Scale(fctor=2)": r"unknown field of Scale 'fctor'; did you mean 'factor'\? \(Scale takes factor, shift\)",
        "Spiral()": r"Spiral needs speed",
        "Scale(1, 2, 3)": r"Scale takes 2 fields, got 3",
        "Scale(1, factor=2)": r"Scale is given factor twice",
        "Scale(factor=Scale)": r"write Scale\(\) with its brackets",
        "Scale(factor=1/0)": r"division by zero",
        "Scale(factor=nan)": r"factor must be a finite number > 0, got nan \(float\)",
        "os:system('x')": r"os:system would import the module 'os', which is not allowed here",
        "Scale(factor=a.b)": r"only literals and further spellings",
    }
    for text, message in cases.items():
        with pytest.raises(MiBenchError, match=message):
            mi.parse(text)


def test_not_even_a_string() -> None:
    with pytest.raises(SpellingError, match="must be a string, got int"):
        mi.parse(3)


def test_a_module_is_imported_only_where_it_is_allowed() -> None:
    spelling = mi.spell(Plain(size=5))
    assert spelling == f"{__name__}:Plain(size=5)"
    with pytest.raises(SpellingError, match="not allowed here"):
        mi.parse(spelling)
    assert mi.parse(spelling, allow_imports=True) == Plain(size=5)
    assert mi.parse(f"{__name__}:Plain", allow_imports=True) == Plain()
    labelled = Plain(label="x:Y(z)")
    assert mi.parse(mi.spell(labelled), allow_imports=True) == labelled


def test_a_module_inside_a_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = tmp_path / "kennel" / "dogs"
    package.mkdir(parents=True)
    (tmp_path / "kennel" / "__init__.py").touch()
    (package / "__init__.py").touch()
    (package / "small.py").write_text(
        "from dataclasses import dataclass\n@dataclass(frozen=True)\nclass Terrier:\n    age: float = 1.0\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    dog = mi.parse("kennel.dogs.small:Terrier(age=1/2)", allow_imports=True)
    assert dog.age == 0.5
    assert mi.spell(dog) == "kennel.dogs.small:Terrier(age=0.5)"
    assert "kennel.dogs.small" in sys.modules


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("os:system('echo')", "os:system must be a frozen dataclass"),
        ("os:getcwd()", "os:getcwd must be a frozen dataclass"),
        ("no_such_module_anywhere:Thing()", "cannot import 'no_such_module_anywhere'"),
        (f"{__name__}:Nothing()", "Nothing must be a frozen dataclass, got NoneType"),
        (f"{__name__}:Thawed(size=1)", "Thawed must be a frozen dataclass"),
        (f"{__name__}:Plain(sizes=1)", "did you mean 'size'"),
    ],
)
def test_what_an_imported_name_must_be(text: str, message: str) -> None:
    with pytest.raises(MiBenchError, match=message):
        mi.parse(text, allow_imports=True)


@dataclass(frozen=True)
class Odd:
    """A class with a field of any type."""

    thing: object


def test_what_has_no_spelling() -> None:
    @dataclass(frozen=True)
    class Local:
        """A class that no module has."""

    with pytest.raises(ParameterError, match="a field of type dict has no spelling"):
        mi.spell(Odd({}))
    with pytest.raises(ParameterError, match="a field of type set has no spelling"):
        mi.spell(Odd({1}))
    with pytest.raises(ParameterError, match="Local is not at the top of a module, so it cannot be spelled"):
        mi.spell(Local())


def test_a_module_that_breaks_is_a_spelling_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "broken_division.py").write_text("1 / 0")
    (tmp_path / "broken_syntax.py").write_text("1 +")
    monkeypatch.syspath_prepend(str(tmp_path))
    with pytest.raises(SpellingError, match=r"cannot import 'broken_division' .* ZeroDivisionError: division by zero"):
        mi.parse("broken_division:A()", allow_imports=True)
    with pytest.raises(SpellingError, match=r"cannot import 'broken_syntax' .* SyntaxError"):
        mi.parse("broken_syntax:A()", allow_imports=True)


def test_errors_of_a_constructor_come_through() -> None:
    with pytest.raises(InvalidInput, match="speed must be a finite number, got 'fast'"):
        mi.parse("Spiral('fast')")


def test_your_own_class_can_be_registered() -> None:
    @mi.register
    @dataclass(frozen=True)
    class Shout(mi.Transform):
        """A transform of the user's."""

        by: float = 2.0

        def _forward(self, x):
            return x * self.by

        def _inverse(self, u):
            return u / self.by

    from mibench import identity

    try:
        assert mi.parse("Chain((Shout(by=3), Asinh()))").parts[0] == Shout(3)
        assert mi.spell(Shout(3.0)) == "Shout(by=3.0)"
    finally:
        del identity._REGISTRY["Shout"]


@pytest.mark.parametrize("thing", [3, "Scale()", None, {1}, mi.Scale, mi.Truth(1.0), Thawed()])
def test_only_objects_of_frozen_dataclasses_are_spelled(thing: object) -> None:
    for spelled in (mi.spell, mi.identity_fingerprint):
        with pytest.raises(SpellingError, match=f"an object of type {type(thing).__name__} has no spelling"):
            spelled(thing)


def test_what_mibench_reads_no_spelling_of_has_none() -> None:
    with pytest.raises(SpellingError, match=r"type Task has no spelling; .* \(of a task, spell its distribution\)"):
        mi.spell(mi.TASKS[0])
    with pytest.raises(SpellingError, match="type Task has no spelling"):
        mi.spell(Odd(mi.TASKS[0]))


def test_fields_that_make_no_difference_make_none_to_the_fingerprint() -> None:
    assert mi.KSG(n_jobs=2) == mi.KSG()
    assert mi.identity_fingerprint(mi.KSG(n_jobs=2)) == mi.identity_fingerprint(mi.KSG())
