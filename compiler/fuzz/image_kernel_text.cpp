#include <cstddef>

#include "compiler/fuzz/image_kernel.h"
#include "device/kernel_abi.h"

namespace weft::fuzz {
namespace {

using compiler::ArgAccess;

std::string type_name(const ImageArgument& argument) {
  const char* shapes[] = {"", "1d", "1d_array", "1d_buffer", "2d", "2d_array", "3d"};
  return std::string("image") + shapes[static_cast<int>(argument.image.shape)] + (argument.image.format.is_depth() ? "_depth_t" : "_t");
}

template <typename T>
std::string vector(const char* type, const std::vector<Term<T>>& terms) {
  if (terms.size() == 1) return terms[0].text;
  std::string text = std::string("(") + type + (terms.size() == 2 ? "2)(" : "4)(");
  for (std::size_t i = 0; i < (terms.size() == 2 ? 2u : 4u); ++i)
    text += (i ? ", " : "") + (i < terms.size() ? terms[i].text : std::string("0"));
  return text + ")";
}

std::string sampler_text(std::uint32_t bits) {
  const char* modes[] = {"CLK_ADDRESS_NONE", "CLK_ADDRESS_CLAMP_TO_EDGE", "CLK_ADDRESS_CLAMP", "CLK_ADDRESS_REPEAT",
                         "CLK_ADDRESS_MIRRORED_REPEAT"};
  return std::string(bits & abi::kSamplerNormalized ? "CLK_NORMALIZED_COORDS_TRUE" : "CLK_NORMALIZED_COORDS_FALSE") + " | " +
         modes[(bits & abi::kSamplerAddressing) >> 1] + " | " +
         (bits & abi::kSamplerLinear ? "CLK_FILTER_LINEAR" : "CLK_FILTER_NEAREST");
}

/// "f", "i" or "ui".
const char* suffix(const TexelFormat& format) {
  return format.type->kind == ChannelKind::kSigned ? "i" : format.type->kind == ChannelKind::kUnsigned ? "ui" : "f";
}
std::string element(const TexelFormat& format) {
  return format.type->kind == ChannelKind::kSigned ? "int" : format.type->kind == ChannelKind::kUnsigned ? "uint" : "float";
}
bool is_single(const ImageKernel& kernel, const ImageRead& read) {
  return read.component >= 0 || kernel.images[read.image].image.format.is_depth();
}

void print_read(const ImageKernel& kernel, std::size_t i, const std::string& sampler, std::string& text) {
  const ImageRead& read = kernel.reads[i];
  const ImageArgument& argument = kernel.images[read.image];
  std::string slot = "item", indent = "  ";
  if (read.condition) text += indent + "if (" + read.condition->text + " & 1)\n", indent += "  ";
  if (read.taps() > 1 || read.row) {
    text += indent + "for (int ty = 0; ty < " + std::to_string(read.taps_y) + "; ++ty)\n";
    text += indent + "  for (int tx = 0; tx < " + (read.row ? read.row->text : std::to_string(read.taps_x)) + "; ++tx)\n";
    indent += "    ";
    const std::string tap = "ty * " + std::to_string(read.taps_x) + " + tx";
    slot = read.by_item ? "item * " + std::to_string(read.taps()) + " + " + tap : "(" + tap + ") * items + item";
  }
  const std::string at = read.with_floats ? vector("float", read.floats) : vector("int", read.integers);
  text += indent + "o" + std::to_string(i) + "[" + slot + "] = read_image" + suffix(argument.image.format) + "(" + argument.name + ", " +
          sampler + at + ")" + (read.component >= 0 ? std::string(".") + "xyzw"[read.component] : "") + ";\n";
}

}  // namespace

std::string text_of(const ImageKernel& kernel) {
  std::string text;
  for (const ImageArgument& argument : kernel.images) {
    const ReferenceImage& image = argument.image;
    text += "// " + argument.name + ": " + image.format.name() + ", " + std::to_string(image.size[0]) + " x " + std::to_string(image.size[1]) +
            " x " + std::to_string(image.size[2]) + ", " + std::to_string(image.layers) + " layers, pitches " +
            std::to_string(image.row_pitch) + ", " + std::to_string(image.slice_pitch) + (argument.is_padded ? ", padded" : "") +
            (argument.misplaced ? ", misplaced" : "") + (argument.is_known ? "" : ", not known") + "\n";
  }
  for (const SamplerArgument& sampler : kernel.samplers)
    if (!sampler.is_literal) text += "// " + sampler.name + ": " + sampler_text(sampler.bits) + (sampler.is_known ? "" : ", not known") + "\n";
  text += "#pragma OPENCL FP_CONTRACT OFF\nkernel void k(";
  for (const ImageArgument& argument : kernel.images) {
    const char* access = argument.access == ArgAccess::kReadOnly    ? "read_only "
                         : argument.access == ArgAccess::kWriteOnly ? "write_only "
                                                                    : "read_write ";
    text += access + type_name(argument) + " " + argument.name + ", ";
  }
  for (const SamplerArgument& sampler : kernel.samplers)
    if (!sampler.is_literal) text += "sampler_t " + sampler.name + ", ";
  for (std::size_t i = 0; i < kernel.reads.size(); ++i)
    text += "global " + element(kernel.images[kernel.reads[i].image].image.format) + (is_single(kernel, kernel.reads[i]) ? "* o" : "4* o") +
            std::to_string(i) + ", ";
  text += "int m) {\n"
          "  const int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);\n"
          "  const int lx = get_local_id(0), ly = get_local_id(1), lz = get_local_id(2);\n"
          "  const int gx = get_group_id(0), gy = get_group_id(1), gz = get_group_id(2);\n"
          "  const int item = (z * (int)get_global_size(1) + y) * (int)get_global_size(0) + x;\n"
          "  const int items = (int)(get_global_size(0) * get_global_size(1) * get_global_size(2));\n";
  for (const SamplerArgument& sampler : kernel.samplers)
    if (sampler.is_literal) text += "  const sampler_t " + sampler.name + " = " + sampler_text(sampler.bits) + ";\n";
  std::size_t sampler = 0;
  for (std::size_t i = 0; i < kernel.reads.size(); ++i) {
    const ImageRead& read = kernel.reads[i];
    print_read(kernel, i, read.sampler == kNoSampler ? std::string() : kernel.samplers[sampler++].name + ", ", text);
  }
  for (const ImageWrite& write : kernel.writes) {
    const ImageArgument& argument = kernel.images[write.image];
    const TexelFormat& format = argument.image.format;
    const std::string color = !write.floats.empty() ? vector("float", write.floats)
                              : format.type->kind == ChannelKind::kSigned ? vector("int", write.integers)
                                                                          : "as_uint4(" + vector("int", write.integers) + ")";
    if (write.condition) text += "  if (" + write.condition->text + " & 1)\n  ";
    text += std::string("  write_image") + suffix(format) + "(" + argument.name + ", " + vector("int", write.at) + ", " + color + ");\n";
  }
  text += "}\n";
  return text;
}

}  // namespace weft::fuzz
