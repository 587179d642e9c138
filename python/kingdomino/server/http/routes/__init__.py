"""The routes, a file for each subject. Each only reads a request, asks the registry, and writes the answer."""
