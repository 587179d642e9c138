"""The HTTP layer: the application, routes, dependencies, middleware and schemas."""
