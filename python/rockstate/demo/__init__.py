"""`rockstate demo`: five streaming queries over a year of real flights, killed half-way, checked row for row."""

import sys

EXIT_EQUAL = 0
EXIT_DIFFERENT = 1
EXIT_NOT_POSSIBLE = 2
EXIT_FAILED = 3
EXIT_INTERRUPTED = 130


def run(argv: list[str]) -> int:
    """Run the demo with command-line arguments `argv` (without the program's name) and return its exit code.

    0: every result equals its batch computation. 1: at least one row differs. 2: something the demo needs is missing,
    or the arguments are wrong. 3: the streaming application failed. 130: interrupted.
    """
    try:
        from rockstate.demo.job import main
    except ModuleNotFoundError as missing:
        if (missing.name or "").startswith("rockstate"):
            raise
        print(
            f"rockstate demo: the package {missing.name} is missing; install the demo's packages with\n"
            "    pip install 'rockstate[demo]'",
            file=sys.stderr,
        )
        return EXIT_NOT_POSSIBLE
    return main(argv)
