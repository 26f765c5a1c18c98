#include "runtime/platform.h"
#include "runtime/compiler_loader.h"

#include <cstring>

#include "compiler/device_features.h"
#include "runtime/command_buffer_api.h"
#include "runtime/device.h"
#include "runtime/imported_memory.h"
#include "runtime/object.h"
#include "runtime/performance_counters.h"
#include "runtime/semaphore.h"
#include "runtime/version.h"

namespace weft::runtime {

constinit Platform the_platform;

bool has_opencl_3_1() { return reads_spirv(); }

const std::vector<cl_name_version>& extensions_with_version() {
  static const auto& list = *[] {
    auto* extensions = new std::vector<cl_name_version>;
    const auto add = [&](const char* name, cl_version version) {
      cl_name_version& entry = extensions->emplace_back();
      entry.version = version;
      std::strncpy(entry.name, name, CL_NAME_VERSION_MAX_NAME_SIZE - 1);
    };
    for (const auto& extension : compiler::kLanguageExtensions) add(extension.name, extension.version);
    add("cl_ext_buffer_device_address", CL_MAKE_VERSION(1, 0, 2));
    add("cl_ext_cxx_for_opencl", CL_MAKE_VERSION(1, 0, 0));
    add("cl_ext_immutable_memory_objects", CL_MAKE_VERSION(1, 0, 0));
    add("cl_intel_unified_shared_memory", CL_MAKE_VERSION(1, 1, 0));
    add("cl_khr_command_buffer", command_buffer_api::kCommandBufferVersion);
    add("cl_khr_command_buffer_mutable_dispatch", command_buffer_api::kMutableDispatchVersion);
    add("cl_khr_create_command_queue", CL_MAKE_VERSION(1, 0, 0));
    add("cl_khr_device_uuid", CL_MAKE_VERSION(1, 0, 0));
    add("cl_khr_external_memory", CL_MAKE_VERSION(1, 0, 1));
    add("cl_khr_external_memory_opaque_fd", CL_MAKE_VERSION(1, 0, 0));
    add("cl_khr_external_semaphore", CL_MAKE_VERSION(1, 0, 1));
    add("cl_khr_external_semaphore_opaque_fd", CL_MAKE_VERSION(1, 0, 0));
    add("cl_khr_priority_hints", CL_MAKE_VERSION(1, 0, 0));
    add("cl_khr_semaphore", CL_MAKE_VERSION(1, 0, 0));
    add("cl_khr_throttle_hints", CL_MAKE_VERSION(1, 0, 0));
    add("cl_khr_suggested_local_work_size", CL_MAKE_VERSION(1, 0, 0));
    if (reads_spirv())
      for (const char* name : {"cl_khr_il_program", "cl_khr_expect_assume", "cl_khr_spirv_linkonce_odr", "cl_khr_spirv_no_integer_wrap_decoration", "cl_khr_spirv_queries"})
        add(name, CL_MAKE_VERSION(1, 0, 0));
    add("cl_khr_icd", CL_MAKE_VERSION(2, 0, 0));
    add("cl_nv_compiler_options", CL_MAKE_VERSION(1, 0, 0));
    add("cl_nv_device_attribute_query", CL_MAKE_VERSION(1, 0, 0));
    if (has_performance_counters()) add(CL_WEFT_PERFORMANCE_COUNTERS_EXTENSION_NAME, CL_MAKE_VERSION(1, 0, 0));
    return extensions;
  }();
  return list;
}

const std::string& extension_string() {
  static const auto& text = *[] {
    auto* names = new std::string;
    for (const auto& extension : extensions_with_version()) {
      if (!names->empty()) *names += ' ';
      *names += extension.name;
    }
    return names;
  }();
  return text;
}

}  // namespace weft::runtime

void _cl_platform_id::set_loader_data(void* data) noexcept {
  loader_words_.set_data(data);
  weft::runtime::the_device.set_loader_data(data);
  weft::runtime::LoaderWords::given.store(data, std::memory_order_relaxed);
}

// OpenCL 3.0 API §4.1, table 4.
void _cl_platform_id::info(cl_platform_info name, const weft::runtime::InfoWriter& out) const {
  using namespace weft::runtime;
  switch (name) {
    case CL_PLATFORM_PROFILE:
      return out.string("FULL_PROFILE");
    case CL_PLATFORM_VERSION:
      return out.string(has_opencl_3_1() ? "OpenCL 3.1 Weft " WEFT_VERSION : "OpenCL 3.0 Weft " WEFT_VERSION);
    case CL_PLATFORM_NUMERIC_VERSION:
      return out.value<cl_version>(has_opencl_3_1() ? CL_MAKE_VERSION(3, 1, 0) : CL_MAKE_VERSION(3, 0, 0));
    case CL_PLATFORM_NAME:
      return out.string("Weft");
    case CL_PLATFORM_VENDOR:
      return out.string("Weft");
    case CL_PLATFORM_EXTENSIONS:
      return out.string(extension_string());
    case CL_PLATFORM_EXTENSIONS_WITH_VERSION:
      return out.array(extensions_with_version());
    case weft::semaphore_api::kPlatformTypes:
      return out.value(weft::semaphore_api::kBinary);
    case weft::semaphore_api::kPlatformImports:
    case weft::semaphore_api::kPlatformExports:
      return out.value(weft::semaphore_api::kOpaqueFd);
    case weft::external_memory_api::kPlatformTypes:
      return out.value(static_cast<cl_uint>(weft::external_memory_api::kOpaqueFd));
    case CL_PLATFORM_HOST_TIMER_RESOLUTION:
      return out.value<cl_ulong>(1);
    case CL_PLATFORM_ICD_SUFFIX_KHR:
      return out.string("WEFT");
    default:
      throw Error{CL_INVALID_VALUE};
  }
}
