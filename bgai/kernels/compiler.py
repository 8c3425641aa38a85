"""How kernels are compiled and where the machine code is kept.

Numba notices a change in a cached function's own file, but not in the file of a function it calls. So the
cache folder is named by a hash of every kernel source, the Numba version and the processor: an upgrade can
never be served stale code, and a read-only installation caches in the user's folder.
"""

from __future__ import annotations

import hashlib
import os
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import llvmlite.binding
import numba
from numba.core import event

_config: Any = numba.config


def _fingerprint() -> str:
    digest = hashlib.sha256()
    for source in sorted(Path(__file__).parent.glob("*.py")):
        digest.update(source.name.encode())
        digest.update(source.read_bytes())
    digest.update(f"{numba.__version__} {llvmlite.binding.get_host_cpu_name()}".encode())
    digest.update(llvmlite.binding.get_host_cpu_features().flatten().encode())
    digest.update(f"{_config.BOUNDSCHECK} {_config.CPU_NAME} {_config.CPU_FEATURES}".encode())
    return digest.hexdigest()[:16]


def user_cache() -> Path:
    """The folder for files that can be made again: `$BGAI_CACHE`, else the platform's cache folder."""
    named = os.environ.get("BGAI_CACHE")
    if named:
        return Path(named)
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "bgai"


def _writable(folder: Path) -> bool:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return True
    except OSError:
        return False


def _cache_folder() -> Path | None:
    """The first writable place for compiled code, or None: then every process compiles anew."""
    shared = Path(tempfile.gettempdir()) / f"bgai-{os.getuid() if hasattr(os, 'getuid') else 'cache'}"
    for base in (user_cache(), shared):
        folder = base / f"kernels-{_fingerprint()}"
        if _writable(folder):
            return folder
    return None


CACHE = _cache_folder()


def kernel(function: Callable[..., Any]) -> Any:
    """Compiles a function on first use and keeps the code in `CACHE`.

    Without `fastmath`, so that the same source gives the same bits however it was inlined, compiled or loaded.
    """
    return _compiled(function)


def bare_kernel(function: Callable[..., Any]) -> Any:
    """A kernel that makes no array: it need not count references, which costs as much as a small network.

    The kernels that it calls make none either.
    """
    return _compiled(function, _nrt=False)


def _compiled(function: Callable[..., Any], **options: Any) -> Any:
    before = _config.CACHE_DIR
    try:
        if CACHE is not None:
            _config.CACHE_DIR = str(CACHE)
        compiled = numba.njit(cache=CACHE is not None, nogil=True, error_model="numpy", **options)(function)
    finally:
        _config.CACHE_DIR = before
    return compiled


class _Listener(event.Listener):
    def __init__(self, notice: Callable[[], None]) -> None:
        self._notice = notice
        self._told = False

    def on_start(self, event: Any) -> None:
        if not self._told:
            self._told = True
            self._notice()

    def on_end(self, event: Any) -> None:
        pass


def on_first_compilation(notice: Callable[[], None]) -> None:
    """Calls `notice` once, when this process first has to compile a kernel that is not in the cache."""
    event.register("numba:compile", _Listener(notice))
