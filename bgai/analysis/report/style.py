"""The style sheet of a report: for telephones and desks, light and dark, and paper."""

from __future__ import annotations

from bgai.analysis.report.boards import colours
from bgai.diagram.theme import THEMES

_LIGHT = (
    "--page:#ffffff;--text:#1d2227;--faint:#59626b;--line:#d5dade;--card:#f6f7f8;--stripe:#f6f7f8;--link:#0f5ca8;"
    "--doubtful:#7a5b00;--bad:#a84300;--very-bad:#b3201a;--chosen:#fff4dc;--best:#1668b8;--made:#c2410c;"
    "--graph:#1668b8;"
)
_DARK = (
    "--page:#14171b;--text:#e9edf0;--faint:#a3adb7;--line:#38414a;--card:#1d2227;--stripe:#1b2025;--link:#7db8f5;"
    "--doubtful:#e6c35c;--bad:#ffa057;--very-bad:#ff8379;--chosen:#3a3020;--best:#6cb6ff;--made:#ffb547;"
    "--graph:#6cb6ff;"
)

_RULES = """
*{box-sizing:border-box}
html{font:16px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue","Noto Sans","Liberation Sans",Arial,
sans-serif;-webkit-text-size-adjust:100%;text-size-adjust:100%;scroll-padding-top:1rem}
body{margin:0 auto;padding:1rem;max-width:68rem;background:var(--page);color:var(--text);overflow-wrap:break-word}
dd,code,h1,h3,.card,.summary thead,.moves thead{overflow-wrap:anywhere}
h1,h2,h3,h4{line-height:1.25;margin:0 0 .5rem}
h1{font-size:1.8rem}
h2{font-size:1.4rem;margin-top:2.5rem;padding-bottom:.25rem;border-bottom:2px solid var(--line)}
h3{font-size:1.1rem}
h4{font-size:1rem}
p,ul,dl,figure{margin:0 0 .75rem}
ul{padding-left:1.2rem}
a{color:var(--link)}
small{display:block;font-size:.8125rem;color:var(--faint);font-weight:400;line-height:1.35}
code{font:.8125rem/1.4 ui-monospace,"DejaVu Sans Mono",Menlo,Consolas,monospace;user-select:all;-webkit-user-select:all}
:focus-visible{outline:3px solid var(--link);outline-offset:2px}
:target{outline:2px solid var(--link);outline-offset:2px}

table{border-collapse:collapse;width:100%;font-variant-numeric:tabular-nums;margin:0 0 1rem}
caption{text-align:left;color:var(--faint);font-size:.875rem;padding:.25rem 0}
th,td{padding:.3rem .4rem;text-align:left;vertical-align:top;border-bottom:1px solid var(--line)}
thead th,thead td{vertical-align:bottom;border-bottom:2px solid var(--line);font-size:.875rem}
tbody th{font-weight:400}
.number{text-align:right}
.wide{overflow-x:auto;max-width:46rem}
abbr{text-decoration:none}

nav ul{display:flex;flex-wrap:wrap;gap:.25rem 1.25rem;list-style:none;padding:0;margin:1rem 0}
.facts{display:grid;gap:.25rem 2rem;grid-template-columns:repeat(auto-fill,minmax(min(100%,20rem),1fr))}
.facts div{display:flex;gap:.5rem}
.facts dt{color:var(--faint);min-width:8.5rem}
.facts dd{margin:0;flex:1}
.comment{white-space:pre-line}
.problems{border:1px solid var(--bad);border-left-width:6px;border-radius:.4rem;padding:.75rem 1rem;margin:1rem 0}
.problems h2{font-size:1.1rem;margin:0 0 .5rem;border:0;padding:0}
.cards{display:grid;grid-template-columns:1fr 1fr;gap:.75rem;margin-bottom:1rem}
.card{background:var(--card);border:1px solid var(--line);border-radius:.5rem;padding:.75rem 1rem}
.card p{margin:0}
.card .who{font-weight:600}
.card .pr b{font-size:2rem;line-height:1.2}
.card .rating{font-weight:600}
.card p:last-child{color:var(--faint);font-size:.875rem}
.summary{table-layout:fixed}
.summary thead td{width:40%}
.summary th[scope=rowgroup]{font-weight:700;padding-top:1rem}

#definitions{font-size:.875rem;color:var(--faint)}
#definitions dl{display:grid;grid-template-columns:max-content 1fr;gap:.3rem .75rem}
#definitions dt{font-weight:600}
#definitions dd{margin:0}

.course{margin:0 0 1.5rem}
.graph-frame{padding:1.5rem .6rem .6rem 3rem}
.graph{display:block;width:100%;height:19rem;overflow:visible}
.graph line{stroke:var(--line);stroke-width:1}
.graph line.middle{stroke:var(--faint)}
.graph line.border{stroke:var(--faint);stroke-dasharray:2 4}
.graph text{font-size:.75rem;fill:var(--faint)}
.graph .tick{text-anchor:end}
.graph .game-number{text-anchor:middle}
.graph .line{overflow:visible}
.graph polyline{fill:none;stroke:var(--graph);stroke-width:1.8;stroke-linejoin:round}
.error-sign{fill:var(--very-bad);stroke:var(--page);stroke-width:1}
.luck-sign{fill:var(--page);stroke:var(--text);stroke-width:1.6}
.shared{position:absolute}
.sign{width:16px;height:16px;vertical-align:-2px;overflow:visible}
figcaption{font-size:.875rem;color:var(--faint)}
.key{white-space:nowrap}

.filters{display:flex;flex-wrap:wrap;gap:.5rem 1.5rem;margin-bottom:1rem}
.filters fieldset{border:1px solid var(--line);border-radius:.4rem;padding:.2rem .75rem .5rem;margin:0;min-width:0}
.filters legend{font-size:.875rem;color:var(--faint);padding:0 .3rem}
.filters label{margin-right:1rem;display:inline-block;padding:.15rem 0}
.filters input{width:1.1rem;height:1.1rem;vertical-align:-.15rem;accent-color:var(--link);margin:0}
body:has(#show-seat-0:checked) .error.seat-1,body:has(#show-seat-1:checked) .error.seat-0,
body:has(#show-kind-play:checked) .error:not(.kind-play),body:has(#show-kind-cube:checked) .error:not(.kind-cube),
body:has(#show-kind-resignation:checked) .error:not(.kind-resignation){display:none}

.error{border:1px solid var(--line);border-left:6px solid var(--doubtful);border-radius:.5rem;padding:1rem;
margin:0 0 1.25rem}
.error.bad{border-left-color:var(--bad)}
.error.very-bad{border-left-color:var(--very-bad)}
.error .rank{color:var(--faint)}
.error h3 .rank{font-weight:400;margin-right:.25rem}
.error p.loss{margin-bottom:.25rem}
.mark{color:var(--doubtful)}
.bad .mark,a.lost.bad{color:var(--bad)}
.very-bad .mark,a.lost.very-bad{color:var(--very-bad)}
.situation{font-size:.875rem;color:var(--faint)}
.sides{display:grid;gap:0 1.5rem;align-items:start}
.sides>*{min-width:0}
.sides>div{overflow-x:auto}
.diagram{display:block;width:100%;max-width:30rem;margin:0 auto .5rem;
font-family:system-ui,"Helvetica Neue","Noto Sans","Liberation Sans",Arial,sans-serif}
.made .arrow>path{stroke-dasharray:11 6}
.made .arrow>g{stroke-linecap:butt}
.made .arrow>g path{stroke-dasharray:11 6}
.sides figcaption{display:flex;flex-wrap:wrap;gap:.1rem 1.25rem;max-width:30rem;margin:0 auto}
.checker{display:inline-block;width:.9rem;height:.9rem;border-radius:50%;vertical-align:-.1rem;border:1.5px solid}
.checker.own{background:var(--own-fill);border-color:var(--own-rim)}
.checker.opponent{background:var(--opponent-fill);border-color:var(--opponent-rim)}
.arrow-key{width:29px;height:12px;vertical-align:-1px;fill:none}
.arrow-key.best{stroke:var(--best);color:var(--best)}
.arrow-key.made{stroke:var(--made);color:var(--made)}
.tip{fill:currentColor;stroke:none}
.choices,.cube{font-size:.9375rem}
.choices td.rank,.choices th.rank{padding-left:0;padding-right:.2rem;color:var(--faint)}
.choices tr.made{background:var(--chosen)}
.choices .tag{color:var(--text)}
.choices .number,.cube .number{white-space:nowrap}
.chances{line-height:1.35}
.chances small{font-size:1em}
.chances{font-size:.8125rem}
.why{border-top:1px solid var(--line);padding-top:.6rem}
.why p,.why ul{margin-bottom:.4rem}
.why .lead{font-weight:600;margin-bottom:.1rem}
.ids{display:flex;flex-wrap:wrap;align-items:baseline;font-size:.8125rem;gap:.25rem 1.5rem;
margin:.5rem 0 0;color:var(--faint)}

.moves{table-layout:fixed;font-size:.9375rem;max-width:44rem}
.moves th:first-child{width:2.4rem;color:var(--faint);font-weight:400}
.moves td{padding:.25rem .4rem}
.moves .lost{margin-right:.4rem;white-space:nowrap}
.moves .luck{white-space:nowrap}
.remark td{font-style:italic;white-space:pre-line}
.legend{font-size:.875rem;color:var(--faint)}
footer{margin-top:3rem;color:var(--faint);font-size:.875rem;border-top:1px solid var(--line);padding-top:.75rem}

@media print,(min-width:52rem){
.reasons{display:grid;grid-template-columns:1fr 1fr;gap:1.5rem}
.reasons>:only-child{grid-column:1/-1}
}
@media (min-width:52rem){
.sides{grid-template-columns:25rem 1fr}
.beside{display:grid;grid-template-columns:3fr 2fr;gap:2.5rem;align-items:start}
#definitions dl{display:block}
#definitions dd{margin-bottom:.4rem}
}
@media (max-width:30rem){
body{padding:.75rem}
.error{padding:.75rem .6rem .75rem .7rem}
th,td{padding:.3rem .25rem}
.card{padding:.6rem .7rem}
.graph-frame{padding-left:2.6rem}
.diagram text[font-size="15"]{font-size:20px}
.moves{font-size:.875rem}
.choices,.cube{font-size:.8125rem}
.choices small,.chances{font-size:.75rem}
.choices th,.choices td{padding:.3rem 0 .3rem .35rem}
#definitions dl{display:block}
#definitions dd{margin-bottom:.4rem}
}
@media print{
html{font-size:9pt;line-height:1.35}
body{max-width:none;padding:0}
nav,.filters{display:none}
a{color:inherit;text-decoration:none}
.card,.course,tr,li,p,.problems,#definitions,.error,.wide{break-inside:avoid}
h2,h3,h4,caption,.game>h3+p,#errors>p{break-after:avoid}
.error{padding:.4rem .7rem;font-size:.87em;line-height:1.25}
.error td,.error th{padding:.05rem .2rem}
.error h3,.error h4{margin-bottom:.15rem}
.error small{line-height:1.15}
details{display:none}
.ending{break-before:avoid}
.choices small{line-height:1.2}
.why{padding-top:.3rem}
.why p,.why ul,.error p{margin-bottom:.2rem}
.error{margin-bottom:.8rem}
.error .ids{margin-top:.2rem}
th,td{padding:.12rem .3rem}
.summary th[scope=rowgroup]{padding-top:.5rem}
h2{margin-top:1.2rem}
thead{display:table-header-group}
.sides{grid-template-columns:6.2cm 1fr}
.graph{height:7cm}
*{-webkit-print-color-adjust:exact;print-color-adjust:exact}
}
@page{margin:1.2cm}
"""


def style_sheet() -> str:
    """All rules."""
    light, dark = (f":root{{{own}{colours(THEMES[name])}}}" for own, name in ((_LIGHT, "light"), (_DARK, "dark")))
    dark = f":root{{color-scheme:dark}}{dark}"
    return f":root{{color-scheme:light}}{light}@media screen and (prefers-color-scheme:dark){{{dark}}}{_RULES}"
