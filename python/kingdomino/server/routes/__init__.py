"""The routes, a file for each subject. Each only reads a request, asks the house, and writes the answer."""
