// What the runtime itself reads of a SPIR-V module: its specialization constants.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>

namespace weft::runtime {

/// The specialization constants of a module by their SpecId, and their sizes in bytes as clSetProgramSpecializationConstant takes
/// them (OpenCL 3.0 API §5.8.1; 1 for a bool). What is no module has none.
std::map<std::uint32_t, std::size_t> spec_constants(std::span<const std::uint8_t> module);

}  // namespace weft::runtime
