#include "runtime/profile_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <string_view>
#include <utility>

#include "device/engine.h"

namespace weft::runtime {
namespace {

/// Reports wait this long, or for so many, to be written together.
constexpr std::uint64_t kWaitNs = 100'000'000;
constexpr std::size_t kWaitBytes = std::size_t{1} << 18;

bool write_all(int file, std::string_view text, std::uint64_t at) {
  while (!text.empty()) {
    const ssize_t done = pwrite(file, text.data(), text.size(), static_cast<off_t>(at));
    if (done < 0 && errno == EINTR) continue;
    if (done <= 0) return false;
    text.remove_prefix(static_cast<std::size_t>(done));
    at += static_cast<std::uint64_t>(done);
  }
  return true;
}

}  // namespace

ProfileFile::ProfileFile(const char* variable, const std::string& name, ProfileFormat format, bool only_own)
    : name_(name), format_(std::move(format)) {
  const std::size_t mark = name_.find("%p");
  if (mark != name_.npos) {
    name_.replace(mark, 2, std::to_string(getpid()));
  } else if (only_own) {
    std::fprintf(stderr, "weft: %s: %s is the parent process's; launches of this one are not counted (%%p in the name "
                         "gives each process a file)\n", variable, name.c_str());
    return;
  }
  // No stdio: what it holds back would be written by the child of a fork, too.
  file_ = open(name_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (file_ < 0 && errno == EACCES) file_ = open(name_.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0666);  // may only be written
  // Programs that a program starts have the same environment; one of them writes at a time.
  struct flock whole {};
  whole.l_type = F_WRLCK;
  if (file_ >= 0 && (fcntl(file_, F_SETLK, &whole) != 0 || ftruncate(file_, 0) != 0)) {
    const int error = errno;
    close(std::exchange(file_, -1));
    errno = error;
  }
  if (file_ < 0 && (errno == EAGAIN || errno == EACCES) && access(name_.c_str(), W_OK) == 0) {
    std::fprintf(stderr, "weft: %s: %s: another process writes to it; launches of this one are not counted (%%p in the name gives "
                         "each process a file)\n", variable, name_.c_str());
    return;
  }
  if (file_ < 0) {
    std::fprintf(stderr, "weft: %s: %s: %s; nothing is counted\n", variable, name_.c_str(), std::strerror(errno));
    return;
  }
  text_ = format_.start;
  flush();
}

ProfileFile::ProfileFile(ProfileFile&& other) noexcept
    : name_(std::move(other.name_)),
      format_(std::move(other.format_)),
      file_(std::exchange(other.file_, -1)),
      launches_(other.launches_),
      text_(std::move(other.text_)),
      written_(other.written_),
      flushed_ns_(other.flushed_ns_),
      end_(std::move(other.end_)),
      is_mapped_(other.is_mapped_) {}

ProfileFile::~ProfileFile() {
  if (file_ >= 0) close(file_);
}

void ProfileFile::append(const device::counters::LaunchReport& report, bool at_once) {
  if (file_ < 0) return;
  text_ += format_.text(report, launches_);
  ++launches_;
  if (at_once || text_.size() > kWaitBytes || device::now_ns() - flushed_ns_ > kWaitNs) flush();
}

void ProfileFile::append_text(std::string_view text) {
  if (file_ < 0) return;
  if (is_mapped_) {
    if (!end_) end_ = std::make_unique<MappedEnd>(file_, written_);
    is_mapped_ = end_->append(text);
    written_ = end_->size();
    if (is_mapped_) return;
    finish();
  }
  text_ += text;
  flush();
}

void ProfileFile::finish() noexcept {
  if (end_) end_->finish();
}

void ProfileFile::flush() noexcept {
  if (file_ < 0 || text_.empty()) return;
  // What closes the file first, where it will be: if nothing more comes, the file is whole.
  const bool done = write_all(file_, format_.end, written_ + text_.size()) && write_all(file_, text_, written_);
  if (!done) {
    std::fprintf(stderr, "weft: %s: %s; no more is written\n", name_.c_str(), std::strerror(errno));
    close(std::exchange(file_, -1));
    return;
  }
  written_ += text_.size();
  text_.clear();
  flushed_ns_ = device::now_ns();
}

}  // namespace weft::runtime
