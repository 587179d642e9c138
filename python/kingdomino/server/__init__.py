"""The table in the browser: a server that keeps every game, and the client that it sends.

`http` has the routes, `tables` what a table is, `storage` the log of events on disk; `static` is the browser client.
`run.serve` runs a server; `http.app.create_app` makes the application alone.
"""
