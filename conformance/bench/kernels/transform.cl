// Four-component points through a 4 x 4 matrix, then normalized.
kernel void transform(global const float4* in, global float4* out, const float16 m) {
  const size_t i = get_global_id(0);
  const float4 p = in[i];
  const float4 q = (float4)(dot(m.s0123, p), dot(m.s4567, p), dot(m.s89ab, p), dot(m.scdef, p));
  out[i] = q / q.w;
}

typedef struct {
  float position[3];
  float velocity[3];
  float mass;
  int kind;
} Particle;

// An array of structures: neighbours' fields lie 32 bytes apart.
kernel void move(global Particle* particles, const float dt) {
  global Particle* p = &particles[get_global_id(0)];
  const float drag = p->kind & 1 ? 0.99f : 1.0f / (1.0f + 0.01f * p->mass);
  for (int k = 0; k < 3; ++k) {
    p->velocity[k] = p->velocity[k] * drag + 0.01f * k;
    p->position[k] += dt * p->velocity[k];
  }
}

// The nearest of `k` centres in 4 dimensions.
kernel void nearest(global const float4* points, constant float4* centres, global int* assigned, const int k) {
  const size_t i = get_global_id(0);
  const float4 p = points[i];
  float least = INFINITY;
  int best = 0;
  for (int c = 0; c < k; ++c) {
    const float4 d = p - centres[c];
    const float square = dot(d, d);
    if (square < least) {
      least = square;
      best = c;
    }
  }
  assigned[i] = best;
}
