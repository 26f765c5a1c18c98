#!/bin/bash
# Whether pinned workers are faster on this machine.
#   conformance/bench/affinity.sh [build folder, default build/release] [results' folder, default affinity]
# Weft alone; free workers and pinned ones in turn, twice. Takes two minutes.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
build=$(realpath "${1:-$root/build/release}")
out=${2:-affinity}
mkdir -p "$out"
export OCL_ICD_VENDORS=$build/etc/OpenCL/vendors/weft.icd
lscpu > "$out/lscpu.txt"
for round in 1 2; do
  "$build/bin/engine_bench" > "$out/engine-free-$round.txt"
  "$build/bin/engine_bench" --pin > "$out/engine-pinned-$round.txt"
  for pin in 0 1; do
    WEFT_PIN=$pin "$build/bin/weft-bench" --rounds 5 --json "$out/pin$pin-$round.json" > /dev/null
  done
done
echo "== Wake-up: free workers"; head -10 "$out/engine-free-2.txt"
echo "== Wake-up: pinned workers"; head -10 "$out/engine-pinned-2.txt"
for round in 1 2; do
  echo "== Pinned against free workers, round $round: more than 3 %"
  "$root/conformance/bench/report.py" "$out/pin1-$round.json" --compare "$out/pin0-$round.json" --time -p 3 || true
done
