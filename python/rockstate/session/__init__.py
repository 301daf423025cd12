"""Sessions on Rockstate: `configure`, and the one place that talks to a JVM of Spark's for users."""
