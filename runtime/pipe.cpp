#include "runtime/pipe.h"

#include <algorithm>
#include <bit>
#include <new>

#include "device/kernel_abi.h"

namespace weft::runtime {

Pipe::Pipe(std::uint32_t packet_bytes, std::uint32_t max_packets)
    : packet_bytes_(packet_bytes), max_packets_(max_packets) {
  require(max_packets <= abi::kMaxPipePackets, CL_MEM_OBJECT_ALLOCATION_FAILURE);
  slots_ = std::max(std::uint32_t{2}, std::bit_ceil(max_packets));
}

std::size_t Pipe::packets_at() const {
  const std::size_t end = sizeof(abi::PipeHeader) + sizeof(abi::PipeSlot) * slots_;
  constexpr std::size_t kAlign = alignof(abi::PipeHeader);
  return (end + kAlign - 1) / kAlign * kAlign;
}

void Pipe::place(std::byte* memory) const {
  auto* const header = new (memory) abi::PipeHeader{};
  header->slots = reinterpret_cast<abi::PipeSlot*>(memory + sizeof *header);
  header->packets = memory + packets_at();
  header->max_packets = max_packets_;
  header->mask = slots_ - 1;
  header->written = header->read = slots_;
}

// OpenCL 3.0 API §5.4.2, table 32.
void Pipe::info(cl_pipe_info name, const InfoWriter& out) const {
  switch (name) {
    case CL_PIPE_PACKET_SIZE:
      return out.value<cl_uint>(packet_bytes_);
    case CL_PIPE_MAX_PACKETS:
      return out.value<cl_uint>(max_packets_);
    case CL_PIPE_PROPERTIES:  // there are none
      return out.bytes(nullptr, 0);
    default:
      throw Error{CL_INVALID_VALUE};
  }
}

}  // namespace weft::runtime
