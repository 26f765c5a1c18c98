// What a program and its compiler process say to each other: messages over a socket, each its length and its bytes.
//
// The process is first asked for its identity (Step::kStart: kApiVersion and the Options, answered by a Started), then for one
// call of the Api after another. Values are written as compiler/serialize.h does.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "compiler/serialize.h"

namespace weft::compiler::process {

/// What the runtime starts it by: `weft-compiler-process COMPILER`, with the socket as descriptor kSocket.
inline constexpr int kSocket = 3;
/// Seconds without a message after which it ends; the next call starts another.
inline constexpr int kIdleSeconds = 120;

enum class Step : std::uint8_t { kStart, kCompile, kTranslate, kLink, kBuild, kDescribe, kGenerate, kGenerateAhead };

/// The answer to Step::kStart.
struct Started {
  bool ok = false;
  bool refuses_options = false;
  std::string error;
  std::string identity;
};
WEFT_FIELDS(Started, ok, refuses_options, error, identity)

/// Sends, or receives, so many bytes of these as can be, one at least, and returns how many; 0: the other end is gone.
using SendSome = std::function<std::size_t(const void* data, std::size_t size)>;
using ReceiveSome = std::function<std::size_t(void* data, std::size_t size)>;

/// False if the other end is gone.
bool send_message(const SendSome& send, const Bytes& message);
/// None if the other end is gone. Throws std::bad_alloc.
std::optional<Bytes> receive_message(const ReceiveSome& receive);

}  // namespace weft::compiler::process
