"""Thinking on behalf of people: what they ask for beside their games, and how the computer's time is shared out."""
