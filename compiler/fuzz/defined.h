// Whether a kernel has one meaning: only then is a difference between two ways to run it a fault of the compiler.
#pragma once

#include <string>
#include <vector>

#include "compiler/fuzz/check.h"
#include "compiler/fuzz/launch.h"

namespace weft::fuzz {

/// Runs `source` one work-item at a time in the sizes of `variants`, twice each: forwards, with variables that begin as zeroes, and
/// backwards, with variables and local memory that begin as a pattern. Undefined operations trap, so call it in a process that may
/// end. kRejected, with the reason, where Clang finds a value or a return that is missing, where work-items wait at different
/// barriers, and where the two runs differ: by what nobody wrote, or by a race.
Outcome check_defined(const std::string& source, const std::vector<Variant>& variants);

}  // namespace weft::fuzz
