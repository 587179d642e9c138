"""The table in the browser: games between people and bots, kept in a database, followed over WebSockets.

A table is a log of events (`docs/formats/table.md`); its `state` is what replaying the log through the
engine gives. `app.create_app` is the web application and `run.serve` runs it. Only this package knows
the web framework. It may import the library's face and the bots, never `arena` or `envs`.

From the inside out: `deal` and `scores` (plain values), `choices` (what can be done),
`state` (the fold of a log), `story` (what happens next), `view` (what anybody may see), `storage` (the
logs on disk), `thinking` (bots), `mailbox` and `house` (live tables), `routes` and `app` (HTTP).
"""
