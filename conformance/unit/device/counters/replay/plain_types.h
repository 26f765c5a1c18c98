// Ends cell_types.h.
#undef float
#undef double
#undef int
#undef short
#undef char
