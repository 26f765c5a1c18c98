#include "runtime/sampler.h"

#include "device/kernel_abi.h"

std::uint32_t _cl_sampler::bits() const {
  using namespace weft::abi;
  const auto addressing = [this]() -> std::uint32_t {
    switch (state_.addressing_mode) {
      case CL_ADDRESS_CLAMP_TO_EDGE:
        return kSamplerClampToEdge;
      case CL_ADDRESS_CLAMP:
        return kSamplerClamp;
      case CL_ADDRESS_REPEAT:
        return kSamplerRepeat;
      case CL_ADDRESS_MIRRORED_REPEAT:
        return kSamplerMirroredRepeat;
      default:
        return kSamplerNone;
    }
  };
  return (state_.normalized_coords ? kSamplerNormalized : 0u) | addressing() |
         (state_.filter_mode == CL_FILTER_LINEAR ? kSamplerLinear : kSamplerNearest);
}

void _cl_sampler::info(cl_sampler_info name, const weft::runtime::InfoWriter& out) const {
  using namespace weft::runtime;
  switch (name) {
    case CL_SAMPLER_REFERENCE_COUNT:
      return out.value<cl_uint>(api_count());
    case CL_SAMPLER_CONTEXT:
      return out.value<cl_context>(&context());
    case CL_SAMPLER_NORMALIZED_COORDS:
      return out.value(state_.normalized_coords);
    case CL_SAMPLER_ADDRESSING_MODE:
      return out.value(state_.addressing_mode);
    case CL_SAMPLER_FILTER_MODE:
      return out.value(state_.filter_mode);
    case CL_SAMPLER_MIP_FILTER_MODE_KHR:
      return out.value(state_.mip_filter_mode);
    case CL_SAMPLER_LOD_MIN_KHR:
      return out.value(state_.lod_min);
    case CL_SAMPLER_LOD_MAX_KHR:
      return out.value(state_.lod_max);
    case CL_SAMPLER_PROPERTIES:
      return out.array(properties_);
    default:
      throw Error{CL_INVALID_VALUE};
  }
}
