// Samplers (OpenCL 3.0 API §5.7).
#include "runtime/sampler.h"

#include <bit>
#include <vector>

#include "icd/entry.h"

namespace weft::icd {
namespace {

using runtime::Sampler;

cl_sampler create(cl_context context, const Sampler::State& state,
                  std::vector<cl_sampler_properties> properties) {
  auto& owner = checked(context, CL_INVALID_CONTEXT);
  const bool known_mode =
      state.addressing_mode >= CL_ADDRESS_NONE && state.addressing_mode <= CL_ADDRESS_MIRRORED_REPEAT;
  const auto is_filter = [](cl_filter_mode mode) { return mode == CL_FILTER_NEAREST || mode == CL_FILTER_LINEAR; };
  const bool known_filter = is_filter(state.filter_mode) && is_filter(state.mip_filter_mode);
  const bool known_coords = state.normalized_coords == CL_TRUE || state.normalized_coords == CL_FALSE;
  require(known_mode && known_filter && known_coords, CL_INVALID_VALUE);
  return publish(runtime::make<Sampler>(owner, state, std::move(properties)));
}

/// A cl_float in the low bytes of a property, as cl_khr_mipmap_image passes it.
cl_float float_of(cl_sampler_properties value) { return std::bit_cast<cl_float>(static_cast<cl_uint>(value)); }

}  // namespace

cl_sampler clCreateSampler(cl_context context, cl_bool normalized_coords, cl_addressing_mode addressing_mode,
                           cl_filter_mode filter_mode, cl_int* errcode_ret) {
  return guarded_create(errcode_ret, [&] {
    Sampler::State state;
    state.normalized_coords = normalized_coords;
    state.addressing_mode = addressing_mode;
    state.filter_mode = filter_mode;
    return create(context, state, {});
  });
}

cl_sampler clCreateSamplerWithProperties(cl_context context, const cl_sampler_properties* sampler_properties,
                                         cl_int* errcode_ret) {
  return guarded_create(errcode_ret, [&] {
    checked(context, CL_INVALID_CONTEXT);
    Sampler::State state;
    std::vector<cl_sampler_properties> list;
    unsigned seen = 0;
    for (const auto* entry = sampler_properties; entry && *entry; entry += 2) {
      const auto once = [&](unsigned bit) {
        require(!(seen & bit), CL_INVALID_VALUE);
        seen |= bit;
      };
      switch (entry[0]) {
        case CL_SAMPLER_NORMALIZED_COORDS:
          once(1);
          state.normalized_coords = static_cast<cl_bool>(entry[1]);
          break;
        case CL_SAMPLER_ADDRESSING_MODE:
          once(2);
          state.addressing_mode = static_cast<cl_addressing_mode>(entry[1]);
          break;
        case CL_SAMPLER_FILTER_MODE:
          once(4);
          state.filter_mode = static_cast<cl_filter_mode>(entry[1]);
          break;
        case CL_SAMPLER_MIP_FILTER_MODE_KHR:
          once(8);
          state.mip_filter_mode = static_cast<cl_filter_mode>(entry[1]);
          break;
        case CL_SAMPLER_LOD_MIN_KHR:
          once(16);
          state.lod_min = float_of(entry[1]);
          break;
        case CL_SAMPLER_LOD_MAX_KHR:
          once(32);
          state.lod_max = float_of(entry[1]);
          break;
        default:
          throw Error{CL_INVALID_VALUE};
      }
      list.insert(list.end(), entry, entry + 2);
    }
    if (sampler_properties) list.push_back(0);
    return create(context, state, std::move(list));
  });
}

cl_int clRetainSampler(cl_sampler sampler) {
  return guarded([&] { runtime::retain(&checked(sampler, CL_INVALID_SAMPLER)); });
}

cl_int clReleaseSampler(cl_sampler sampler) {
  return guarded([&] { runtime::release(&checked(sampler, CL_INVALID_SAMPLER)); });
}

cl_int clGetSamplerInfo(cl_sampler sampler, cl_sampler_info param_name, size_t param_value_size,
                        void* param_value, size_t* param_value_size_ret) {
  return guarded([&] {
    checked(sampler, CL_INVALID_SAMPLER)
        .info(param_name, {param_value_size, param_value, param_value_size_ret});
  });
}

}  // namespace weft::icd
