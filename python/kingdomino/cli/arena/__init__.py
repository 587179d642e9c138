"""The arena's commands. They need the extra ``kingdomino[arena]``."""
