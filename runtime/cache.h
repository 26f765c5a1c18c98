// The cache on disk: results of the compiler by the hash of all that they depend on.
//
// Many processes use the folder at once and any may be killed: an entry appears whole by a rename, carries
// its checksum, and a damaged one counts as absent and is removed. A folder that cannot be written or read is
// no error, only a cache that never hits. Nothing is believed that another user (but root) could have written: not a folder
// or an entry that is not ours or that others may write to, nor anything but a regular file (docs/trust.md).
#pragma once

#include <sys/types.h>

#include <atomic>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "compiler/compiler_api.h"
#include "runtime/hash.h"

namespace weft::runtime {

class Cache {
 public:
  /// `folder` is made when first written to, for this user alone; empty: a cache that holds nothing. `bound`: bytes.
  Cache(std::string folder, std::uint64_t bound) : folder_(std::move(folder)), bound_(bound) {}

  /// The process's cache, as the options say.
  static Cache& instance();

  std::optional<compiler::Bytes> get(const Hash& key);
  void put(const Hash& key, std::span<const std::uint8_t> data);
  /// Forgets an entry whose contents its reader found wrong.
  void remove(const Hash& key);

 private:
  std::string path_of(const Hash& key) const { return folder_ + "/" + to_hex(key); }
  bool has_folder(uid_t user) const;
  void note_written(std::uint64_t bytes);
  bool was_measured() const;
  void evict();

  const std::string folder_;
  const std::uint64_t bound_;
  mutable std::atomic<bool> told_{false};  ///< of a folder that others may write to, once on stderr
  std::atomic<bool> looked_{false};        ///< this process has seen to the folder's size once
  std::atomic<std::uint64_t> written_{0};  ///< bytes since
};

}  // namespace weft::runtime
