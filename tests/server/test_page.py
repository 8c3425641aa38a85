"""The page to play on, looked at without a browser: what is served, that nothing comes from elsewhere, and that its
parts fit together."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from importlib.resources import files
from pathlib import Path

import pytest

from bgai.server.page_files import page_files
from tests.server.conftest import Served

ROOT = Path(__file__).parents[2]
PAGE = {path: data.decode() for path, data in page_files().items()}
SCRIPTS = sorted(path for path in PAGE if path.endswith(".js"))
DOCUMENTS = sorted(path for path in PAGE if path.endswith(".html"))
TYPES = {"html": "text/html", "css": "text/css", "js": "text/javascript", "svg": "image/svg+xml"}
VOID = {"meta", "link", "input", "img", "br"}


class Element:
    """An element of a document, with the text inside it."""

    def __init__(self, tag: str, attributes: dict[str, str | None], within: tuple[Element, ...]) -> None:
        self.tag = tag
        self.attributes = attributes
        self.within = within
        self.text = ""


class Document(HTMLParser):
    """The elements of a document; it has to be well formed."""

    def __init__(self, path: str) -> None:
        super().__init__()
        self.elements: list[Element] = []
        self._open: list[Element] = []
        self.feed(PAGE[path])
        assert not self._open, f"{path}: <{self._open[-1].tag}> is not closed"

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        element = Element(tag, dict(attrs), tuple(self._open))
        self.elements.append(element)
        if tag not in VOID:
            self._open.append(element)

    def handle_endtag(self, tag: str) -> None:
        assert self._open, tag
        assert self._open[-1].tag == tag, f"</{tag}> where <{self._open[-1].tag}> is open"
        self._open.pop()

    def handle_data(self, data: str) -> None:
        for element in self._open:
            element.text += data

    def having(self, attribute: str) -> list[str]:
        """The values of an attribute."""
        return [found for one in self.elements if (found := one.attributes.get(attribute)) is not None]


@pytest.mark.parametrize("path", ["", *PAGE])
def test_each_file_is_served_with_its_type_and_under_the_policy(api: Served, path: str) -> None:
    response = api.get(f"/{path}")
    assert response.status_code == 200
    assert response.headers["content-type"].split(";")[0] == TYPES[path.rpartition(".")[2] or "html"]
    policy = response.headers["content-security-policy"]
    assert "default-src 'self'" in policy
    assert "script-src" not in policy
    assert response.headers["x-content-type-options"] == "nosniff"
    assert response.text == PAGE[path or "index.html"]


def test_every_file_of_the_folder_is_part_of_the_page() -> None:
    folder = files("bgai.server") / "page"
    assert {entry.name for entry in folder.iterdir()} == set(PAGE)


@pytest.mark.parametrize("path", PAGE)
def test_nothing_is_loaded_from_elsewhere(path: str) -> None:
    text = PAGE[path].replace("http://www.w3.org/2000/svg", "")
    assert not re.findall(r"""(?:https?:|wss?:)?//[\w-]+\.[\w.-]+|@import|url\(["']?(?!#|["']#)""", text)


@pytest.mark.parametrize("path", SCRIPTS)
def test_scripts_make_no_markup_from_text_and_evaluate_nothing(path: str) -> None:
    assert not re.findall(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function", PAGE[path])


@pytest.mark.parametrize("path", DOCUMENTS)
def test_documents_have_no_script_nor_style_inside(path: str) -> None:
    for element in Document(path).elements:
        assert element.tag != "style"
        assert "style" not in element.attributes
        assert not [name for name in element.attributes if name.startswith("on")]
        if element.tag == "script":
            assert element.attributes["type"] == "module"
            assert not element.text.strip()


@pytest.mark.parametrize("path", DOCUMENTS)
def test_what_a_document_names_is_there(path: str) -> None:
    document = Document(path)
    ids = document.having("id")
    assert len(ids) == len(set(ids))
    for address in document.having("href") + document.having("src"):
        target, _, fragment = address.partition("#")
        assert target in ("", "./", *PAGE), address
        if not target:
            assert fragment in ids, address
    for attribute in ("for", "aria-labelledby", "aria-describedby", "aria-controls"):
        assert set(document.having(attribute)) <= set(ids)
    assert ("lang", "en") in [(name, value) for one in document.elements for name, value in one.attributes.items()]


@pytest.mark.parametrize("path", SCRIPTS)
def test_what_a_script_names_is_there(path: str) -> None:
    for name in re.findall(r'from "\./([^"]+)"', PAGE[path]):
        assert name in PAGE
    for names, module in re.findall(r'import \{([^}]+)\} from "\./([^"]+)"', PAGE[path]):
        for name in filter(None, (word.strip() for word in names.split(","))):
            exported = rf"export (?:async )?(?:function\*?|class|const) {name}\b|export \{{[^}}]*\b{name}\b"
            assert re.search(exported, PAGE[module]), f"{module} does not export {name}"
            assert len(re.findall(rf"\b{name}\b", PAGE[path])) > 1, f"{path} does not use {name}"


def test_ids_that_scripts_look_for_are_in_the_documents() -> None:
    play, help_page = Document("index.html").having("id"), Document("how-to-play.html").having("id")
    for path in SCRIPTS:
        ids = help_page if path == "howto.js" else play
        for name in re.findall(r'\b(?:at|press|open)\("([a-z-]+)"', PAGE[path]):
            if name.startswith("do-"):
                assert f'["{name.removeprefix("do-")}", "' in PAGE["table.js"], name  # buttons that come and go
            else:
                assert name in ids, f"{path}: {name}"


def test_everything_that_can_be_used_has_a_name() -> None:
    document = Document("index.html")
    named = set(document.having("for"))
    for one in document.elements:
        label = one.attributes.get("aria-label") or one.attributes.get("aria-labelledby")
        if one.tag in ("button", "a", "summary", "label"):
            assert label or one.text.strip(), one.attributes
        if one.tag in ("input", "select", "textarea", "progress"):
            inside = any(outer.tag == "label" for outer in one.within)
            assert label or inside or one.attributes.get("id") in named, one.attributes
        if one.tag in ("dialog", "nav", "aside") or (one.tag == "svg"):
            assert label, one.attributes
        if one.tag == "img":
            assert "alt" in one.attributes


def colours(selector: str) -> dict[str, str]:
    """The colours that a rule of the style sheet gives."""
    found = re.search(rf"(?:^|\n){re.escape(selector)} \{{(.*?)\}}", PAGE["style.css"], re.DOTALL)
    assert found, selector
    return dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6});", found[1]))


def contrast(one: str, other: str) -> float:
    """The ratio of WCAG 2.2 (relative luminance)."""
    lights = []
    for colour in (one, other):
        parts = [int(colour[n : n + 2], 16) / 255 for n in (1, 3, 5)]
        linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
        lights.append(0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2])
    return (max(lights) + 0.05) / (min(lights) + 0.05)


def test_contrast_is_computed_as_the_standard_does() -> None:
    assert contrast("#ffffff", "#000000") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_can_be_read(scheme: str) -> None:
    page = colours(":root")
    if scheme == "dark":
        page |= colours(':root[data-scheme="dark"]')
    for ground in ("page", "card", "press"):
        for ink in ("ink", "faint", "accent", "good", "bad"):
            assert contrast(page[ink], page[ground]) >= 4.5, (ink, ground)
    assert contrast(page["on-accent"], page["accent"]) >= 4.5
    assert contrast(page["card"], page["bad"]) >= 4.5
    assert contrast(page["card"], page["warn"]) >= 4.5


BOARDS = [
    ':root,\n:root[data-board="walnut"]',
    ':root[data-board="felt"]',
    ':root[data-board="slate"]',
    ':root[data-scheme="dark"][data-board="walnut"]',
]


@pytest.mark.parametrize("selector", BOARDS)
def test_marks_and_numbers_stand_out_on_every_board(selector: str) -> None:
    board = colours(selector)
    assert contrast(board["numbers"], board["frame"]) >= 4.5
    assert contrast(board["numbers"], board["tray"]) >= 4.5
    # Graphics need 3.
    for mark in ("move", "hit"):
        assert contrast(board[mark], board["field"]) >= 3
        assert contrast(board[mark], board["halo"]) >= 3


def test_the_glossary_and_the_rules_are_those_of_the_documentation() -> None:
    rules = (ROOT / "docs" / "rules.md").read_text("utf-8")
    words = re.findall(r"^\| (\w[^|]*) \| ", rules.split("## 9. Words")[1].split("## 10")[0], re.MULTILINE)
    words.remove("word")
    document = Document("how-to-play.html")
    assert [one.text for one in document.elements if one.tag == "dt"] == words
    titles = re.findall(r"^## \d+\. (.*)$", rules, re.MULTILINE)
    assert [one.text for one in document.elements if one.tag == "h2"] == ["This page", *titles]


def test_how_to_play_says_that_the_cube_shows_64() -> None:
    (cube,) = [one.text for one in Document("how-to-play.html").elements if one.attributes.get("id") == "cube"]
    assert re.search(r"starts at 1 in the middle, where it lies with its 64 up", cube)


@pytest.mark.parametrize("path", [*SCRIPTS, *DOCUMENTS])
def test_percentages_have_no_space(path: str) -> None:
    assert not re.findall(r"[\d}] % ?[^\d\s({]", PAGE[path])


def test_how_to_play_names_no_file() -> None:
    texts = [one.text for one in Document("how-to-play.html").elements if one.tag == "article"]
    assert not re.search(r"\w\.md\b", " ".join(texts))
