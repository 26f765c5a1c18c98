// Programs (OpenCL 3.0 API §5.8).
#include "runtime/program.h"

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include "compiler/spirv_words.h"
#include "icd/entry.h"
#include "runtime/background.h"
#include "runtime/compiler_loader.h"

namespace weft::icd {
namespace {

using runtime::Program;

using Notify = void(CL_CALLBACK*)(cl_program program, void* user_data);

Program& checked_program(cl_program program) { return checked(program, CL_INVALID_PROGRAM); }

/// Each once. `owner`: a context or a program, which has to have them.
template <class Owner>
runtime::Context::DeviceList checked_devices(const Owner& owner, cl_uint num_devices, const cl_device_id* devices) {
  runtime::Context::DeviceList list;
  for (cl_uint i = 0; i < num_devices; ++i) {
    runtime::Ref device(&checked(devices[i], CL_INVALID_DEVICE));
    require(owner.has(device.get()), CL_INVALID_DEVICE);
    if (std::ranges::find(list, device) == list.end()) list.push_back(std::move(device));
  }
  return list;
}

/// The same of a list that may be null with 0: all devices of the owner.
template <class Owner>
runtime::Context::DeviceList devices_or_all(const Owner& owner, cl_uint num_devices, const cl_device_id* devices) {
  require((num_devices > 0) == (devices != nullptr), CL_INVALID_VALUE);
  return devices ? checked_devices(owner, num_devices, devices) : owner.devices();
}

void check_notify(Notify notify, void* user_data) { require(notify || !user_data, CL_INVALID_VALUE); }

/// Ends a step that has begun: here, or, if the application wants to be called back, on another thread.
/// Returns the code of the entry point.
cl_int end_step(Program& program, Program::Step step, Notify notify, void* user_data) {
  if (!notify) return step();
  const runtime::Ref<Program> keep(&program);
  runtime::run_in_background([step = std::move(step)] { step(); },
                             [keep, notify, user_data] {
                               runtime::retain(keep.get());
                               notify(keep.get(), user_data);
                               runtime::release(keep.get());
                             },
                             runtime::AtExit::kLeaveOut);
  return CL_SUCCESS;
}

std::string text_of(const char* options) { return options ? options : ""; }

}  // namespace

cl_program clCreateProgramWithSource(cl_context context, cl_uint count, const char** strings,
                                     const size_t* lengths, cl_int* errcode_ret) {
  return guarded_create(errcode_ret, [&] {
    auto& owner = checked(context, CL_INVALID_CONTEXT);
    require(count > 0 && strings, CL_INVALID_VALUE);
    std::string source;
    for (cl_uint i = 0; i < count; ++i) {
      require(strings[i], CL_INVALID_VALUE);
      // A length of 0 means a NUL-terminated string.
      source.append(strings[i], lengths && lengths[i] ? lengths[i] : std::strlen(strings[i]));
    }
    return publish(runtime::make<Program>(owner, std::move(source)));
  });
}

cl_program clCreateProgramWithBinary(cl_context context, cl_uint num_devices, const cl_device_id* device_list,
                                     const size_t* lengths, const unsigned char** binaries,
                                     cl_int* binary_status, cl_int* errcode_ret) {
  return guarded_create(errcode_ret, [&] {
    auto& owner = checked(context, CL_INVALID_CONTEXT);
    require(num_devices > 0 && device_list && lengths && binaries, CL_INVALID_VALUE);
    auto devices = checked_devices(owner, num_devices, device_list);
    std::optional<runtime::ProgramBinary> binary;
    cl_int code = CL_SUCCESS;
    for (cl_uint i = 0; i < num_devices; ++i) {
      cl_int status = lengths[i] && binaries[i] ? CL_SUCCESS : CL_INVALID_VALUE;
      if (status == CL_SUCCESS) {
        binary = runtime::decode({binaries[i], lengths[i]});
        if (!binary) status = CL_INVALID_BINARY;
      }
      if (binary_status) binary_status[i] = status;
      if (code == CL_SUCCESS) code = status;
    }
    require(code == CL_SUCCESS, code);
    return publish(runtime::make<Program>(owner, std::move(devices), *std::move(binary)));
  });
}

cl_program clCreateProgramWithBuiltInKernels(cl_context context, cl_uint num_devices,
                                             const cl_device_id* device_list, const char* kernel_names,
                                             cl_int* errcode_ret) {
  return guarded_create(errcode_ret, [&]() -> cl_program {
    auto& owner = checked(context, CL_INVALID_CONTEXT);
    require(num_devices > 0 && device_list && kernel_names, CL_INVALID_VALUE);
    checked_devices(owner, num_devices, device_list);
    throw Error{CL_INVALID_VALUE};  // the device has no built-in kernel of any name
  });
}

cl_program clCreateProgramWithIL(cl_context context, const void* il, size_t length, cl_int* errcode_ret) {
  return guarded_create(errcode_ret, [&] {
    auto& owner = checked(context, CL_INVALID_CONTEXT);
    require(runtime::reads_spirv(), CL_INVALID_OPERATION);
    require(il && length > 0, CL_INVALID_VALUE);
    const auto* bytes = static_cast<const std::uint8_t*>(il);
    require(!compiler::spirv_words({bytes, length}).empty(), CL_INVALID_VALUE);
    return publish(runtime::make<Program>(owner, compiler::Bytes(bytes, bytes + length)));
  });
}

cl_int clSetProgramReleaseCallback(cl_program, void(CL_CALLBACK*)(cl_program, void*), void*) {
  return CL_INVALID_OPERATION;
}

cl_int clSetProgramSpecializationConstant(cl_program program, cl_uint spec_id, size_t spec_size, const void* spec_value) {
  return guarded([&] {
    Program& object = checked_program(program);
    require(runtime::reads_spirv(), CL_INVALID_OPERATION);
    require(spec_value, CL_INVALID_VALUE);
    object.set_spec_constant(spec_id, {static_cast<const std::uint8_t*>(spec_value), spec_size});
  });
}

cl_int clRetainProgram(cl_program program) {
  return guarded([&] { runtime::retain(&checked_program(program)); });
}

cl_int clReleaseProgram(cl_program program) {
  return guarded([&] { release_own(checked_program(program), CL_INVALID_PROGRAM); });
}

cl_int clBuildProgram(cl_program program, cl_uint num_devices, const cl_device_id* device_list,
                      const char* options, Notify pfn_notify, void* user_data) {
  return guarded([&] {
    Program& object = checked_program(program);
    devices_or_all(object, num_devices, device_list);
    check_notify(pfn_notify, user_data);
    return end_step(object, object.begin_build(text_of(options)), pfn_notify, user_data);
  });
}

cl_int clCompileProgram(cl_program program, cl_uint num_devices, const cl_device_id* device_list,
                        const char* options, cl_uint num_input_headers, const cl_program* input_headers,
                        const char** header_include_names, Notify pfn_notify, void* user_data) {
  return guarded([&] {
    Program& object = checked_program(program);
    devices_or_all(object, num_devices, device_list);
    check_notify(pfn_notify, user_data);
    require((num_input_headers > 0) == (input_headers != nullptr), CL_INVALID_VALUE);
    require((num_input_headers > 0) == (header_include_names != nullptr), CL_INVALID_VALUE);
    std::vector<compiler::Header> headers;
    for (cl_uint i = 0; i < num_input_headers; ++i) {
      require(header_include_names[i], CL_INVALID_VALUE);
      const Program& header = checked_program(input_headers[i]);
      require(header.has_source(), CL_INVALID_OPERATION);
      headers.push_back({header_include_names[i], header.source()});
    }
    return end_step(object, object.begin_compile(text_of(options), std::move(headers)), pfn_notify,
                    user_data);
  });
}

cl_program clLinkProgram(cl_context context, cl_uint num_devices, const cl_device_id* device_list,
                         const char* options, cl_uint num_input_programs, const cl_program* input_programs,
                         Notify pfn_notify, void* user_data, cl_int* errcode_ret) {
  cl_program result = nullptr;
  const cl_int code = guarded([&] {
    auto& owner = checked(context, CL_INVALID_CONTEXT);
    auto devices = devices_or_all(owner, num_devices, device_list);
    check_notify(pfn_notify, user_data);
    require(num_input_programs > 0 && input_programs, CL_INVALID_VALUE);
    std::vector<Program*> inputs;
    for (cl_uint i = 0; i < num_input_programs; ++i) inputs.push_back(&checked_program(input_programs[i]));
    auto linked = runtime::make<Program>(owner, std::move(devices));
    auto step = linked->begin_link(inputs, text_of(options));
    if (pfn_notify) {
      // Known to the application before the callback has it.
      result = publish(std::move(linked));
      return end_step(*result, std::move(step), pfn_notify, user_data);
    }
    const cl_int outcome = step();
    // A program that does not link is returned all the same: its log says why (§5.8.3).
    if (outcome == CL_SUCCESS || outcome == CL_LINK_PROGRAM_FAILURE) result = publish(std::move(linked));
    return outcome == CL_COMPILER_NOT_AVAILABLE ? CL_LINKER_NOT_AVAILABLE : outcome;
  });
  if (errcode_ret) *errcode_ret = code;
  return result;
}

// Compiling again loads what it needs, and what is loaded costs nothing while idle.
cl_int clUnloadPlatformCompiler(cl_platform_id platform) {
  return guarded([&] { checked(platform, CL_INVALID_PLATFORM); });
}

cl_int clUnloadCompiler() { return CL_SUCCESS; }

cl_int clGetProgramInfo(cl_program program, cl_program_info param_name, size_t param_value_size,
                        void* param_value, size_t* param_value_size_ret) {
  return guarded([&] {
    checked_program(program).info(param_name, {param_value_size, param_value, param_value_size_ret});
  });
}

cl_int clGetProgramBuildInfo(cl_program program, cl_device_id device, cl_program_build_info param_name,
                             size_t param_value_size, void* param_value, size_t* param_value_size_ret) {
  return guarded([&] {
    const Program& object = checked_program(program);
    require(object.has(&checked(device, CL_INVALID_DEVICE)), CL_INVALID_DEVICE);
    object.build_info(param_name, {param_value_size, param_value, param_value_size_ret});
  });
}

}  // namespace weft::icd
