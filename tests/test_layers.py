"""Who may import whom.

The table is the architecture: a module imports only modules of lower layers; within a package (the kernels, the
notation, the commands, the trainer, …), in a match and in the lowest layer they may use each other. The imports are
read from the sources, those inside functions too, and a module that is not in the table fails: it has to find its
place first.
"""

from __future__ import annotations

import ast
import graphlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[1]

ROLLOUT = {"rollout", "rollout_analyst", "rollout_candidates", "rollout_record", "rollout_statistics"}

LAYERS: list[tuple[str, list[str]]] = [
    (
        "plain NumPy, no compiler",
        ["board", "dice", "errors", "files", "halt", "interrupt", "outcomes", "version", "workers"],
    ),
    ("compiled code", ["kernels"]),
    ("rules, and how a board becomes numbers", ["bearoff", "features", "met", "phase", "plays", "position"]),
    ("networks and their like on the way to another process", ["packing"]),
    ("work on the machines of a cluster", ["cluster"]),
    ("a match: rules, events, state", ["events", "match", "match_rules", "match_state", "record"]),
    ("notation, what a game is played for, and what a model's files hold", ["model", "notation", "stakes"]),
    ("pictures of positions, files of matches", ["diagram", "matchfiles"]),
    ("where models come from, and the cube", ["catalogue", "cube", "network"]),
    ("what a position is worth, and which plays deserve more", ["evaluator", "move_filter"]),
    ("looking ahead, and erring on purpose", ["search", "weakened"]),
    ("both and the cube together, and what is said of it", ["opinions", "valuer"]),
    ("who answers", ["analyst"]),
    ("who decides, how soon a market is lost, how lucky rolls were", ["luck", "market", "player"]),
    ("cube decisions, whole games", ["cube_decision", "duel", "game", "match_play"]),
    ("playing positions out", sorted(ROLLOUT)),
    ("players by name", ["levels"]),
    ("answers as JSON has them", ["answers"]),
    ("a player with the cube, duels of players by name", ["bot", "level_duel"]),
    ("games for learners", ["environments"]),
    ("the position in words", ["coach"]),
    ("what the decisions of a match cost", ["analysis"]),
    ("what was analysed before, and problems from it", ["history"]),
    ("games that a server keeps", ["room"]),
    ("other programs' ways to ask", ["client", "protocols", "server"]),
    ("the library's front door", ["__init__"]),
    ("the trainer", ["train"]),
    ("the command line", ["cli"]),
    ("python -m bgai", ["__main__"]),
]
"""From the lowest to the highest; a package stands for all its modules, `train` is the folder of that name."""

MATCH = {"events", "match", "match_rules", "match_state", "record"}
SIDEWAYS = {
    "kernels",
    "bearoff",
    "met",
    "notation",
    "diagram",
    "matchfiles",
    "coach",
    "analysis",
    "history",
    "room",
    "server",
    "protocols",
    "environments",
    "cli",
    "train",
    *MATCH,
    *ROLLOUT,
    *LAYERS[0][1],
}
"""Those whose modules may use others of their layer; circles are forbidden everywhere."""

KERNELS_MAY_USE = {"board", "dice", "errors", "outcomes", "kernels"}

OUTSIDE = {
    "numba": {"kernels"},
    "llvmlite": {"kernels"},
    "torch": {"network", "train"},
    "tensorboard": {"train"},
    "tqdm": {"cli", "train"},
    "ray": {"cluster"},
    "safetensors": {"model", "train"},
    "resvg_py": {"diagram"},
    "sqlalchemy": {"history", "room"},
    "fastapi": {"server"},
    "starlette": {"server"},
    "pydantic": {"server"},
    "prometheus_client": {"server"},
    "uvicorn": {"cli", "server"},
    "httpx": {"client"},
    "gymnasium": {"environments"},
    "pettingzoo": {"environments"},
}
"""Heavy packages, and the only ones that may import them."""

DOORS = {
    ("bgai.cli.train", "train"),  # the doors from the player to the trainer
    ("bgai.cli.promote", "train"),
    ("bgai.evaluator", "network"),  # PyTorch only for those who ask for it
}
"""Imports that must be made inside a function, so that a player never loads torch."""


@dataclass(frozen=True)
class Import:
    """One import statement."""

    importer: str
    """Full name of the module, `train.loop` for the trainer's."""
    imported: str
    eager: bool
    """Made when the module is loaded, not inside a function nor for type checking only."""
    line: int

    def __str__(self) -> str:
        return f"{self.importer}, line {self.line}: imports {self.imported}"


def unit(module: str) -> str:
    """What stands for a module in the table; for foreign packages their name."""
    if module == "bgai":
        return "__init__"
    first, _, rest = module.partition(".")
    if first == "bgai":
        return rest.split(".")[0]
    return "train" if first == "bgai_train" else first


def sources() -> dict[str, Path]:
    """Every module of the player and the trainer by its name."""
    found: dict[str, Path] = {}
    for folder in ("bgai", "train"):
        for path in sorted((ROOT / folder).rglob("*.py")):
            parts = path.relative_to(ROOT).with_suffix("").parts
            found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


SOURCES = sources()


def imports(module: str) -> Iterator[Import]:
    tree = ast.parse(SOURCES[module].read_text("utf-8"))
    yield from _imports(module, tree, eager=True)


def _imports(module: str, node: ast.AST, *, eager: bool) -> Iterator[Import]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.Import):
            for alias in child.names:
                yield Import(module, alias.name, eager, child.lineno)
        elif isinstance(child, ast.ImportFrom):
            for name in _named(module, child):
                yield Import(module, name, eager, child.lineno)
        else:
            lazy = isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda) or _for_types_only(child)
            yield from _imports(module, child, eager=eager and not lazy)


def _for_types_only(node: ast.AST) -> bool:
    return isinstance(node, ast.If) and ast.unparse(node.test) in ("TYPE_CHECKING", "typing.TYPE_CHECKING")


def _named(module: str, node: ast.ImportFrom) -> Iterator[str]:
    base = node.module or ""
    if node.level:
        package = module if SOURCES[module].name == "__init__.py" else module.rpartition(".")[0]
        for _ in range(node.level - 1):
            package = package.rpartition(".")[0]
        base = f"{package}.{base}" if base else package
    for alias in node.names:
        submodule = f"{base}.{alias.name}"
        yield submodule if submodule in SOURCES else base


ALL = [entry for module in SOURCES for entry in imports(module)]
LAYER_OF = {name: number for number, (_, names) in enumerate(LAYERS) for name in names}


def ours(entry: Import) -> bool:
    return entry.imported.split(".")[0] in ("bgai", "bgai_train", "train")


def test_the_reader_of_imports_sees_those_it_should() -> None:
    seen = {(entry.importer, unit(entry.imported), entry.eager) for entry in ALL}
    assert ("bgai.network", "torch", True) in seen
    assert ("bgai.evaluator", "network", False) in seen
    assert ("bgai.cli.train", "train", False) in seen
    assert ("train.loop", "train", True) in seen


def test_every_module_has_a_layer() -> None:
    assert not [module for module in SOURCES if unit(module) not in LAYER_OF]


def test_imports_go_downwards() -> None:
    wrong = []
    for entry in filter(ours, ALL):
        importer, imported = unit(entry.importer), unit(entry.imported)
        if (entry.importer, imported) in DOORS:
            continue
        here, there = LAYER_OF[importer], LAYER_OF.get(imported, len(LAYERS))
        if there > here or (there == here and importer not in SIDEWAYS):
            wrong.append(str(entry))
    assert not wrong


def test_kernels_use_plain_tables_and_other_kernels_only() -> None:
    wrong = [
        str(entry)
        for entry in filter(ours, ALL)
        if unit(entry.importer) == "kernels" and unit(entry.imported) not in KERNELS_MAY_USE
    ]
    assert not wrong


def test_heavy_packages_have_few_users() -> None:
    wrong = [
        str(entry)
        for entry in ALL
        if unit(entry.importer) not in OUTSIDE.get(unit(entry.imported), {unit(entry.importer)})
    ]
    assert not wrong


def test_the_player_never_loads_the_trainer_or_torch_by_itself() -> None:
    wrong = [
        str(entry)
        for entry in ALL
        if entry.eager
        and entry.importer.startswith("bgai")
        and unit(entry.imported) in ("train", "network", "torch", "tensorboard")
        and entry.importer != "bgai.network"
    ]
    assert not wrong


def test_the_trainer_is_called_by_its_installed_name_or_relatively() -> None:
    """`import train` works in a clone only, by accident."""
    wrong = [
        str(entry)
        for module in SOURCES
        for node in ast.walk(ast.parse(SOURCES[module].read_text("utf-8")))
        for entry in _absolute(module, node)
        if entry.imported.split(".")[0] == "train"
    ]
    assert not wrong


def _absolute(module: str, node: ast.AST) -> Iterator[Import]:
    if isinstance(node, ast.Import):
        yield from (Import(module, alias.name, True, node.lineno) for alias in node.names)
    elif isinstance(node, ast.ImportFrom) and not node.level:
        yield Import(module, node.module or "", True, node.lineno)


def test_no_module_imports_itself_in_a_circle() -> None:
    graph: dict[str, set[str]] = {module: set() for module in SOURCES}
    for entry in ALL:
        if entry.eager and entry.imported in SOURCES and entry.imported != entry.importer:
            graph[entry.importer].add(entry.imported)
    list(graphlib.TopologicalSorter(graph).static_order())
