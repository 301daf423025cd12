"""Random histories: operations that are drawn, and the model that a store is compared with."""
