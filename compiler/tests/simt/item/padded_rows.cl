// Rows of a group that are no whole pieces of vectors get idle lanes at their ends.
// RUN: weftc %s --kernel=copy --local-size=50,5,1 --cpu=skylake-avx512 --stop-after=padded-rows | FileCheck %s --check-prefix=COPY
// RUN: weftc %s --kernel=copy --local-size=50,5,1 --cpu=skylake-avx512 --emit=llvm | FileCheck %s --check-prefix=VECTORS
// RUN: weftc %s --kernel=copy --local-size=50,5,1 --cpu=skylake-avx512 --disable=padded-rows --emit=llvm | FileCheck %s --check-prefix=GATHERS
// RUN: weftc %s --kernel=copy --local-size=64,4,1 --stop-after=padded-rows | FileCheck %s --check-prefix=SAME
// RUN: weftc %s --kernel=copy --local-size=250,1,1 --stop-after=padded-rows | FileCheck %s --check-prefix=SAME
// RUN: weftc %s --kernel=copy --local-size=50,5,1 --required-only --stop-after=simplify-item | FileCheck %s --check-prefix=SAME
// RUN: weftc %s --kernel=waits --local-size=50,5,1 --stop-after=padded-rows | FileCheck %s --check-prefix=WAITS
// RUN: weftc %s --kernel=speaks --local-size=50,5,1 --stop-after=padded-rows | FileCheck %s --check-prefix=SAME
// RUN: weftc %s --kernel=votes --local-size=50,5,1 --stop-after=padded-rows | FileCheck %s --check-prefix=SAME
// RUN: weftc %s --kernel=computes --local-size=33,8,1 --stop-after=padded-rows | FileCheck %s --check-prefix=SAME

// COPY-LABEL: @copy.item
// COPY: [[X:%.*]] = call range(i32 0, 64) i32 @__weft_local_id_x()
// The group's own size, not that of its rows of lanes.
// COPY: mul {{.*}}i64 %group_id{{.*}}, 50
// COPY: icmp ult i32 [[X]], 50
// COPY: idle:
// COPY-NEXT: ret i32 -1
// VECTORS-NOT: masked.gather
// VECTORS: masked.load
// GATHERS: masked.gather
kernel void copy(global const float* in, global float* out, int width) {
  const size_t at = get_global_id(1) * width + get_global_id(0);
  out[at] = in[at];
}

// SAME-NOT: idle:

// What is written in front of a barrier and read behind it is there whichever warp had wanted it.
// WAITS-LABEL: @waits.item
// WAITS: idle:
kernel void waits(global const float* in, global float* out, int width) {
  local float row[50];
  const size_t x = get_global_id(0), y = get_global_id(1);
  if (get_local_id(1) == 0) row[get_local_id(0)] = in[x];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[y * width + x] = in[y * width + x] * row[get_local_id(0)];
}

// Lanes of a warp read what others wrote, without a barrier.
kernel void speaks(global const float* in, global float* out, int width) {
  local float cells[250];
  const size_t x = get_global_id(0), y = get_global_id(1), i = get_local_id(1) * 50 + get_local_id(0);
  cells[i] = in[y * width + x];
  out[y * width + x] = cells[i ^ 1];
}

kernel void votes(global const float* in, global float* out, int width) {
  const size_t at = get_global_id(1) * width + get_global_id(0);
  out[at] = sub_group_any(in[at] > 1) ? 1.0f : in[at];
}

// More lanes cost more than a store to rows gains.
kernel void computes(global float* out, int width) {
  float x = get_global_id(0), y = get_global_id(1);
  for (int i = 0; i < 100; ++i) {
    x = x * y + 1.0f;
    y = y * x + x * x + 2.0f;
    x = x * x * y + y;
  }
  out[get_global_id(1) * width + get_global_id(0)] = x;
}
