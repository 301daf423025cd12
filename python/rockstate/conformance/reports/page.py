"""The report as one HTML page that needs nothing beside itself."""

from __future__ import annotations

from html import escape
from itertools import groupby

from rockstate.conformance.running.report import VERDICTS, Report, Result, RuleResult

_STYLE = """
body { font: 15px/1.45 system-ui, sans-serif; margin: 2rem auto; max-width: 75rem; padding: 0 1rem; color: #1c2024; }
h1 { font-size: 1.5rem; overflow-wrap: anywhere; } h2 { font-size: 1.1rem; margin-top: 2rem; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; vertical-align: top; padding: .4rem .6rem; border-bottom: 1px solid #d9dde1; }
td.time { text-align: right; white-space: nowrap; }
tr.check td { border: 0; padding: .1rem .6rem .3rem; color: #3a4148; } tr.check .verdict { font-weight: 400; }
tr.rule td { border-top: 1px solid #d9dde1; border-bottom: 0; }
.why { color: #5b646d; font-size: .9em; }
.verdict { font-weight: 600; }
.verdict.passed { color: #18794e; } .verdict.absent, .verdict.skipped { color: #7a5d00; }
.verdict.failed, .verdict.error { color: #b4231f; }
pre { background: #f3f5f7; padding: .7rem; overflow-x: auto; font-size: .85em; white-space: pre; }
pre.message { white-space: pre-wrap; overflow-wrap: anywhere; }
"""


def html_page(report: Report) -> str:
    """The page: what was judged, what it can do, and a table of checks for each area."""
    areas = groupby(report.by_rule(), key=lambda each: each.rule.area)
    tables = "".join(_area(area, list(rules)) for area, rules in areas)
    title = f"Conformance of {report.plan.provider}"
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>{_STYLE}</style>\n</head>\n<body>\n"
        f"<h1>{escape(title)}</h1>\n{_summary(report)}{_capabilities(report)}{tables}</body>\n</html>\n"
    )


def _summary(report: Report) -> str:
    count = report.count()
    counts = ", ".join(f'<span class="verdict {each}">{count[each]} {each}</span>' for each in VERDICTS if count[each])
    effort = report.plan.effort
    conf = "".join(f"<br><code>{escape(key)}={escape(value)}</code>" for key, value in sorted(report.plan.conf.items()))
    return (
        f"<p>{counts or 'no checks'} in {report.seconds:.0f} s. Spark {escape(report.spark)}, "
        f"Rockstate {escape(report.rockstate)}, seed {effort.seed}, {effort.examples} examples.{conf}</p>\n"
    )


def _capabilities(report: Report) -> str:
    rows = "".join(
        f'<tr><td>{escape(each.name)}</td><td class="verdict {"passed" if each.is_there else "absent"}">'
        f'{"present" if each.is_there else "absent"}</td><td class="why">{escape(each.reason)}</td></tr>\n'
        for each in report.capabilities
    )
    return f"<h2>Capabilities</h2>\n<table>\n{rows}</table>\n"


def _area(area: str, rules: list[RuleResult]) -> str:
    rows = "".join(_rule(each) for each in rules)
    head = "<tr><th>rule</th><th>what it means</th><th>outcome</th><th>time</th></tr>"
    return f"<h2>{escape(area.capitalize())}</h2>\n<table>\n{head}\n{rows}</table>\n"


def _rule(of_rule: RuleResult) -> str:
    rule = of_rule.rule
    return (
        f'<tr class="rule" id="{escape(rule.id)}"><td>{escape(rule.id)}</td>'
        f"<td><strong>{escape(rule.title)}</strong>: {escape(rule.meaning)}"
        f'<div class="why">{escape(rule.matters)}</div></td>'
        f"{_outcome(of_rule.verdict, of_rule.seconds)}</tr>\n{''.join(_check(each) for each in of_rule.results)}"
    )


def _check(result: Result) -> str:
    message = f'<pre class="message">{escape(result.message)}</pre>' if result.message else ""
    shown = (
        f"<details><summary>program</summary><pre>{escape(result.program)}</pre></details>" if result.program else ""
    )
    return (
        f'<tr class="check"><td></td><td>{escape(result.check.title)}{message}{shown}</td>'
        f"{_outcome(result.verdict, result.seconds)}</tr>\n"
    )


def _outcome(verdict: str, seconds: float) -> str:
    return f'<td class="verdict {verdict}">{verdict}</td><td class="time">{seconds:.1f} s</td>'
