// Fields: a separable filter, a step of the heat equation in three dimensions, many small linear systems, packed pixels.
#define RADIUS 8

// One pass along rows, in groups of 128 x 2. The edge's values go on outside.
kernel void filter_rows(global const float* in, global float* out, constant float* weights, const int width) {
  local float t[2][128 + 2 * RADIUS];
  const int l = get_local_id(0);
  const int x = get_global_id(0);
  global const float* row = in + get_global_id(1) * width;
  local float* mine = t[get_local_id(1)];
  mine[l + RADIUS] = row[x];
  if (l < RADIUS) {
    mine[l] = row[max(x - RADIUS, 0)];
    mine[l + 128 + RADIUS] = row[min(x + 128, width - 1)];
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  float sum = 0.0f;
  for (int k = 0; k <= 2 * RADIUS; ++k) sum += weights[k] * mine[l + k];
  out[get_global_id(1) * width + x] = sum;
}

// The other pass along columns, in groups of 32 x 16.
kernel void filter_columns(global const float* in, global float* out, constant float* weights, const int width, const int height) {
  local float t[16 + 2 * RADIUS][32];
  const int lx = get_local_id(0);
  const int ly = get_local_id(1);
  const int x = get_global_id(0);
  const int first = get_group_id(1) * 16 - RADIUS;
  for (int j = ly; j < 16 + 2 * RADIUS; j += 16) t[j][lx] = in[clamp(first + j, 0, height - 1) * width + x];
  barrier(CLK_LOCAL_MEM_FENCE);
  float sum = 0.0f;
  for (int k = 0; k <= 2 * RADIUS; ++k) sum += weights[k] * t[ly + k][lx];
  out[get_global_id(1) * width + x] = sum;
}

// Seven points; an item marches along z and keeps what is behind, here and ahead. The border stays as it is.
kernel void heat(global const float* in, global float* out, const int width, const int height, const int depth, const float rate) {
  const int x = get_global_id(0);
  const int y = get_global_id(1);
  if (x == 0 || y == 0 || x == width - 1 || y == height - 1) return;
  const int plane = width * height;
  int at = plane + y * width + x;
  float behind = in[at - plane];
  float here = in[at];
  for (int z = 1; z < depth - 1; ++z) {
    const float ahead = in[at + plane];
    out[at] = here + rate * (in[at - 1] + in[at + 1] + in[at - width] + in[at + width] + behind + ahead - 6.0f * here);
    behind = here;
    here = ahead;
    at += plane;
  }
}

// Tridiagonal systems of n rows after Thomas, one an item; row i of system s at i * systems + s.
kernel void tridiagonal(global const float* below, global const float* middle, global const float* above, global const float* right,
                        global float* x, global float* scratch, const int n) {
  const int systems = get_global_size(0);
  int at = get_global_id(0);
  float c = above[at] / middle[at];
  float d = right[at] / middle[at];
  scratch[at] = c;
  x[at] = d;
  for (int i = 1; i < n; ++i) {
    at += systems;
    const float factor = 1.0f / (middle[at] - below[at] * c);
    c = above[at] * factor;
    d = (right[at] - below[at] * d) * factor;
    scratch[at] = c;
    x[at] = d;
  }
  for (int i = n - 2; i >= 0; --i) {
    at -= systems;
    d = x[at] - scratch[at] * d;
    x[at] = d;
  }
}

// Pixels of three bytes to grey.
kernel void grey(global const uchar* in, global uchar* out) {
  const size_t i = get_global_id(0);
  const uint3 c = convert_uint3(vload3(i, in));
  out[i] = (uchar)((77 * c.x + 150 * c.y + 29 * c.z + 128) >> 8);
}
