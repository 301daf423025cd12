"""The checks, one module per area; importing a module registers its checks."""
