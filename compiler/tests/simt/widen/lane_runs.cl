// Lanes that fill a tile of 19 columns lie in runs: where each run's lanes are neighbours, all of it is copied at once.
// RUN: weftc --cpu=sapphirerapids --kernel=tile --local-size=16,16,1 --ids-fit-31-bits --verify-each --stop-after=widen %s | FileCheck %s
// RUN: weftc --cpu=haswell --kernel=tile --local-size=16,16,1 --ids-fit-31-bits --verify-each --stop-after=widen %s | FileCheck %s
// RUN: weftc --cpu=sapphirerapids --kernel=tile --local-size=16,16,1 --ids-fit-31-bits --disable=lane-runs --verify-each --stop-after=widen %s | FileCheck %s --check-prefix=WITHOUT
// CHECK-LABEL: @tile.region.0.warp(
// CHECK: [[COPY:%runs.*]] = alloca [256 x i8], align 64
// CHECK: br i1 {{%.*}}, label %runs, label %apart
// CHECK: {{^}}runs:
// CHECK: [[ROW:%.*]] = getelementptr inbounds i8, ptr [[COPY]], i64 19
// CHECK: store volatile <16 x i8> {{%.*}}, ptr {{%.*}}, align 1
// CHECK: load <256 x i8>, ptr [[COPY]], align 64
// WITHOUT-NOT: alloca [256 x i8]
kernel void tile(global const uchar* in, global uchar* out, int width, int height, int pitch) {
  local uchar tile[14 * 19];
  const int l = get_local_id(1) * 16 + get_local_id(0);
  const int x = get_group_id(0) * 16 + l % 19 - 1, y = get_group_id(1) * 11 + l / 19 - 1;
  int at = y * pitch + x;
  at = at < height * pitch && at > 0 ? at : 0;
  tile[l] = in[at];
  barrier(CLK_LOCAL_MEM_FENCE);
  if (get_local_id(1) < 11) {
    const int q = get_local_id(1) * 19 + get_local_id(0);
    out[(get_group_id(1) * 11 + get_local_id(1)) * pitch + get_global_id(0)] = max(max(tile[q], tile[q + 20]), tile[q + 40]);
  }
}

// Runs that are shorter than eight lanes are not asked.
// RUN: weftc --cpu=sapphirerapids --kernel=narrow --local-size=16,16,1 --ids-fit-31-bits --verify-each --stop-after=widen %s | FileCheck %s --check-prefix=NARROW
// NARROW-LABEL: @narrow.region.0.warp(
// NARROW-NOT: alloca [256 x i8]
kernel void narrow(global const uchar* in, global uchar* out, int pitch) {
  local uchar tile[256];
  const int l = get_local_id(1) * 16 + get_local_id(0);
  tile[l] = in[l / 5 * pitch + l % 5];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_group_id(0) * 256 + l] = tile[l ^ 255];
}
