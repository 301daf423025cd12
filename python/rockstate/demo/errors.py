"""What can go wrong in the demo, beyond `rockstate.base.errors`."""

from rockstate.base.errors import RockstateError


class ApplicationFailed(RockstateError):
    """The streaming application ended by itself, before its time or with an error."""
