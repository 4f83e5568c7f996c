"""What holds for every test: none of them is timed, since machines are busy."""

from hypothesis import settings

settings.register_profile("untimed", deadline=None)
settings.load_profile("untimed")
