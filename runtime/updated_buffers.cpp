#include "runtime/updated_buffers.h"

#include <array>
#include <cstdint>
#include <cstring>

#include "runtime/memory.h"

namespace weft::runtime {
namespace {

using compiler::ArgKind;
using compiler::KernelArg;

bool is_pointer(const KernelArg& argument) {
  return argument.kind == ArgKind::kGlobalPointer || argument.kind == ArgKind::kConstantPointer;
}

std::byte* address_at(const LaunchArguments& arguments, std::uint32_t offset) {
  std::byte* address;
  std::memcpy(&address, arguments.block.get() + offset, sizeof address);
  return address;
}

bool overlap(const Memory& a, const Memory& b) {
  const auto first = reinterpret_cast<std::uintptr_t>(a.data()), second = reinterpret_cast<std::uintptr_t>(b.data());
  return first < second + b.size() && second < first + a.size();
}

}  // namespace

device::WorkerCopies::Buffers updated_buffers(std::span<const abi::UpdatedBuffer> updated, const compiler::KernelInfo& kernel,
                                              const LaunchArguments& arguments) {
  device::WorkerCopies::Buffers found;
  if (updated.size() > found.kMost) return {};
  // The memory objects stand in the order of the arguments that have one; others have none, or an address.
  std::size_t index = 0;
  std::array<std::size_t, device::WorkerCopies::Buffers::kMost> places{};
  for (const KernelArg& argument : kernel.args) {
    if (!is_pointer(argument) && argument.kind != ArgKind::kImage && argument.kind != ArgKind::kPipe) continue;
    if (is_pointer(argument)) {
      const std::byte* const address = address_at(arguments, argument.offset);
      if (!address) continue;
      if (index == arguments.memory.size() || arguments.memory[index]->data() != address) return {};
    }
    for (const abi::UpdatedBuffer& one : updated) {
      if (argument.kind != ArgKind::kGlobalPointer || argument.offset != one.argument_offset) continue;
      const Memory& buffer = *arguments.memory[index];
      if ((one.word_bytes != 4 && one.word_bytes != 8) || reinterpret_cast<std::uintptr_t>(buffer.data()) % one.word_bytes) return {};
      const std::size_t number = static_cast<std::size_t>(&one - updated.data());
      found.buffer[number] = {buffer.data(), buffer.size(), one.kind, one.word_bytes, one.updates};
      places[number] = index;
      ++found.count;
    }
    ++index;
  }
  if (found.count != updated.size()) return {};
  for (std::size_t i = 0; i < found.count; ++i)
    for (std::size_t other = 0; other < arguments.memory.size(); ++other)
      if (other != places[i] && overlap(*arguments.memory[other], *arguments.memory[places[i]])) return {};
  return found;
}

}  // namespace weft::runtime
