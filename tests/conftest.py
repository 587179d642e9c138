"""What holds for every test: the same Hypothesis examples on every machine, and no clock over them."""

from hypothesis import settings

settings.register_profile("house", deadline=None, derandomize=True, database=None)
settings.load_profile("house")
