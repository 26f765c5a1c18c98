// What the conversion files share: limits of the integer types, and the names of a conversion's overloads
// (OpenCL C 3.0 §6.4.3: convert_T[_sat][_rte|_rtz|_rtp|_rtn]).
#pragma once

#include "builtins.h"

#define MIN_char CHAR_MIN
#define MIN_short SHRT_MIN
#define MIN_int INT_MIN
#define MIN_long LONG_MIN
#define MIN_uchar 0
#define MIN_ushort 0
#define MIN_uint 0
#define MIN_ulong 0
#define MAX_char CHAR_MAX
#define MAX_short SHRT_MAX
#define MAX_int INT_MAX
#define MAX_long LONG_MAX
#define MAX_uchar UCHAR_MAX
#define MAX_ushort USHRT_MAX
#define MAX_uint UINT_MAX
#define MAX_ulong ULONG_MAX
