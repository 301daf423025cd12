"""Figures: bars as SVG, and matplotlib where it is installed."""
