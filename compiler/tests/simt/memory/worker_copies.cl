// Buffers that are only updated, by one operation, get a second way: plain updates of the worker's copy.
// RUN: weftc --options=-cl-std=CL3.0 --local-size=64,1,1 --print-after=worker-copies %s --kernel=histogram -o /dev/null 2>&1 | FileCheck %s --check-prefix=COPY
// RUN: weftc --options=-cl-std=CL3.0 --local-size=64,1,1 --emit=llvm %s --kernel=histogram -o - | FileCheck %s --check-prefix=CODE
// RUN: weftc --options=-cl-std=CL3.0 --local-size=64,1,1 --emit=llvm --disable=worker-copies %s --kernel=histogram -o - | FileCheck %s --check-prefix=WITHOUT
// RUN: for kernel in asked mixed read loaded ordered escaped; do \
// RUN:   weftc --options=-cl-std=CL3.0 --local-size=64,1,1 --print-after=worker-copies %s --kernel=$kernel -o /dev/null 2>&1 | FileCheck %s --check-prefix=ONE || exit 1; done

// COPY: %has_copies = icmp ne ptr %copies, null
// COPY: br i1 %has_copies
// COPY: atomicrmw add {{.*}} !weft.own
// COPY: atomicrmw volatile add
// CODE: icmp {{eq|ne}} ptr %copies{{.*}}, null
// CODE: atomicrmw
// WITHOUT-NOT: %copies
// ONE: atomicrmw
// ONE-NOT: weft.own
kernel void histogram(global const uint* keys, global uint* counts, uint n) {
  uint g = get_global_id(0);
  if (g < n) atomic_inc(&counts[keys[g] & 1023]);
}

kernel void asked(global const uint* keys, global uint* counts, global uint* old) {
  uint g = get_global_id(0);
  old[g] = atomic_inc(&counts[keys[g] & 1023]);
}

kernel void mixed(global const uint* keys, global uint* counts) {
  uint g = get_global_id(0);
  atomic_inc(&counts[keys[g] & 1023]);
  atomic_max(&counts[1024], keys[g]);
}

kernel void read(global const uint* keys, global uint* counts, global uint* out) {
  uint g = get_global_id(0);
  atomic_inc(&counts[keys[g] & 1023]);
  out[g] = counts[g];
}

kernel void loaded(global const ulong* lists, global uint* counts) {
  uint g = get_global_id(0);
  atomic_inc(&counts[*(global const uint*)lists[g] & 1023]);
}

kernel void ordered(global const uint* keys, global atomic_uint* counts) {
  uint g = get_global_id(0);
  atomic_fetch_add_explicit(&counts[keys[g] & 1023], 1, memory_order_acq_rel, memory_scope_device);
}

kernel void escaped(global const uint* keys, global uint* counts, global ulong* out) {
  uint g = get_global_id(0);
  atomic_inc(&counts[keys[g] & 1023]);
  out[g] = (ulong)(counts + g);
}

// An image is an argument as others are.
// RUN: weftc --options=-cl-std=CL3.0 --local-size=16,16,1 --print-after=worker-copies %s --kernel=of_pixels -o /dev/null 2>&1 | FileCheck %s --check-prefix=COPY
kernel void of_pixels(read_only image2d_t pixels, global uint* counts) {
  atomic_inc(&counts[read_imageui(pixels, (int2)(get_global_id(0), get_global_id(1))).x]);
}
