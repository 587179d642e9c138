"""The web server: tables for people and bots, and the browser client.

`http` has the routes, `tables` the tables' logic, `storage` the database, and `static` the browser client. `run.serve`
runs a server; `http.app.create_app` creates only the application.
"""
