#include "compiler/simt/ir/lane_rows.h"

#include <algorithm>
#include <bit>
#include <cstdint>

#include "device/kernel_abi.h"

namespace weft::compiler::simt {

unsigned lanes_of_row(const Specialization& specialization) {
  const std::uint32_t width = specialization.local_size[0];
  const unsigned lanes = width ? std::min(abi::kWarpSize, 1u << std::countr_zero(width)) : 0;
  return lanes < kFewestOfRow ? 0 : lanes;
}

}  // namespace weft::compiler::simt
