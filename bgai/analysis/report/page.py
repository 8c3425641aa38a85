"""The page as a whole."""

from __future__ import annotations

from bgai.analysis.analysis import Analysis
from bgai.analysis.report.boards import Boards
from bgai.analysis.report.context import Context, Explanations
from bgai.analysis.report.costly import arrow_keys, errors_section
from bgai.analysis.report.course import course_section, signs
from bgai.analysis.report.explanations import DOUBTFUL
from bgai.analysis.report.games import games_section
from bgai.analysis.report.markup import Markup, tag
from bgai.analysis.report.style import style_sheet
from bgai.analysis.report.summary import header, summary_section
from bgai.version import __version__

_POLICY = "default-src 'none'; style-src 'unsafe-inline'"
"""Whatever a file of a match may hold: the page loads nothing and runs nothing."""

_SECTIONS = (("summary", "Summary"), ("course", "Course"), ("errors", "Errors"), ("games", "Games"))


def write_report(analysis: Analysis, explanations: Explanations | None = None, *, threshold: float = DOUBTFUL) -> str:
    """One page of HTML that needs nothing else.

    Args:
        explanations: what is said of errors, by (game, event), such as `explain_errors` finds; other errors have a
            sentence of their own.
        threshold: decisions that lose more equity are listed as errors.

    Raises:
        InputError: a threshold below 0.
    """
    context = Context(analysis, threshold, explanations or {})
    boards = Boards()
    errors = errors_section(context, boards)
    title = f"{context.names[0]} – {context.names[1]}: analysis"
    head = tag(
        "head",
        tag("meta", charset="utf-8"),
        tag("meta", http_equiv="Content-Security-Policy", content=_POLICY),
        tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
        tag("meta", name="color-scheme", content="light dark"),
        tag("meta", name="generator", content=f"bgai {__version__}"),
        tag("title", title),
        tag("style", Markup(style_sheet())),
    )
    links = [tag("li", tag("a", words, href=f"#{name}")) for name, words in _SECTIONS]
    body = tag(
        "body",
        header(context),
        tag("nav", tag("ul", *links), aria_label="Parts of the report"),
        tag("main", summary_section(context), course_section(context), errors, games_section(context)),
        tag("footer", f"Made by bgai {__version__}."),
        boards.shared(),
        arrow_keys(),
        signs(),
    )
    return f"<!DOCTYPE html>\n{tag('html', head, body, lang='en')}\n"
