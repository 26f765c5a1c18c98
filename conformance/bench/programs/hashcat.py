#!/usr/bin/env python3
"""hashcat's benchmark on several platforms, in turn, each with empty caches and again with what that run left.

    hashcat.py [--modes 0,100,...] [--cold 1] [--warm 2] [--runtime 3] [--before COMMAND] NAME=ICD ...

NAME=ICD: a platform's name in the table and its .icd file; the first is compared with the best of the others. Everything that keeps something
between runs (hashcat's folder of kernels, WEFT_CACHE_DIR, POCL_CACHE_DIR) is in a folder of the mode's own, which is new for the first run. The
figure is the speed that `hashcat -b -m MODE -D 1 --force --machine-readable` says, the best of the runs from nothing (--cold) and of those behind
the last of them, and seconds are those from that one's start to its end. In about every fourth run hashcat says half of the speed, or two thirds, of
launches that by Weft's record (WEFT_RECORD, WEFT_RECORD_KERNELS=none) were as many and as long as in others, so one run
from nothing is not enough for a comparison.
--before: what is put in front of each command, as `taskset -c 0,1`. Needs Debian's hashcat.
"""
import argparse
import os
import pathlib
import shutil
import subprocess
import tempfile
import time

MODES = "0,100,400,500,900,1000,1400,1700,1800,3200,5600,22000"
NAMES = {0: "MD5", 10: "md5($pass.$salt)", 100: "SHA1", 110: "sha1($pass.$salt)", 300: "MySQL 4.1", 400: "phpass", 500: "md5crypt",
    900: "MD4", 1000: "NTLM",
         1400: "SHA2-256", 1410: "sha256($pass.$salt)", 1700: "SHA2-512", 1800: "sha512crypt", 3200: "bcrypt", 5600: "NetNTLMv2",
             6000: "RIPEMD-160",
         7100: "macOS PBKDF2", 10800: "SHA2-384", 17400: "SHA3-256", 22000: "WPA"}


def measure(arguments, vendors, home, mode):
    environment = dict(os.environ, HOME=home, XDG_CACHE_HOME=home + "/cache", XDG_DATA_HOME=home + "/data", OCL_ICD_VENDORS=vendors,
                       WEFT_CACHE_DIR=home + "/weft", POCL_CACHE_DIR=home + "/pocl")
    command = arguments.before.split() + ["hashcat", "-b", "-m", str(mode), "-D", "1", "--force", "--runtime",
        str(arguments.runtime), "--machine-readable"]
    start = time.monotonic()
    output = subprocess.run(command, env=environment, capture_output=True, text=True).stdout
    seconds = time.monotonic() - start
    # device:mode:clock:clock:milliseconds a launch:hashes a second
    for line in output.splitlines():
        fields = line.split(":")
        if len(fields) >= 6 and fields[1] == str(mode):
            return float(fields[5]), seconds
    return 0.0, seconds


def speed(value):
    for unit, name in ((1e9, "GH/s"), (1e6, "MH/s"), (1e3, "kH/s")):
        if value >= unit:
            return f"{value / unit:.3g} {name}"
    return f"{value:.3g} H/s"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--modes", default=MODES)
    parser.add_argument("--cold", type=int, default=1)
    parser.add_argument("--warm", type=int, default=2)
    parser.add_argument("--runtime", type=int, default=3)
    parser.add_argument("--before", default="")
    parser.add_argument("platforms", nargs="+", metavar="NAME=ICD")
    arguments = parser.parse_args()
    platforms = dict(platform.split("=", 1) for platform in arguments.platforms)
    print("| mode | " + " | ".join(f"{name}, nothing cached | again" for name in platforms) + " | best other by the first, cold | warm |")
    print("|---|" + "---:|" * (2 * len(platforms) + 2), flush=True)
    product, count = 1.0, 0
    for mode in (int(m) for m in arguments.modes.split(",")):
        cold, warm, seconds = dict.fromkeys(platforms, 0), {}, {}
        with tempfile.TemporaryDirectory() as folder:
            for name, icd in platforms.items():
                vendors = pathlib.Path(folder, "vendors-" + name)
                vendors.mkdir()
                shutil.copy(icd, vendors)
                home = pathlib.Path(folder, name)
                for _ in range(arguments.cold):
                    shutil.rmtree(home, ignore_errors=True)
                    home.mkdir()
                    speed_now, seconds[name] = measure(arguments, str(vendors), str(home), mode)
                    cold[name] = max(cold[name], speed_now)
                warm[name] = 0
            for _ in range(arguments.warm):
                for name in platforms:
                    warm[name] = max(warm[name], measure(arguments, f"{folder}/vendors-{name}", f"{folder}/{name}", mode)[0])
        first, *others = platforms
        ratios = [speeds[first] / max(max(speeds[o] for o in others), 1e-9) if others else 0 for speeds in (cold, warm)]
        cells = " | ".join(f"{speed(cold[n])}, {seconds[n]:.0f} s | {speed(warm[n])}" for n in platforms)
        print(f"| {mode}, {NAMES.get(mode, '')} | {cells} | {ratios[0]:.2f} | {ratios[1]:.2f} |", flush=True)
        if others and ratios[1] > 0:
            product, count = product * ratios[1], count + 1
    if count:
        print(f"\ngeometric mean, warm: {product ** (1 / count):.2f}")


if __name__ == "__main__":
    main()
