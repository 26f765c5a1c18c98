// Rows of work-items some of which are off, at the ends of memory: in front of it and behind it there is nothing that could be read.
#include <sys/mman.h>

#include "api/fixture.h"

namespace weft::conformance {
namespace {

constexpr std::size_t kPage = 4096;

/// A page between two that must not be touched.
class LonelyPage {
 public:
  LonelyPage() {
    memory_ = static_cast<std::byte*>(mmap(nullptr, 3 * kPage, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    if (memory_ == MAP_FAILED || mprotect(page(), kPage, PROT_READ | PROT_WRITE) != 0) throw std::runtime_error("no memory");
  }
  ~LonelyPage() { munmap(memory_, 3 * kPage); }
  LonelyPage(const LonelyPage&) = delete;
  LonelyPage& operator=(const LonelyPage&) = delete;

  std::byte* page() const { return memory_ + kPage; }
  template <typename T>
  std::span<T> as() const {
    return {reinterpret_cast<T*>(page()), kPage / sizeof(T)};
  }

 private:
  std::byte* memory_;
};

class PageEnds : public ApiTest {
 protected:
  template <typename T>
  void check(const std::string& type) {
    const Program program = session.build("typedef " + type + R"( T;
      kernel void k(global const T* in, global const uchar* flags, global T* out, int shift, int count) {
        const int i = get_global_id(0), j = i + shift;
        if (flags[i] && j >= 0 && j < count) out[j] = in[j] + (T)1;
      })");
    const Kernel kernel = session.kernel(program, "k");
    const LonelyPage from, to;
    const auto in = from.as<T>(), out = to.as<T>();
    const auto count = static_cast<cl_int>(in.size());
    for (cl_int i = 0; i < count; ++i) in[i] = static_cast<T>(i % 100);
    constexpr int kItems = 512;
    for (const unsigned sparse : {1u, 3u, 40u}) {
      std::vector<cl_uchar> flags(kItems);
      std::uint32_t state = sparse;
      for (cl_uchar& flag : flags) flag = ((state = state * 1664525u + 1013904223u) >> 20) % sparse == 0;
      for (const std::size_t local : {256, 64, 32})
        for (const cl_int shift : {-kItems + 3, -200, -33, -1, 0, count - kItems, count - 300, count - 31, count - 2}) {
          std::ranges::fill(out, T{99});
          {
            const Mem read = session.buffer(kPage, CL_MEM_USE_HOST_PTR, from.page());
            const Mem written = session.buffer(kPage, CL_MEM_USE_HOST_PTR, to.page());
            session.launch(kernel, {{kItems}, {local}}, read, session.upload(flags), written, shift, count);
            session.download<T>(written, out.size());
          }
          for (cl_int j = 0; j < count; ++j) {
            const cl_int i = j - shift;
            const bool live = i >= 0 && i < kItems && flags[static_cast<std::size_t>(i)];
            ASSERT_EQ(out[j], live ? static_cast<T>(in[j] + 1) : T{99}) << type << " " << j << ", shift " << shift << ", groups of " << local;
          }
        }
    }
  }
};

// Each reads some of its neighbours' elements, too.
TEST_F(PageEnds, OfVectorsThatOverlap) {
  for (const std::string type : {"uchar", "ushort", "float"})
    for (const int step : {1, 2, 3, -1}) {
      const Program program = session.build("typedef " + type + " T; typedef " + type + "4 T4;\n#define STEP " + std::to_string(step) + R"(
        kernel void k(global const T* in, global const uchar* flags, global float* out, int first, int last) {
          const int i = get_global_id(0), j = first + STEP * i;
          if (flags[i] && j >= 0 && j <= last) {
            const float4 near = convert_float4(vload4(0, in + j));
            out[i] = near.x + 2 * near.y + 3 * near.z + 5 * near.w;
          }
        })");
      const Kernel kernel = session.kernel(program, "k");
      const LonelyPage from;
      const auto value = [](int i) { return i * 7 % 101; };
      const std::size_t bytes = type == "uchar" ? 1 : type == "ushort" ? 2 : 4;
      const int count = static_cast<int>(kPage / bytes);
      for (int i = 0; i < count; ++i) {
        if (bytes == 1) from.as<cl_uchar>()[static_cast<std::size_t>(i)] = static_cast<cl_uchar>(value(i));
        if (bytes == 2) from.as<cl_ushort>()[static_cast<std::size_t>(i)] = static_cast<cl_ushort>(value(i));
        if (bytes == 4) from.as<cl_float>()[static_cast<std::size_t>(i)] = static_cast<cl_float>(value(i));
      }
      constexpr int kItems = 512;
      for (const unsigned sparse : {1u, 3u, 40u})
        for (const int first : {-40, -1, 0, 5, 300, count - 4, count - 300, count + 20}) {
          std::vector<cl_uchar> flags(kItems);
          std::uint32_t state = sparse;
          for (cl_uchar& flag : flags) flag = ((state = state * 1664525u + 1013904223u) >> 20) % sparse == 0;
          const Mem read = session.buffer(kPage, CL_MEM_USE_HOST_PTR, from.page());
          const Mem written = session.upload(std::vector<cl_float>(kItems, -1));
          session.launch(kernel, {{kItems}, {64}}, read, session.upload(flags), written, first, count - 4);
          const auto got = session.download<cl_float>(written, kItems);
          for (int i = 0; i < kItems; ++i) {
            const int j = first + step * i;
            const bool live = j >= 0 && j <= count - 4 && flags[static_cast<std::size_t>(i)];
            const int wanted = live ? value(j) + 2 * value(j + 1) + 3 * value(j + 2) + 5 * value(j + 3) : -1;
            ASSERT_EQ(got[static_cast<std::size_t>(i)], static_cast<float>(wanted)) << type << ", step " << step << ", from " << first << ", item " << i;
          }
        }
    }
}

// Rows of 16, some of which are off as a whole and lie where nothing is.
TEST_F(PageEnds, OfPairsInRowsApart) {
  for (const std::string type : {"uchar", "float"})
    for (const int step : {3, 4, -3}) {
      const Program program = session.build("typedef " + type + " T;\n#define STEP " + std::to_string(step) + R"(
        kernel void k(global const T* in, global const uchar* flags, global float* out, int first, int pitch, int last) {
          const int x = get_global_id(0), y = get_global_id(1), i = y * get_global_size(0) + x, j = first + y * pitch + STEP * x;
          if (flags[i] && j >= 0 && j <= last) {
            const float2 near = convert_float2(vload2(0, in + j));
            out[i] = near.x + 2 * near.y;
          }
        })");
      const Kernel kernel = session.kernel(program, "k");
      const LonelyPage from;
      const auto value = [](int i) { return i * 7 % 101; };
      const int count = static_cast<int>(kPage / (type == "uchar" ? 1 : sizeof(cl_float)));
      for (int i = 0; i < count; ++i) {
        if (type == "uchar")
          from.as<cl_uchar>()[static_cast<std::size_t>(i)] = static_cast<cl_uchar>(value(i));
        else
          from.as<cl_float>()[static_cast<std::size_t>(i)] = static_cast<cl_float>(value(i));
      }
      constexpr int kWidth = 16, kHeight = 64, kItems = kWidth * kHeight;
      for (const int pitch : {-97, 64, 130, count / 2})
        for (const int first : {-300, 0, 17, count - 200, count - 64, count - 2}) {
          std::vector<cl_uchar> flags(kItems, 1);
          for (std::size_t i = 0; i < kItems; ++i) flags[i] = i / kWidth % 3 != 1 && i % 5 != 0;
          const Mem read = session.buffer(kPage, CL_MEM_USE_HOST_PTR, from.page());
          const Mem written = session.upload(std::vector<cl_float>(kItems, -1));
          session.launch(kernel, {{kWidth, kHeight}, {kWidth, 4}}, read, session.upload(flags), written, first, pitch, count - 2);
          const auto got = session.download<cl_float>(written, kItems);
          for (int i = 0; i < kItems; ++i) {
            const int j = first + i / kWidth * pitch + step * (i % kWidth);
            const bool live = flags[static_cast<std::size_t>(i)] && j >= 0 && j <= count - 2;
            const int wanted = live ? value(j) + 2 * value(j + 1) : -1;
            ASSERT_EQ(got[static_cast<std::size_t>(i)], static_cast<float>(wanted))
                << type << ", step " << step << ", pitch " << pitch << ", from " << first << ", item " << i;
          }
        }
    }
}

// All work-items leave the loop together, when memory says so: how far they walk along their rows nobody knows before.
TEST_F(PageEnds, OfRowsThatEndWhereMemorySays) {
  const Program program = session.build(R"(
    kernel void k(global const int* in, global const int* more, global int* out, int from, int pitch) {
      const int row = get_global_id(0);
      int s = 0, k = 0;
      do s = s * 3 + in[row * pitch + from + k]; while (more[k++]);
      out[row] = s;
    })");
  const Kernel kernel = session.kernel(program, "k");
  const LonelyPage page;
  const auto in = page.as<cl_int>();
  constexpr std::size_t kRows = 32;
  const std::size_t pitch = in.size() / kRows;
  for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<cl_int>(i * 7 % 100);
  for (std::size_t length = 1; length <= 9; ++length) {
    std::vector<cl_int> more(length, 1);
    more.back() = 0;
    const Mem rows = session.buffer(kPage, CL_MEM_USE_HOST_PTR, page.page());
    const Mem out = session.upload(std::vector<cl_int>(kRows));
    session.launch(kernel, {{kRows}, {kRows}}, rows, session.upload(more), out, static_cast<cl_int>(pitch - length), static_cast<cl_int>(pitch));
    const auto got = session.download<cl_int>(out, kRows);
    for (std::size_t row = 0; row < kRows; ++row) {
      cl_int expected = 0;
      for (std::size_t k = pitch - length; k < pitch; ++k) expected = expected * 3 + in[row * pitch + k];
      ASSERT_EQ(got[row], expected) << "row " << row << " of " << length;
    }
  }
}

// Rows of their own from the first element of a page to its last, and between them columns that are nowhere.
TEST_F(PageEnds, OfRowsOfAHandful) {
  const Program program = session.build(R"(
    kernel void k(global const int* begin, global const int* end, global const int* column, global const int* x, global int* out) {
      const int i = get_global_id(0);
      uint sum = i;
      for (int k = begin[i]; k < end[i]; ++k)
        if (column[k] != 3) sum = sum * 3 + x[column[k]];
      out[i] = sum;
    })");
  const Kernel kernel = session.kernel(program, "k");
  const LonelyPage columns, elements;
  const auto column = columns.as<cl_int>(), x = elements.as<cl_int>();
  for (std::size_t k = 0; k < x.size(); ++k) x[k] = static_cast<cl_int>(k * 5 % 97);
  x[3] = 1 << 20;
  for (const cl_int most : {4, 11, 30}) {
    std::vector<cl_int> begin, end;
    const auto size = static_cast<cl_int>(column.size());
    for (cl_int k = 0; k < size; k = end.back() + 1) {
      begin.push_back(k);
      end.push_back(std::min(k + 1 + (k * 7 % most), size));
    }
    for (cl_int k = 0; k < size; ++k) column[k] = k % 5 ? k * 11 % size : 3;
    for (const cl_int behind : end)
      if (behind < size) column[behind] = 1 << 30;
    const std::size_t rows = begin.size();
    const Mem out = session.upload(std::vector<cl_int>(rows));
    session.launch(kernel, {{rows}, {}}, session.upload(begin), session.upload(end), session.buffer(kPage, CL_MEM_USE_HOST_PTR, columns.page()),
                   session.buffer(kPage, CL_MEM_USE_HOST_PTR, elements.page()), out);
    const auto got = session.download<cl_int>(out, rows);
    for (std::size_t i = 0; i < rows; ++i) {
      auto sum = static_cast<cl_uint>(i);
      for (cl_int k = begin[i]; k < end[i]; ++k)
        if (column[k] != 3) sum = sum * 3 + static_cast<cl_uint>(x[column[k]]);
      ASSERT_EQ(got[i], static_cast<cl_int>(sum)) << "row " << i << " of up to " << most;
    }
  }
}

TEST_F(PageEnds, OfBytes) { check<cl_uchar>("uchar"); }
TEST_F(PageEnds, Of16Bits) { check<cl_ushort>("ushort"); }
TEST_F(PageEnds, OfFloats) { check<cl_float>("float"); }
TEST_F(PageEnds, Of64Bits) { check<cl_long>("long"); }

}  // namespace
}  // namespace weft::conformance
