// What weft-bench hands to the code of a case written in C++ for a processor, and the little that the two agree on. The code is
// a shared module of its own, so that a compiler and options of its own make it whatever made weft-bench.
#pragma once

#include <cstddef>
#include <cstring>

namespace weft::bench::native {

/// Texels without gaps, x fastest, then y, then z or the layer.
struct Image {
  void* texels;
  int width, height, depth, layers;
  int channels;       ///< of a texel
  int channel_bytes;  ///< 1 and 2: normalized integers (or integers, or halves: the kernel knows), 4: float

  template <typename T>
  T* as() const {
    return static_cast<T*>(texels);
  }
};

/// The kernel's arguments in its own order, and the size of the launch that the kernel does it in.
struct Problem {
  /// The first byte of a buffer (64-byte aligned) or of a value, an Image; of local memory, null.
  void* const* arguments;
  std::size_t global[3], local[3];

  template <typename T>
  T* buffer(int i) const {
    return static_cast<T*>(arguments[i]);
  }
  template <typename T>
  T value(int i) const {
    T v;
    std::memcpy(&v, arguments[i], sizeof v);
    return v;
  }
  const Image& image(int i) const { return *static_cast<const Image*>(arguments[i]); }
};

/// The module exports for kernels/FILE.cl's KERNEL the function FILE_KERNEL of this type, and what module.cpp says. Nothing throws.
using Function = void(const Problem& problem);

}  // namespace weft::bench::native

/// Begins the definition of the native code of a kernel, as FILE_KERNEL.
#define WEFT_NATIVE(name) \
  extern "C" __attribute__((visibility("default"))) void name([[maybe_unused]] const weft::bench::native::Problem& p)
