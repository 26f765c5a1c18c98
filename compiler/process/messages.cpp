#include "compiler/process/messages.h"

#include <sys/socket.h>

#include <cerrno>

namespace weft::compiler::process {
namespace {

bool send_all(int socket, const void* data, std::size_t size) {
  const auto* at = static_cast<const char*>(data);
  while (size > 0) {
    const ssize_t sent = send(socket, at, size, MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent <= 0) return false;
    at += sent;
    size -= static_cast<std::size_t>(sent);
  }
  return true;
}

bool receive_all(int socket, void* data, std::size_t size) {
  auto* at = static_cast<char*>(data);
  while (size > 0) {
    const ssize_t got = recv(socket, at, size, 0);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    at += got;
    size -= static_cast<std::size_t>(got);
  }
  return true;
}

}  // namespace

bool send_message(int socket, const Bytes& message) {
  const std::uint64_t size = message.size();
  return send_all(socket, &size, sizeof size) && send_all(socket, message.data(), message.size());
}

std::optional<Bytes> receive_message(int socket) {
  std::uint64_t size = 0;
  if (!receive_all(socket, &size, sizeof size)) return std::nullopt;
  Bytes message(size);
  if (!receive_all(socket, message.data(), message.size())) return std::nullopt;
  return message;
}

}  // namespace weft::compiler::process
