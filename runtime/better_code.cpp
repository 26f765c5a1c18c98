#include "runtime/better_code.h"

#include <algorithm>

namespace weft::runtime {

std::size_t lanes(const compiler::Specialization& spec) {
  return std::size_t{spec.groups} * spec.local_size[0] * spec.local_size[1] * spec.local_size[2];
}

std::size_t images_and_samplers(const compiler::KernelInfo& info) {
  using enum compiler::ArgKind;
  const auto has_word = [](const compiler::KernelArg& arg) { return arg.kind == kImage || arg.kind == kSampler; };
  return static_cast<std::size_t>(std::ranges::count_if(info.args, has_word));
}

namespace {

/// Whether code that knows of `has` serves arguments of which `wanted` is known: the same images and samplers, and no more strides and bounds.
bool serves(const compiler::ArgumentFormats& has, const compiler::ArgumentFormats& wanted, std::size_t images) {
  for (std::size_t i = 0; i < images; ++i)
    if (has.at(i) != wanted.at(i)) return false;
  return (has.at(images) & ~wanted.at(images)) == 0 && (has.at(images + 1) & ~wanted.at(images + 1)) == 0;
}

/// Whether whole blocks of `has`, which are whole warps, make up a launch of `work_items` along x that any groups serve.
bool makes_up(const compiler::Specialization& has, std::size_t work_items) {
  const bool is_row = has.local_size[0] != 0 && has.local_size[1] == 1 && has.local_size[2] == 1;
  return is_row && lanes(has) % abi::kWarpSize == 0 && work_items % lanes(has) == 0;
}

/// Launches that run other code before better code is made. A program that looks for the best number of work-items asks for each
/// once or twice; its processors have better to do meanwhile, also where it then runs what it has found once and ends, before the code is there (hashcat's
/// benchmark of slow hashes). Code for many more lanes, or without gathers, is worth it at once.
constexpr unsigned kLaunchesBeforeBetter = 4, kManyMoreLanes = 8;
constexpr std::chrono::milliseconds kTimeBeforeBetter{50};
/// The same time for code for fewer lanes than launches have: a program that begins with a work-item a processor, to see how long it takes, comes to
/// more soon, with other kernels' first launches between, whose code is waited for.
constexpr std::chrono::milliseconds kTimeBeforeNarrower{3000};
/// The same for code for fewer lanes than launches are expected to come to.
constexpr unsigned kLaunchesBeforeNarrower = 256;

/// How many times as long launches run code that was made sooner as that took to make: the better takes about twice as long, and they lose less than
/// half of their time by then.
constexpr int kSoonerLasts = 3;

}  // namespace

bool serves(const compiler::KernelInfo& info, const compiler::Specialization& has, const compiler::Specialization& wanted, std::size_t any_groups_of) {
  compiler::Specialization same = has;
  // Code for fewer lanes than a warp is wanted where more would be far slower.
  const bool is_other_size = any_groups_of != 0 && lanes(wanted) >= abi::kWarpSize && makes_up(has, any_groups_of);
  if (is_other_size) std::ranges::copy(wanted.local_size, same.local_size);
  same.groups = wanted.groups;
  same.whole_blocks = wanted.whole_blocks;
  if (serves(has.formats, wanted.formats, images_and_samplers(info))) same.formats = wanted.formats;
  if (!has.streams) same.streams = wanted.streams;
  if (has.soon) same.soon = wanted.soon;
  if (!has.ids_fit_31_bits) same.ids_fit_31_bits = wanted.ids_fit_31_bits;
  if (!has.aligned_offsets) same.aligned_offsets = wanted.aligned_offsets;
  if (!(same == wanted)) return false;
  return is_other_size || has.groups == 1 || !has.whole_blocks || (wanted.whole_blocks && wanted.groups % has.groups == 0);
}

bool fills_warps(const compiler::Specialization& spec) { return lanes(spec) >= abi::kWarpSize; }

bool is_worth_making(const compiler::Specialization& spec, const compiler::Specialization& has, const compiler::Specialization& expected,
                     unsigned launches, std::chrono::steady_clock::duration time, std::chrono::steady_clock::duration taken) {
  using Duration = std::chrono::steady_clock::duration;
  const Duration lasts = has.soon && !spec.soon ? kSoonerLasts * taken : taken;
  if (has.soon && !spec.soon && time >= lasts) return true;
  if (lanes(spec) < lanes(expected) && lanes(has) >= lanes(expected)) return launches > kLaunchesBeforeNarrower;
  const Duration least = lanes(spec) < lanes(has) ? kTimeBeforeNarrower : std::max<Duration>(kTimeBeforeBetter, lasts);
  return (launches > kLaunchesBeforeBetter && time >= least) || !(spec.formats == has.formats) ||
         (!fills_warps(has) && lanes(spec) >= kManyMoreLanes * lanes(has));
}

}  // namespace weft::runtime
