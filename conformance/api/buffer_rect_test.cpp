// Rectangles of buffers, and buffers migrated (OpenCL 3.0 API §5.2.2, §5.7.1).
#include "api/fixture.h"

namespace weft::conformance {
namespace {

using BufferRect = ApiTest;
using Bytes = std::vector<unsigned char>;

// A box of bytes within a pitched volume, walked the slow way.
struct Box {
  std::size_t origin[3];
  std::size_t row;
  std::size_t slice;
  std::size_t at(std::size_t x, std::size_t y, std::size_t z) const {
    return (origin[2] + z) * slice + (origin[1] + y) * row + origin[0] + x;
  }
};

Bytes pattern(std::size_t count, int seed) {
  Bytes bytes(count);
  for (std::size_t i = 0; i < count; ++i) bytes[i] = static_cast<unsigned char>(i * 7 + seed + i / 251);
  return bytes;
}

constexpr std::size_t kRegion[3] = {5, 3, 2};
const Box kFrom{{3, 1, 1}, 16, 16 * 6};
const Box kTo{{2, 4, 0}, 11, 11 * 8};
constexpr std::size_t kBytes = 16 * 6 * 4;

Bytes expected(const Bytes& from, Bytes to, const Box& a, const Box& b) {
  for (std::size_t z = 0; z < kRegion[2]; ++z)
    for (std::size_t y = 0; y < kRegion[1]; ++y)
      for (std::size_t x = 0; x < kRegion[0]; ++x) to[b.at(x, y, z)] = from[a.at(x, y, z)];
  return to;
}

TEST_F(BufferRect, Read) {
  const Bytes device_bytes = pattern(kBytes, 1);
  Bytes host = pattern(kBytes, 100);
  const Bytes want = expected(device_bytes, host, kFrom, kTo);
  const Mem buffer = session.upload(device_bytes);
  ASSERT_EQ(clEnqueueReadBufferRect(queue, buffer, CL_TRUE, kFrom.origin, kTo.origin, kRegion, kFrom.row,
                                    kFrom.slice, kTo.row, kTo.slice, host.data(), 0, nullptr, nullptr),
            CL_SUCCESS);
  EXPECT_EQ(host, want);
}

TEST_F(BufferRect, Write) {
  const Bytes host = pattern(kBytes, 1);
  const Bytes before = pattern(kBytes, 100);
  const Mem buffer = session.upload(before);
  ASSERT_EQ(clEnqueueWriteBufferRect(queue, buffer, CL_TRUE, kTo.origin, kFrom.origin, kRegion, kTo.row,
                                     kTo.slice, kFrom.row, kFrom.slice, host.data(), 0, nullptr, nullptr),
            CL_SUCCESS);
  EXPECT_EQ(session.download<unsigned char>(buffer, kBytes), expected(host, before, kFrom, kTo));
}

TEST_F(BufferRect, Copy) {
  const Bytes a = pattern(kBytes, 1);
  const Bytes b = pattern(kBytes, 100);
  const Mem from = session.upload(a);
  const Mem to = session.upload(b);
  ASSERT_EQ(clEnqueueCopyBufferRect(queue, from, to, kFrom.origin, kTo.origin, kRegion, kFrom.row,
                                    kFrom.slice, kTo.row, kTo.slice, 0, nullptr, nullptr),
            CL_SUCCESS);
  EXPECT_EQ(session.download<unsigned char>(to, kBytes), expected(a, b, kFrom, kTo));
}

TEST_F(BufferRect, CopyWithinOneBuffer) {
  NOT_ON_POCL("CopyBufferRect within one buffer is wrong in 3.1");
  const Bytes a = pattern(kBytes, 1);
  const Mem buffer = session.upload(a);
  const std::size_t to[3] = {3, 1, 3};
  const Box there{{3, 1, 3}, 16, 16 * 6};
  const std::size_t region[3] = {5, 3, 1};
  ASSERT_EQ(clEnqueueCopyBufferRect(queue, buffer, buffer, kFrom.origin, to, region, 16, 96, 16, 96, 0,
                                    nullptr, nullptr),
            CL_SUCCESS);
  Bytes want = a;
  for (std::size_t y = 0; y < 3; ++y)
    for (std::size_t x = 0; x < 5; ++x) want[there.at(x, y, 0)] = a[kFrom.at(x, y, 0)];
  EXPECT_EQ(session.download<unsigned char>(buffer, kBytes), want);
  const std::size_t overlapping[3] = {4, 2, 1};
  EXPECT_EQ(clEnqueueCopyBufferRect(queue, buffer, buffer, kFrom.origin, overlapping, region, 16, 96, 16, 96,
                                    0, nullptr, nullptr),
            CL_MEM_COPY_OVERLAP);
}

TEST_F(BufferRect, ZeroPitchesMeanTight) {
  const Bytes a = pattern(kBytes, 1);
  const Mem buffer = session.upload(a);
  Bytes host(30);
  const std::size_t zero[3] = {0, 0, 0};
  ASSERT_EQ(clEnqueueReadBufferRect(queue, buffer, CL_TRUE, zero, zero, kRegion, 0, 0, 0, 0, host.data(), 0,
                                    nullptr, nullptr),
            CL_SUCCESS);
  EXPECT_EQ(host, Bytes(a.begin(), a.begin() + 30));
}

TEST_F(BufferRect, BadPitchesAndRegions) {
  const Mem buffer = session.buffer(64);
  Bytes host(64);
  const std::size_t zero[3] = {0, 0, 0};
  const std::size_t region[3] = {8, 2, 1};
  const std::size_t empty[3] = {8, 0, 1};
  const std::size_t large[3] = {8, 9, 1};
  EXPECT_EQ(clEnqueueReadBufferRect(queue, buffer, CL_TRUE, zero, zero, region, 4, 0, 0, 0, host.data(), 0,
                                    nullptr, nullptr),
            CL_INVALID_VALUE);
  EXPECT_EQ(clEnqueueReadBufferRect(queue, buffer, CL_TRUE, zero, zero, empty, 0, 0, 0, 0, host.data(), 0,
                                    nullptr, nullptr),
            CL_INVALID_VALUE);
  EXPECT_EQ(clEnqueueReadBufferRect(queue, buffer, CL_TRUE, zero, zero, large, 0, 0, 0, 0, host.data(), 0,
                                    nullptr, nullptr),
            CL_INVALID_VALUE);
}

TEST_F(BufferRect, Migrate) {
  const Mem buffer = session.upload(iota<cl_int>(16));
  const cl_mem raw = buffer;
  Event event;
  ASSERT_EQ(clEnqueueMigrateMemObjects(queue, 1, &raw, 0, 0, nullptr, event.out()), CL_SUCCESS);
  session.finish(event);
  EXPECT_EQ(session.download<cl_int>(buffer, 16), iota<cl_int>(16));
  EXPECT_EQ(clEnqueueMigrateMemObjects(queue, 0, nullptr, 0, 0, nullptr, nullptr), CL_INVALID_VALUE);
}

}  // namespace
}  // namespace weft::conformance
