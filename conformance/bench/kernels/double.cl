#pragma OPENCL EXTENSION cl_khr_fp64 : enable

// Double precision: the forces of a Lennard-Jones fluid on a chain of neighbours.
kernel void forces(global const double* positions, global double* out, const int neighbours, const int n) {
  const int i = get_global_id(0);
  const double x = positions[i];
  double force = 0.0;
  for (int k = 1; k <= neighbours; ++k) {
    const double d = positions[(i + k) & (n - 1)] - x + (double)k;
    const double r2 = 1.0 / (d * d);
    const double r6 = r2 * r2 * r2;
    force += (2.0 * r6 * r6 - r6) * r2 * d;
  }
  out[i] = force;
}
