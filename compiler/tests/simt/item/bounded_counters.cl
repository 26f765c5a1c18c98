// Counters of 64 bits below a bound that launches say to be of 31 bits (the word behind the facts) are of 32 bits.
// RUN: weftc %s --kernel=walks --info --emit=scalar -o /dev/null 2>&1 | FileCheck %s --check-prefix=INFO
// RUN: weftc %s --kernel=walks --local-size=64,1,1 --ids-fit-31-bits --formats=0,2 --verify-each --stop-after=bounded-counters | FileCheck %s --check-prefix=NARROW
// RUN: weftc %s --kernel=walks --local-size=64,1,1 --ids-fit-31-bits --stop-after=bounded-counters | FileCheck %s --check-prefix=WIDE
// RUN: weftc %s --kernel=walks --local-size=64,1,1 --formats=0,2 --stop-after=bounded-counters | FileCheck %s --check-prefix=WIDE
// RUN: weftc %s --kernel=of_uint --local-size=64,1,1 --ids-fit-31-bits --verify-each --stop-after=bounded-counters | FileCheck %s --check-prefix=WIDE
// RUN: weftc %s --kernel=falls --local-size=64,1,1 --ids-fit-31-bits --formats=0,2 --stop-after=bounded-counters | FileCheck %s --check-prefix=WIDE

// INFO: out
// INFO-NEXT: long n, a bound
// INFO-NEXT: long other{{$}}
// NARROW: phi i32
// NARROW-NOT: phi i64
// WIDE: phi i64
kernel void walks(global int* out, long n, long other) {
  for (long i = get_global_id(0); i < n; i += get_global_size(0)) out[i] = (int)(i / 71) + other;
}
// No bound of 31 bits.
kernel void of_uint(global int* out, uint n) {
  for (ulong i = get_global_id(0); i < n; i += get_global_size(0)) out[i] = i / 71;
}
// A step that may be negative.
kernel void falls(global int* out, long n, int step) {
  for (long i = get_global_id(0); i < n; i += step) out[i] = i / 71;
}
