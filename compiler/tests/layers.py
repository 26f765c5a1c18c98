#!/usr/bin/env python3
"""Checks that each room of the compiler includes only itself and rooms before it (docs/architecture.md has the table).

    layers.py COMPILER_FOLDER

So no folder is both above and below another. The exit status is 1 when an include looks the wrong way.
"""
import pathlib
import re
import sys

# From the bottom. `simt/...` are rooms of their own; a folder within a room is of that room.
ROOMS = ["support", "target", "passes", "translator", "frontend", "simt/ir", "spirv", "simt/analysis", "simt/item", "simt/barriers", "simt/masks",
         "simt/memory", "simt/widen", "wide", "codegen", "linker", "pipeline", "process", "driver", "fuzz"]
INCLUDE = re.compile(r'^\s*#include "compiler/(.+)"')


def room_of(path):
    """The room of a path below compiler/; None for the folder's own files, which all may include."""
    parts = path.split("/")
    if len(parts) == 1:
        return None
    return "/".join(parts[:2]) if parts[0] == "simt" else parts[0]


def main():
    root = pathlib.Path(sys.argv[1])
    wrong = 0
    for room in ROOMS:
        for path in sorted((root / room).rglob("*")):
            if path.suffix not in (".h", ".cpp"):
                continue
            for number, line in enumerate(path.read_text().splitlines(), 1):
                match = INCLUDE.match(line)
                used = match and room_of(match.group(1))
                if not used:
                    continue
                if used not in ROOMS:
                    print(f"{path}:{number}: '{used}' is no room of ROOMS")
                    wrong += 1
                elif ROOMS.index(used) > ROOMS.index(room):
                    print(f"{path}:{number}: {room} looks up to {used}")
                    wrong += 1
    found = {str(p.parent.relative_to(root)) for p in root.rglob("*.cpp")}
    for folder in sorted(found):
        if folder == "." or folder.split("/")[0] in ("tests", "builtins"):
            continue
        if room_of(folder + "/") not in ROOMS:
            print(f"{root}/{folder}: is no room of ROOMS")
            wrong += 1
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
