"""What is packed, and that the player does without the trainer's packages."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tomllib
import zipfile
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from numba.core.caching import UserProvidedCacheLocator

import bgai
from bgai.kernels.compiler import CACHE

ROOT = Path(__file__).parents[1]
PACKED = ("bgai", "train", "models", "pyproject.toml", "README.md", "LICENSE")


def run(code: str, *arguments: str, folder: Path | None = None, **settings: str) -> subprocess.CompletedProcess[str]:
    """Python in a process of its own, in a folder."""
    return subprocess.run(
        [sys.executable, "-c", code, *arguments],
        env=os.environ | settings,
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=300,
    )


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> zipfile.ZipFile:
    """A wheel of a copy of the sources, so that nothing is left in the clone; made without network."""
    source, target = tmp_path_factory.mktemp("source"), tmp_path_factory.mktemp("wheel")
    for name in PACKED:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, source / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(ROOT / name, source / name)
    command = [sys.executable, "-m", "pip", "wheel", "--no-deps", "--no-build-isolation", "--no-index"]
    made = subprocess.run([*command, "-w", str(target), str(source)], capture_output=True, text=True, timeout=300)
    assert made.returncode == 0, made.stdout + made.stderr
    (file,) = target.glob("*.whl")
    return zipfile.ZipFile(file)


@pytest.fixture(scope="module")
def installed(wheel: zipfile.ZipFile, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The wheel's files, as an installer lays them out.

    Compiled kernels are kept by the folder of their sources. Those of the wheel are the same as here, so that they need
    not be compiled again.
    """
    folder = tmp_path_factory.mktemp("installed")
    wheel.extractall(folder)
    assert CACHE is not None
    here, there = (
        CACHE / UserProvidedCacheLocator.get_suitable_cache_subpath(str(top / "bgai" / "kernels" / "board.py"))
        for top in (ROOT, folder)
    )
    here.mkdir(exist_ok=True)
    # An earlier folder of this name may have left some.
    with suppress(FileExistsError):
        there.symlink_to(here)
    yield folder
    if there.is_symlink():
        there.unlink()


def test_the_wheel_has_the_player_the_trainer_and_the_models_and_nothing_else(wheel: zipfile.ZipFile) -> None:
    tops = {name.split("/")[0] for name in wheel.namelist()}
    assert tops == {"bgai", "bgai_train", "bgai_models", f"bgai-{bgai.__version__}.dist-info"}


def test_the_wheel_has_every_module(wheel: zipfile.ZipFile) -> None:
    names = set(wheel.namelist())
    for package, folder in (("bgai", "bgai"), ("bgai_train", "train")):
        for path in (ROOT / folder).rglob("*.py"):
            assert f"{package}/{path.relative_to(ROOT / folder).as_posix()}" in names


def test_the_wheel_says_that_it_is_typed_and_carries_its_licence(wheel: zipfile.ZipFile) -> None:
    assert "bgai/py.typed" in wheel.namelist()
    licence = wheel.read(f"bgai-{bgai.__version__}.dist-info/licenses/LICENSE").decode()
    assert "Apache License" in licence
    assert "The bgai authors" in licence


def test_the_wheel_carries_every_kept_model_whole(wheel: zipfile.ZipFile) -> None:
    names = set(wheel.namelist())
    kept = [path.parent.name for path in (ROOT / "models").glob("*/manifest.json")]
    assert kept
    for name in kept:
        assert {f"bgai_models/{name}/manifest.json", f"bgai_models/{name}/weights.safetensors"} <= names


def test_an_installed_package_finds_its_own_models_and_answers_a_question(installed: Path) -> None:
    code = (
        "import bgai\n"
        "from bgai.cli.main import main\n"
        "print(bgai.__file__, *bgai.kept_models(), sep='\\n')\n"
        "raise SystemExit(main(['move', '4HPwATDgc/ABMA', '31', '--top', '1']))\n"
    )
    answered = run(code, folder=installed, PYTHONPATH=str(installed))
    assert answered.returncode == 0, answered.stderr
    where, *rest = answered.stdout.splitlines()
    assert Path(where).is_relative_to(installed)
    models = [line for line in rest if line.startswith("/")]
    assert models
    assert all(Path(model).is_relative_to(installed) for model in models)
    assert "8/5 6/5" in answered.stdout


def test_the_player_does_not_load_the_trainers_packages() -> None:
    code = (
        "import sys\n"
        "from bgai.cli.main import main\n"
        "for command in sys.argv[1:]:\n"
        "    try:\n        code = main(command.split())\n"
        "    except SystemExit as end:\n        code = end.code\n"
        "    assert not code, command\n"
        "    loaded = {'torch', 'tqdm', 'tensorboard', 'bgai_train', 'scipy', 'matplotlib'} & set(sys.modules)\n"
        "    assert not loaded, f'{command} loaded {loaded}'\n"
    )
    finished = run(code, "--version", "--help", "models", "eval 4HPwATDgc/ABMA", "move 4HPwATDgc/ABMA 31")
    assert finished.returncode == 0, finished.stdout + finished.stderr
    assert "8/5 6/5" in finished.stdout


def test_training_without_its_packages_says_what_to_type(tmp_path: Path) -> None:
    code = (
        "import sys\n"
        "for name in ('torch', 'tqdm', 'tensorboard'):\n    sys.modules[name] = None\n"
        "import importlib.util\n"
        "find = importlib.util.find_spec\n"
        "importlib.util.find_spec = lambda name: None if name in ('torch', 'tqdm', 'tensorboard') else find(name)\n"
        "from bgai.cli.main import main\n"
        "sys.exit(main(['train', 'any.toml']))\n"
    )
    finished = run(code, folder=tmp_path)
    assert finished.returncode == 2
    assert "pip install 'bgai[train]'" in finished.stderr
    assert "Traceback" not in finished.stderr


def test_each_pinned_version_is_within_the_published_range() -> None:
    """The versions that the tests run with are versions that a user may get."""
    requirements = pytest.importorskip("packaging.requirements")
    canonical = pytest.importorskip("packaging.utils").canonicalize_name
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    pins = {
        canonical(requirements.Requirement(line).name): line.split("==")[1].split(";")[0].strip()
        for line in (ROOT / "requirements" / "dev.txt").read_text("utf-8").splitlines()
        if line and not line.startswith("#")
    }
    wanted = [
        *project["dependencies"],
        *(text for texts in project["optional-dependencies"].values() for text in texts),
    ]
    for requirement in map(requirements.Requirement, wanted):
        if requirement.name != "bgai":
            assert requirement.specifier.contains(pins[canonical(requirement.name)]), requirement
