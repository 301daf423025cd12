"""The JVM with the provider under test."""
