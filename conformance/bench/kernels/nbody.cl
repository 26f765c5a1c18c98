// Accelerations of all bodies on each other, a tile of positions at a time through local memory.
kernel void nbody(global const float4* position, global float4* acceleration, const float softening, local float4* tile) {
  const int l = get_local_id(0);
  const int n = get_global_size(0);
  const int width = get_local_size(0);
  const float4 me = position[get_global_id(0)];
  float4 sum = (float4)(0.0f);
  for (int base = 0; base < n; base += width) {
    tile[l] = position[base + l];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int j = 0; j < width; ++j) {
      const float4 other = tile[j];
      const float dx = other.x - me.x;
      const float dy = other.y - me.y;
      const float dz = other.z - me.z;
      const float inverse = rsqrt(dx * dx + dy * dy + dz * dz + softening);
      const float s = other.w * inverse * inverse * inverse;
      sum.x += dx * s;
      sum.y += dy * s;
      sum.z += dz * s;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  acceleration[get_global_id(0)] = sum;
}
