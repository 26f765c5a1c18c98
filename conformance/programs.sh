#!/bin/bash
# Real programs of Debian, unmodified, on the platform under test. Each line says what passed; the exit status is the
# number of those that did not. Needs `.ci/install-packages --all`.
#
#   conformance/programs.sh [VENDORS]      VENDORS: a folder of .icd files (default: the build's, Weft alone)
#
# WEFT_TEST_PLATFORM (default Weft) names the platform. TIME_OUT is the seconds of a program (default 600).
cd "$(dirname "$0")/.."
export OCL_ICD_VENDORS=${1:-$PWD/build/release/etc/OpenCL/vendors}
export WEFT_TEST_PLATFORM=${WEFT_TEST_PLATFORM:-Weft}
limit=${TIME_OUT:-600}
logs=$(mktemp -d)
failed=0

# run NAME FORBIDDEN COMMAND...: passes when the command ends with 0 and its output does not match FORBIDDEN.
run() {
  local name=$1 forbidden=$2
  shift 2
  if ! command -v "$1" >/dev/null; then
    printf '%-24s not installed\n' "$name"
    return
  fi
  local start=$SECONDS
  timeout "$limit" "$@" >"$logs/$name.log" 2>&1
  local status=$?
  if [ $status -eq 0 ] && ! grep -qE "$forbidden" "$logs/$name.log"; then
    printf '%-24s passed %5d s\n' "$name" $((SECONDS - start))
  else
    printf '%-24s FAILED %5d s, status %d\n' "$name" $((SECONDS - start)) $status
    { grep -nE "$forbidden" "$logs/$name.log" | head -5; tail -5 "$logs/$name.log"; } | sed 's/^/    /'
    failed=$((failed + 1))
  fi
}

# clinfo writes <...> in place of a value that a query refused.
run clinfo '<(error|CL_|get|print)|[Ss]egmentation' clinfo
run clpeak 'Build Log|[Ee]rror|CL_[A-Z_]+ *:|[Ff]ailed' clpeak
run pyopencl 'Traceback' /usr/bin/python3 conformance/pyopencl_check.py
for test in xaxpy xgemv xgemm; do
  run clblast_$test '[1-9][0-9]* (test\(s\) )?failed|Failed tests? *: *[1-9]|[Ee]xception' clblast_test_$test -platform 0 -device 0
done

[ $failed -eq 0 ] && rm -rf "$logs" || echo "logs in $logs"
exit $failed
