#include "compiler/process/messages.h"

namespace weft::compiler::process {
namespace {

/// Whether `step`, of some bytes at a time, did all `size` of them.
template <class Byte, class Step>
bool all_of(Byte* at, std::size_t size, const Step& step) {
  while (size > 0) {
    const std::size_t done = step(at, size);
    if (done == 0) return false;
    at += done;
    size -= done;
  }
  return true;
}

}  // namespace

bool send_message(const SendSome& send, const Bytes& message) {
  const std::uint64_t size = message.size();
  return all_of(reinterpret_cast<const std::byte*>(&size), sizeof size, send) &&
         all_of(reinterpret_cast<const std::byte*>(message.data()), message.size(), send);
}

std::optional<Bytes> receive_message(const ReceiveSome& receive) {
  std::uint64_t size = 0;
  if (!all_of(reinterpret_cast<std::byte*>(&size), sizeof size, receive)) return std::nullopt;
  Bytes message(size);
  if (!all_of(reinterpret_cast<std::byte*>(message.data()), message.size(), receive)) return std::nullopt;
  return message;
}

}  // namespace weft::compiler::process
