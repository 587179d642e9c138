"""What positions are worth: how long to think, and the results of a search."""

from kingdomino.analysis.values import ActionAnalysis, Analysis, Limit

__all__ = ["ActionAnalysis", "Analysis", "Limit"]
