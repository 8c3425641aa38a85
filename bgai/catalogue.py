"""The kept models: where they lie and what they are called.

In a clone they are the numbered folders of `models/`; an installed package carries its own. A model is named by
its folder's name (`0001-first`), its number (`1`), the path of any folder that holds one, or not at all: then
the one with the highest number is meant, the strongest, since a net is kept only if it beats the one before.
"""

from __future__ import annotations

import os.path
import re
from functools import cache
from pathlib import Path

from bgai.errors import ModelError
from bgai.model import MANIFEST, Model, load_model

_NUMBERED = re.compile(r"(\d{4})-[a-z0-9-]+")


def models_folder() -> Path:
    """Where the kept models lie: the clone's `models/` if this is one, else the installed package's."""
    beside = Path(__file__).resolve().parent.parent
    if (beside / "pyproject.toml").is_file() and (beside / "models").is_dir():
        return beside / "models"
    if not (beside / "bgai_models").is_dir():
        raise ModelError("this installation carries no models; name the folder of one")
    return beside / "bgai_models"


def kept_models() -> list[Path]:
    """The folders of all kept models, weakest (oldest) first."""
    folder = models_folder()
    return sorted(path.parent for path in folder.glob(f"*/{MANIFEST}") if _NUMBERED.fullmatch(path.parent.name))


def find_model(name: str | None = None) -> Path:
    """The folder of the model that a person means.

    Raises:
        ModelError: no such model; the message lists those there are.
    """
    kept = kept_models()
    if name is None:
        if not kept:
            raise ModelError(f"no kept model in {models_folder()}; train one with: bgai train configs/td.toml")
        return kept[-1]
    for folder in kept:
        if name == folder.name or (name.isdecimal() and int(name) == int(folder.name[:4])):
            return folder
    # Unlike the method of a path, this finds nothing, too, where a name cannot be a path at all.
    if os.path.isfile(Path(name) / MANIFEST):
        return Path(name)
    there = ", ".join(folder.name for folder in kept) or "none yet"
    raise ModelError(f"unknown model {name!r}: expected a folder with a {MANIFEST}, or a kept model ({there})")


def open_model(name: str | None = None) -> Model:
    """Loads the model that a person means; each is read once in a process, and again if its folder changes.

    Raises:
        ModelError: no such model, or a damaged one.
    """
    folder = find_model(name).resolve()
    file = (folder / MANIFEST).stat()
    return _load_once(folder, (file.st_ino, file.st_mtime_ns))


@cache
def _load_once(folder: Path, _version: tuple[int, int]) -> Model:
    return load_model(folder)
