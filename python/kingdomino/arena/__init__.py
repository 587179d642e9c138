"""The arena: many games between bots, and what may be concluded from them.

Needs the optional extra ``kingdomino[arena]``. Imports the library's face and `bots`.
"""
