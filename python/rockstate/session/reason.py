"""What errors of Spark's say, in one line."""

from __future__ import annotations

import re


def reason(error: BaseException) -> str:
    """What an error of Spark's says in its first line, without its class and codes, and without a full stop."""
    lines = (line.strip() for line in str(error).splitlines())
    first = next((line for line in lines if line and not line.startswith("An error occurred while calling")), "")
    text = re.sub(r"^.*?Exception: (?=.)", "", re.sub(r"^.*most recent failure: ", "", first))
    text = re.sub(r"\[[A-Z_0-9.]{3,}\] ?| SQLSTATE: \w+|; line \d+ pos \d+;?$", "", text)
    text = re.sub(r" If the stream job is restarted .* clear the existing checkpoint location", "", text)  # not ever
    return text.rstrip(".! ") or type(error).__name__
