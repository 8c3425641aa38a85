"""Lines out of the packets of a connection, with what Telnet puts between them taken out."""

from __future__ import annotations

from collections.abc import Iterator

LONGEST_LINE = 2**20
"""Bytes; a longer line is thrown away up to its end."""

_IAC, _SB, _SE = 255, 250, 240
_WITH_OPTION = (251, 252, 253, 254)


class LineSplitter:
    """Takes packets as they come, however they were cut, and gives whole lines.

    >>> splitter = LineSplitter()
    >>> list(splitter.feed(b"one\\r\\ntw")), splitter.pending
    (['one'], 'tw')
    >>> list(splitter.feed(bytes([255, 251, 1]) + b"o\\nlogin: ")), splitter.pending
    (['two'], 'login: ')
    """

    def __init__(self) -> None:
        self._line = bytearray()
        self._command = bytearray()
        self._inside = False
        self._too_long = False

    @property
    def pending(self) -> str:
        """What has come of the next line; a prompt never gets its end."""
        return _text(self._line)

    def feed(self, packet: bytes) -> Iterator[str]:
        """The lines that end in this packet, without their ends."""
        *ended, rest = self._plain(packet).split(b"\n")
        for part in ended:
            self._add(part)
            line, skipped = _text(self._line), self._too_long
            self._line.clear()
            self._too_long = False
            if not skipped:
                yield line
        self._add(rest)

    def _add(self, part: bytes) -> None:
        if not self._too_long:
            self._line += part
        if len(self._line) > LONGEST_LINE:
            self._too_long = True
            self._line.clear()

    def _plain(self, packet: bytes) -> bytes:
        """What is left without NUL and the commands of Telnet (RFC 854); options are neither asked for nor granted."""
        if not self._command and not self._inside and _IAC not in packet:
            return packet.replace(b"\0", b"")
        kept = bytearray()
        for byte in packet:
            if self._command or byte == _IAC:
                kept += self._telnet(byte)
            elif byte and not self._inside:
                kept.append(byte)
        return bytes(kept)

    def _telnet(self, byte: int) -> bytes:
        """One byte of a command, which begins with 255; two of these are the byte itself."""
        self._command.append(byte)
        if len(self._command) == 1:
            return b""
        kind = self._command[1]
        if kind in _WITH_OPTION and len(self._command) < 3:
            return b""
        self._command.clear()
        if kind in (_SB, _SE):
            self._inside = kind == _SB
        return bytes([_IAC]) if kind == _IAC and not self._inside else b""


def _text(line: bytearray) -> str:
    return line.decode("utf-8", errors="replace").removesuffix("\r")
