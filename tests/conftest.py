"""Settings for every test."""

from hypothesis import settings

# A kernel is compiled when it is first called, which may be inside an example.
settings.register_profile("sushigo", deadline=None)
settings.load_profile("sushigo")
