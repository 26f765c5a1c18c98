#include "runtime/sampler.h"

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
    case CL_SAMPLER_PROPERTIES:
      return out.array(properties_);
    default:
      throw Error{CL_INVALID_VALUE};
  }
}
