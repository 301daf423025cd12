"""Draws batch duration and state size, batch by batch."""

from pathlib import Path

from rockstate.demo.progress import Batch
from rockstate.demo.queries import QUERIES
from rockstate.drawing import plots


def write_plot(file: Path, batches: list[Batch]) -> None:
    """Write a figure with two panels over the batch number; a dotted line marks where each query was started again."""
    figure = plots.new_figure(9, 6)
    figure.set_layout_engine("constrained")
    durations, states = figure.subplots(2, 1, sharex=True)
    for query in QUERIES:
        own = [batch for batch in batches if batch.query == query.name]
        numbers = [batch.number for batch in own]
        (line,) = durations.plot(numbers, [batch.duration_millis / 1000 for batch in own], label=query.name)
        states.plot(numbers, [max(batch.state_rows, 1) for batch in own])
        restarted = next((batch.number for batch in own if batch.start > 1), None)
        if restarted is not None:
            for panel in (durations, states):
                panel.axvline(restarted - 0.5, color=line.get_color(), linestyle=":")
    durations.set(title="Rockstate demo (dotted: killed and started again)", ylabel="batch duration, s", ylim=(0, None))
    states.set(xlabel="batch", ylabel="rows in state", yscale="log")
    durations.legend()
    plots.save(figure, file)
