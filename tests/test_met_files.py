"""Tables in files: CSV, gnubg's XML, the one that is shipped, and what is wrong with broken ones."""

from __future__ import annotations

import contextlib
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import bgai
from bgai.errors import InputError
from bgai.met import MatchEquityTable, build_met, check_met, compare_met, default_met, format_met, read_met

GNUBG = Path("/usr/share/gnubg/met")
installed = pytest.mark.skipif(not GNUBG.is_dir(), reason="gnubg's tables are not installed")

CSV = """\
# name: Three
# source: somebody, somehow
# another remark

away,1,2,3
1,0.5,0.7,0.75
2,0.3,0.5,0.6
3,0.25,0.4,0.5
post-Crawford,0.5,0.49,0.3
"""

XML = """\
<?xml version = "1.0"?>
<!DOCTYPE met PUBLIC "-//GNU Backgammon//DTD Match Equity Tables//EN" "met.dtd">
<!-- a remark -->
<met>
  <info><name>Three &amp; more</name><description> somebody, somehow </description><length>3</length></info>
  <pre-crawford-table type="explicit">
    <row><me>0.5</me><me>0.7</me><me> 0.75 </me></row>
    <row><me>0.3</me><me>0.5</me><me>0.6</me></row>
    <row><me>0.25</me><me>0.4</me><me>0.5</me></row>
  </pre-crawford-table>
  <post-crawford-table type="explicit" player="both">
    <row><me>0.5</me><me>0.49</me><me>0.3</me></row>
  </post-crawford-table>
</met>
"""

POST = "    <row><me>0.5</me><me>0.49</me><me>0.3</me></row>\n"


def file(folder: Path, text: str | bytes) -> Path:
    path = folder / "table"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def refused(folder: Path, text: str | bytes) -> str:
    """What is said of a bad file, without its name."""
    path = file(folder, text)
    with pytest.raises(InputError) as caught:
        read_met(path)
    said = str(caught.value)
    assert repr(str(path)) in said
    assert "\n" not in said
    return said.replace(repr(str(path)), "FILE")


@pytest.mark.parametrize(
    ("text", "name"), [(CSV, "Three"), (XML, "Three & more"), ("\ufeff\n" + XML.split("\n", 1)[1], "Three & more")]
)
def test_reading(tmp_path: Path, text: str, name: str) -> None:
    met = read_met(file(tmp_path, text))
    assert (met.name, met.source, met.notes) == (name, "somebody, somehow", ())
    assert met.pre.tolist() == [[0.5, 0.7, 0.75], [0.3, 0.5, 0.6], [0.25, 0.4, 0.5]]
    assert met.post.tolist() == [0.5, 0.49, 0.3]


def test_writing_is_the_inverse_of_reading(tmp_path: Path) -> None:
    for met in (default_met(), build_met(length=30), build_met(length=1)):
        again = read_met(file(tmp_path, format_met(met)))
        assert np.array_equal(again.grid, met.grid, equal_nan=True)
        assert (again.name, again.source) == (met.name, met.source)
    assert format_met(read_met(file(tmp_path, CSV))) == CSV.replace("# another remark\n\n", "")


def test_a_file_without_names_has_its_own(tmp_path: Path) -> None:
    bare = "\n".join(line for line in CSV.splitlines() if not line.startswith("#"))
    assert read_met(file(tmp_path, bare)).name == "table"
    assert read_met(file(tmp_path, XML.replace("<info>", "<x>").replace("</info>", "</x>"))).name == "table"


def test_an_xml_file_may_leave_out_the_last_entry_after_crawford(tmp_path: Path) -> None:
    met = read_met(file(tmp_path, XML.replace("<me>0.49</me><me>0.3</me>", "<me>0.49</me>")))
    assert met.post.tolist() == pytest.approx([0.5, 0.49, 0.3225])
    assert met.notes == ("computed the post-Crawford entry at 3-away, which the file does not have",)


def test_two_equal_tables_after_crawford_are_one(tmp_path: Path) -> None:
    table = XML[XML.index("  <post-crawford") : XML.index("</met>")]
    assert read_met(file(tmp_path, XML.replace("</met>", f"{table}</met>"))).post.tolist() == [0.5, 0.49, 0.3]
    other = table.replace("0.49", "0.48")
    assert refused(tmp_path, XML.replace("</met>", f"{other}</met>")) == (
        "FILE is for players of different strength: its post-Crawford tables differ, expected one for both"
    )


def test_slips_of_rounding_are_averaged_and_said(tmp_path: Path) -> None:
    met = read_met(file(tmp_path, CSV.replace("2,0.3,0.5,0.6", "2,0.3,0.5,0.602")))
    assert met.pre[1, 2] == pytest.approx(0.601)
    assert met.pre[2, 1] == pytest.approx(0.399)
    assert met.notes == (
        "averaged, as the two chances do not add up to 1: "
        "2-away, 3-away: found 0.602, expected 0.6, since 3-away, 2-away has 0.4",
    )
    assert check_met(met) == []


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("1,0.5,0.7,0.75", "1,0.5,0.7,1.2", "FILE: range: 1-away, 3-away: found 1.2, expected a chance from 0 to 1"),
        ("1,0.5,0.7,0.75", "1,0.5,0.7,nan", "FILE: range: 1-away, 3-away: found nan, expected a chance from 0 to 1"),
        ("0.49,0.3", "0.49,-0.3", "FILE: range: 3-away, 1-away after the Crawford game: found -0.3, expected a chance"),
        ("2,0.3,0.5", "2,0.3,0.55", "FILE: diagonal: 2-away, 2-away: found 0.55, expected 0.5, as the score is even"),
        ("Crawford,0.5", "Crawford,0.6", "FILE: diagonal: 1-away, 1-away after the Crawford game: found 0.6"),
        (
            "2,0.3,0.5,0.6",
            "2,0.3,0.5,0.65",
            "FILE: complement: 2-away, 3-away: found 0.65, expected 0.6, since 3-away, 2-away has 0.4",
        ),
        (
            "1,0.5,0.7,0.75\n2,0.3,0.5,0.6\n3,0.25",
            "1,0.5,0.7,0.65\n2,0.3,0.5,0.6\n3,0.35",
            "FILE: rows: 1-away, 3-away: found 0.65, expected at least 0.7, the chance against 2-away (and 1 more)",
        ),
        ("0.49,0.3", "0.49,0.495", "FILE: post-Crawford: 3-away, 1-away after the Crawford game: found 0.495"),
        ("0.6", "0.6x", "FILE, row 2, column 3: expected a number, found '0.6x'"),
        ("away,1,2,3", "away,1,2,4", "expected a first row 'away,1,2,…', found 'away,1,2,4'"),
        ("away,1,2,3", "away", "expected a first row 'away,1,2,…', found 'away'"),
        ("2,0.3,0.5,0.6", "2,0.3,0.5", "FILE, line 7: expected '2' and 3 entries, found '2' and 2"),
        ("2,0.3,0.5,0.6", "4,0.3,0.5,0.6", "FILE, line 7: expected '2' and 3 entries, found '4' and 3"),
        ("post-Crawford,0.5,0.49,0.3\n", "", "FILE: expected 5 rows for 3 points, found 4"),
        (CSV, "", "FILE is no match equity table: expected a first row 'away,1,2,…', found 'nothing'"),
    ],
)
def test_broken_csv(tmp_path: Path, old: str, new: str, said: str) -> None:
    assert old in CSV
    assert said in refused(tmp_path, CSV.replace(old, new))


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("</met>", "", "FILE is no match equity table: broken XML, "),
        ("met>", "mat>", "expected <met> with <pre-crawford-table> and <post-crawford-table>, found <mat>"),
        ('type="explicit" player', 'type="zadeh" player', "a table of type 'zadeh' is given by parameters, expected"),
        ("<me>0.6</me>", "", "FILE, row 2: expected 3 entries, found 2"),
        ("<me>0.6</me>", "<me/>", "FILE, row 2, column 3: expected a number, found ''"),
        (POST, "", "FILE: expected one row of 3 post-Crawford entries, found 0"),
        (POST, POST + POST, "FILE: expected one row of 3 post-Crawford entries, found 3"),
        ("<me>0.49</me><me>0.3</me>", "", "FILE: expected one row of 3 post-Crawford entries, found 1"),
        ("<!-- a", '<!DOCTYPE met [<!ENTITY a "b">]><!-- a', "FILE: XML entities are not read"),
        ('"1.0"', '"1.0" encoding="none"', "FILE is no match equity table: broken XML, "),
    ],
)
def test_broken_xml(tmp_path: Path, old: str, new: str, said: str) -> None:
    assert old in XML
    assert said in refused(tmp_path, XML.replace(old, new))


def test_files_that_are_no_tables(tmp_path: Path) -> None:
    assert "neither XML nor text" in refused(tmp_path, bytes(range(256)))
    assert "larger than 32 MiB" in refused(tmp_path, b" " * ((1 << 25) + 1))
    for path in (tmp_path, tmp_path / "nowhere", "a\0b"):
        with pytest.raises(InputError, match="cannot read the file"):
            read_met(path)
    empty = "<met><pre-crawford-table/><post-crawford-table/></met>"
    assert "expected one row of 0 post-Crawford entries" in refused(tmp_path, empty)


@given(st.one_of(st.binary(max_size=60), st.text(alphabet="away,123.05\n#<>me/t-Crpos", max_size=60).map(str.encode)))
@settings(max_examples=200, deadline=None)
def test_any_bytes_are_read_or_refused(tmp_path_factory: pytest.TempPathFactory, data: bytes) -> None:
    path = tmp_path_factory.getbasetemp() / "bytes"
    path.write_bytes(data)
    with contextlib.suppress(InputError):
        read_met(path)


def test_without_the_check_a_table_comes_as_it_is(tmp_path: Path) -> None:
    met = read_met(file(tmp_path, CSV.replace("0.6", "0.65").replace("0.49,0.3", "0.49,0.6")), check=False)
    assert met.pre[1, 2] == 0.65
    assert [problem.rule for problem in check_met(met)] == ["complement", "post-Crawford"]


def test_every_rule_is_checked_in_every_entry() -> None:
    met = default_met()
    for i, j in [(0, 1), (3, 7), (24, 23), (24, 24)]:
        pre = met.pre.copy()
        pre[i, j] += 0.001
        problems = check_met(replace(met, pre=pre))
        assert {(i + 1, j + 1), (j + 1, i + 1)} & {problem.away for problem in problems}


def test_the_shipped_file_names_its_source_and_keeps_its_notice() -> None:
    text = (Path(bgai.__file__).parent / "data" / "kazaross-xg2.csv").read_text("utf-8")
    for words in (
        "Copyright (C) 2011 Neil Kazaross",
        "are permitted in any medium without royalty",
        "without any warranty",
    ):
        assert words in text
    assert default_met().name == "Kazaross-XG2"
    assert default_met().source.startswith("Neil Kazaross, 2011")
    assert default_met() is default_met(25) is default_met(9)


@installed
def test_the_shipped_table_is_gnubgs_to_the_last_digit() -> None:
    theirs = read_met(GNUBG / "Kazaross-XG2.xml")
    assert np.array_equal(theirs.grid, default_met().grid, equal_nan=True)


@installed
def test_gnubgs_own_tables_are_read_or_refused_for_a_reason() -> None:
    reasons = {
        "catalog": "expected <met>",
        "jac050": "players of different strength",
        "jac100": "players of different strength",
        "mec": "type 'mec'",
        "zadeh": "type 'zadeh'",
    }
    read: dict[str, MatchEquityTable] = {}
    for path in sorted(GNUBG.glob("*.xml")):
        if path.stem in reasons:
            with pytest.raises(InputError, match=reasons[path.stem]):
                read_met(path)
        else:
            read[path.stem] = read_met(path)
    assert len(read) >= 8
    for name, met in read.items():
        assert check_met(met) == []
        assert met.length in (15, 25)
        assert compare_met(met, default_met()).largest < 0.03, name
    assert "averaged" in read["ortega"].notes[0]
