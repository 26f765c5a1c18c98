// Failures of the API travel as exceptions up to the entry point, which turns them into codes.
#pragma once

#include "runtime/opencl.h"

namespace weft::runtime {

/// A defined OpenCL error. Entry points return `code`.
struct Error {
  cl_int code;
};

/// Throws Error{code} unless the condition holds.
inline void require(bool condition, cl_int code) {
  if (!condition) throw Error{code};
}

}  // namespace weft::runtime
