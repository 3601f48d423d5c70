"""The house itself: which room may import which, what importing it costs, what it exports."""

from __future__ import annotations

import ast
import importlib.metadata
import re
import subprocess
import sys
from pathlib import Path

import mibench as mi

SOURCE = Path(mi.__file__).parent
PROJECT = Path(__file__).parents[1]

# Floors from the ground up: a module imports only from its own floor or below, and never in a circle.
FLOORS = [
    {"errors", "version"},
    {"types"},
    {"checks", "compiled", "elementary", "identity", "linear", "progress"},
    {"normal_law", "threads"},
    {"preprocessing", "neighbours"},
    {"estimators"},  # an estimator sees points, and no distribution
    {"selection"},
    {"transforms"},
    {"distributions"},
    {"tasks"},
    {"samples", "report"},
    {"columns", "files", "tables", "outcomes", "printing", "options"},
    {"__init__"},
    {"cli"},
    {"__main__"},
]


def _modules() -> dict[str, Path]:
    paths = sorted(SOURCE.rglob("*.py"))
    return {".".join(p.relative_to(SOURCE).with_suffix("").parts): p for p in paths}


def _imports(path: Path) -> set[str]:
    """The modules of this package that one of its modules imports, wherever in it."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom) and node.module and node.module.split(".")[0] == "mibench":
            base = node.module.split(".")[1:]
            found |= {".".join([*base, a.name]) for a in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert not node.level, f"{path} has a relative import"
        elif isinstance(node, ast.Import):
            found |= {a.name.removeprefix("mibench.") for a in node.names if a.name.split(".")[0] == "mibench"}
    return found


def _resolve(name: str, modules: dict[str, Path]) -> str:
    while name and name not in modules and f"{name}.__init__" not in modules:
        name = name.rpartition(".")[0]
    return name or "__init__"


def test_imports_go_down() -> None:
    modules = _modules()
    floor = {room: level for level, rooms in enumerate(FLOORS) for room in rooms}
    edges = {name: {_resolve(i, modules) for i in _imports(path)} - {name} for name, path in modules.items()}
    for name, targets in edges.items():
        for target in targets:
            # The version alone is taken from the package itself, by the command line.
            assert floor[name.split(".")[0]] >= floor[target.split(".")[0]], f"{name} imports {target}"
    _assert_no_circle(edges)


def _assert_no_circle(edges: dict[str, set[str]]) -> None:
    done: set[str] = set()

    def visit(name: str, path: tuple[str, ...]) -> None:
        assert name not in path, f"circle: {' -> '.join([*path, name])}"
        if name not in done:
            for target in edges.get(name, ()):
                visit(target, (*path, name))
            done.add(name)

    for name in edges:
        visit(name, ())


def test_import_is_light() -> None:
    code = "import sys, mibench; print(*sorted(m for m in sys.modules if '.' not in m))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    heavy = {"polars", "matplotlib", "scipy", "rich", "click", "pandas", "numba"}
    assert not heavy & set(done.stdout.split())


def test_import_takes_less_than_a_third_of_a_second() -> None:
    code = "import time; t = time.perf_counter(); import mibench; print(time.perf_counter() - t)"
    runs = [subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True) for _ in range(5)]
    assert min(float(r.stdout) for r in runs) < 0.3


def test_public_names_exist_and_are_documented() -> None:
    for name in mi.__all__:
        thing = getattr(mi, name)
        if callable(thing):
            assert thing.__doc__, name
            assert not thing.__doc__.startswith(f"{name}("), f"{name} has no docstring of its own"
    public = {n for n in vars(mi) if not n.startswith("_")} - {"annotations"}
    rooms = {name for floor in FLOORS for name in floor}
    assert public - set(mi.__all__) <= rooms


def test_every_spelled_class_has_a_doctest() -> None:
    from mibench import identity

    for name, cls in identity.registered().items():
        assert ">>>" in (cls.__doc__ or ""), name


def test_the_code_of_the_readme_runs() -> None:
    blocks = re.findall(r"```python\n(.*?)```", (PROJECT / "README.md").read_text(), flags=re.DOTALL)
    assert blocks
    for block in blocks:
        done = subprocess.run([sys.executable, "-W", "error", "-c", block], capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr


def test_version_and_type_marker() -> None:
    assert importlib.metadata.version("mibench") == mi.__version__
    assert (SOURCE / "py.typed").exists()
    assert mi.__version__ in (PROJECT / "CHANGELOG.md").read_text()


def test_every_module_opens_with_a_sentence() -> None:
    for name, path in _modules().items():
        first = (ast.get_docstring(ast.parse(path.read_text())) or "").split("\n\n")[0].replace("\n", " ")
        assert first.endswith((".", ")")), name
        assert path.read_text().count("\n") <= 320, f"{name} is long: look for the second idea inside"
