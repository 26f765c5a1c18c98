// Samplers (OpenCL 3.0 API §5.7).
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "runtime/context.h"
#include "runtime/object.h"

struct _cl_sampler : public weft::runtime::Object<_cl_sampler> {
 public:
  struct State {
    cl_bool normalized_coords = CL_TRUE;
    cl_addressing_mode addressing_mode = CL_ADDRESS_CLAMP;
    cl_filter_mode filter_mode = CL_FILTER_NEAREST;
    // cl_khr_mipmap_image
    cl_filter_mode mip_filter_mode = CL_FILTER_NEAREST;
    cl_float lod_min = 0, lod_max = std::numeric_limits<float>::max();
  };

  _cl_sampler(weft::runtime::Context& context, const State& state,
              std::vector<cl_sampler_properties> properties)
      : context_(&context), state_(state), properties_(std::move(properties)) {}

  /// clGetSamplerInfo. Throws Error.
  void info(cl_sampler_info name, const weft::runtime::InfoWriter& out) const;

  weft::runtime::Context& context() const { return *context_; }
  const State& state() const { return state_; }
  /// As kernels take it: abi::SamplerBits.
  std::uint32_t bits() const;

 private:
  weft::runtime::Attached<weft::runtime::Context> context_;
  State state_;
  std::vector<cl_sampler_properties> properties_;
};

namespace weft::runtime {
using Sampler = ::_cl_sampler;
}
