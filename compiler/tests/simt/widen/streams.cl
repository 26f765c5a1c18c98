// Where a launch writes more than the caches hold, whole lines go past them; what does not begin with a line, or some lanes write, as always.
// RUN: weftc --cpu=sapphirerapids --kernel=add --local-size=64,1,1 --ids-fit-31-bits --streams --verify-each --stop-after=widen %s | FileCheck %s
// RUN: weftc --cpu=haswell --kernel=add --local-size=64,1,1 --ids-fit-31-bits --streams --verify-each --stop-after=widen %s | FileCheck %s --check-prefix=AVX2
// RUN: weftc --cpu=sapphirerapids --kernel=add --local-size=64,1,1 --ids-fit-31-bits --stop-after=widen %s | FileCheck %s --check-prefix=PLAIN
// RUN: weftc --kernel=add --info --emit=scalar %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=INFO
// RUN: weftc --kernel=update --info --emit=scalar %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=INFO

// CHECK: [[LOW:%.*]] = and i64 {{%.*}}, 63
// CHECK: icmp eq i64 [[LOW]], 0
// CHECK: {{^}}lines:
// CHECK: store <16 x float> {{%.*}}, ptr {{%.*}}, align 64, !nontemporal
// CHECK: {{^}}not_lines:
// CHECK: store <{{32|64}} x float> {{%.*}}, ptr {{%.*}}, align 4{{$|, !alias}}
// AVX2: store <8 x float> {{%.*}}, ptr {{%.*}}, align 32, !nontemporal
// PLAIN-NOT: nontemporal
// INFO-DAG: kernel add: {{.*}}, streams of 4 bytes out of 8
kernel void add(global const float* a, global const float* b, global float* c) {
  c[get_global_id(0)] = a[get_global_id(0)] + b[get_global_id(0)];
}

// What is read is in the caches.
// INFO-DAG: kernel update: {{.*}}, rows of 256 [
kernel void update(global float* a, global const float* b) { a[get_global_id(0)] += b[get_global_id(0)]; }
// Not in rows; more than once through the arrays.
// INFO-DAG: kernel column: {{[^,]*,[^,]*,[^,]*,[^,]*}}, fusible [
kernel void column(global const float* a, global float* c, int n) { c[get_global_id(0) * n] = a[get_global_id(0)]; }
// INFO-DAG: kernel loop: {{.*}}, rows of 256 [
kernel void loop(global const float* a, global float* c, int n) {
  for (int k = 0; k < n; ++k) c[get_global_id(0) + k] = a[get_global_id(0)];
}

// By columns, whose distances must be of whole lines, too.
// RUN: weftc --cpu=sapphirerapids --kernel=transposed --local-size=16,16,1 --ids-fit-31-bits --streams --verify-each --stop-after=widen %s | FileCheck %s --check-prefix=COLUMNS
// COLUMNS: {{^}}columns:
// COLUMNS: or i64
// COLUMNS: {{^}}lines:
// COLUMNS-COUNT-16: store <16 x float> {{%.*}}, ptr {{%.*}}, align 64, !nontemporal
// COLUMNS: {{^}}not_lines:
kernel void transposed(global const float* in, global float* out, int width, int height) {
  out[get_global_id(0) * height + get_global_id(1)] = in[get_global_id(1) * width + get_global_id(0)];
}

// Rows of fields.
// RUN: weftc --cpu=sapphirerapids --kernel=pairs --local-size=32,1,1 --ids-fit-31-bits --streams --verify-each --stop-after=widen %s | FileCheck %s --check-prefix=PAIRS
// PAIRS: {{^}}lines:
// PAIRS-COUNT-4: store <16 x {{i32|float}}> {{%.*}}, ptr {{%.*}}, align 64, !nontemporal
// PAIRS: {{^}}not_lines:
kernel void pairs(global const float* in, global float* out) {
  const size_t i = get_global_id(0);
  const float x = in[i];
  out[2 * i] = x;
  out[2 * i + 1] = x + 1;
}
