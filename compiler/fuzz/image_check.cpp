#include "compiler/fuzz/image_check.h"

#include <time.h>

#include <cstring>

#include "compiler/frontend/compile.h"
#include "compiler/fuzz/image_memory.h"
#include "compiler/fuzz/warp_run.h"
#include "compiler/linker/kernel_info.h"
#include "compiler/pipeline/pipeline.h"
#include "compiler/support/bitcode.h"
#include "device/code.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"

namespace weft::fuzz {
namespace {

constexpr std::uint32_t kUnwritten = 0xdeadbeefu;

double thread_ms() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_nsec) * 1e-6;
}

/// A kernel up to what is compiled for each launch.
struct Prepared {
  compiler::KernelInfo info;
  compiler::Bytes program;
};

std::optional<Prepared> prepare(const std::string& source, Outcome& outcome) {
  const auto fail = [&](Verdict verdict, const std::string& what) {
    outcome.verdict = verdict;
    outcome.what = one_line(what);
    return std::nullopt;
  };
  llvm::LLVMContext context;
  std::string log;
  std::vector<compiler::Dependency> dependencies;
  const auto options = compiler::frontend::parse_compile_options("-w -cl-std=CL3.0", log);
  if (!options) return fail(Verdict::kRejected, log);
  const auto module = compiler::frontend::compile_to_module(source, {}, *options, context, log, dependencies);
  if (!module) return fail(Verdict::kRejected, log);
  compiler::passes::PassOptions settings;
  settings.verify_each = true;
  compiler::passes::PassControl control(settings);
  if (llvm::Error error = compiler::pipeline::make_program(*module, control))
    return fail(Verdict::kBroken, llvm::toString(std::move(error)));
  auto kernels = compiler::linker::describe_kernels(*module);
  if (kernels.size() != 1) return fail(Verdict::kRejected, "there must be one kernel");
  Prepared prepared;
  prepared.info = std::move(kernels[0]);
  prepared.program = compiler::support::write_bitcode(*module);
  return prepared;
}

/// Work-items of a launch, first to last.
std::vector<Item> items_of(const Variant& variant) {
  std::vector<Item> items;
  Item item;
  for (int d = 0; d < 3; ++d) item.global_size[d] = static_cast<int>(variant.local[d] * variant.groups[d]);
  for (int z = 0; z < item.global_size[2]; ++z)
    for (int y = 0; y < item.global_size[1]; ++y)
      for (int x = 0; x < item.global_size[0]; ++x) {
        item.global = {x, y, z};
        for (int d = 0; d < 3; ++d) {
          item.local[d] = item.global[d] % static_cast<int>(variant.local[d]);
          item.group[d] = item.global[d] / static_cast<int>(variant.local[d]);
        }
        items.push_back(item);
      }
  return items;
}

bool holds(const std::optional<IntTerm>& condition, const Item& item) { return !condition || (condition->of(item) & 1); }

/// One launch: arguments, memory, and what must be in it afterwards.
class Launch {
 public:
  Launch(const ImageKernel& kernel, const compiler::KernelInfo& info, const Variant& variant, std::uint64_t seed)
      : kernel_(kernel), items_(items_of(variant)) {
    for (std::size_t i = 0; i < kernel.images.size(); ++i)
      images_.push_back(std::make_unique<ImageMemory>(kernel.images[i], (seed + i) % 3 != 0, seed * 8 + i));
    for (const ImageRead& read : kernel.reads)
      outputs_.emplace_back(items_.size() * static_cast<std::size_t>(read.taps()) * words(read), kUnwritten);
    arguments_.resize(info.argument_bytes);
    std::size_t next = 0;
    const auto place = [&](const auto& value) {
      std::memcpy(arguments_.data() + info.args[next].offset, &value, std::min<std::size_t>(sizeof value, info.args[next].size));
      ++next;
    };
    for (std::size_t i = 0; i < images_.size(); ++i) {
      const abi::ImageDescriptor* const descriptor = &images_[i]->descriptor();
      place(descriptor);
      formats_.push_back(kernel.images[i].is_known ? images_[i]->format_word() : 0u);
    }
    for (const SamplerArgument& sampler : kernel.samplers) {
      if (sampler.is_literal) continue;
      place(static_cast<std::uint64_t>(sampler.bits));
      formats_.push_back(sampler.is_known ? sampler.bits | compiler::kArgumentKnown : 0u);
    }
    for (const auto& output : outputs_) {
      const std::uint32_t* const data = output.data();
      place(data);
    }
    place(kValueArgument);
  }

  const compiler::ArgumentFormats& formats() const { return formats_; }
  const std::byte* arguments() const { return arguments_.data(); }

  void reset() {
    for (const auto& image : images_) image->reset();
    for (auto& output : outputs_) std::fill(output.begin(), output.end(), kUnwritten);
  }

  /// Empty if all is as it should be.
  std::string difference() const {
    for (std::size_t i = 0; i < kernel_.reads.size(); ++i)
      if (std::string what = of_read(i); !what.empty()) return what;
    for (std::size_t i = 0; i < images_.size(); ++i)
      if (std::string what = of_image(i); !what.empty()) return what;
    return {};
  }

 private:
  std::size_t words(const ImageRead& read) const {
    return read.component >= 0 || kernel_.images[read.image].image.format.is_depth() ? 1 : 4;
  }

  std::string of_read(std::size_t number) const {
    const ImageRead& read = kernel_.reads[number];
    const ReferenceImage& image = images_[read.image]->initial();
    const std::size_t each = words(read), taps = static_cast<std::size_t>(read.taps());
    for (std::size_t i = 0; i < items_.size(); ++i) {
      Item item = items_[i];
      const bool reads = holds(read.condition, item);
      const int row = read.row ? read.row->of(item) : read.taps_x;
      for (std::size_t tap = 0; tap < taps; ++tap) {
        item.tap_x = static_cast<int>(tap) % read.taps_x;
        item.tap_y = static_cast<int>(tap) / read.taps_x;
        const std::size_t slot = read.by_item ? i * taps + tap : tap * items_.size() + i;
        const std::uint32_t* got = &outputs_[number][slot * each];
        std::string why;
        if (!reads || item.tap_x >= row) {
          if (std::all_of(got, got + each, [](std::uint32_t word) { return word == kUnwritten; })) continue;
          why = "nothing";
        } else {
          why = wrong(read, image, item, got);
          if (why.empty()) continue;
        }
        std::string text = "o" + std::to_string(number) + " of item " + std::to_string(i) + ", tap " + std::to_string(tap) + " (" +
                           at_text(read, item) + "): wanted " + why + ", got";
        for (std::size_t word = 0; word < each; ++word) text += " " + value_text(image.format, got[word]);
        return text;
      }
    }
    return {};
  }

  static std::string wrong(const ImageRead& read, const ReferenceImage& image, const Item& item, const std::uint32_t* got) {
    const Coordinates at = read.at(item);
    if (is_undefined(image, read.sampler, at)) return {};
    return why_not(image, read.sampler, at, got, read.component);
  }

  static std::string value_text(const TexelFormat& format, std::uint32_t word) {
    float real;
    std::memcpy(&real, &word, sizeof real);
    char buffer[40];
    if (format.is_integer()) std::snprintf(buffer, sizeof buffer, "%d", static_cast<std::int32_t>(word));
    else std::snprintf(buffer, sizeof buffer, "%.9g", static_cast<double>(real));
    return buffer;
  }

  static std::string at_text(const ImageRead& read, const Item& item) {
    const Coordinates at = read.at(item);
    std::string text;
    for (std::size_t d = 0; d < std::max(read.integers.size(), read.floats.size()); ++d) {
      char buffer[40];
      std::snprintf(buffer, sizeof buffer, "%s%.9g", d ? " " : "", at.are_floats ? static_cast<double>(at.floats[d]) : at.integers[d]);
      text += buffer;
    }
    return text;
  }

  /// What was written must be there, and all else, padding and ends of rows too, as it was.
  std::string of_image(std::size_t number) const {
    const ImageMemory& memory = *images_[number];
    const ReferenceImage& image = memory.initial();
    std::vector<bool> may_change(memory.bytes(), false);
    for (const ImageWrite& write : kernel_.writes) {
      if (write.image != number) continue;
      for (const Item& item : items_) {
        if (!holds(write.condition, item)) continue;
        std::array<int, 3> at{0, 0, 0};
        const int limits[3] = {image.size[0], image.size[1], std::max(image.size[2], image.layers)};
        for (std::size_t d = 0; d < write.at.size(); ++d) at[d] = write.at[d].of(item);
        if (image.is_array() && image.dimensions() == 1) at = {at[0], 0, at[1]};
        if (at[0] < 0 || at[0] >= limits[0] || at[1] < 0 || at[1] >= limits[1] || at[2] < 0 || at[2] >= limits[2]) continue;
        const std::size_t begin = memory.first() + image.offset(at[0], at[1], at[2]);
        std::fill_n(may_change.begin() + static_cast<std::ptrdiff_t>(begin), image.format.bytes(), true);
        const auto color = write.color(item);
        if (!may_be_written(image.format, color, memory.texel(at[0], at[1], at[2])))
          return kernel_.images[number].name + " texel " + std::to_string(at[0]) + "," + std::to_string(at[1]) + "," + std::to_string(at[2]) +
                 " is not the colour " + value_text(image.format, color[0]) + " " + value_text(image.format, color[1]) + " " +
                 value_text(image.format, color[2]) + " " + value_text(image.format, color[3]);
      }
    }
    if (const auto byte = memory.changed(may_change))
      return kernel_.images[number].name + " changed at byte " + std::to_string(static_cast<std::ptrdiff_t>(*byte) - static_cast<std::ptrdiff_t>(memory.first())) +
             ", which no work-item writes";
    return {};
  }

  const ImageKernel& kernel_;
  std::vector<Item> items_;
  std::vector<std::unique_ptr<ImageMemory>> images_;
  std::vector<std::vector<std::uint32_t>> outputs_;
  std::vector<std::byte> arguments_;
  compiler::ArgumentFormats formats_;
};

}  // namespace

Outcome check_images(const ImageKernel& kernel, const std::vector<Variant>& variants, const CheckOptions& options) {
  Outcome outcome;
  const std::optional<Prepared> prepared = prepare(kernel.source, outcome);
  if (!prepared) return outcome;
  for (outcome.variant = 0; outcome.variant < variants.size(); ++outcome.variant) {
    Variant variant = variants[outcome.variant];
    if (!compiler::may_fuse(prepared->info.fusion, variant.group_items())) variant.fuse = 1;
    variant.turned = 0;
    if (options.entering) options.entering(outcome.variant);
    const auto end = [&](Verdict verdict, const std::string& what) {
      outcome.verdict = verdict;
      outcome.what = one_line(what);
      return outcome;
    };
    Launch launch(kernel, prepared->info, variant, options.data_seed + outcome.variant);
    compiler::passes::PassOptions settings;
    settings.verify_each = true;
    settings.coarsening = variant.coarsening;
    if (variant.scalarize) settings.scalarize_loops = compiler::passes::ScalarizeLoops::kAlways;
    settings.stack_rows = settings.byte_tables = settings.pairs = settings.wide_calls = variant.scalarize;
    settings.required_only = variant.required_only;
    settings.disable = options.disable;
    compiler::Specialization specialization = variant.specialization();
    specialization.formats = launch.formats();
    compiler::passes::PassControl control(settings);
    const double begin = thread_ms();
    const auto generated = compiler::pipeline::generate(prepared->program, prepared->info.name, specialization, control);
    outcome.slowest_ms = std::max(outcome.slowest_ms, thread_ms() - begin);
    if (!generated.ok) return end(Verdict::kBroken, generated.log);
    std::string error;
    device::CodeTraits traits{generated.scratch_fixed_bytes, generated.scratch_warp_bytes, generated.private_bytes, generated.stack_bytes,
                              variant.fuse, generated.run};
    traits.has_tables = generated.has_tables && variant.groups[0] % 2 == 0;  // else it computes
    const auto code = device::Code::load(generated.object, generated.symbol, traits, &error);
    if (!code) return end(Verdict::kBroken, error);
    launch.reset();
    if (const char* trouble = run_warps(*code, launch.arguments(), prepared->info.local_bytes, variant))
      return end(Verdict::kDiffer, trouble);
    if (const std::string difference = launch.difference(); !difference.empty()) return end(Verdict::kDiffer, difference);
  }
  outcome.variant = 0;
  return outcome;
}

}  // namespace weft::fuzz
