"""Files of arrays that can be made again: checked when they are opened, and mapped into memory.

    8 bytes     magic
    32 bytes    SHA-256 of all that follows
    8 bytes     length of the header, little-endian
    header      JSON: the name of each array, its type, shape and offset from the start of the file
    arrays      each at a multiple of 64 bytes

A file is written whole and never changed, so that mapping it is safe.
"""

from __future__ import annotations

import hashlib
import json
import mmap
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bgai.files import write_whole

Arrays = dict[str, NDArray[Any]]
Layout = dict[str, tuple[str, tuple[int, ...]]]
"""Type and shape of each array of a file; -1 where the length is free."""
Notice = Callable[[str], None]
"""Is told in one line what is worth knowing and no error."""

MAGIC = b"bgai-tab"
_SUMMED = len(MAGIC) + 32
_START = _SUMMED + 8
_ALIGNED = 64


class DamagedFile(Exception):
    """A file that is not what it should be; the message is the reason."""


def open_or_make(
    path: Path, layout: Layout, make: Callable[[], Arrays], notice: Notice | None = None
) -> tuple[Arrays, bool]:
    """The arrays of a file, which is made first if it is missing, damaged or cannot be read.

    Two processes that do so at once both make it; the files are equal, and each replaces the other's whole. Where no
    file can be written the arrays stay in memory.

    Returns:
        The arrays, read-only, and whether they lie in the file.
    """
    tell = notice or _ignore
    try:
        return read_arrays(path, layout), True
    except (FileNotFoundError, NotADirectoryError):
        pass
    except DamagedFile as error:
        tell(f"{path} is damaged ({error}) and is made again")
    except OSError as error:
        tell(f"{path} cannot be read ({error.strerror or error}) and is made again")
    arrays = make()
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, pack(arrays))
        return read_arrays(path, layout), True
    except (OSError, DamagedFile) as error:
        reason = getattr(error, "strerror", None) or error
        tell(f"{path} cannot be written ({reason}): the table stays in memory and is made again next time")
    for array in arrays.values():
        array.setflags(write=False)
    return arrays, False


def pack(arrays: Mapping[str, NDArray[Any]]) -> bytes:
    """The bytes of a file."""
    entries = {name: {"type": array.dtype.str, "shape": list(array.shape)} for name, array in arrays.items()}
    # Offsets are written with a fixed width, so that the header's length does not depend on them.
    length = len(_header(entries, dict.fromkeys(entries, 0)))
    offsets: dict[str, int] = {}
    end = _START + length
    for name, array in arrays.items():
        offsets[name] = -(-end // _ALIGNED) * _ALIGNED
        end = offsets[name] + array.nbytes
    parts: list[bytes | memoryview] = [length.to_bytes(8, "little"), _header(entries, offsets)]
    end = _START + length
    for name, array in arrays.items():
        parts += [bytes(offsets[name] - end), np.ascontiguousarray(array).reshape(-1).view(np.uint8).data]
        end = offsets[name] + array.nbytes
    digest = hashlib.sha256()
    for part in parts:
        digest.update(part)
    return b"".join([MAGIC, digest.digest(), *parts])


def read_arrays(path: Path, layout: Layout) -> Arrays:
    """Maps a file into memory and checks it: its sum, and that it holds the arrays it should.

    Raises:
        DamagedFile: it does not.
        OSError: it cannot be read.
    """
    with open(path, "rb") as file:
        try:
            mapped = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        except ValueError:
            raise DamagedFile("it is empty") from None
    whole = memoryview(mapped)
    if len(whole) < _START or whole[: len(MAGIC)] != MAGIC:
        raise DamagedFile("it does not begin as such a file does")
    if hashlib.sha256(whole[_SUMMED:]).digest() != whole[len(MAGIC) : _SUMMED]:
        raise DamagedFile("its checksum is wrong")
    # What has the right sum was written by `pack`; it may hold something else, not nonsense.
    length = int.from_bytes(whole[_SUMMED:_START], "little")
    header = json.loads(bytes(whole[_START : _START + length]))
    arrays: Arrays = {}
    for name, entry in header.items():
        shape = tuple(entry["shape"])
        dtype = np.dtype(entry["type"])
        count = int(np.prod(shape, dtype=np.int64))
        arrays[name] = np.frombuffer(mapped, dtype, count, int(entry["offset"])).reshape(shape)
    found = {name: (array.dtype.str, array.shape) for name, array in arrays.items()}
    if not _fits(found, layout):
        raise DamagedFile(f"expected {layout}, found {found}")
    return arrays


def _fits(found: Layout, layout: Layout) -> bool:
    return found.keys() == layout.keys() and all(
        found[name][0] == kind
        and len(found[name][1]) == len(shape)
        and all(free in (-1, size) for size, free in zip(found[name][1], shape, strict=True))
        for name, (kind, shape) in layout.items()
    )


def _header(entries: Mapping[str, Mapping[str, Any]], offsets: Mapping[str, int]) -> bytes:
    return json.dumps({name: {**entry, "offset": f"{offsets[name]:015d}"} for name, entry in entries.items()}).encode()


def _ignore(_line: str) -> None:
    pass
