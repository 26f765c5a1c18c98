// C = AB for any size, matrices passed as structs to functions (OpenCL Programming Guide for the CUDA
// Architecture §2.1.3, shared memory): first element by element, then by sub-matrices of BLOCK x BLOCK.

typedef struct {
  int width;
  int height;
  int stride;
  global float* elements;
} matrix;

float get_element(const matrix m, int row, int col) { return m.elements[row * m.stride + col]; }

void set_element(matrix m, int row, int col, float value) { m.elements[row * m.stride + col] = value; }

matrix get_block(matrix m, int row, int col) {
  matrix block = {BLOCK, BLOCK, m.stride, m.elements + row * BLOCK * m.stride + col * BLOCK};
  return block;
}

void multiply_elements(matrix a, matrix b, matrix c) {
  const int row = get_global_id(1);
  const int col = get_global_id(0);
  float value = 0;
  for (int k = 0; k < a.width; ++k) value += get_element(a, row, k) * get_element(b, k, col);
  set_element(c, row, col, value);
}

kernel void square_plain(int a_width, int a_height, global float* a_elements, int b_width, int b_height,
                         global float* b_elements, global float* c_elements) {
  matrix a = {a_width, a_height, a_width, a_elements};
  matrix b = {b_width, b_height, b_width, b_elements};
  matrix c = {b_width, a_height, b_width, c_elements};
  multiply_elements(a, b, c);
}

void multiply_blocks(matrix a, matrix b, matrix c, local float (*as)[BLOCK], local float (*bs)[BLOCK]) {
  const int block_row = get_group_id(1);
  const int block_col = get_group_id(0);
  const int row = get_local_id(1);
  const int col = get_local_id(0);
  float value = 0;
  for (int m = 0; m < a.width / BLOCK; ++m) {
    as[row][col] = get_element(get_block(a, block_row, m), row, col);
    bs[row][col] = get_element(get_block(b, m, block_col), row, col);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < BLOCK; ++k) value += as[row][k] * bs[k][col];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  set_element(get_block(c, block_row, block_col), row, col, value);
}

kernel void square_blocks(int a_width, int a_height, global float* a_elements, int b_width, int b_height,
                          global float* b_elements, global float* c_elements, local float (*as)[BLOCK],
                          local float (*bs)[BLOCK]) {
  matrix a = {a_width, a_height, a_width, a_elements};
  matrix b = {b_width, b_height, b_width, b_elements};
  matrix c = {b_width, a_height, b_width, c_elements};
  multiply_blocks(a, b, c, as, bs);
}
