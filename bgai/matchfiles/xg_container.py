"""The container of eXtreme Gammon's files, `.xg` and `.xgp`: a header, a picture, and an archive of small files.

| part | bytes | |
|---|---|---|
| header | 8232 | begins with `RGMH`; names and the size of the picture, none of which is needed here |
| picture | | a JPEG of the board |
| contents | `contents_size` | the files, each on its own as a zlib stream or as it is |
| register | `register_size` | an entry of 532 bytes for each file, mostly as a zlib stream |
| trailer | 36 | sizes, number of files, CRC-32 of contents and register |

Everything is little-endian. Files are `temp.xg` (the records of the match), `temp.xgi` (its first and last record
again), `temp.xgr` (rollouts) and `temp.xgc` (comments). Some programs leave the archive out: after the picture a
single zlib stream with the records follows.

Source: `xg_format.pas` and `ZLIBArchive.pas`, published by GameSite 2000 Ltd ("This information can be freely
redistributed"), 31 December 2013.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from bgai.errors import InputError

MAGIC = b"RGMH"
RECORDS = "temp.xg"
COMMENTS = "temp.xgc"

LARGEST = 1 << 27
"""Bytes that one file of an archive may have: 52,000 records, some 500 games."""

HEADER_SIZE = 8232
TRAILER = struct.Struct("<IiiiiB15x")
"""CRC-32, number of files, version, sizes of the register and of the contents, whether the register is compressed."""
ENTRY = struct.Struct("<256s256siiiIBB2x")
"""Name, path, size, size in the archive, place in the contents, CRC-32 of the file, 0 if compressed, level."""
PICTURE_SIZE = struct.Struct("<20xI")
"""In the header."""

_MOST_FILES = 1000


class _Trailer(NamedTuple):
    crc: int
    files: int
    version: int
    register_size: int
    contents_size: int
    compressed: int


class _Entry(NamedTuple):
    name: str
    size: int
    packed_size: int
    start: int
    crc: int
    stored: int


def is_container(data: bytes) -> bool:
    """Whether the data begin like a file of eXtreme Gammon; they may be damaged all the same."""
    return data[: len(MAGIC)] == MAGIC


def unpack(data: bytes, names: Iterable[str]) -> dict[str, bytes]:
    """Those files of the archive that are asked for and there, by name.

    Raises:
        InputError: another kind of file, or one that is cut off, damaged or larger than `LARGEST`.
    """
    if not is_container(data):
        raise InputError(f"an XG file begins with {MAGIC!r}, found {data[: len(MAGIC)]!r}")
    if len(data) < HEADER_SIZE + TRAILER.size:
        raise InputError(
            f"an XG file has at least {HEADER_SIZE + TRAILER.size} bytes, found {len(data)}: it is cut off"
        )
    end = len(data) - TRAILER.size
    trailer = _Trailer(*TRAILER.unpack_from(data, end))
    if not _is_plausible(trailer, end):
        return {RECORDS: _bare_records(data)}
    register_at = end - trailer.register_size
    contents_at = register_at - trailer.contents_size
    found = zlib.crc32(memoryview(data)[contents_at:end])
    if found != trailer.crc:
        raise InputError(f"the XG file is damaged: its checksum is {found:08x}, expected {trailer.crc:08x}")
    contents = data[contents_at:register_at]
    wanted = set(names)
    return {
        entry.name: _extract(contents, entry)
        for entry in _entries(data[register_at:end], trailer)
        if entry.name in wanted
    }


def _is_plausible(trailer: _Trailer, end: int) -> bool:
    """Whether the last bytes can be the trailer of an archive that fits into the file."""
    sizes = trailer.register_size, trailer.contents_size
    return 0 < trailer.files <= _MOST_FILES and min(sizes) >= 0 and sum(sizes) <= end - HEADER_SIZE


def _bare_records(data: bytes) -> bytes:
    """The records of a file without an archive: one stream that fills the rest of the file exactly."""
    (picture_size,) = PICTURE_SIZE.unpack_from(data)
    start = HEADER_SIZE + picture_size
    unpacker = zlib.decompressobj()
    try:
        records = unpacker.decompress(data[start:], LARGEST + 1)
    except zlib.error:
        records = b""
    _check_size(len(records), RECORDS)
    if not unpacker.eof or unpacker.unused_data:
        raise InputError("the XG file is damaged or cut off: there is no archive at its end")
    return records


def _entries(register: bytes, trailer: _Trailer) -> Iterator[_Entry]:
    size = trailer.files * ENTRY.size
    if trailer.compressed:
        register = _inflate(register, size, "list of files")
    if len(register) != size:
        raise InputError(f"the XG file's list of {trailer.files} files has {len(register)} bytes, expected {size}")
    for name, _, *rest in ENTRY.iter_unpack(register):
        length = name[0]
        yield _Entry(name[1 : 1 + length].decode("ascii", "replace"), *rest[:5])


def _extract(contents: bytes, entry: _Entry) -> bytes:
    _check_size(entry.size, entry.name)
    packed_size = entry.packed_size
    if entry.start < 0 or packed_size < 0 or entry.start + packed_size > len(contents):
        raise InputError(
            f"{entry.name} in the XG file is said to be bytes {entry.start} to {entry.start + packed_size}"
            f" of {len(contents)}"
        )
    packed = contents[entry.start : entry.start + packed_size]
    content = packed if entry.stored else _inflate(packed, entry.size, entry.name)
    if len(content) != entry.size:
        raise InputError(f"{entry.name} in the XG file has {len(content)} bytes, expected {entry.size}")
    found = zlib.crc32(content)
    if found != entry.crc:
        raise InputError(f"{entry.name} in the XG file is damaged: its checksum is {found:08x}, not {entry.crc:08x}")
    return content


def _inflate(packed: bytes, size: int, what: str) -> bytes:
    """What a zlib stream holds; of a longer one than expected only a byte more is unpacked."""
    try:
        return zlib.decompressobj().decompress(packed, size + 1)
    except zlib.error as error:
        raise InputError(f"{what} in the XG file cannot be unpacked: {error}") from None


def _check_size(size: int, what: str) -> None:
    if not 0 <= size <= LARGEST:
        raise InputError(f"{what} in the XG file is said to have {size} bytes, expected 0 to {LARGEST}")
