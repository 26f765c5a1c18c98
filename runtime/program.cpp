#include "runtime/program.h"

#include <cstring>
#include <new>
#include <utility>

#include "compiler/frontend/options.h"
#include "compiler/source_names.h"
#include "runtime/compiler_loader.h"
#include "runtime/spirv_module.h"

namespace frontend = weft::compiler::frontend;
using weft::runtime::BuildResult;
using weft::runtime::Error;
using weft::runtime::Executable;
using weft::runtime::InfoWriter;
using weft::runtime::ProgramBinary;
using weft::runtime::require;

_cl_program::_cl_program(Context& context, std::string source)
    : context_(&context), devices_(context.devices()), source_(std::move(source)) {}

_cl_program::_cl_program(Context& context, Context::DeviceList devices, ProgramBinary binary)
    : context_(&context), devices_(std::move(devices)), loaded_(std::move(binary)) {
  state_.type = loaded_->type;
  if (loaded_->type != CL_PROGRAM_BINARY_TYPE_EXECUTABLE) {
    state_.object = std::make_shared<const weft::compiler::Bytes>(loaded_->bitcode);
  }
}

_cl_program::_cl_program(Context& context, weft::compiler::Bytes module)
    : context_(&context), devices_(context.devices()), module_(std::move(module)), spec_sizes_(weft::runtime::spec_constants(*module_)) {}

_cl_program::_cl_program(Context& context, Context::DeviceList devices) : context_(&context), devices_(std::move(devices)) {}

std::string _cl_program::build_options() const {
  std::lock_guard lock(mutex_);
  return state_.options;
}

void _cl_program::attach_kernel() {
  std::lock_guard lock(mutex_);
  ++num_kernels_;
}

void _cl_program::detach_kernel() {
  std::lock_guard lock(mutex_);
  --num_kernels_;
}

void _cl_program::set_spec_constant(std::uint32_t id, std::span<const std::uint8_t> value) {
  require(module_.has_value(), CL_INVALID_PROGRAM);
  const auto found = spec_sizes_.find(id);
  require(found != spec_sizes_.end(), CL_INVALID_SPEC_ID);
  require(value.size() == found->second && value.size() <= sizeof(std::uint64_t), CL_INVALID_VALUE);
  std::uint64_t bits = 0;
  std::memcpy(&bits, value.data(), value.size());
  std::lock_guard lock(mutex_);
  spec_values_[id] = bits;
}

std::vector<weft::compiler::SpecConstant> _cl_program::spec_values() const {
  std::vector<weft::compiler::SpecConstant> result;
  std::lock_guard lock(mutex_);
  for (const auto& [id, value] : spec_values_) result.push_back({id, value});
  return result;
}

void _cl_program::begin(const std::string& options, std::vector<SourceFile> files) {
  State state;
  state.files = std::move(files);
  state.status = CL_BUILD_IN_PROGRESS;
  state.options = options;
  context_->code_ahead().building(*context_);
  std::lock_guard lock(mutex_);
  require(num_kernels_ == 0 && state_.status != CL_BUILD_IN_PROGRESS, CL_INVALID_OPERATION);
  state_ = std::move(state);
}

/// Ends a step that has begun with bad options.
void _cl_program::refuse(std::string log, cl_int code) {
  {
    std::lock_guard lock(mutex_);
    state_.status = CL_BUILD_ERROR;
    state_.log = std::move(log);
  }
  throw Error{code};
}

_cl_program::Step _cl_program::step(cl_program_binary_type made, cl_int failure, Work work) {
  return [self = weft::runtime::Ref(this), made, failure, work = std::move(work)] {
    return self->run(made, failure, work);
  };
}

cl_int _cl_program::run(cl_program_binary_type made, cl_int failure, const Work& work) {
  State state;
  cl_int code = CL_SUCCESS;
  try {
    BuildResult result = work();
    state.log = std::move(result.log);
    if (!result.ok) {
      code = failure;
    } else if (made == CL_PROGRAM_BINARY_TYPE_EXECUTABLE) {
      state.executable = std::make_shared<Executable>(std::move(result.bitcode), std::move(result.kernels), result.memory);
    } else {
      state.object = std::make_shared<const weft::compiler::Bytes>(std::move(result.bitcode));
    }
  } catch (const weft::runtime::NoCompiler& problem) {
    code = problem.refuses_options ? failure : problem.code;
    state.log = problem.text;
  } catch (const Error& error) {
    code = error.code;
  } catch (const std::bad_alloc&) {
    code = CL_OUT_OF_HOST_MEMORY;
  } catch (...) {
    code = CL_OUT_OF_RESOURCES;
  }
  state.status = code == CL_SUCCESS ? CL_BUILD_SUCCESS : CL_BUILD_ERROR;
  if (code == CL_SUCCESS) state.type = made;
  std::lock_guard lock(mutex_);
  state.options = std::move(state_.options);
  state.files = std::move(state_.files);
  state_ = std::move(state);
  return code;
}

_cl_program::Step _cl_program::begin_build(const std::string& options) {
  require(source_ || module_ || loaded_, CL_INVALID_OPERATION);  // a linked program has nothing to build from
  std::string log;
  const auto parsed = frontend::parse_compile_options(options, log);
  Step rest = step(CL_PROGRAM_BINARY_TYPE_EXECUTABLE, CL_BUILD_PROGRAM_FAILURE, [this, options, constants = spec_values()] {
    if (source_) return weft::runtime::compile_and_link(*source_, options);
    if (module_) return weft::runtime::translate_and_link(*module_, constants, options);
    if (loaded_->type != CL_PROGRAM_BINARY_TYPE_EXECUTABLE)
      return weft::runtime::link({&loaded_->bitcode}, "", false);
    return weft::runtime::describe(loaded_->bitcode);
  });
  begin(options);
  if (!parsed) refuse(std::move(log), CL_INVALID_BUILD_OPTIONS);
  return rest;
}

_cl_program::Step _cl_program::begin_compile(const std::string& options,
                                             std::vector<weft::compiler::Header> headers) {
  require(source_ || module_, CL_INVALID_OPERATION);
  std::string log;
  const bool good = frontend::parse_compile_options(options, log).has_value();
  std::vector<SourceFile> files;
  if (source_) {
    files.push_back({weft::compiler::kSourceName, std::make_shared<const std::string>(*source_)});
    for (const auto& header : headers) {
      files.push_back({weft::compiler::kHeaderFolder + ("/" + header.name), std::make_shared<const std::string>(header.text)});
    }
  }
  Step rest = step(CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT, CL_COMPILE_PROGRAM_FAILURE,
                   [this, options, headers = std::move(headers), constants = spec_values()] {
                     if (module_) return weft::runtime::translate(*module_, constants, options);
                     return weft::runtime::compile(*source_, headers, options);
                   });
  begin(options, std::move(files));
  if (!good) refuse(std::move(log), CL_INVALID_COMPILER_OPTIONS);
  return rest;
}

_cl_program::Step _cl_program::begin_link(const std::vector<_cl_program*>& inputs,
                                          const std::string& options) {
  std::vector<std::shared_ptr<const weft::compiler::Bytes>> objects;
  std::vector<SourceFile> files;
  for (const _cl_program* input : inputs) {
    std::lock_guard lock(input->mutex_);
    require(input->state_.object && input->state_.status != CL_BUILD_IN_PROGRESS, CL_INVALID_OPERATION);
    objects.push_back(input->state_.object);
    for (SourceFile file : input->state_.files) {
      // As the linker names them.
      if (inputs.size() > 1 && file.name == weft::compiler::kSourceName) {
        const weft::compiler::Bytes& bytes = *input->state_.object;
        file.name = weft::compiler::source_name_of_object(weft::runtime::content_hash({reinterpret_cast<const char*>(bytes.data()), bytes.size()}));
      }
      files.push_back(std::move(file));
    }
  }
  std::string log;
  const auto parsed = frontend::parse_link_options(options, log);
  const bool library = parsed && parsed->create_library;
  Step rest = step(library ? CL_PROGRAM_BINARY_TYPE_LIBRARY : CL_PROGRAM_BINARY_TYPE_EXECUTABLE,
                   CL_LINK_PROGRAM_FAILURE, [options, objects = std::move(objects), library] {
                     std::vector<const weft::compiler::Bytes*> pointers;
                     for (const auto& object : objects) pointers.push_back(object.get());
                     return weft::runtime::link(pointers, options, library);
                   });
  begin(options, std::move(files));
  if (!parsed) refuse(std::move(log), CL_INVALID_LINKER_OPTIONS);
  return rest;
}

std::vector<_cl_program::SourceFile> _cl_program::source_files() const {
  std::lock_guard lock(mutex_);
  return state_.files;
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
      return out.value(static_cast<cl_uint>(devices_.size()));
    case CL_PROGRAM_DEVICES:
      return out.array(weft::runtime::handles_of(devices_));
    case CL_PROGRAM_SOURCE:
      return out.string(source_ ? *source_ : "");
    case CL_PROGRAM_IL:
      return module_ ? out.bytes(module_->data(), module_->size()) : out.bytes(nullptr, 0);
    case CL_PROGRAM_BINARY_SIZES: {
      std::lock_guard lock(mutex_);
      return out.array(std::vector<std::size_t>(devices_.size(), binary().size()));
    }
    case CL_PROGRAM_BINARIES: {
      // The answer is an array of pointers, to memory of the application that takes the binaries; null where it wants none.
      std::vector<unsigned char*> destinations(devices_.size());
      const std::size_t bytes = destinations.size() * sizeof(unsigned char*);
      require(!out.destination() || out.capacity() >= bytes, CL_INVALID_VALUE);
      out.report_size(bytes);
      if (!out.destination()) return;
      std::memcpy(destinations.data(), out.destination(), bytes);
      std::lock_guard lock(mutex_);
      const auto data = binary();
      for (unsigned char* const destination : destinations) {
        if (destination && !data.empty()) std::memcpy(destination, data.data(), data.size());
      }
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
      return out.value<std::size_t>(state_.executable ? state_.executable->memory_bytes() : 0);
    default:
      throw Error{CL_INVALID_VALUE};
  }
}
