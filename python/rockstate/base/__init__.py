"""What everything else uses: errors, sizes and durations, arguments, the console."""
