#include "runtime/program.h"

#include <cstring>
#include <utility>

using weft::runtime::BuildResult;
using weft::runtime::Error;
using weft::runtime::Executable;
using weft::runtime::InfoWriter;
using weft::runtime::ProgramBinary;
using weft::runtime::require;

_cl_program::_cl_program(Context& context, std::string source)
    : context_(&context), source_(std::move(source)) {}

_cl_program::_cl_program(Context& context, ProgramBinary binary)
    : context_(&context), loaded_(std::move(binary)) {
  state_.type = loaded_->type;
  if (loaded_->type != CL_PROGRAM_BINARY_TYPE_EXECUTABLE) {
    state_.object = std::make_shared<const weft::compiler::Bytes>(loaded_->bitcode);
  }
}

_cl_program::_cl_program(Context& context) : context_(&context) {}

void _cl_program::attach_kernel() {
  std::lock_guard lock(mutex_);
  ++num_kernels_;
}

void _cl_program::detach_kernel() {
  std::lock_guard lock(mutex_);
  --num_kernels_;
}

template <class Step>
void _cl_program::run(const std::string& options, cl_program_binary_type made, cl_int failure,
                      cl_int bad_options, Step step) {
  State state;
  state.options = options;
  {
    std::lock_guard lock(mutex_);
    require(num_kernels_ == 0 && state_.status != CL_BUILD_IN_PROGRESS, CL_INVALID_OPERATION);
    state.status = CL_BUILD_IN_PROGRESS;
    state_ = state;
  }
  cl_int code = CL_SUCCESS;
  try {
    BuildResult result = step();
    state.log = std::move(result.log);
    if (!result.ok) {
      code = result.invalid_options ? bad_options : failure;
    } else if (made == CL_PROGRAM_BINARY_TYPE_EXECUTABLE) {
      state.executable = std::make_shared<Executable>(std::move(result.bitcode), std::move(result.kernels));
    } else {
      state.object = std::make_shared<const weft::compiler::Bytes>(std::move(result.bitcode));
    }
  } catch (const Error& error) {
    code = error.code;
  } catch (...) {
    std::lock_guard lock(mutex_);
    state_.status = CL_BUILD_ERROR;
    throw;
  }
  state.status = code == CL_SUCCESS ? CL_BUILD_SUCCESS : CL_BUILD_ERROR;
  if (code == CL_SUCCESS) state.type = made;
  {
    std::lock_guard lock(mutex_);
    state_ = std::move(state);
  }
  require(code == CL_SUCCESS, code);
}

void _cl_program::build(const std::string& options) {
  require(source_ || loaded_, CL_INVALID_OPERATION);  // a linked program has nothing to build from
  run(options, CL_PROGRAM_BINARY_TYPE_EXECUTABLE, CL_BUILD_PROGRAM_FAILURE, CL_INVALID_BUILD_OPTIONS, [&] {
    if (source_) return weft::runtime::compile_and_link(*source_, options);
    if (loaded_->type != CL_PROGRAM_BINARY_TYPE_EXECUTABLE)
      return weft::runtime::link({&loaded_->bitcode}, "", false);
    BuildResult result;
    result.ok = true;
    result.bitcode = loaded_->bitcode;
    result.kernels = loaded_->kernels;
    return result;
  });
}

void _cl_program::compile(const std::string& options, const std::vector<weft::compiler::Header>& headers) {
  require(source_.has_value(), CL_INVALID_OPERATION);
  run(options, CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT, CL_COMPILE_PROGRAM_FAILURE,
      CL_INVALID_COMPILER_OPTIONS, [&] { return weft::runtime::compile(*source_, headers, options); });
}

void _cl_program::link(const std::vector<_cl_program*>& inputs, const std::string& options) {
  std::vector<std::shared_ptr<const weft::compiler::Bytes>> objects;
  std::vector<const weft::compiler::Bytes*> pointers;
  for (const _cl_program* input : inputs) {
    std::lock_guard lock(input->mutex_);
    require(input->state_.object && input->state_.status != CL_BUILD_IN_PROGRESS, CL_INVALID_OPERATION);
    objects.push_back(input->state_.object);
    pointers.push_back(objects.back().get());
  }
  const bool library = options.find("-create-library") != std::string::npos;
  run(options, library ? CL_PROGRAM_BINARY_TYPE_LIBRARY : CL_PROGRAM_BINARY_TYPE_EXECUTABLE,
      CL_LINK_PROGRAM_FAILURE, CL_INVALID_LINKER_OPTIONS,
      [&] { return weft::runtime::link(pointers, options, library); });
}

std::shared_ptr<Executable> _cl_program::executable() const {
  std::lock_guard lock(mutex_);
  require(state_.executable != nullptr, CL_INVALID_PROGRAM_EXECUTABLE);
  return state_.executable;
}

/// What CL_PROGRAM_BINARIES gives: empty without a successful step. Needs the lock.
weft::compiler::Bytes _cl_program::binary() const {
  ProgramBinary binary;
  binary.type = state_.type;
  binary.options = state_.options;
  if (state_.executable) {
    binary.bitcode = state_.executable->program();
    for (const auto& kernel : state_.executable->kernels()) binary.kernels.push_back(kernel->info());
  } else if (state_.object) {
    binary.bitcode = *state_.object;
  } else if (loaded_ && state_.status == CL_BUILD_NONE) {
    binary = *loaded_;
  } else {
    return {};
  }
  return encode(binary);
}

// OpenCL 3.0 API §5.8.7, table 31.
void _cl_program::info(cl_program_info name, const InfoWriter& out) const {
  switch (name) {
    case CL_PROGRAM_REFERENCE_COUNT:
      return out.value<cl_uint>(api_count());
    case CL_PROGRAM_CONTEXT:
      return out.value<cl_context>(&context());
    case CL_PROGRAM_NUM_DEVICES:
      return out.value<cl_uint>(1);
    case CL_PROGRAM_DEVICES:
      return out.value<cl_device_id>(&weft::runtime::the_device);
    case CL_PROGRAM_SOURCE:
      return out.string(source_ ? *source_ : "");
    case CL_PROGRAM_IL:
      return out.bytes(nullptr, 0);
    case CL_PROGRAM_BINARY_SIZES: {
      std::lock_guard lock(mutex_);
      return out.value(binary().size());
    }
    case CL_PROGRAM_BINARIES: {
      // The answer is an array of one pointer, to memory of the application that takes the binary.
      require(!out.destination() || out.capacity() >= sizeof(unsigned char*), CL_INVALID_VALUE);
      out.report_size(sizeof(unsigned char*));
      if (!out.destination()) return;
      unsigned char* destination = nullptr;
      std::memcpy(&destination, out.destination(), sizeof destination);
      std::lock_guard lock(mutex_);
      const auto data = binary();
      if (destination && !data.empty()) std::memcpy(destination, data.data(), data.size());
      return;
    }
    case CL_PROGRAM_NUM_KERNELS:
      return out.value<std::size_t>(executable()->kernels().size());
    case CL_PROGRAM_KERNEL_NAMES: {
      std::string names;
      for (const auto& kernel : executable()->kernels()) {
        if (!names.empty()) names += ';';
        names += kernel->info().name;
      }
      return out.string(names);
    }
    case CL_PROGRAM_SCOPE_GLOBAL_CTORS_PRESENT:
    case CL_PROGRAM_SCOPE_GLOBAL_DTORS_PRESENT:
      return out.value<cl_bool>(CL_FALSE);
    default:
      throw Error{CL_INVALID_VALUE};
  }
}

// OpenCL 3.0 API §5.8.7, table 32.
void _cl_program::build_info(cl_program_build_info name, const InfoWriter& out) const {
  std::lock_guard lock(mutex_);
  switch (name) {
    case CL_PROGRAM_BUILD_STATUS:
      return out.value(state_.status);
    case CL_PROGRAM_BUILD_OPTIONS:
      return out.string(state_.options);
    case CL_PROGRAM_BUILD_LOG:
      return out.string(state_.log);
    case CL_PROGRAM_BINARY_TYPE:
      return out.value(state_.type);
    case CL_PROGRAM_BUILD_GLOBAL_VARIABLE_TOTAL_SIZE:
      return out.value<std::size_t>(0);
    default:
      throw Error{CL_INVALID_VALUE};
  }
}
