"""The web framework's side: the application, routes, dependencies, middleware, schemas."""
