#include "device/host_symbols.h"

#include <math.h>
#include <string.h>

#include <algorithm>
#include <iterator>

// Of the compiler's support library (libgcc); only their addresses matter, not their types.
#define WEFT_SUPPORT_FUNCTIONS(X)                                                                          \
  X(__divti3)                                                                                              \
  X(__floattidf)                                                                                           \
  X(__floattisf) X(__floatuntidf) X(__floatuntisf) X(__modti3) X(__multi3) X(__udivti3) X(__umodti3)       \
      X(__extendhfsf2) X(__truncdfhf2) X(__truncsfhf2) X(__powidf2) X(__powisf2) X(__fixdfti) X(__fixsfti) \
          X(__fixunsdfti) X(__fixunssfti) X(__popcountdi2)
#define WEFT_DECLARE(name) extern "C" void name();
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wbuiltin-declaration-mismatch"
WEFT_SUPPORT_FUNCTIONS(WEFT_DECLARE)
#pragma GCC diagnostic pop
#undef WEFT_DECLARE

namespace weft::device {
namespace {

struct Entry {
  std::string_view name;
  void* address;
};

using FloatUnary = float (*)(float);
using DoubleUnary = double (*)(double);

#define WEFT_UNARY(name)                                                   \
  {#name, reinterpret_cast<void*>(static_cast<DoubleUnary>(::name))}, {    \
    #name "f", reinterpret_cast<void*>(static_cast<FloatUnary>(::name##f)) \
  }
#define WEFT_BINARY(name)                                                               \
  {#name, reinterpret_cast<void*>(static_cast<double (*)(double, double)>(::name))}, {  \
    #name "f", reinterpret_cast<void*>(static_cast<float (*)(float, float)>(::name##f)) \
  }
#define WEFT_SUPPORT(name) {#name, reinterpret_cast<void*>(&::name)},

const Entry kEntries[] = {
    {"memcpy", reinterpret_cast<void*>(::memcpy)},
    {"memmove", reinterpret_cast<void*>(::memmove)},
    {"memset", reinterpret_cast<void*>(::memset)},
    {"memcmp", reinterpret_cast<void*>(::memcmp)},
    {"fma", reinterpret_cast<void*>(static_cast<double (*)(double, double, double)>(::fma))},
    {"fmaf", reinterpret_cast<void*>(static_cast<float (*)(float, float, float)>(::fmaf))},
    {"ldexp", reinterpret_cast<void*>(static_cast<double (*)(double, int)>(::ldexp))},
    {"ldexpf", reinterpret_cast<void*>(static_cast<float (*)(float, int)>(::ldexpf))},
    {"frexp", reinterpret_cast<void*>(static_cast<double (*)(double, int*)>(::frexp))},
    {"frexpf", reinterpret_cast<void*>(static_cast<float (*)(float, int*)>(::frexpf))},
    {"lrint", reinterpret_cast<void*>(static_cast<long (*)(double)>(::lrint))},
    {"lrintf", reinterpret_cast<void*>(static_cast<long (*)(float)>(::lrintf))},
    {"llrint", reinterpret_cast<void*>(static_cast<long long (*)(double)>(::llrint))},
    {"llrintf", reinterpret_cast<void*>(static_cast<long long (*)(float)>(::llrintf))},
    {"lround", reinterpret_cast<void*>(static_cast<long (*)(double)>(::lround))},
    {"lroundf", reinterpret_cast<void*>(static_cast<long (*)(float)>(::lroundf))},
    WEFT_UNARY(acos),
    WEFT_UNARY(asin),
    WEFT_UNARY(atan),
    WEFT_UNARY(cbrt),
    WEFT_UNARY(ceil),
    WEFT_UNARY(cos),
    WEFT_UNARY(cosh),
    WEFT_UNARY(erf),
    WEFT_UNARY(erfc),
    WEFT_UNARY(exp),
    WEFT_UNARY(exp2),
    WEFT_UNARY(expm1),
    WEFT_UNARY(fabs),
    WEFT_UNARY(floor),
    WEFT_UNARY(lgamma),
    WEFT_UNARY(log),
    WEFT_UNARY(log10),
    WEFT_UNARY(log1p),
    WEFT_UNARY(log2),
    WEFT_UNARY(logb),
    WEFT_UNARY(nearbyint),
    WEFT_UNARY(rint),
    WEFT_UNARY(round),
    WEFT_UNARY(sin),
    WEFT_UNARY(sinh),
    WEFT_UNARY(sqrt),
    WEFT_UNARY(tan),
    WEFT_UNARY(tanh),
    WEFT_UNARY(tgamma),
    WEFT_UNARY(trunc),
    WEFT_BINARY(atan2),
    WEFT_BINARY(copysign),
    WEFT_BINARY(fmax),
    WEFT_BINARY(fmin),
    WEFT_BINARY(fmod),
    WEFT_BINARY(hypot),
    WEFT_BINARY(nextafter),
    WEFT_BINARY(pow),
    WEFT_BINARY(remainder),
    WEFT_SUPPORT_FUNCTIONS(WEFT_SUPPORT)};

}  // namespace

void* host_symbol(std::string_view name) {
  // Only asked while loading, and rarely then: no order worth keeping.
  const Entry* found = std::find_if(std::begin(kEntries), std::end(kEntries),
                                    [name](const Entry& entry) { return entry.name == name; });
  return found == std::end(kEntries) ? nullptr : found->address;
}

}  // namespace weft::device
