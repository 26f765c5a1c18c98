// Channel orders and types of images, as the API numbers them (OpenCL 3.0 API §5.3.1.1; abi::ImageDescriptor).
#pragma once

#include <cstdint>

namespace weft::compiler::simt {

enum ChannelOrder : std::uint32_t { kR = 0x10b0, kRg = 0x10b2, kRgba = 0x10b5, kBgra = 0x10b6, kDepth = 0x10bd };
enum ChannelType : std::uint32_t { kSnorm16 = 0x10d1, kUnorm8 = 0x10d2, kUnorm16 = 0x10d3, kSigned16 = 0x10d8, kSigned32 = 0x10d9, kUnsigned16 = 0x10db,
                                   kUnsigned32 = 0x10dc, kHalf = 0x10dd, kFloat = 0x10de };

}  // namespace weft::compiler::simt
