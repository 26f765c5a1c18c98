#include "runtime/cache.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <vector>

#include "runtime/options.h"

namespace weft::runtime {
namespace {

/// In front of an entry's data.
struct Header {
  char magic[8] = {'W', 'e', 'f', 't', 'E', 'n', 't', '3'};
  std::uint64_t size = 0;
  Hash checksum{};  ///< of the key and the data: an entry under another's name is none
};

Hash checksum_of(const Hash& key, std::span<const std::uint8_t> data) {
  return Hasher().bytes(key.data(), key.size()).bytes(data.data(), data.size()).finish();
}

constexpr std::size_t kNameLength = 2 * sizeof(Hash);
constexpr std::size_t kOldNameLength = 64;  ///< of entries that SHA-256 named: nobody asks for them, so they go in time
constexpr char kTemporary[] = "new-";
constexpr char kMeasured[] = "/measured";  ///< a file, changed when a process last measured the folder
/// Seconds: until then other processes take its word. To measure takes some 10 ms with 10,000 entries.
constexpr std::time_t kMeasureAfter = 60;
constexpr std::time_t kTouchAfter = 3600;  ///< seconds: how exact the age of an entry is
constexpr std::time_t kAbandonedAfter =
    3600;  ///< seconds: a temporary file older than this has lost its writer

class File {
 public:
  explicit File(int descriptor) : descriptor_(descriptor) {}
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  ~File() {
    if (descriptor_ >= 0) close(descriptor_);
  }
  bool open() const { return descriptor_ >= 0; }
  int descriptor() const { return descriptor_; }
  /// `size` bytes, then `more` behind them, mostly by one call of the system.
  bool read_all(void* to, std::size_t size, void* behind, std::size_t more) const {
    iovec parts[] = {{to, size}, {behind, more}};
    while (parts[0].iov_len + parts[1].iov_len > 0) {
      const ssize_t got = ::readv(descriptor_, parts, 2);
      if (got < 0 && errno == EINTR) continue;
      if (got <= 0) return false;
      std::size_t left = static_cast<std::size_t>(got);
      for (iovec& part : parts) {
        const std::size_t here = std::min(left, part.iov_len);
        part.iov_base = static_cast<char*>(part.iov_base) + here;
        part.iov_len -= here;
        left -= here;
      }
    }
    return true;
  }
  bool write_all(const void* from, std::size_t size) const {
    const auto* at = static_cast<const char*>(from);
    while (size > 0) {
      const ssize_t put = ::write(descriptor_, at, size);
      if (put < 0 && errno == EINTR) continue;
      if (put <= 0) return false;
      at += put;
      size -= static_cast<std::size_t>(put);
    }
    return true;
  }

 private:
  int descriptor_;
};

void make_folders(const std::string& path) {
  for (std::size_t slash = path.find('/', 1); slash != std::string::npos; slash = path.find('/', slash + 1)) {
    mkdir(path.substr(0, slash).c_str(), 0700);
  }
  mkdir(path.c_str(), 0700);
}

/// Whether what lies there can only be the user's own doing, or the administrator's.
bool is_of(const struct stat& status, uid_t user) {
  return (status.st_uid == user || status.st_uid == 0) && (status.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

std::string default_folder() {
  if (const char* caches = secure_getenv("XDG_CACHE_HOME"); caches && *caches == '/')
    return std::string(caches) + "/weft";
  if (const char* home = secure_getenv("HOME"); home && *home == '/') return std::string(home) + "/.cache/weft";
  return {};
}

}  // namespace

Cache& Cache::instance() {
  static Cache& cache = *[] {
    const Options& asked = options();
    std::string folder = asked.cache_dir.empty() ? default_folder() : asked.cache_dir;
    if (!asked.cache || asked.cache_size == 0) folder.clear();
    // The process may change its working folder.
    if (!folder.empty() && folder[0] != '/') {
      char* here = getcwd(nullptr, 0);
      folder = here ? std::string(here) + "/" + folder : std::string();
      std::free(here);
    }
    return new Cache(std::move(folder), std::min<std::uint64_t>(asked.cache_size, 1u << 30) << 20);
  }();
  return cache;
}

/// Whether the folder is there and nobody else may write to it. It is not kept open: programs close descriptors that they do not know.
/// If somebody puts another in its place meanwhile, what lies there is still believed only if it is ours.
bool Cache::has_folder(uid_t user) const {
  struct stat status;
  if (::stat(folder_.c_str(), &status) != 0 || !S_ISDIR(status.st_mode)) return false;
  if (is_of(status, user)) return true;
  if (!told_.exchange(true))
    std::fprintf(stderr, "weft: the cache in %s is not used: others own it or may write to it\n", folder_.c_str());
  return false;
}

std::optional<compiler::Bytes> Cache::get(const Hash& key) {
  const uid_t user = geteuid();
  if (folder_.empty() || !has_folder(user)) return std::nullopt;
  const std::string path = path_of(key);
  // Neither a link that leads elsewhere nor a FIFO that nobody writes to is followed or waited for.
  const File file(::open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC));
  struct stat status;
  if (!file.open() || fstat(file.descriptor(), &status) != 0 || !S_ISREG(status.st_mode) || !is_of(status, user))
    return std::nullopt;

  Header header;
  const Header expected;
  const auto size = static_cast<std::uint64_t>(status.st_size);
  compiler::Bytes data;
  bool good = size >= sizeof header && size - sizeof header <= bound_;
  if (good) {
    data.resize(size - sizeof header);
    good = file.read_all(&header, sizeof header, data.data(), data.size()) &&
           std::memcmp(header.magic, expected.magic, sizeof header.magic) == 0 && header.size == data.size() &&
           checksum_of(key, data) == header.checksum;
  }
  if (!good) {
    ::unlink(path.c_str());
    return std::nullopt;
  }
  // The time of change is the time of last use, for eviction; kept rough to spare the disk.
  if (std::time(nullptr) - status.st_mtim.tv_sec > kTouchAfter) futimens(file.descriptor(), nullptr);
  return data;
}

void Cache::put(const Hash& key, std::span<const std::uint8_t> data) {
  if (folder_.empty() || data.size() + sizeof(Header) > bound_) return;
  const uid_t user = geteuid();
  if (!has_folder(user)) {
    make_folders(folder_);
    if (!has_folder(user)) return;
  }
  std::string temporary = folder_ + "/" + kTemporary + "XXXXXX";
  const int descriptor = mkostemp(temporary.data(), O_CLOEXEC);
  if (descriptor < 0) return;
  bool good;
  {
    const File file(descriptor);
    Header header;
    header.size = data.size();
    header.checksum = checksum_of(key, data);
    good = file.write_all(&header, sizeof header) && file.write_all(data.data(), data.size());
  }
  if (!good || std::rename(temporary.c_str(), path_of(key).c_str()) != 0) {
    ::unlink(temporary.c_str());
    return;
  }
  note_written(data.size() + sizeof(Header));
}

void Cache::remove(const Hash& key) {
  if (!folder_.empty()) ::unlink(path_of(key).c_str());
}

void Cache::note_written(std::uint64_t bytes) {
  const std::uint64_t written = written_ += bytes;
  // Other processes write too, so measure at the first entry and then after a small part of the bound.
  const bool enough = looked_.exchange(true) ? written < bound_ / 16 : was_measured();
  if (enough) return;
  written_ = 0;
  evict();
}

bool Cache::was_measured() const {
  struct stat status;
  return ::stat((folder_ + kMeasured).c_str(), &status) == 0 && std::time(nullptr) - status.st_mtim.tv_sec < kMeasureAfter;
}

void Cache::evict() {
  struct Entry {
    std::time_t used;
    std::uint64_t size;
    std::string name;
  };
  DIR* folder = opendir(folder_.c_str());
  if (!folder) return;
  std::vector<Entry> entries;
  std::uint64_t total = 0;
  while (const dirent* item = readdir(folder)) {
    const std::string_view name = item->d_name;
    const bool temporary = name.starts_with(kTemporary);
    // Only files of our own making: the folder may be one that others use as well.
    if (!temporary && ((name.size() != kNameLength && name.size() != kOldNameLength) ||
                       name.find_first_not_of("0123456789abcdef") != name.npos))
      continue;
    struct stat status;
    if (fstatat(dirfd(folder), item->d_name, &status, AT_SYMLINK_NOFOLLOW) != 0 || !S_ISREG(status.st_mode))
      continue;
    if (temporary) {
      if (std::time(nullptr) - status.st_mtim.tv_sec > kAbandonedAfter)
        unlinkat(dirfd(folder), item->d_name, 0);
      continue;
    }
    const auto size = static_cast<std::uint64_t>(status.st_blocks) * 512;
    total += size;
    entries.push_back({status.st_mtim.tv_sec, size, std::string(name)});
  }
  if (total > bound_) {
    std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) { return a.used < b.used; });
    // Some room below the bound, so that the next entry does not measure and sort again.
    for (const Entry& entry : entries) {
      if (total <= bound_ - bound_ / 8) break;
      if (unlinkat(dirfd(folder), entry.name.c_str(), 0) == 0) total -= entry.size;
    }
  }
  closedir(folder);
  const File mark(::open((folder_ + kMeasured).c_str(), O_WRONLY | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0600));
  if (mark.descriptor() >= 0) futimens(mark.descriptor(), nullptr);
}

}  // namespace weft::runtime
