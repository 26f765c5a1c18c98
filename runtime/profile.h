// Files that the environment asks for, to which every launch is reported (WEFT_PROFILE), in the order of enqueueing.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "device/counters/launch_report.h"
#include "runtime/fork.h"
#include "runtime/profile_file.h"

namespace weft::runtime {

/// Thread-safe. Holds reports only while launches that were enqueued before theirs are not over.
class Profile {
 public:
  /// Null where the environment asks for none, or for files that cannot be written, which stderr says once. Made when first
  /// asked for, in each process; never destroyed. The files are whole whenever the program exits.
  static Profile* instance();

  /// Whether counters are wanted that only traced launches have.
  bool wants_traces() const { return wants_traces_; }

  /// The next place in the order.
  std::uint64_t enter();
  /// What is to stand there; null: nothing. Throws std::bad_alloc.
  void fill(std::uint64_t place, std::shared_ptr<const device::counters::LaunchReport> report);

  /// For the end of the program: what is known is written, whatever is not over.
  void end() noexcept;

  static void lose_in_child() noexcept;  ///< of a fork

 private:
  friend class OnePerProcess<Profile>;
  Profile();
  void add(const char* variable, const std::string& name, ProfileFormat format);
  void write(const device::counters::LaunchReport& report);

  bool wants_traces_;
  std::mutex mutex_;
  // Guarded by the mutex.
  std::vector<ProfileFile> files_;
  std::uint64_t entered_ = 0;
  std::uint64_t written_ = 0;  ///< or left out
  std::map<std::uint64_t, std::shared_ptr<const device::counters::LaunchReport>> waiting_;
  bool at_once_ = false;  ///< the program is exiting
};

/// One launch's place, left empty unless it is filled.
class ProfilePlace {
 public:
  ProfilePlace() = default;
  explicit ProfilePlace(Profile& profile) : profile_(&profile), place_(profile.enter()) {}
  ProfilePlace(ProfilePlace&& other) noexcept : profile_(std::exchange(other.profile_, nullptr)), place_(other.place_) {}
  ProfilePlace& operator=(ProfilePlace&& other) noexcept {
    std::swap(profile_, other.profile_);
    std::swap(place_, other.place_);
    return *this;
  }
  ~ProfilePlace();

  void fill(const std::shared_ptr<const device::counters::LaunchReport>& report);

 private:
  Profile* profile_ = nullptr;
  std::uint64_t place_ = 0;
};

}  // namespace weft::runtime
