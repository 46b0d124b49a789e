"""Schedules that use every function of `exo.stdlib`, and what Exo 1.0.0 makes of them.

They run under Exo and under `rewright.exo` alike. `python -m exo_programs FILE`, in the folder of the tests and with the
Python of a real Exo, writes what it makes of them: that is `exo_stdlib.txt`.
"""
