"""What a Spark is started with: the jars for its version, lists of jars, what spark-submit is told already."""
