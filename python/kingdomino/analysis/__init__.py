"""Study: what a decision cost, what was luck, and what would have been better."""
