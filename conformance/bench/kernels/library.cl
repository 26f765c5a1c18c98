// 25 small kernels of one program, as a library of a numerical code has them: what a program's first run costs.
// The harness defines SALT, an int; every kernel uses it, so that no cache knows the program of another value.
// All take the same arguments and run in groups of 64; `in` and `out` have n elements.

#define ARGUMENTS global const float *in, global float *out, const int n

// ---- An element an item ----

kernel void scale(ARGUMENTS) {
  const int i = get_global_id(0);
  out[i] = in[i] * (SALT * 1e-6f);
}

kernel void axpy(ARGUMENTS) {
  const int i = get_global_id(0);
  if (i < n) out[i] += (float)(SALT & 7) * in[i];
}

kernel void polynomial(ARGUMENTS) {
  const int i = get_global_id(0);
  const float x = in[i];
  float sum = SALT;
  for (int k = 0; k < 9; ++k) sum = mad(sum, x, 1.0f / (k + 1));
  out[i] = sum;
}

kernel void sigmoid(ARGUMENTS) {
  const int i = get_global_id(0);
  out[i] = 1.0f / (1.0f + exp(-in[i] - SALT));
}

kernel void polar(ARGUMENTS) {
  const int i = get_global_id(0) * 2 % n;
  const float r = hypot(in[i], in[i + 1]);
  out[i] = r;
  out[i + 1] = r > 0 ? atan2(in[i + 1], in[i]) : SALT;
}

kernel void waves(ARGUMENTS) {
  const int i = get_global_id(0);
  float sum = 0;
  for (int k = 1; k <= 4; ++k) sum += sin(k * in[i]) / k + cos(SALT * in[i]);
  out[i] = sum;
}

kernel void clamp_to(ARGUMENTS) {
  const int i = get_global_id(0);
  const float v = in[i];
  if (v < 0)
    out[i] = 0;
  else if (v > SALT)
    out[i] = SALT;
  else
    out[i] = v;
}

// ---- Integers and bits ----

uint mix(uint h) {
  h ^= h >> 16;
  h *= 0x85ebca6bu;
  h ^= h >> 13;
  h *= 0xc2b2ae35u;
  return h ^ h >> 16;
}

kernel void hash(ARGUMENTS) {
  const int i = get_global_id(0);
  out[i] = (float)(mix(as_uint(in[i]) + SALT) >> 8);
}

kernel void random(ARGUMENTS) {
  uint s = get_global_id(0) * 2654435761u + SALT;
  float sum = 0;
  for (int k = 0; k < 12; ++k) {
    s ^= s << 13;
    s ^= s >> 17;
    s ^= s << 5;
    sum += (float)(s >> 8) * 0x1p-24f;
  }
  out[get_global_id(0)] = sum - 6;
}

kernel void collatz(ARGUMENTS) {
  uint v = mix(get_global_id(0) + SALT) & 1023u;
  int steps = 0;
  while (v > 1 && steps < 500) {
    v = v & 1 ? 3 * v + 1 : v / 2;
    ++steps;
  }
  out[get_global_id(0)] = steps;
}

kernel void classify(ARGUMENTS) {
  const int i = get_global_id(0);
  switch ((int)in[i] + SALT & 3) {
    case 0: out[i] = 1; break;
    case 1: out[i] = in[i] * 2; break;
    case 2: out[i] = sqrt(fabs(in[i])); break;
    default: out[i] = -1;
  }
}

// ---- Neighbours ----

kernel void blur(ARGUMENTS) {
  const int i = get_global_id(0);
  const int l = max(i - 1, 0);
  const int r = min(i + 1, n - 1);
  out[i] = (in[l] + SALT * in[i] + in[r]) / (SALT + 2);
}

kernel void upwind(ARGUMENTS) {
  const int i = get_global_id(0);
  const float v = in[i] - 0.5f * SALT;
  const int from = v > 0 ? (i + n - 1) % n : (i + 1) % n;
  out[i] = in[i] - fabs(v) * (in[i] - in[from]);
}

kernel void transpose(ARGUMENTS) {
  const int i = get_global_id(0) + SALT % 2;
  const int x = i & 15;
  const int y = i >> 4 & 15;
  out[x * 16 + y] = in[y * 16 + x];
}

kernel void dense(ARGUMENTS) {
  const int i = get_global_id(0);
  float sum = SALT;
  for (int k = 0; k < 16; ++k) sum += in[(i & ~15) + k] * in[k * 16 + (i & 15)];
  out[i] = sum;
}

// ---- Vectors ----

kernel void rotate(ARGUMENTS) {
  const int i = get_global_id(0) * 4 % n / 4;
  const float4 v = vload4(i, in);
  const float4 axis = normalize((float4)(1, 2, SALT, 0));
  vstore4(v + cross(axis, v) + axis * dot(axis, v), i, out);
}

kernel void bytes(ARGUMENTS) {
  const int i = get_global_id(0);
  const uchar4 b = as_uchar4(in[i]);
  out[i] = as_float(add_sat(b, (uchar4)(SALT & 255)).wzyx);
}

// ---- Groups ----

kernel void reverse(ARGUMENTS) {
  local float t[64];
  const int l = get_local_id(0);
  t[l] = in[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = t[63 - l] + SALT;
}

kernel void sum(ARGUMENTS) {
  local float t[64];
  const int l = get_local_id(0);
  t[l] = in[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int s = 32; s > 0; s >>= 1) {
    if (l < s) t[l] += t[l + s];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (l == 0) out[get_group_id(0)] = t[0] * SALT;
}

kernel void greatest(ARGUMENTS) {
  local float t[64];
  const int l = get_local_id(0);
  t[l] = fmax(in[get_global_id(0)], (float)SALT);
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int s = 1; s < 64; s *= 2) {
    const float other = t[l ^ s];
    barrier(CLK_LOCAL_MEM_FENCE);
    t[l] = fmax(t[l], other);
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  out[get_global_id(0)] = t[l];
}

kernel void prefix(ARGUMENTS) {
  local float t[2][64];
  const int l = get_local_id(0);
  int from = 0;
  t[0][l] = in[get_global_id(0)] + SALT;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int s = 1; s < 64; s *= 2) {
    t[1 - from][l] = l >= s ? t[from][l] + t[from][l - s] : t[from][l];
    from = 1 - from;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  out[get_global_id(0)] = t[from][l];
}

kernel void sort(ARGUMENTS) {
  local float t[64];
  const int l = get_local_id(0);
  t[l] = in[get_global_id(0)] * SALT;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int size = 2; size <= 64; size *= 2) {
    for (int s = size / 2; s > 0; s /= 2) {
      const float mine = t[l];
      const float other = t[l ^ s];
      const bool rising = (l & size) == 0;
      barrier(CLK_LOCAL_MEM_FENCE);
      t[l] = (mine < other) == (rising == ((l & s) == 0)) ? mine : other;
      barrier(CLK_LOCAL_MEM_FENCE);
    }
  }
  out[get_global_id(0)] = t[l];
}

kernel void histogram(ARGUMENTS) {
  local int bins[16];
  const int l = get_local_id(0);
  if (l < 16) bins[l] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  atomic_inc(&bins[(int)in[get_global_id(0)] + SALT & 15]);
  barrier(CLK_LOCAL_MEM_FENCE);
  if (l < 16) out[get_group_id(0) * 16 + l] = bins[l];
}

// ---- Private arrays ----

kernel void median(ARGUMENTS) {
  const int i = get_global_id(0);
  float v[5];
  for (int k = 0; k < 5; ++k) v[k] = in[(i + k * SALT) % n];
  for (int a = 0; a < 4; ++a)
    for (int b = 0; b < 4 - a; ++b)
      if (v[b] > v[b + 1]) {
        const float t = v[b];
        v[b] = v[b + 1];
        v[b + 1] = t;
      }
  out[i] = v[2];
}

kernel void digits(ARGUMENTS) {
  const int i = get_global_id(0);
  int count[10] = {0};
  for (uint v = mix(i + SALT); v; v /= 10) ++count[v % 10];
  int most = 0;
  for (int k = 1; k < 10; ++k)
    if (count[k] > count[most]) most = k;
  out[i] = most;
}
