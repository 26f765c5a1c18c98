#include "runtime/profile.h"

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <new>

#include "runtime/counting.h"
#include "runtime/fork.h"
#include "runtime/options.h"
#include "runtime/profile_log.h"
#include "runtime/profile_text.h"

namespace weft::runtime {
namespace {

constinit OnePerProcess<Profile> the_profile;
constinit std::atomic<bool> is_made{false};          // in this process
constinit std::atomic<bool> is_made_by_parent{false};

/// Once a process: nothing but a look at the options where nothing is asked for.
bool is_wanted() {
  static const bool wanted = (!options().profile.empty() || options().opencl_profile || options().compute_profile) &&
                             counting_model() != nullptr;
  return wanted;
}

}  // namespace

Profile* Profile::instance() {
  if (!is_wanted()) return nullptr;
  Profile& profile = the_profile.get();
  return profile.files_.empty() ? nullptr : &profile;
}

Profile::Profile() : wants_traces_(options().profile_trace) {
  const std::string& name = options().profile;
  if (name.ends_with(".json")) {
    add("WEFT_PROFILE", name, json_format());
  } else if (name.ends_with(".csv")) {
    add("WEFT_PROFILE", name, csv_format());
  } else if (!name.empty()) {
    std::fprintf(stderr, "weft: WEFT_PROFILE: %s ends neither in .json nor in .csv; nothing is counted\n", name.c_str());
  }
  if (auto log = profile_log(counting_model()->capability)) {
    wants_traces_ |= log->wants_traces;
    add("OPENCL_PROFILE_LOG", log->name, std::move(log->format));
  }
  if (!is_made.exchange(true)) {
    std::atexit([] {
      if (Profile* const profile = instance()) profile->end();
    });
  }
}

void Profile::add(const char* variable, const std::string& name, ProfileFormat format) {
  // A parent's file is the parent's, unless each process has one of its own.
  ProfileFile file(variable, name, std::move(format), is_made_by_parent);
  if (file.is_open()) files_.push_back(std::move(file));
}

void Profile::lose_in_child() noexcept {
  if (is_made) is_made_by_parent = true;
  the_profile.lose();
}

std::uint64_t Profile::enter() {
  std::lock_guard guard(mutex_);
  return entered_++;
}

void Profile::fill(std::uint64_t place, std::shared_ptr<const device::counters::LaunchReport> report) {
  std::lock_guard guard(mutex_);
  if (place < written_) {  // the program is exiting: after the others, as they end
    if (report) write(*report);
    return;
  }
  if (place != written_) {
    waiting_.emplace(place, std::move(report));
    return;
  }
  if (report) write(*report);
  ++written_;
  for (auto first = waiting_.begin(); first != waiting_.end() && first->first == written_; first = waiting_.begin()) {
    if (first->second) write(*first->second);
    waiting_.erase(first);
    ++written_;
  }
}

void Profile::write(const device::counters::LaunchReport& report) {
  for (ProfileFile& file : files_) file.append(report, at_once_);
}

void Profile::end() noexcept {
  std::lock_guard guard(mutex_);
  at_once_ = true;
  try {
    for (const auto& [place, report] : waiting_) {
      if (report) write(*report);
    }
  } catch (const std::bad_alloc&) {
  }
  waiting_.clear();
  written_ = entered_;
  for (ProfileFile& file : files_) file.flush();
}

ProfilePlace::~ProfilePlace() {
  if (!profile_) return;
  try {
    profile_->fill(place_, nullptr);
  } catch (const std::bad_alloc&) {
  }
}

void ProfilePlace::fill(const std::shared_ptr<const device::counters::LaunchReport>& report) {
  if (!profile_) return;
  profile_->fill(place_, report);
  profile_ = nullptr;
}

}  // namespace weft::runtime
