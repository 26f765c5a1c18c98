// How a pipe lies in memory (OpenCL 3.0 API §5.4).
#pragma once

#include <cstddef>
#include <cstdint>

#include "runtime/info.h"

namespace weft::runtime {

/// A queue of packets between kernels. The host has no access to it.
class Pipe {
 public:
  /// Neither is 0. `packet_bytes`: of each packet. Throws Error{CL_MEM_OBJECT_ALLOCATION_FAILURE} of more than abi::kMaxPipePackets.
  Pipe(std::uint32_t packet_bytes, std::uint32_t max_packets);

  /// Bytes of `max_packets` packets: CL_MEM_SIZE.
  std::size_t size() const { return std::size_t{packet_bytes_} * max_packets_; }
  /// Bytes that the pipe takes, at least size().
  std::size_t memory_bytes() const { return packets_at() + std::size_t{packet_bytes_} * slots_; }

  /// Makes an empty pipe of that many bytes of zeros, 128-byte aligned: abi::PipeHeader, which is what kernels take, then what it points to.
  void place(std::byte* memory) const;

  /// clGetPipeInfo. Throws Error.
  void info(cl_pipe_info name, const InfoWriter& out) const;

 private:
  std::size_t packets_at() const;

  std::uint32_t packet_bytes_;
  std::uint32_t max_packets_;
  std::uint32_t slots_ = 2;
};

}  // namespace weft::runtime
