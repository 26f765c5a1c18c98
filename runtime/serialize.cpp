#include "runtime/serialize.h"

namespace weft::runtime {

void write(Writer& out, const std::vector<compiler::KernelInfo>& kernels) {
  out.number<std::uint64_t>(kernels.size());
  for (const auto& kernel : kernels) {
    out.text(kernel.name);
    out.text(kernel.attributes);
    out.number(kernel.argument_bytes);
    out.number(kernel.local_bytes);
    out.number(kernel.private_bytes);
    for (const auto size : kernel.reqd_work_group_size) out.number(size);
    for (const auto size : kernel.work_group_size_hint) out.number(size);
    out.number<std::uint8_t>(kernel.uses_barrier);
    out.number<std::uint8_t>(kernel.uses_printf);
    out.number<std::uint8_t>(kernel.groups_may_fuse);
    out.number<std::uint64_t>(kernel.args.size());
    for (const auto& arg : kernel.args) {
      out.number(arg.kind);
      out.number(arg.access);
      out.number(arg.type_qualifiers);
      out.number(arg.address_space);
      out.number(arg.offset);
      out.number(arg.size);
      out.number(arg.align);
      out.text(arg.type_name);
      out.text(arg.name);
    }
  }
}

std::vector<compiler::KernelInfo> read_kernels(Reader& in) {
  std::vector<compiler::KernelInfo> kernels(in.count(8));
  for (auto& kernel : kernels) {
    kernel.name = in.text();
    kernel.attributes = in.text();
    kernel.argument_bytes = in.number<std::uint32_t>();
    kernel.local_bytes = in.number<std::uint32_t>();
    kernel.private_bytes = in.number<std::uint32_t>();
    for (auto& size : kernel.reqd_work_group_size) size = in.number<std::uint32_t>();
    for (auto& size : kernel.work_group_size_hint) size = in.number<std::uint32_t>();
    kernel.uses_barrier = in.flag();
    kernel.uses_printf = in.flag();
    kernel.groups_may_fuse = in.flag();
    kernel.args.resize(in.count(8));
    for (auto& arg : kernel.args) {
      arg.kind = in.number<compiler::ArgKind>();
      arg.access = in.number<compiler::ArgAccess>();
      arg.type_qualifiers = in.number<std::uint8_t>();
      arg.address_space = in.number<std::uint8_t>();
      arg.offset = in.number<std::uint32_t>();
      arg.size = in.number<std::uint32_t>();
      arg.align = in.number<std::uint32_t>();
      arg.type_name = in.text();
      arg.name = in.text();
    }
  }
  return kernels;
}

}  // namespace weft::runtime
