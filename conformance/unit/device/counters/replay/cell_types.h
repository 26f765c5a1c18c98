// Makes the kernels' scalar types record. Comes right before a file of kernels; plain_types.h ends it.
using cell_float = Cell<float>;
using cell_double = Cell<double>;
using cell_int = Cell<int>;
using cell_short = Cell<short>;
using cell_char = Cell<char>;
#define float cell_float
#define double cell_double
#define int cell_int
#define short cell_short
#define char cell_char
