"""The arena: matches between bots on the same deals, stored completely, with a report on what they show.

`plan` says what is played, `schedule` in which games. `play` plays one game, `workers` many at once, and `run` writes
them into a `store`. `results` adds them up with the help of `statistics`; `report` and `picture` show them. The
arena needs the extra ``kingdomino[arena]``.
"""
