#include "runtime/dump.h"

#include <filesystem>
#include <fstream>
#include <sstream>
#include <system_error>
#include <utility>

#include "runtime/options.h"

namespace weft::runtime {
namespace {

std::filesystem::path file_for(const Hash& hash, const char* suffix) {
  std::error_code ignored;
  std::filesystem::create_directories(options().dump, ignored);
  return std::filesystem::path(options().dump) / (to_hex(hash).substr(0, 16) + suffix);
}

}  // namespace

void dump_source(const Hash& key, const std::string& source, const std::string& build_options) {
  if (options().dump.empty()) return;
  std::ofstream(file_for(key, ".cl"), std::ios::binary) << source;
  std::ofstream(file_for(key, ".options")) << build_options << '\n';
}

void dump_kernel(const Hash& program_hash, const compiler::Bytes& program, const std::string& kernel,
                 const compiler::Specialization& spec) {
  if (options().dump.empty()) return;
  const auto path = file_for(program_hash, ".bc");
  std::ofstream(path, std::ios::binary)
      .write(reinterpret_cast<const char*>(program.data()), static_cast<std::streamsize>(program.size()));
  // All fields, by the compiler's word.
  const auto& [local_size, ids_fit_31_bits, aligned_offsets, groups, whole_blocks, is_part, streams, soon, turned, required_only, counted, traced, formats] = spec;
  std::ostringstream line;
  line << "weftc --kernel=" << kernel;
  if (local_size[0]) line << " --local-size=" << local_size[0] << ',' << local_size[1] << ',' << local_size[2];
  if (ids_fit_31_bits) line << " --ids-fit-31-bits";
  if (aligned_offsets) line << " --aligned-offsets";
  if (groups > 1) line << " --fuse-groups=" << groups;
  if (!whole_blocks) line << " --partial-blocks";
  if (is_part) line << " --part";
  if (turned) line << " --turned=" << turned;
  if (streams) line << " --streams";
  if (soon) line << " --soon";
  if (required_only) line << " --required-only";
  if (counted) line << (traced ? " --traced" : " --counted");
  if (formats.size() != 0) {
    line << " --formats=" << std::hex;
    for (const char* comma = ""; const std::uint32_t word : formats) line << std::exchange(comma, ",") << word;
    line << std::dec;
  }
  if (!options().disable.empty()) line << " --disable=" << options().disable;
  line << ' ' << path.filename().string() << '\n';
  std::ofstream(path.parent_path() / "kernels", std::ios::app) << line.str();
}

}  // namespace weft::runtime
