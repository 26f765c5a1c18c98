"""Weft in Python: counters of what a GPU would have done, for pyopencl.

The platform itself needs nothing of this: pyopencl finds it. `python -m weft script.py` makes the report of a script, `profile()` that
of a part of one, and `CountingQueue` has the counters of single launches.
"""
import importlib

__version__ = "0.1.0"
__all__ = ["CountingQueue", "counter_list", "counters", "line_counters", "profile", "library", "vendors"]

_PLACES = {"CountingQueue": "counting", "counter_list": "counting", "counters": "counting", "line_counters": "counting",
           "profile": "profiling", "library": "places", "vendors": "places"}


def __getattr__(name):
    # Not before they are wanted: `profile` must come before pyopencl's first look for platforms.
    if name in _PLACES:
        return getattr(importlib.import_module(f"weft.{_PLACES[name]}"), name)
    raise AttributeError(f"module 'weft' has no attribute '{name}'")
