"""What goes between a check and a store: calls, rows, outcomes, the record of them, and what is expected."""
