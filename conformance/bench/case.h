// One benchmark: a kernel with its problem, arguments and reference.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstring>
#include <functional>
#include <span>
#include <string>
#include <type_traits>
#include <variant>
#include <vector>

#include "common/image_reference.h"
#include "common/session.h"

namespace weft::bench {

using conformance::LocalBytes;
using conformance::Range;
using Bytes = std::vector<std::byte>;

/// An argument: a buffer by its index in Case::buffers, a value, or local memory.
struct BufferArg {
  std::size_t index;
};
/// An image by its index in Case::images.
struct ImageArg {
  std::size_t index;
};
using Arg = std::variant<BufferArg, Bytes, LocalBytes, ImageArg>;

struct Case {
  std::string name;
  std::string file;  ///< in kernels/
  std::string kernel;
  std::string options;  ///< of the build; a platform that cannot build with them is left out of the case
  Range range;
  double work = 0;             ///< of one launch, in `unit` * 1e-9
  std::string unit;            ///< "GB/s", "GFLOP/s", "Gop/s" or "Gitem/s"
  std::vector<Bytes> buffers;  ///< initial contents
  std::vector<conformance::ReferenceImage> images;  ///< without bytes: write only
  std::vector<Arg> args;
  std::size_t output = 0;    ///< index of the buffer that `check` sees
  bool image_output = false; ///< it is an image
  bool needs_warps = false;  ///< relies on warps of 32 in lockstep: a platform without them may be wrong
  /// What is wrong with the output of the first launch; empty when it is right.
  std::function<std::string(std::span<const std::byte>)> check;

  template <typename T>
  Case& buffer(const std::vector<T>& values) {
    Bytes bytes(values.size() * sizeof(T));
    std::memcpy(bytes.data(), values.data(), bytes.size());
    args.emplace_back(BufferArg{buffers.size()});
    buffers.push_back(std::move(bytes));
    return *this;
  }
  /// The buffer with the result; `reference` is computed when it is first compared.
  template <typename T, typename Reference>
  Case& result(const std::vector<T>& initial, Reference reference, double tolerance,
               double wrong_allowed = 0) {
    output = buffers.size();
    buffer(initial);
    check = [=, want = std::vector<T>()](std::span<const std::byte> got) mutable {
      if (want.empty()) want = reference();
      return compare(want, {reinterpret_cast<const T*>(got.data()), got.size() / sizeof(T)}, tolerance,
                     wrong_allowed);
    };
    return *this;
  }
  Case& image(const conformance::ReferenceImage& image) {
    args.emplace_back(ImageArg{images.size()});
    images.push_back(image);
    return *this;
  }
  /// The image with the result.
  Case& image_result(const conformance::ReferenceImage& empty, std::function<std::string(std::span<const std::byte>)> checks) {
    output = images.size();
    image_output = true;
    check = std::move(checks);
    return image(empty);
  }
  template <typename T>
  Case& value(T v) {
    Bytes bytes(sizeof v);
    std::memcpy(bytes.data(), &v, sizeof v);
    args.emplace_back(std::move(bytes));
    return *this;
  }
  Case& local(std::size_t bytes) {
    args.emplace_back(LocalBytes{bytes});
    return *this;
  }

 private:
  /// Elements may differ by tolerance * (1 + |wanted|); at most the share `wrong_allowed` of them by more.
  template <typename T>
  static std::string compare(const std::vector<T>& want, std::span<const T> got, double tolerance,
                             double wrong_allowed) {
    std::size_t wrong = 0;
    std::size_t first = 0;
    for (std::size_t i = 0; i < want.size(); ++i) {
      const double w = static_cast<double>(want[i]);
      const double difference = static_cast<double>(got[i]) - w;
      if (!(difference <= tolerance * (1 + std::abs(w)) && -difference <= tolerance * (1 + std::abs(w))) &&
          wrong++ == 0)
        first = i;
    }
    if (static_cast<double>(wrong) <= wrong_allowed * static_cast<double>(want.size())) return "";
    return std::to_string(wrong) + " of " + std::to_string(want.size()) + " wrong, the first at " +
           std::to_string(first) + ": " + std::to_string(got[first]) + " for " + std::to_string(want[first]);
  }
};

inline Case make_case(std::string name, std::string file, std::string kernel, Range range, double work,
                      std::string unit) {
  Case c;
  c.name = std::move(name);
  c.file = std::move(file);
  c.kernel = std::move(kernel);
  c.range = std::move(range);
  c.work = work;
  c.unit = std::move(unit);
  return c;
}

std::vector<Case> memory_cases();
std::vector<Case> matrix_cases();
std::vector<Case> compute_cases();
std::vector<Case> parallel_cases();
std::vector<Case> image_cases();
std::vector<Case> texture_cases();
std::vector<Case> irregular_cases();
std::vector<Case> sub_group_cases();
std::vector<Case> dense_cases();
std::vector<Case> field_cases();

}  // namespace weft::bench
