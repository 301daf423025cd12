"""Keys and values of Spark's that say which state store a query has."""

from __future__ import annotations

from typing import Final

STATE_STORE: Final = "spark.sql.streaming.stateStore."
PROVIDER_KEY: Final = STATE_STORE + "providerClass"
UI_METRICS_KEY: Final = "spark.sql.streaming.ui.enabledCustomMetricList"
PROVIDER_CLASS: Final = "io.rockstate.RockStateStoreProvider"
