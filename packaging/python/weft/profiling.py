"""The report of a part of a program."""
import contextlib
import os
import pathlib
import subprocess
import sys
import tempfile
import time

from weft import places

_folder = None  # of this process's record


def _start():
    """Has the platform write a record. It reads its options once, when it is first asked for."""
    global _folder
    if _folder is not None:
        return
    if "libweft.so" in pathlib.Path("/proc/self/maps").read_text():
        raise RuntimeError("weft.profile() comes before the program's first use of OpenCL; or run all of it by `python -m weft`")
    _folder = tempfile.TemporaryDirectory(prefix="weft-profile-")
    os.environ["WEFT_RECORD"] = str(pathlib.Path(_folder.name) / "%p.jsonl")
    # Its cache has binaries, in which there is no text of the source.
    os.environ["PYOPENCL_NO_CACHE"] = "1"


@contextlib.contextmanager
def profile(output="weftprof.html", *, capability=None, quiet=False, options=()):
    """Reports on the commands that start within the block, as weftprof does: a page, and a summary on stderr. The first block of a
    program comes before its first use of OpenCL and decides the capability; from it on launches are counted, within blocks and
    between them. `options`: more of weftprof's."""
    if capability is not None and _folder is None:
        os.environ["WEFT_COMPUTE_CAPABILITY"] = str(capability)
    _start()
    began = time.monotonic_ns()
    try:
        yield
    finally:
        ended = time.monotonic_ns()
        records = sorted(map(str, pathlib.Path(_folder.name).glob("*.jsonl")))
        if records:
            command = [places.weftprof(), "-o", str(output), *(["-q"] if quiet else []), *map(str, options),
                       "--between", str(began), str(ended), "--read", *records]
            subprocess.run(command, check=False)
        else:
            print("weft: no OpenCL command ran on Weft in the block; there is no report", file=sys.stderr)
