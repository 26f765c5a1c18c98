// What SPIR-V the device takes: its answers to programs (OpenCL 3.1 API §4.2). All are empty where no translator is installed.
#pragma once

#include <string>
#include <vector>

#include "runtime/opencl.h"

namespace weft::runtime::spirv {

// cl_khr_spirv_queries, OpenCL 3.1; the headers of many systems do not have them.
inline constexpr cl_device_info kInstructionSetsQuery = 0x12B9;
inline constexpr cl_device_info kExtensionsQuery = 0x12BA;
inline constexpr cl_device_info kCapabilitiesQuery = 0x12BB;

/// Newest first, as a program takes the first that it knows.
std::string versions();
std::vector<cl_name_version> named_versions();

/// Names that live as long as the process.
std::vector<const char*> instruction_sets();
std::vector<const char*> extensions();
/// By their numbers (SPIR-V §3.31).
std::vector<cl_uint> capabilities();

}  // namespace weft::runtime::spirv
