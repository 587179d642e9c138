"""The arena: matches between bots that are dealt fairly, stored whole and judged honestly.

`plan` says what is to be played and `schedule` in which games; `play` plays one of them, `local` or
`ray` many at once, and `run` writes each into a `store`; `results` counts them, and `report` and
`picture` show what they came to. The first four need nothing but the library's face, so that a process
that only plays starts quickly; the others need the packages of the extra ``kingdomino[arena]``.
"""
