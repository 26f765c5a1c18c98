"""python -m weft [weftprof's options] PROGRAM [ARGUMENTS]: the report of a program. A program `*.py` runs by this Python, and without an
execute bit.
"""
import os
import sys

from weft import places

# weftprof's options that take a value, so that the program's name is found behind them.
_WITH_VALUE = {"-o", "--output", "--json", "--csv", "--trace", "--record", "-c", "--capability", "-d", "--device", "-k", "--kernels",
               "--device-type"}


def command_line(words):
    at = 0
    while at < len(words) and words[at].startswith("-") and words[at] not in ("--compare", "--read", "--"):
        at += 2 if words[at] in _WITH_VALUE else 1
    if at < len(words) and words[at].endswith(".py"):
        words = words[:at] + [sys.executable] + words[at:]
    return [places.weftprof()] + words


def main():
    words = command_line(sys.argv[1:])
    os.execv(words[0], words)


if __name__ == "__main__":
    main()
