// Sparse rows, gathers, text, atomics: addresses and lengths that come from data.
#include <algorithm>
#include <utility>

#include "bench/case.h"
#include "bench/data.h"

namespace weft::bench {
namespace {

/// A matrix in compressed sparse rows: 0 to 2 * `mean` elements a row.
struct Sparse {
  std::vector<cl_int> row_start;
  std::vector<cl_int> column;
  std::vector<float> value;
  std::vector<float> x;

  Sparse(std::size_t rows, cl_uint mean, unsigned seed) : row_start(1, 0) {
    for (cl_uint length : noise_below(rows, seed, 2 * mean + 1))
      row_start.push_back(row_start.back() + static_cast<cl_int>(length));
    const auto elements = static_cast<std::size_t>(row_start.back());
    for (cl_uint at : noise_below(elements, seed + 1, static_cast<cl_uint>(rows)))
      column.push_back(static_cast<cl_int>(at));
    value = noise(elements, seed + 2, -1, 1);
    x = noise(rows, seed + 3, -1, 1);
  }
  std::vector<float> product() const {
    std::vector<float> y;
    for (std::size_t row = 0; row + 1 < row_start.size(); ++row) {
      double sum = 0;
      for (int k = row_start[row]; k < row_start[row + 1]; ++k)
        sum += value[static_cast<std::size_t>(k)] *
               x[static_cast<std::size_t>(column[static_cast<std::size_t>(k)])];
      y.push_back(static_cast<float>(sum));
    }
    return y;
  }
};

Case spmv(const std::string& name, const std::string& kernel, std::size_t rows, cl_uint mean,
          std::size_t items_a_row, std::size_t local) {
  const Sparse a(rows, mean, 31);
  Case c = make_case(name, "sparse.cl", kernel, {{rows * items_a_row}, {local}, {}},
                     2e-9 * static_cast<double>(a.value.size()), "GFLOP/s");
  c.buffer(a.row_start)
      .buffer(a.column)
      .buffer(a.value)
      .buffer(a.x)
      .result(
          std::vector<float>(rows), [=] { return a.product(); }, 1e-3);
  if (items_a_row > 1) c.local(local * sizeof(float));
  return c;
}

Case gather() {
  constexpr std::size_t kCount = std::size_t{1} << 21;
  const auto in = noise(kCount, 35, 0, 1);
  const auto index = noise_below(kCount, 36, kCount);
  Case c = make_case("random gather, 2 Mi", "sparse.cl", "gather", {{kCount}, {256}, {}}, 1e-9 * kCount,
                     "Gitem/s");
  c.buffer(in).buffer(index).result(
      std::vector<float>(kCount),
      [=] {
        std::vector<float> out(kCount);
        for (std::size_t i = 0; i < kCount; ++i) out[i] = in[index[i]];
        return out;
      },
      0);
  return c;
}

std::vector<cl_uchar> text(std::size_t length, unsigned seed) {
  static constexpr char kLetters[] = "etaoin shrdlu";
  std::vector<cl_uchar> bytes(length);
  const auto values = noise_below(length, seed, sizeof kLetters - 1);
  for (std::size_t i = 0; i < length; ++i) bytes[i] = static_cast<cl_uchar>(kLetters[values[i]]);
  return bytes;
}

Case classes() {
  constexpr std::size_t kBlocks = 8192;
  constexpr std::size_t kLength = 256;
  std::vector<cl_uchar> in(kBlocks * kLength);
  const auto values = noise_below(in.size(), 37, 256);
  std::copy(values.begin(), values.end(), in.begin());
  Case c = make_case("bytes by class, private array", "text.cl", "classes", {{kBlocks}, {64}, {}},
                     1e-9 * kBlocks * kLength, "Gitem/s");
  c.buffer(in)
      .result(
          std::vector<cl_uint>(kBlocks * 16),
          [=] {
            std::vector<cl_uint> out(kBlocks * 16);
            for (std::size_t i = 0; i < in.size(); ++i) ++out[16 * (i / kLength) + in[i] / 16];
            return out;
          },
          0)
      .value(static_cast<cl_int>(kLength));
  return c;
}

Case find() {
  constexpr std::size_t kCount = std::size_t{1} << 22;
  const std::vector<cl_uchar> word = {'t', 'h', 'e', ' '};
  auto in = text(kCount + word.size(), 38);
  Case c = make_case("find a word, 4 MiB of text", "text.cl", "find", {{kCount}, {256}, {}}, 1e-9 * kCount,
                     "Gitem/s");
  c.buffer(in).buffer(word).value(static_cast<cl_int>(word.size()));
  c.result(
      std::vector<cl_uchar>(kCount),
      [=] {
        std::vector<cl_uchar> out(kCount);
        for (std::size_t i = 0; i < kCount; ++i)
          out[i] = std::equal(word.begin(), word.end(), in.begin() + static_cast<std::ptrdiff_t>(i));
        return out;
      },
      0);
  return c;
}

Case count() {
  constexpr std::size_t kCount = std::size_t{1} << 20;
  const auto keys = noise_below(kCount, 39, 1u << 24);
  Case c = make_case("global atomics, 1 Mi on 4096", "atomics.cl", "count", {{kCount}, {256}, {}},
                     1e-9 * kCount, "Gitem/s");
  c.buffer(keys).result(
      std::vector<cl_uint>(4096, 0),
      [=] {
        std::vector<cl_uint> out(4096, 0);
        for (cl_uint key : keys) ++out[key & 4095];
        return out;
      },
      0);
  return c;
}

Case compact() {
  constexpr std::size_t kCount = std::size_t{1} << 20;
  constexpr cl_uint kLimit = 1u << 23;
  const auto in = noise_below(kCount, 40, 1u << 24);
  Case c =
      make_case("compaction, 1 Mi", "atomics.cl", "compact", {{kCount}, {256}, {}}, 1e-9 * kCount, "Gitem/s");
  c.buffer(in).result(
      std::vector<cl_uint>(kCount, 0), [] { return std::vector<cl_uint>(); }, 0);
  // In any order, so compared after sorting.
  c.check = [=](std::span<const std::byte> bytes) -> std::string {
    std::vector<cl_uint> want;
    for (cl_uint v : in)
      if (v > kLimit) want.push_back(v);
    const auto* got = reinterpret_cast<const cl_uint*>(bytes.data());
    std::vector<cl_uint> taken(got, got + want.size());
    std::sort(want.begin(), want.end());
    std::sort(taken.begin(), taken.end());
    return taken == want ? "" : "not those above the limit";
  };
  c.buffer(std::vector<cl_uint>(1, 0)).value(kLimit).value(static_cast<cl_uint>(kCount - 1));
  return c;
}

Case crc_of_single_items() {
  constexpr std::size_t kCount = 8192, kWords = 64;
  const auto words = noise_below(kCount * kWords, 31, 1u << 24);
  std::vector<cl_uint> table(256);
  for (cl_uint i = 0; i < 256; ++i) {
    table[i] = i;
    for (int bit = 0; bit < 8; ++bit) table[i] = table[i] & 1 ? 0xedb88320u ^ (table[i] >> 1) : table[i] >> 1;
  }
  Case c = make_case("CRC-32, groups of one", "small_groups.cl", "crc", {{kCount}, {1}, {}}, 4e-9 * kCount * kWords, "GB/s");
  c.buffer(words).buffer(table).result(
      std::vector<cl_uint>(kCount),
      [=] {
        std::vector<cl_uint> out(kCount);
        for (std::size_t g = 0; g < kCount; ++g) {
          cl_uint crc = ~0u;
          for (std::size_t i = 0; i < kWords; ++i)
            for (cl_uint byte = 0; byte < 4; ++byte)
              crc = table[(crc ^ (words[g * kWords + i] >> (8 * byte))) & 255] ^ (crc >> 8);
          out[g] = ~crc;
        }
        return out;
      },
      0);
  c.value(static_cast<cl_uint>(kWords));
  return c;
}

Case rc4_of_single_items() {
  constexpr std::size_t kCount = 4096, kBytes = 1024;
  const auto keys = noise_below(kCount, 32, 1u << 24);
  Case c = make_case("RC4, groups of one", "small_groups.cl", "rc4", {{kCount}, {1}, {}}, 1e-9 * kCount * kBytes, "GB/s");
  c.buffer(keys).result(
      std::vector<cl_uint>(kCount),
      [=] {
        std::vector<cl_uint> out(kCount);
        for (std::size_t g = 0; g < kCount; ++g) {
          cl_uchar s[256];
          for (unsigned i = 0; i < 256; ++i) s[i] = static_cast<cl_uchar>(i);
          cl_uint j = 0;
          for (unsigned i = 0; i < 256; ++i) {
            j = (j + s[i] + (keys[g] >> (8 * (i & 3)))) & 255;
            std::swap(s[i], s[j]);
          }
          cl_uint sum = 0, b = 0;
          for (unsigned n = 1; n <= kBytes; ++n) {
            const unsigned a = n & 255;
            b = (b + s[a]) & 255;
            std::swap(s[a], s[b]);
            sum = sum * 31 + s[(s[a] + s[b]) & 255];
          }
          out[g] = sum;
        }
        return out;
      },
      0);
  c.value(static_cast<cl_uint>(kBytes));
  return c;
}

}  // namespace

std::vector<Case> irregular_cases() {
  return {spmv("SpMV, a row an item", "spmv_csr", 65536, 16, 1, 128),
          spmv("SpMV, a row a group", "spmv_rows", 8192, 128, 64, 64),
          gather(),
          classes(),
          find(),
          count(),
          compact(),
          crc_of_single_items(),
          rc4_of_single_items()};
}

}  // namespace weft::bench
