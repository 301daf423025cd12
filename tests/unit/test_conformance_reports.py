"""The reports: XML and HTML that parse, with everything escaped, and a table."""

from __future__ import annotations

import json
from html.parser import HTMLParser
from io import StringIO
from typing import Any
from xml.etree import ElementTree

from rich.console import Console
from tests.unit.conformance_fake import made_check

from rockstate.conformance.reports.badge import endpoint, picture
from rockstate.conformance.reports.junit import junit_xml
from rockstate.conformance.reports.page import html_page
from rockstate.conformance.reports.table import print_report
from rockstate.conformance.running.report import Capability, Plan, Report, Result, Verdict

EVIL = "<script>alert('x')</script> & \x00\x1b ]]>"


def result(rule: str, verdict: Verdict, message: str = "", program: str = "") -> Result:
    return Result(made_check(f"check_of_{rule}", lambda lab: None, rule), verdict, 1.25, message, program)


def report(*results: Result) -> Report:
    capabilities = [Capability("range-scan", False, EVIL), Capability("multi-get", True)]
    return Report(Plan(f"org.{EVIL}", {"spark.a": EVIL}), "4.2.1", "0.1.0", capabilities, list(results), 12.0)


ALL = report(
    result("R01", "passed"),
    result("R02", "failed", EVIL, f"with Lab({EVIL!r}) as lab:"),
    result("R03", "absent", "no range"),
    result("R04", "error", "the JVM died"),
)


class Page(HTMLParser):
    """Checks that tags are closed in order, and collects text by class of the row."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[str] = []
        self.text = ""

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        self.tags.append(tag)
        if tag not in ("meta", "br"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


def test_junit_says_what_a_build_server_shows() -> None:
    suite = ElementTree.fromstring(junit_xml(ALL))
    assert {name: suite.get(name) for name in ("tests", "failures", "errors", "skipped")} == {
        "tests": "4",
        "failures": "1",
        "errors": "1",
        "skipped": "1",
    }
    cases = suite.findall("testcase")
    assert [[child.tag for child in case] for case in cases] == [[], ["failure"], ["skipped"], ["error"]]
    assert [case.get("time") for case in cases] == ["1.250"] * 4
    failure = cases[1].find("failure")
    assert failure is not None
    assert failure.text is not None
    assert "alert('x')" in failure.text
    assert "with Lab(" in failure.text


def test_the_page_is_whole_and_holds_no_foreign_markup() -> None:
    page = Page()
    page.feed(html_page(ALL))
    page.close()
    assert page.open == []
    assert "script" not in page.tags
    assert page.text.count("alert('x')") >= 4
    for text in ("1 passed", "1 failed", "1 absent", "1 error", "a <title>", "a meaning & more", "check of R03"):
        assert text in page.text


def test_the_page_needs_nothing_beside_itself() -> None:
    text = html_page(ALL)
    assert "src=" not in text
    assert "href=" not in text
    assert "@import" not in text


def test_json_has_everything() -> None:
    read = json.loads(json.dumps(ALL.to_dict()))
    assert read["count"] == {"passed": 1, "failed": 1, "absent": 1, "skipped": 0, "error": 1}
    assert read["conforms"] is False
    assert read["results"][1]["message"] == EVIL


def test_absent_is_neither_passed_nor_a_failure() -> None:
    assert report(result("R01", "absent"), result("R02", "passed")).conforms
    assert not report(result("R01", "error")).conforms
    assert not report(result("R01", "failed")).conforms


def test_a_rule_is_as_bad_as_its_worst_check_and_absent_only_as_a_whole() -> None:
    results = [result("R02", "absent"), result("R01", "passed"), result("R01", "failed"), result("R02", "passed")]
    assert [(each.rule.id, each.verdict) for each in report(*results).by_rule()] == [
        ("R01", "failed"),
        ("R02", "passed"),
    ]


def printed(of: Report) -> str:
    out = StringIO()
    print_report(of, Console(file=out, width=100, highlight=False))
    return out.getvalue()


def test_the_table_shows_rules_failures_and_what_is_absent() -> None:
    text = printed(ALL)
    for part in ("R01", "a meaning & more", "1.2 s", "R02 check of R02: failed", "absent: range-scan", "1 absent"):
        assert part in text


def test_a_long_program_is_cut_on_the_terminal_only() -> None:
    program = "\n".join(f"line{n}" for n in range(100))
    long = report(result("R01", "failed", "wrong", program))
    text = printed(long)
    assert "line14\n... 60 more lines: see --html, --junit or --json\nline75\n" in text and "line99\n" in text
    assert "line15" in html_page(long)


def test_failures_that_say_the_same_are_told_once_more() -> None:
    alike = [result("R01", "failed", "It does not commit", "program") for _ in range(10)]
    others = [result("R02", "failed", f"wrong {n}", "program") for n in range(9)]
    said = "10 of 19 checks that failed say the same, and may have one cause: It does not commit"
    assert said in printed(report(*alike, *others))
    assert "say the same" not in printed(report(*alike[1:], *others))
    assert "say the same" not in printed(report(*alike, *others, result("R02", "failed", "wrong", "program")))


def test_what_is_not_in_spark_is_counted_and_told_and_no_failure() -> None:
    reason = "not in Spark 4.1: multi_get came with 4.2"
    lacking = report(result("R01", "passed"), result("R02", "skipped", reason), result("R03", "skipped", reason))
    assert lacking.conforms
    assert lacking.count()["skipped"] == 2
    assert [each.verdict for each in lacking.by_rule()] == ["passed", "skipped", "skipped"]
    output = StringIO()
    print_report(lacking, Console(file=output, width=100))
    assert f"skipped: 2 checks ({reason})" in output.getvalue()
    assert "1 passed, 2 skipped checks" in output.getvalue()
    suite = ElementTree.fromstring(junit_xml(lacking))
    assert (suite.get("failures"), suite.get("skipped")) == ("0", "2")
    assert reason in html_page(lacking)


def test_a_badge_counts_the_rules_that_hold_of_those_judged() -> None:
    badge = json.loads(endpoint(ALL))
    assert badge == {
        "schemaVersion": 1,
        "label": "state store conformance",
        "message": "1 of 3 rules on Spark 4.2.1",
        "color": "red",
    }
    good = report(result("R01", "passed"), result("R02", "absent"))
    assert json.loads(endpoint(good))["color"] == "brightgreen"


def test_a_badge_is_a_picture_that_says_the_same() -> None:
    svg = ElementTree.fromstring(picture(ALL))
    texts = ["".join(each.itertext()) for each in svg.iter("{http://www.w3.org/2000/svg}text")]
    assert texts == ["state store conformance", "1 of 3 rules on Spark 4.2.1"]
    assert float(svg.get("width", "")) > len("".join(texts)) * 6
