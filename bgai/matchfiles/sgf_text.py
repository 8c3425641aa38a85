"""The syntax of SGF, the Smart Game Format (https://www.red-bean.com/sgf/), whatever game it is used for.

collection  {(tree)}      tree  ( {node} {tree} )      node  ; {property}      property  NAME {[value]}

>>> (game,) = parse_sgf("(;GM[6]PW[Al\\\\]ice](;W[31hefe])(;W[31mjfe]))")
>>> [node.properties for node in game]
[{'GM': ['6'], 'PW': ['Al]ice']}, {'W': ['31hefe']}]
"""

from __future__ import annotations

from dataclasses import dataclass, field

from bgai.errors import InputError


@dataclass
class Node:
    """One node of a game."""

    line: int
    """In the file, from 1."""
    properties: dict[str, list[str]] = field(default_factory=dict)
    """Values by name, as they are meant: without escapes."""

    def text(self, name: str, otherwise: str = "") -> str:
        """The first value of a property."""
        return self.properties.get(name, [otherwise])[0]


def is_sgf(text: str) -> bool:
    """Whether a text begins as SGF does."""
    return text.lstrip().startswith("(") and text.lstrip()[1:].lstrip().startswith(";")


def parse_sgf(text: str) -> list[list[Node]]:
    """The games of a collection, each as the nodes of its main line; other variations are left aside.

    Raises:
        InputError: no SGF, or one that is cut; the message names the line.
    """
    return _Parser(text).games()


def escape(text: str) -> str:
    """A text as the value of a property."""
    return text.replace("\\", "\\\\").replace("]", "\\]")


class _Parser:
    def __init__(self, text: str) -> None:
        self._text = text.replace("\r\n", "\n").replace("\r", "\n")
        self._at = 0
        self._line = 1
        self._seen = 0

    def games(self) -> list[list[Node]]:
        found: list[list[Node]] = []
        while self._skip_to("("):
            found.append(self._tree())
        if not found:
            raise InputError("expected SGF, which begins with '(;', found none")
        return found

    def _tree(self) -> list[Node]:
        nodes: list[Node] = []
        begins = self._where()
        branches = [0]
        """Trees that have begun so far, on every level that is open."""
        aside = 0
        """Levels below the first variation that are left aside."""
        self._at += 1
        while branches:
            self._blanks()
            sign = self._text[self._at : self._at + 1]
            if not sign:
                raise InputError(f"line {self._where()}: the file is cut: the game of line {begins} has no end")
            self._at += 1
            if sign == "(":
                aside += aside > 0 or branches[-1] > 0
                branches[-1] += 1
                branches.append(0)
            elif sign == ")":
                branches.pop()
                aside -= aside > 0
            elif sign == ";":
                node = self._node()
                if not aside:
                    nodes.append(node)
            elif sign.isalpha():
                self._at -= 1
                self._property(nodes[-1] if nodes and not aside else Node(0))
            else:
                raise InputError(f"line {self._where()}: expected '(', ')', ';' or a property, found {sign!r}")
        return nodes

    def _node(self) -> Node:
        node = Node(self._where())
        self._blanks()
        while self._text[self._at : self._at + 1].isalpha():
            self._property(node)
            self._blanks()
        return node

    def _property(self, node: Node) -> None:
        start = self._at
        while self._text[self._at : self._at + 1].isalnum():
            self._at += 1
        # Old files write names in full, as GaMe; the capital letters are what counts.
        name = "".join(letter for letter in self._text[start : self._at] if letter.isupper() or letter.isdigit())
        values = node.properties.setdefault(name, [])
        self._blanks()
        while self._text[self._at : self._at + 1] == "[":
            values.append(self._value())
            self._blanks()
        if not values:
            del node.properties[name]

    def _value(self) -> str:
        begins = self._where()
        self._at += 1
        parts: list[str] = []
        while True:
            sign = self._text[self._at : self._at + 1]
            self._at += 1
            if not sign:
                raise InputError(f"line {begins}: the file is cut: a value has no end, expected ']'")
            if sign == "]":
                return "".join(parts)
            if sign == "\\":
                sign = self._text[self._at : self._at + 1]
                self._at += 1
                # An escaped line end is there for the eye only.
                sign = "" if sign == "\n" else sign
            parts.append(sign)

    def _blanks(self) -> None:
        while self._text[self._at : self._at + 1].isspace():
            self._at += 1

    def _skip_to(self, sign: str) -> bool:
        found = self._text.find(sign, self._at)
        self._at = len(self._text) if found < 0 else found
        return found >= 0

    def _where(self) -> int:
        """The line, counted on from the last time."""
        self._line += self._text.count("\n", self._seen, self._at)
        self._seen = self._at
        return self._line
