"""How the demo ends, as its process's exit code."""

EXIT_EQUAL = 0
EXIT_DIFFERENT = 1
EXIT_NOT_POSSIBLE = 2
EXIT_FAILED = 3
EXIT_INTERRUPTED = 130
