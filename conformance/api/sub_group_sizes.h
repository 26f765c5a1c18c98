// What tests of sub-groups need to run once with the device's own size and once with each that a kernel may require.
#pragma once

#include <algorithm>

#include "api/fixture.h"

namespace weft::conformance {

/// CL_DEVICE_SUB_GROUP_SIZES_INTEL; empty without cl_intel_required_subgroup_size.
inline std::vector<std::size_t> sub_group_sizes(cl_device_id device) {
  constexpr cl_device_info kSubGroupSizes = 0x4108;
  std::size_t bytes = 0;
  if (clGetDeviceInfo(device, kSubGroupSizes, 0, nullptr, &bytes) != CL_SUCCESS) return {};
  std::vector<std::size_t> sizes(bytes / sizeof(std::size_t));
  check(clGetDeviceInfo(device, kSubGroupSizes, bytes, sizes.data(), nullptr), "CL_DEVICE_SUB_GROUP_SIZES_INTEL");
  return sizes;
}

/// Those and 0, which is none.
inline std::vector<std::size_t> required_sub_group_sizes(cl_device_id device) {
  std::vector<std::size_t> sizes = sub_group_sizes(device);
  sizes.push_back(0);
  return sizes;
}

/// The start of a source whose kernels all require sub-groups of `size`; 0: they require nothing.
inline std::string requiring(std::size_t size) {
  return size ? "#define kernel __attribute__((intel_reqd_sub_group_size(" + std::to_string(size) + "))) __kernel\n" : "";
}

class SubGroupSizes : public ApiTest, public testing::WithParamInterface<unsigned> {
 public:
  static std::string name(const testing::TestParamInfo<unsigned>& required) {
    return required.param ? "Of" + std::to_string(required.param) : "OfTheDevice";
  }

 protected:
  /// The size that kernels require; 0: none.
  unsigned required() const { return GetParam(); }

  void SetUp() override {
    if (required() == 0) return;
    if (!has_extension("cl_intel_required_subgroup_size")) GTEST_SKIP() << "no cl_intel_required_subgroup_size";
    const auto sizes = sub_group_sizes(device);
    if (std::ranges::find(sizes, required()) == sizes.end()) GTEST_SKIP() << "no sub-groups of " << required();
  }

  /// All kernels of `source` require the size.
  Program build(const std::string& source, const std::string& options = "") const {
    return session.build(requiring(required()) + source, options);
  }
};

inline const auto kAnyRequiredSize = testing::Values(0u, 8u, 16u);

}  // namespace weft::conformance
