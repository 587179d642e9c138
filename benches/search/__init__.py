"""The quality of the search: speed, convergence, and the cost of its decisions."""
