#include "bench/native_module.h"

#include <dlfcn.h>

#include <cstdlib>
#include <filesystem>
#include <stdexcept>

namespace weft::bench {
namespace {

bool can_run(const std::string& processor) {
  if (processor == "haswell") return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi2");
  if (processor == "nehalem") return __builtin_cpu_supports("sse4.2") && __builtin_cpu_supports("popcnt");
  return true;
}

template <typename F>
void find(void* library, const char* name, F*& function) {
  function = reinterpret_cast<F*>(dlsym(library, name));
  if (!function) throw std::runtime_error(std::string("the module of native code lacks ") + name);
}

std::size_t bytes_of(const conformance::ReferenceImage& image) {
  return std::size_t{1} * image.size[0] * image.size[1] * image.size[2] * image.layers * image.texel_bytes();
}

}  // namespace

std::unique_ptr<NativeModule> NativeModule::load([[maybe_unused]] const std::string& processor) {
#ifdef WEFT_BENCH_NATIVE
  if (!can_run(processor)) return nullptr;
  const std::string path = WEFT_BENCH_NATIVE "/libweft-bench-native-" + processor + ".so";
  // OpenBLAS has threads of its own, which wait for more in a loop: half a millisecond, so that the next peer has the processors.
  setenv("OPENBLAS_THREAD_TIMEOUT", "20", 0);
  if (processor != "native") setenv("OPENBLAS_CORETYPE", processor.c_str(), 0);
  auto module = std::unique_ptr<NativeModule>(new NativeModule);
  module->library_ = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!module->library_) throw std::runtime_error(dlerror());
  void (*start)() = nullptr;
  find(module->library_, "native_start", start);
  find(module->library_, "native_begin_round", module->begin_);
  find(module->library_, "native_end_round", module->end_);
  find(module->library_, "native_copy", module->copy_);
  start();
  return module;
#else
  return nullptr;
#endif
}

native::Function* NativeModule::function_of(const Case& c) const {
  const std::string name = std::filesystem::path(c.file).stem().string() + "_" + c.kernel;
  return reinterpret_cast<native::Function*>(dlsym(library_, name.c_str()));
}

void NativeModule::Free::operator()(void* memory) const { std::free(memory); }

NativeModule::Block NativeModule::copy(const void* from, std::size_t bytes) const {
  Block block(copy_(from, bytes));
  if (!block) throw std::bad_alloc();
  return block;
}

NativeCase::NativeCase(const Case& c, const NativeModule& module) : function_(module.function_of(c)) {
  for (const Bytes& bytes : c.buffers) buffers_.push_back(module.copy(bytes.data(), bytes.size()));
  for (const auto& image : c.images) {
    texels_.push_back(module.copy(image.bytes.empty() ? nullptr : image.bytes.data(), bytes_of(image)));
    images_.push_back({texels_.back().get(), image.size[0], image.size[1], image.size[2], image.layers,
                       conformance::channels_of(image.format.image_channel_order),
                       conformance::channel_bytes_of(image.format.image_channel_data_type)});
  }
  values_.reserve(c.args.size());
  for (const Arg& arg : c.args) {
    if (const auto* buffer = std::get_if<BufferArg>(&arg)) {
      arguments_.push_back(buffers_[buffer->index].get());
    } else if (const auto* image = std::get_if<ImageArg>(&arg)) {
      arguments_.push_back(&images_[image->index]);
    } else if (const auto* bytes = std::get_if<Bytes>(&arg)) {
      values_.push_back(*bytes);
      arguments_.push_back(values_.back().data());
    } else {
      arguments_.push_back(nullptr);
    }
  }
  for (std::size_t i = 0; i < c.range.global.size(); ++i) global_[i] = c.range.global[i];
  for (std::size_t i = 0; i < c.range.local.size(); ++i) local_[i] = c.range.local[i];
}

std::vector<std::byte> NativeCase::output(const Case& c) const {
  const auto& memory = c.image_output ? texels_[c.output] : buffers_[c.output];
  const auto* bytes = static_cast<const std::byte*>(memory.get());
  return {bytes, bytes + (c.image_output ? bytes_of(c.images[c.output]) : c.buffers[c.output].size())};
}

}  // namespace weft::bench
