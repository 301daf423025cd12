"""The report as a badge: a picture, or what a badge service makes one of."""

from __future__ import annotations

import json
from html import escape

from rockstate.conformance.running.report import Report

LABEL = "state store conformance"
_GREEN, _RED = "#2c8a4b", "#b4231f"
_CHARACTER = 6.6  # pixels of an average one of Verdana at 11 px
_MARGIN = 12


def endpoint(report: Report) -> str:
    """JSON of the endpoint badges of shields.io, which makes a badge of what it finds at an address."""
    colour = "brightgreen" if report.conforms else "red"
    badge = {"schemaVersion": 1, "label": LABEL, "message": _message(report), "color": colour}
    return json.dumps(badge, indent=2) + "\n"


def picture(report: Report) -> str:
    """An SVG that needs no service."""
    left, message = _width(LABEL), _message(report)
    width = left + _width(message)
    colour = _GREEN if report.conforms else _RED
    title = escape(f"{LABEL}: {message}")
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="20" role="img" aria-label="{title}">\n'
        f"<title>{title}</title>\n"
        f'<clipPath id="r"><rect width="{width}" height="20" rx="3"/></clipPath>\n'
        f'<g clip-path="url(#r)"><rect width="{left}" height="20" fill="#555"/>'
        f'<rect x="{left}" width="{width - left}" height="20" fill="{colour}"/></g>\n'
        f'<g fill="#fff" text-anchor="middle" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11">\n'
        f'<text x="{left / 2:g}" y="14">{escape(LABEL)}</text>'
        f'<text x="{left + (width - left) / 2:g}" y="14">{escape(message)}</text>\n</g>\n</svg>\n'
    )


def _message(report: Report) -> str:
    """How many rules hold of those that could be judged; which Spark that is of."""
    rules = [each.verdict for each in report.by_rule()]
    judged = [verdict for verdict in rules if verdict not in ("absent", "skipped")]
    return f"{judged.count('passed')} of {len(judged)} rules on Spark {report.spark}"


def _width(text: str) -> int:
    return round(len(text) * _CHARACTER) + _MARGIN
