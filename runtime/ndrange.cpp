#include "runtime/ndrange.h"

#include "runtime/counting.h"
#include "runtime/modelled_gpu.h"

#include <algorithm>
#include <bit>
#include <functional>
#include <limits>

#include "compiler/id_limit.h"
#include "device/kernel_abi.h"
#include "device/worker.h"

namespace weft::runtime {
namespace {

constexpr std::size_t kWarp = abi::kWarpSize;
constexpr std::size_t kMaxGroup = abi::kMaxWorkGroupSize;
constexpr std::size_t kGoodGroup = 256;

std::size_t largest_divisor(std::size_t size, std::size_t most) {
  std::size_t divisor = std::min(size, most);
  while (size % divisor != 0) --divisor;
  return divisor;
}

/// The largest divisor up to `most` that is whole warps; failing that, the largest.
std::size_t warp_divisor(std::size_t size, std::size_t most) {
  for (std::size_t divisor = std::min(size, most) / kWarp * kWarp; divisor > 0; divisor -= kWarp) {
    if (size % divisor == 0) return divisor;
  }
  return largest_divisor(size, most);
}

/// Of a size without a divisor that is whole warps: a divisor of which whole warps leave the fewest lanes idle, or few, a sixteenth. Rather
/// one of four warps or more, a row to a group: of several rows, warps would begin somewhere within them.
std::size_t ragged_divisor(std::size_t size) {
  const auto lanes = [](std::size_t divisor) { return (divisor + kWarp - 1) / kWarp * kWarp; };
  std::size_t best = 1;
  for (std::size_t divisor = 1; divisor <= std::min(size, kMaxGroup); ++divisor) {
    if (size % divisor != 0) continue;
    const bool is_full = 15 * lanes(divisor) <= 16 * divisor;
    if (is_full && divisor >= 4 * kWarp) return divisor;
    const bool best_is_full = 15 * lanes(best) <= 16 * best;
    if (is_full || (!best_is_full && lanes(divisor) * best <= lanes(best) * divisor)) best = divisor;
  }
  return best;
}

/// Work-items of a launch that are programs' number of processors, or a few for each: more have little to do, which vectors along it do not
/// serve.
constexpr std::size_t kMostChunks = 1024;

bool has_few_chunks(const compiler::KernelInfo& kernel, const Sizes& global) {
  return kernel.chunks != compiler::OwnChunks::kNone && global[0] <= kMostChunks && global[0] * global[1] * global[2] <= kMostChunks;
}

/// Whether a row is best cut at any place: it has many work-items, and no divisor of their number makes a vector.
bool has_no_row(const Sizes& global, const Sizes& local) { return local[0] < kWarp / 2 && global[0] > kMaxGroup; }

void exchange(NDRange& range, unsigned dimension) {
  for (Sizes* sizes : {&range.global, &range.offset, &range.local}) std::swap((*sizes)[0], (*sizes)[dimension]);
}

/// Whether a launch of these sizes exchanges x with the dimension that its kernel's memory lies along: there it fills warps, or as much as x would, or
/// has rows of half a warp, each of which a group (`local`; null: it is yet to be chosen) holds as a whole.
bool turns(const compiler::KernelInfo& kernel, const Sizes& global, const Sizes* local) {
  if (kernel.turned == 0) return false;
  const std::size_t along = global[kernel.turned];
  return along >= kWarp || along >= global[0] || (along >= kWarp / 2 && (!local || (*local)[kernel.turned] >= kWarp / 2));
}

/// Groups of one work-item along x: for kernels whose warps had better lie along y.
Sizes choose_column(const Sizes& global, unsigned num_workers) {
  const bool enough = global[0] * global[2] >= num_workers;
  return {1, choose_local_size(1, {global[1], 1, 1}, enough ? 1 : num_workers)[0], 1};
}

void check_local(const compiler::KernelInfo& kernel, const NDRange& range) {
  std::size_t work_items = 1;
  for (unsigned d = 0; d < 3; ++d) {
    require(range.local[d] != 0, CL_INVALID_WORK_GROUP_SIZE);
    require(range.local[d] <= kMaxGroup, CL_INVALID_WORK_ITEM_SIZE);
    work_items *= range.local[d];
  }
  require(work_items <= kMaxGroup, CL_INVALID_WORK_GROUP_SIZE);
  for (unsigned d = 0; d < 3; ++d) {
    require(!kernel.has_uniform_groups || range.global[d] % range.local[d] == 0, CL_INVALID_WORK_GROUP_SIZE);
    if (kernel.reqd_work_group_size[0] != 0) {
      require(range.local[d] == kernel.reqd_work_group_size[d], CL_INVALID_WORK_GROUP_SIZE);
    }
  }
}

}  // namespace

Sizes choose_local_size(std::uint32_t work_dim, const Sizes& global, unsigned num_workers) {
  Sizes local{1, 1, 1};
  if (work_dim == 1) {
    local[0] = warp_divisor(global[0], kGoodGroup);
    // Few divisors: rather a larger group than one of a few work-items.
    if (local[0] < kWarp) local[0] = largest_divisor(global[0], kMaxGroup);
  } else {
    // Two warps of a row side by side, then rows: blocks, which most programs in two dimensions profit from.
    local[0] = warp_divisor(global[0], 2 * kWarp);
    if (local[0] % kWarp != 0) local[0] = ragged_divisor(global[0]);
    local[1] = largest_divisor(global[1], std::max<std::size_t>(1, kGoodGroup / local[0]));
    local[2] = largest_divisor(global[2], std::max<std::size_t>(1, kGoodGroup / (local[0] * local[1])));
  }
  // Shrink while workers would go without a group, but not to groups hardly worth a launch: every new size is
  // also a compilation.
  const auto groups = [&] {
    return (global[0] / local[0]) * (global[1] / local[1]) * (global[2] / local[2]);
  };
  while (groups() < num_workers) {
    const std::size_t work_items = local[0] * local[1] * local[2];
    const unsigned d = local[2] > 1 ? 2 : local[1] > 1 ? 1 : 0;
    if (local[d] == 1) break;
    const std::size_t smaller =
        d == 0 ? warp_divisor(global[0], local[0] - 1) : largest_divisor(global[d], local[d] - 1);
    if (work_items / local[d] * smaller < 2 * kWarp) break;
    local[d] = smaller;
  }
  return local;
}

std::vector<RangePart> parts_of(const NDRange& range) {
  std::vector<RangePart> parts(1);
  parts[0].range = range;
  for (unsigned d = 0; d < 3; ++d) {
    const std::size_t rest = range.global[d] % range.local[d], whole = range.global[d] - rest;
    if (rest == 0) continue;
    for (std::size_t i = parts.size(); i-- > 0;) {
      RangePart last = parts[i];
      last.first_group[d] = whole / range.local[d];
      last.range.offset[d] += whole;
      last.range.global[d] = last.range.local[d] = rest;
      if (whole == 0) {
        parts[i] = last;
      } else {
        parts[i].range.global[d] = whole;
        parts.push_back(last);
      }
    }
  }
  const auto work_items = [](const RangePart& part) { return part.range.global[0] * part.range.global[1] * part.range.global[2]; };
  std::ranges::stable_sort(parts, std::greater(), work_items);
  return parts;
}

std::size_t max_work_group_size(const compiler::KernelInfo& kernel) {
  const std::uint64_t warp_bytes = kWarp * std::clamp<std::uint64_t>(kernel.private_bytes, 1, device::kMaxScratchBytes);
  // What is not whole warps takes as much as if it were.
  // An eighth is left for what else lives across barriers.
  const std::uint64_t warps = std::min<std::uint64_t>(device::kMaxScratchBytes / 8 * 7 / warp_bytes, kMaxGroup / kWarp);
  const std::size_t most = std::max<std::size_t>(1, warps * kWarp);
  const device::counters::Gpu* const gpu = modelled_gpu();
  return gpu ? std::min<std::size_t>(most, device::counters::launch_limits(gpu->capability).group_items) : most;
}

NDRange make_ndrange(const compiler::KernelInfo& kernel, std::uint32_t work_dim,
                     const std::size_t* global_offset, const std::size_t* global_size,
                     const std::size_t* local_size, unsigned num_workers) {
  require(work_dim >= 1 && work_dim <= 3, CL_INVALID_WORK_DIMENSION);
  NDRange range;
  range.work_dim = work_dim;
  std::size_t total = 1;
  for (unsigned d = 0; d < work_dim; ++d) {
    range.global[d] = global_size ? global_size[d] : 0;
    range.offset[d] = global_offset ? global_offset[d] : 0;
    if (local_size) range.local[d] = local_size[d];
    require(range.offset[d] <= std::numeric_limits<std::size_t>::max() - range.global[d],
            CL_INVALID_GLOBAL_OFFSET);
    require(!__builtin_mul_overflow(total, std::max<std::size_t>(1, range.global[d]), &total),
            CL_INVALID_GLOBAL_WORK_SIZE);
  }
  if (range.is_empty()) return range;  // trivially succeeds since OpenCL 2.1
  if (!local_size) {
    if (kernel.reqd_work_group_size[0] != 0) {
      std::copy_n(kernel.reqd_work_group_size, 3, range.local.begin());
    } else {
      const bool is_turned = turns(kernel, range.global, nullptr);
      if (is_turned) exchange(range, kernel.turned);
      range.local = kernel.along_y ? choose_column(range.global, num_workers) : Sizes{};
      if (range.local[1] < kWarp) range.local = choose_local_size(is_turned ? 3 : work_dim, range.global, num_workers);
      // Of groups of one work-item a block may end anywhere, and all workers have some.
      if (has_few_chunks(kernel, range.global) && kernel.fusion == compiler::GroupFusion::kAny && !counts_by_environment())
        range.local = {1, 1, 1};
      if (kernel.fusion == compiler::GroupFusion::kAny && has_no_row(range.global, range.local)) range.local = {1, 1, 1};
      const std::size_t most = max_work_group_size(kernel);
      while (range.local[0] * range.local[1] * range.local[2] > most) {
        const unsigned d = range.local[2] > 1 ? 2 : range.local[1] > 1 ? 1 : 0;
        range.local[d] = largest_divisor(range.global[d], range.local[d] - 1);
      }
      if (is_turned) exchange(range, kernel.turned);
    }
  }
  check_local(kernel, range);
  return range;
}

namespace {

/// Bodies that a block of groups may be made for, and how long each takes, a single work-item as scalar code being 1: vectors of fewer
/// lanes save less than they leave idle, and bodies of several warps save calls. Each is code of its own, so there are few.
struct Body {
  std::size_t lanes;
  double time;
};
constexpr Body kBodies[] = {{kGoodGroup, 20}, {kWarp, 3}, {kWarp / 2, 2}, {8, 1.5}, {1, 1}};
/// A first-level cache (of 48 KiB, where measured) does not hold as much memory that a body's lanes access at places of their own beside what else
/// they spill and read.
constexpr std::uint64_t kNearBytes = 36 << 10;
/// Of a warp, those that have less.
std::size_t near_lanes(std::uint64_t gathered_bytes) {
  return gathered_bytes ? std::min<std::size_t>(kWarp, std::bit_floor((kNearBytes - 1) / gathered_bytes)) : kWarp;
}
/// What a vector's gathers add for each lane, by the part of the instructions that they are, in the time of a work-item as scalar code.
/// Measured with bcrypt, whose every fifth instruction is one: 8 lanes take as long as 8 work-items (Zen 5).
constexpr double kGathering = 5;

/// The groups of a launch, as blocks are made of them.
struct Groups {
  std::size_t work_items;  ///< of one
  std::size_t along_x, rows;
  std::uint64_t gathered_bytes;  ///< KernelInfo::gathered_bytes
  double gathering = 0;          ///< of the kernel's instructions, the part that accesses that memory

  /// Groups of a block of `lanes` work-items; 0 if there is no such block.
  std::size_t of_block(std::size_t lanes) const {
    if (lanes == 1) return 1;
    if (std::min(lanes, kWarp) > near_lanes(gathered_bytes)) return 0;
    return std::min(std::bit_floor(lanes / work_items), std::bit_ceil(along_x));
  }

  double time(std::size_t groups, unsigned num_workers) const {
    const std::size_t blocks = (along_x + groups - 1) / groups * rows;
    const Body* body = std::end(kBodies) - 1;
    while (body != kBodies && body->lanes < groups * work_items) --body;
    const double by_lane = groups > 1 ? kGathering * gathering * static_cast<double>(groups * work_items) : 0;
    return static_cast<double>((blocks + num_workers - 1) / num_workers) * (body->time + by_lane);
  }
};

/// Groups along x to run as one block. Small groups would leave most lanes of their warps idle; but a worker without a block would be
/// idle altogether, and lanes whose memory does not fit near the processor wait for it.
std::size_t groups_of_block(const Groups& groups, unsigned num_workers) {
  std::size_t best = 1;
  double least = groups.time(1, num_workers);
  for (const Body& body : kBodies) {
    const std::size_t block = groups.of_block(body.lanes);
    if (block <= 1) continue;
    const double time = groups.time(block, num_workers);
    if (time >= least) continue;
    best = block;
    least = time;
  }
  return best;
}

/// Fewer blocks for each worker would leave some without, when others have their last.
constexpr std::size_t kFewestBlocks = 8;
/// Of more, each row saves little (KernelInfo::tall_rows).
constexpr std::size_t kMostTallRows = 32;

/// Work-items along x that blocks of `local`'s groups should have, where they may run as blocks and are smaller; 0: as they are.
std::uint32_t preferred_row(const compiler::KernelInfo& kernel, const Sizes& local) {
  if (kernel.fusion != compiler::GroupFusion::kAny && !kernel.may_lose_tiles) return 0;
  return local[1] * local[2] == 1 ? kernel.preferred_single_row : kernel.preferred_row;
}

/// Groups along x that run as one, in whole warps.
struct RowBlocks {
  std::size_t groups = 1;  ///< of blocks that make up each row of groups: work-items to leave out would cost each warp a mask
  std::size_t most = 1;    ///< of blocks that may leave some groups of each row over
};

/// Blocks of groups of a warp or more each that have rows as their kernel's memory asks for, and are enough for all workers.
RowBlocks blocks_of_row(std::size_t preferred_row, std::size_t local_x, std::size_t along_x, std::size_t rows, unsigned num_workers) {
  std::size_t most = std::bit_floor(std::min(preferred_row / local_x, along_x));
  while (most > 1 && along_x / most * rows < kFewestBlocks * num_workers) most /= 2;
  if (most * local_x % kWarp != 0) return {};
  const std::size_t groups = std::min(most, along_x & -along_x);
  return {groups * local_x % kWarp == 0 ? groups : 1, most};
}

/// Specialization::ids_fit_31_bits; `beyond`: lanes that may come after the last work-item along x. The sum bounds every id; it cannot
/// wrap, by make_ndrange's check.
bool ids_fit_31_bits(const NDRange& range, std::size_t beyond) {
  using compiler::kIdLimit;
  for (unsigned d = 0; d < 3; ++d)
    if (range.offset[d] + range.global[d] + (d == 0 ? beyond : 0) > kIdLimit || range.global[d] >= kIdLimit) return false;
  return true;
}

/// Instructions of kernels whose code may be so long that a launch should begin with less (compiler/pipeline/fewer_versions.h): some that follow an
/// automaton's states through memory, in a loop that is unrolled, have thirty.
constexpr std::uint32_t kMayBeLong = 24;
/// Work-items, of which a launch of more may be the only one that a program has, and gains more by the best code than by less of a wait for it: what that
/// saves grows with the kernel as what slower code loses does, which also grows with these. A picture of 512 x 512; of loops nothing is known.
constexpr std::size_t kFewWorkItems = std::size_t{1} << 18;

bool may_be_long(const compiler::KernelInfo& kernel, const NDRange& range) {
  const double work_items = static_cast<double>(range.global[0]) * static_cast<double>(range.global[1]) * static_cast<double>(range.global[2]);
  return kernel.instructions >= kMayBeLong && work_items <= static_cast<double>(kFewWorkItems);
}

}  // namespace

NDRange in_tall_groups(const compiler::KernelInfo& kernel, const NDRange& range, unsigned num_workers) {
  if (!kernel.tall_rows || range.local[2] != 1 || range.global[0] % kWarp != 0) return range;
  std::size_t rows = std::max<std::size_t>(kernel.tall_rows, kMostTallRows);
  while (rows >= kernel.tall_rows && range.global[1] % rows != 0) --rows;
  if (rows < kernel.tall_rows) return range;
  NDRange tall = range;
  tall.local = {kWarp, rows, 1};
  return tall.num_groups() >= kFewestBlocks * num_workers ? tall : range;
}

NDRange as_it_runs(const compiler::KernelInfo& kernel, const NDRange& range, unsigned num_workers) {
  if (!turns(kernel, range.global, &range.local)) return in_tall_groups(kernel, range, num_workers);
  NDRange turned = range;
  exchange(turned, kernel.turned);
  turned.turned = kernel.turned;
  return in_tall_groups(kernel, turned, num_workers);
}

LaunchCode specialization_of(const compiler::KernelInfo& kernel, const NDRange& range, unsigned num_workers, bool required_only,
                             bool counted) {
  LaunchCode code;
  compiler::Specialization& spec = code.best;
  spec.required_only = required_only || counted;
  spec.counted = counted;
  spec.turned = range.turned;
  code.first_soon = !spec.required_only && (kernel.has_sooner_code || may_be_long(kernel, range));
  const std::size_t work_items = range.local[0] * range.local[1] * range.local[2];
  const bool few_chunks = has_few_chunks(kernel, range.global),
             is_alone = few_chunks && work_items == 1 && kernel.chunks == compiler::OwnChunks::kAlone;
  const bool may_fuse = !spec.required_only && !is_alone && work_items < kWarp && compiler::may_fuse(kernel.fusion, work_items);
  if (may_fuse) {  // else without divisions, which take as long as the rest
    const std::size_t along_x = range.global[0] / range.local[0];
    const std::size_t rows = (range.global[1] / range.local[1]) * (range.global[2] / range.local[2]);
    const double gathering = kernel.instructions ? static_cast<double>(kernel.gathering_accesses) / kernel.instructions : 0;
    spec.groups = static_cast<std::uint32_t>(groups_of_block({work_items, along_x, rows, kernel.gathered_bytes, gathering}, num_workers));
    // What each of a few has to do is long.
    if (few_chunks)
      spec.groups = std::min(spec.groups, std::bit_ceil(static_cast<std::uint32_t>((along_x * rows + num_workers - 1) / num_workers)));
    spec.whole_blocks = along_x % spec.groups == 0;
    code.first_groups = spec.groups;
    // A kernel that does not ask how many work-items there are has its work from them: programs that begin with a few, to see how long
    // they take, come to more, from one on if it asks which of them it is. One that asks how many may be made for a work-item a processor,
    // and so is a launch that begins with just these (scrypt, whose work-items have memory for no more), or whose work-items go through
    // chunks.
    const std::size_t near = near_lanes(kernel.gathered_bytes), warp = near / std::max<std::size_t>(1, work_items);
    const bool is_one_each = num_workers > 1 && work_items == 1 && along_x == num_workers;
    if (rows == 1 && (along_x > 1 || kernel.asks_for_ids) && spec.groups < warp && !kernel.asks_for_sizes && !is_one_each && !few_chunks &&
        near >= kWarp / 2)
      code.first_groups = static_cast<std::uint32_t>(std::bit_floor(warp));
  } else if (const std::uint32_t row = preferred_row(kernel, range.local);
             !spec.required_only && row >= 2 * range.local[0] && (work_items >= kWarp || kernel.may_lose_tiles)) {
    const RowBlocks blocks = blocks_of_row(row, range.local[0], range.num_groups(0), range.num_groups(1) * range.num_groups(2), num_workers);
    spec.groups = static_cast<std::uint32_t>(blocks.groups);
    // Half as many lanes are worth no code of their own.
    if (blocks.most > 2 * blocks.groups) code.most_groups = static_cast<std::uint32_t>(blocks.most);
    code.first_groups = spec.groups;
  }
  // Lanes beyond the last group count, too, in blocks of any size.
  spec.ids_fit_31_bits = ids_fit_31_bits(range, may_fuse ? kGoodGroup : 0);
  spec.aligned_offsets = std::ranges::all_of(range.offset, [](std::size_t offset) { return offset % compiler::kAlignedOffset == 0; });
  for (unsigned d = 0; d < 3; ++d) spec.local_size[d] = static_cast<std::uint32_t>(range.local[d]);
  if (kernel.has_any_groups && !spec.required_only && range.global[1] == 1 && range.global[2] == 1) code.any_groups_of = range.global[0];
  return code;
}

LaunchCode specialization_of_part(const compiler::KernelInfo& kernel, const NDRange& whole, const RangePart& part, bool shares_code,
                                  unsigned num_workers, bool required_only, bool counted) {
  LaunchCode code = specialization_of(kernel, part.range, num_workers, required_only, counted);
  code.best.is_part = true;
  code.any_groups_of = 0;
  code.best.ids_fit_31_bits = ids_fit_31_bits(whole, kGoodGroup);
  if (shares_code) {
    std::ranges::fill(code.best.local_size, 0u);
    code.best.groups = code.first_groups = 1;
    code.best.whole_blocks = true;
  }
  return code;
}

}  // namespace weft::runtime
