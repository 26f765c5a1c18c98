#include "compiler/fuzz/launch.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <new>

#include "compiler/fuzz/array_kernel.h"
#include "compiler/fuzz/generator.h"

namespace weft::fuzz {
namespace {

constexpr std::size_t kPage = 4096;

using Size = std::array<std::uint32_t, 3>;

/// Below, at and above a warp; warps that are full, partial, several; rows that fit a warp, halve it or do neither.
constexpr Size kLocalSizes[] = {
    {1, 1, 1},  {7, 1, 1},  {32, 1, 1}, {33, 1, 1},  {48, 1, 1},  {64, 1, 1}, {100, 1, 1}, {128, 1, 1}, {256, 1, 1}, {512, 1, 1},
    {16, 16, 1}, {24, 3, 1}, {8, 8, 1},  {16, 4, 1},  {32, 8, 1},  {3, 5, 7},  {4, 8, 2},   {2, 64, 1},  {40, 2, 1},  {1, 33, 1},
    {16, 2, 4},  {5, 1, 13}, {31, 2, 1}, {64, 2, 1},  {96, 1, 1},  {8, 4, 8},
    {2, 1, 1},  {4, 4, 1},  {3, 2, 2},  {20, 1, 1},
    {32, 16, 1}, {16, 8, 1},
    {50, 5, 1}, {20, 20, 1}, {27, 3, 2},
};

constexpr unsigned kCoarsenings[] = {0, 1, 2, 4};

/// Characters of source up to which 4 and 2 warps are coarsened.
constexpr std::size_t kMostForFour = 3500, kMostForTwo = 4500;

/// The kernel numbers its work-items from 0, whatever the global offset.
bool ignores_offsets(const std::string& source) { return source.find("get_global_offset") != std::string::npos; }

std::array<std::uint32_t, 3> groups_of(const Size& local, Random& random) {
  const std::uint32_t items = local[0] * local[1] * local[2];
  if (items >= 256) return random.chance(50) ? Size{2, 1, 1} : Size{1, 1, 1};
  if (local[1] * local[2] > 1) return random.chance(50) ? Size{2, 2, 1} : Size{3, 1, 1};
  return {items <= 8 ? 5u : 3u, 1, 1};
}

/// Most work-items of a block whose rows are made longer.
constexpr std::uint32_t kMostOfRows = 2048;

/// Groups smaller than a warp may run side by side; the last block of them may be partial. Larger ones do in whole blocks, for longer rows.
void draw_fuse(Variant& variant, Random& random) {
  const std::uint32_t items = variant.group_items();
  if (variant.any_size || random.chance(30)) return;
  if (items >= abi::kWarpSize) {
    const std::uint32_t fuse = random.of({2u, 4u, 8u, 16u});
    if (fuse * variant.local[0] % abi::kWarpSize != 0 || fuse * items > kMostOfRows) return;
    variant.fuse = fuse;
    variant.groups = {fuse * random.between(1, 2), random.between(1, 2), 1};
    return;
  }
  variant.fuse = random.of({2u, 4u, 8u, 16u, 32u});
  while (variant.fuse * items > 256) variant.fuse /= 2;
  variant.groups = {random.between(1, 40), random.between(1, 2), 1};
}

/// Small numbers, numbers of every size, and floats worth computing with.
std::uint32_t draw_word(Random& random) {
  switch (random.below(5)) {
    case 0:
      return random.below(16);
    case 1:
      return random.below(1000);
    case 2: {
      const float value = (static_cast<float>(random.below(2000)) - 1000.0f) / 8.0f;
      std::uint32_t bits;
      std::memcpy(&bits, &value, sizeof bits);
      return bits;
    }
    default:
      return static_cast<std::uint32_t>(random.next());
  }
}

void fill(std::byte* at, std::size_t bytes, Random& random) {
  for (std::size_t i = 0; i < bytes; i += 4) {
    const std::uint32_t word = draw_word(random);
    std::memcpy(at + i, &word, std::min<std::size_t>(4, bytes - i));
  }
}

/// Whole numbers from -8 to 8.
template <typename Number>
void fill_small(std::byte* at, std::size_t bytes, Random& random) {
  for (std::size_t i = 0; i + sizeof(Number) <= bytes; i += sizeof(Number)) {
    const Number value = static_cast<Number>(random.below(17)) - Number(8);
    std::memcpy(at + i, &value, sizeof value);
  }
}

/// `begin`: of a buffer's elements, between `at` and the end of its pages.
void fill_buffer(const std::string& name, std::byte* at, std::size_t begin, std::size_t bytes, Random& random) {
  if (name.starts_with(kSmallFloats)) return fill_small<float>(at, bytes, random);
  if (name.starts_with(kSmallDoubles)) return fill_small<double>(at, bytes, random);
  if (!name.starts_with(kEveryFourthZero)) return fill(at, bytes, random);
  for (std::size_t i = begin; i < bytes; ++i) at[i] = static_cast<std::byte>((i - begin) % 4 != 3);
}

}  // namespace

compiler::Specialization Variant::specialization() const {
  compiler::Specialization result;
  if (!any_size) std::copy(local.begin(), local.end(), result.local_size);
  result.ids_fit_31_bits = ids_fit_31_bits;
  result.aligned_offsets = std::ranges::all_of(offset, [](std::uint64_t items) { return items % compiler::kAlignedOffset == 0; });
  result.groups = fuse;
  result.turned = turned;
  result.soon = soon;
  result.required_only = required_only;
  result.counted = counted;
  result.whole_blocks = groups[0] % fuse == 0;
  return result;
}

Variant Variant::of_program() const {
  Variant result = *this;
  std::swap(result.local[0], result.local[turned]);
  std::swap(result.groups[0], result.groups[turned]);
  std::swap(result.offset[0], result.offset[turned]);
  result.turned = 0;
  return result;
}

void Variant::leave_out_optimizations() {
  required_only = true;
  coarsening = 0;
  fuse = 1;
  turned = 0;
  scalarize = false;
  soon = false;
}

std::string Variant::text() const {
  char buffer[200];
  std::snprintf(buffer, sizeof buffer, "%u,%u,%u groups %u,%u,%u coarsen %u", local[0], local[1], local[2], groups[0], groups[1],
                groups[2], coarsening);
  std::string result = buffer;
  if (offset[0] || offset[1] || offset[2])
    result += " offset " + std::to_string(offset[0]) + "," + std::to_string(offset[1]) + "," + std::to_string(offset[2]);
  if (!ids_fit_31_bits) result += " wide-ids";
  if (any_size) result += " any-size";
  if (scalarize) result += " scalarize";
  if (dispatch) result += " dispatch";
  if (fuse > 1) result += " fuse " + std::to_string(fuse);
  if (turned) result += " turned " + std::to_string(turned);
  if (soon) result += " soon";
  if (required_only) result += " required-only";
  if (counted) result += " counted";
  return result;
}

std::optional<Variant> Variant::parse(std::string_view view) {
  const std::string text(view);
  Variant result;
  if (std::sscanf(text.c_str(), " %u,%u,%u groups %u,%u,%u coarsen %u", &result.local[0], &result.local[1], &result.local[2],
                  &result.groups[0], &result.groups[1], &result.groups[2], &result.coarsening) != 7)
    return std::nullopt;
  unsigned long long x = 0, y = 0, z = 0;
  if (const std::size_t at = text.find(" offset "); at != std::string::npos) {
    if (std::sscanf(text.c_str() + at, " offset %llu,%llu,%llu", &x, &y, &z) != 3) return std::nullopt;
    result.offset = {x, y, z};
  }
  result.ids_fit_31_bits = text.find(" wide-ids") == std::string::npos;
  result.any_size = text.find(" any-size") != std::string::npos;
  result.scalarize = text.find(" scalarize") != std::string::npos;
  result.dispatch = text.find(" dispatch") != std::string::npos;
  if (const std::size_t at = text.find(" fuse "); at != std::string::npos)
    if (std::sscanf(text.c_str() + at, " fuse %u", &result.fuse) != 1 || result.fuse == 0) return std::nullopt;
  if (const std::size_t at = text.find(" turned "); at != std::string::npos)
    if (std::sscanf(text.c_str() + at, " turned %u", &result.turned) != 1 || result.turned > 2) return std::nullopt;
  result.soon = text.find(" soon") != std::string::npos;
  result.required_only = text.find(" required-only") != std::string::npos;
  result.counted = text.find(" counted") != std::string::npos;
  const std::uint64_t items = std::uint64_t{result.local[0]} * result.local[1] * result.local[2];
  if (items == 0 || items > kMostWorkItems || result.num_groups() == 0) return std::nullopt;
  return result;
}

std::vector<Variant> draw_variants(std::uint64_t seed, unsigned count, const std::string& source) {
  const bool offsets = ignores_offsets(source);
  Random random(seed * 2);  // the generator's are odd
  std::vector<Variant> variants;
  for (unsigned i = 0; i < count; ++i) {
    Variant variant;
    variant.local = kLocalSizes[random.below(std::size(kLocalSizes))];
    variant.groups = groups_of(variant.local, random);
    variant.coarsening = kCoarsenings[random.weighted({30, 25, 25, 20})];
    if (variant.coarsening == 4 && source.size() > kMostForFour) variant.coarsening = 2;
    if (variant.coarsening == 2 && source.size() > kMostForTwo) variant.coarsening = 1;
    variant.any_size = random.chance(10);
    // Coarsened code is made for a known size only.
    if (variant.any_size) variant.coarsening = 0;
    variant.ids_fit_31_bits = random.chance(70);
    draw_fuse(variant, random);
    if (offsets && random.chance(50)) {
      variant.offset = {random.below(1000), random.below(3), 0};
      if (!variant.ids_fit_31_bits && random.chance(50)) variant.offset[0] = 0xfffffff0u;
    }
    variant.scalarize = random.chance(25);
    if (random.chance(30)) variant.turned = static_cast<unsigned>(random.between(1, 2));
    variant.soon = random.chance(15);
    if (random.chance(15)) variant.leave_out_optimizations();
    variants.push_back(variant);
  }
  return variants;
}

std::vector<Variant> all_variants(const std::string& source) {
  const bool offsets = ignores_offsets(source);
  Random random(1);
  std::vector<Variant> variants;
  for (const Size& local : kLocalSizes)
    for (const unsigned coarsening : kCoarsenings) {
      Variant variant;
      variant.local = local;
      variant.groups = groups_of(local, random);
      variant.coarsening = coarsening;
      if (offsets) variant.offset = {17, 1, 0};
      variants.push_back(variant);
      if (coarsening != 0) continue;
      if (variant.group_items() < abi::kWarpSize) {
        Variant fused = variant;
        fused.fuse = 8;
        fused.groups = {13, 1, 1};
        variants.push_back(fused);
      }
      if (variant.local[0] == abi::kWarpSize / 2) {
        Variant rows = variant;
        rows.fuse = 4;
        rows.groups = {4, 1, 1};
        variants.push_back(rows);
      }
      Variant required = variant;
      required.required_only = true;
      variants.push_back(required);
      variant.scalarize = true;
      variants.push_back(variant);
      variant.any_size = true;
      variant.ids_fit_31_bits = false;
      variants.push_back(variant);
    }
  return variants;
}

Memory::Memory(const compiler::KernelInfo& kernel, const Variant& variant, std::uint64_t seed) {
  Random random(seed ^ 0x5eed);
  const std::size_t items = std::size_t{variant.group_items()} * variant.num_groups();
  arguments_.resize(kernel.argument_bytes);
  local_bytes_ = kernel.local_bytes;
  for (const compiler::KernelArg& arg : kernel.args) {
    std::byte* const place = arguments_.data() + arg.offset;
    if (arg.kind == compiler::ArgKind::kLocalPointer) {
      local_bytes_ = (local_bytes_ + abi::kLocalMemoryAlign - 1) / abi::kLocalMemoryAlign * abi::kLocalMemoryAlign;
      std::memcpy(place, &local_bytes_, sizeof local_bytes_);
      local_bytes_ += std::size_t{kLocalBytesPerItem} * variant.group_items();
    } else if (arg.kind == compiler::ArgKind::kValue) {
      fill(place, arg.size, random);
      if (arg.name.starts_with(kSmallValue) && arg.size == sizeof(std::uint32_t)) {
        const std::uint32_t value = random.below(kSmallValues);
        std::memcpy(place, &value, sizeof value);
      }
    } else if (arg.name.starts_with(kSameAs)) {
      const auto same = std::ranges::find(regions_, arg.name.substr(std::string_view(kSameAs).size()), &Region::name);
      const std::byte* const begin = same->pages + same->first;
      std::memcpy(place, &begin, sizeof begin);
    } else {
      Region region;
      region.name = arg.name;
      const std::size_t bytes = (items * kBufferBytesPerItem + 127) / 128 * 128;
      region.page_bytes = (bytes + kPage - 1) / kPage * kPage;
      region.first = region.page_bytes - bytes;
      void* const all = mmap(nullptr, region.page_bytes + 2 * kPage, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
      if (all == MAP_FAILED) throw std::bad_alloc();
      region.pages = static_cast<std::byte*>(all) + kPage;
      mprotect(region.pages, region.page_bytes, PROT_READ | PROT_WRITE);
      region.initial.resize(region.page_bytes);
      if (!arg.name.starts_with(kBeginsZero)) fill_buffer(arg.name, region.initial.data(), region.first, region.page_bytes, random);
      const std::byte* const begin = region.pages + region.first;
      std::memcpy(place, &begin, sizeof begin);
      regions_.push_back(std::move(region));
    }
  }
}

Memory::~Memory() {
  for (const Region& region : regions_) munmap(region.pages - kPage, region.page_bytes + 2 * kPage);
}

std::span<std::byte> Memory::buffer_at(std::uint32_t offset) const {
  std::byte* begin;
  std::memcpy(&begin, arguments_.data() + offset, sizeof begin);
  for (const Region& region : regions_)
    if (region.pages + region.first == begin) return {begin, region.page_bytes - region.first};
  return {};
}

void Memory::reset() const {
  for (const Region& region : regions_) std::memcpy(region.pages, region.initial.data(), region.page_bytes);
}

std::vector<std::byte> Memory::contents() const {
  std::vector<std::byte> all;
  for (const Region& region : regions_) all.insert(all.end(), region.pages, region.pages + region.page_bytes);
  return all;
}

std::string Memory::difference(const std::vector<std::byte>& a, const std::vector<std::byte>& b) const {
  std::size_t begin = 0;
  for (const Region& region : regions_) {
    std::size_t count = 0, first = 0;
    for (std::size_t i = 0; i < region.page_bytes; ++i)
      if (a[begin + i] != b[begin + i] && count++ == 0) first = i;
    begin += region.page_bytes;
    if (count == 0) continue;
    return std::to_string(count) + " bytes of '" + region.name + "' differ, the first " +
           (first < region.first ? "before its begin" : "at " + std::to_string(first - region.first));
  }
  return {};
}

}  // namespace weft::fuzz
