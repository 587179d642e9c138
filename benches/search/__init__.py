"""What the search reaches: its speed, whether it converges, and what its decisions cost."""
