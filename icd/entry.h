// What all entry points share: nothing escapes but a code, handles are checked before use.
#pragma once

#include <new>
#include <type_traits>
#include <utility>

#include "icd/entry_points.h"
#include "runtime/device.h"
#include "runtime/error.h"
#include "runtime/info.h"
#include "runtime/object.h"
#include "runtime/platform.h"

namespace weft::icd {

using runtime::Error;
using runtime::InfoWriter;
using runtime::require;

/// Runs `body`, which returns nothing or a code, and turns what it throws into a code.
template <class Body>
cl_int guarded(Body&& body) noexcept {
  try {
    if constexpr (std::is_void_v<std::invoke_result_t<Body>>) {
      body();
      return CL_SUCCESS;
    } else {
      return body();
    }
  } catch (const Error& error) {
    return error.code;
  } catch (const std::bad_alloc&) {
    return CL_OUT_OF_HOST_MEMORY;
  } catch (...) {
    return CL_OUT_OF_RESOURCES;
  }
}

/// The same for calls that return an object and put the code into `*errcode_ret`.
template <class Body>
auto guarded_create(cl_int* errcode_ret, Body&& body) noexcept -> std::invoke_result_t<Body> {
  std::invoke_result_t<Body> result{};
  const cl_int code = guarded([&] { result = body(); });
  if (errcode_ret) *errcode_ret = code;
  return result;
}

/// The object of a handle; throws `error` if the handle is not valid.
template <class T>
T& checked(T* handle, cl_int error) {
  T* object = runtime::from_handle(handle);
  require(object != nullptr, error);
  return *object;
}

/// clReleaseX of an object that others keep a valid handle of: the application may have no reference to release.
template <class T>
void release_own(T& object, cl_int error) {
  require(runtime::release(&object), error);
}

}  // namespace weft::icd
