"""The arena's commands. They need the extra ``kingdomino[arena]``, and say so where it is missing."""
