// Objects point to a dispatch table; that of the entry points is not linked here.
#include "runtime/object.h"

namespace weft::runtime {
extern const cl_icd_dispatch dispatch_table;
const cl_icd_dispatch dispatch_table = {};
}  // namespace weft::runtime
