// Reports of launches as text.
#pragma once

#include "runtime/profile_file.h"

namespace weft::runtime {

/// An object with the array "launches"; a line for each source line.
ProfileFormat json_format();

/// A row a counter: of the launch, with no file and no line, then of each source line, where it is not 0. Launches are
/// counted from 0.
ProfileFormat csv_format();

}  // namespace weft::runtime
