"""The options of a query: what there is, what each takes, and which settings are in force."""

from rockstate.options.catalogue import OPTIONS
from rockstate.options.option import Option

__all__ = ["OPTIONS", "Option"]
