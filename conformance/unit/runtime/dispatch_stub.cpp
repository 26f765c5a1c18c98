// Objects point to a dispatch table; that of the entry points is not linked here.
#include "runtime/object.h"

namespace weft::runtime {
struct DispatchTable {};
extern const DispatchTable dispatch_table;
const DispatchTable dispatch_table = {};
}  // namespace weft::runtime
