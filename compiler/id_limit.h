// Which launches have small ids: those that nearly all have.
#pragma once

#include <cstdint>

namespace weft::compiler {

/// `Specialization::ids_fit_31_bits` is for launches whose global ids, sizes and offsets are below this: half of what an int holds, so that LLVM
/// sees by their bits that what a kernel adds to an id does not wrap around, and no code has to ask.
inline constexpr std::uint64_t kIdLimit = std::uint64_t{1} << 30;

}  // namespace weft::compiler
