"""The report as JUnit XML, which continuous integration shows."""

from __future__ import annotations

import re
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from rockstate.conformance.running.report import Report, Result

# What XML 1.0 cannot hold, not even escaped.
_FORBIDDEN = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def junit_xml(report: Report) -> str:
    """One test suite with one test case a check; absent ones count as skipped, too."""
    count = report.count()
    suite = Element(
        "testsuite",
        name=_clean(f"rockstate.conformance {report.plan.provider}"),
        tests=str(len(report.results)),
        failures=str(count["failed"]),
        errors=str(count["error"]),
        skipped=str(count["absent"] + count["skipped"]),
        time=f"{report.seconds:.3f}",
    )
    properties = SubElement(suite, "properties")
    for name, value in _properties(report).items():
        SubElement(properties, "property", name=_clean(name), value=_clean(value))
    for result in report.results:
        suite.append(_case(result))
    indent(suite)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + tostring(suite, encoding="unicode") + "\n"


def _properties(report: Report) -> dict[str, str]:
    effort = report.plan.effort
    capabilities = {each.name: "present" if each.is_there else "absent" for each in report.capabilities}
    versions = {"spark": report.spark, "rockstate": report.rockstate}
    return {**versions, "seed": str(effort.seed), "examples": str(effort.examples), **report.plan.conf, **capabilities}


def _case(result: Result) -> Element:
    rule = result.check.rule
    name, classname = f"{rule.id} {result.check.title}", f"{rule.area}.{rule.title}"
    case = Element("testcase", name=_clean(name), classname=_clean(classname), time=f"{result.seconds:.3f}")
    tag = {"failed": "failure", "error": "error", "absent": "skipped", "skipped": "skipped", "passed": None}[
        result.verdict
    ]
    if tag is not None:
        found = SubElement(case, tag, message=_clean(result.message))
        found.text = _clean("\n\n".join(filter(None, (rule.meaning, result.message, result.program))))
    return case


def _clean(text: str) -> str:
    return _FORBIDDEN.sub("\N{REPLACEMENT CHARACTER}", text)
