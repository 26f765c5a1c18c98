// The functions of the host that compiled kernels may call by name.
#pragma once

#include <string_view>

namespace weft::device {

/// Address of a function that LLVM's lowering may call (memcpy, fmod, __udivti3, ...), or null.
void* host_symbol(std::string_view name);

}  // namespace weft::device
