// Copies of buffers that kernels only update.
#include "device/worker_copies.h"

#include <gtest/gtest.h>

#include <limits>
#include <memory>

#include "device/worker.h"

namespace weft::device {
namespace {

using abi::UpdateKind;
using Buffer = WorkerCopies::Buffer;
using Buffers = WorkerCopies::Buffers;

Buffers these(const Buffer& one) { return {{one}, 1}; }
Buffers these(const Buffer& one, const Buffer& two) { return {{one, two}, 2}; }

template <typename T>
Buffer buffer_of(std::vector<T>& words, UpdateKind kind) {
  return {reinterpret_cast<std::byte*>(words.data()), words.size() * sizeof(T), kind, sizeof(T)};
}

/// The word of a copy that stands for `word`.
template <typename T>
T& own(const std::uint64_t* distances, unsigned buffer, T& word) {
  return *reinterpret_cast<T*>(reinterpret_cast<std::uintptr_t>(&word) + distances[buffer]);
}

TEST(WorkerCopies, EachKindIsAddedUp) {
  struct Case {
    UpdateKind kind;
    std::uint32_t before, one, two, after;
  };
  constexpr std::uint32_t kMinus = static_cast<std::uint32_t>(-5);
  const Case cases[] = {{UpdateKind::kAdd, 10, 3, kMinus, 8},
                        {UpdateKind::kAnd, 0xff, 0xf0, 0x3f, 0x30},
                        {UpdateKind::kOr, 1, 2, 4, 7},
                        {UpdateKind::kXor, 1, 3, 3, 1},
                        {UpdateKind::kMin, 4, kMinus, 7, kMinus},
                        {UpdateKind::kMax, kMinus, 2, kMinus, 2},
                        {UpdateKind::kUnsignedMin, kMinus, 9, 7, 7},
                        {UpdateKind::kUnsignedMax, 4, 9, kMinus, kMinus}};
  for (const Case& one : cases) {
    // The last word is of no copy's business; no worker touches the one before it.
    std::vector<std::uint32_t> words(201, one.before);
    Buffer buffer = buffer_of(words, one.kind);
    buffer.bytes -= 2;
    WorkerCopies copies(these(buffer), 2);
    const std::unique_ptr<Worker[]> workers(new Worker[2]);
    for (unsigned w = 0; w < 2; ++w) {
      const std::uint64_t* distances = copies.of(workers[w]);
      ASSERT_NE(distances, nullptr);
      EXPECT_EQ(copies.of(workers[w]), distances);
      std::uint32_t& word = own(distances, 0, words[70]);
      switch (const std::uint32_t operand = w ? one.two : one.one; one.kind) {
        case UpdateKind::kAdd: word += operand; break;
        case UpdateKind::kAnd: word &= operand; break;
        case UpdateKind::kOr: word |= operand; break;
        case UpdateKind::kXor: word ^= operand; break;
        case UpdateKind::kMin: word = static_cast<std::uint32_t>(std::min(static_cast<int>(word), static_cast<int>(operand))); break;
        case UpdateKind::kMax: word = static_cast<std::uint32_t>(std::max(static_cast<int>(word), static_cast<int>(operand))); break;
        case UpdateKind::kUnsignedMin: word = std::min(word, operand); break;
        default: word = std::max(word, operand); break;
      }
    }
    copies.add_up();
    EXPECT_EQ(words[70], one.after) << static_cast<int>(one.kind);
    for (std::size_t i = 0; i < words.size(); ++i)
      if (i != 70) EXPECT_EQ(words[i], one.before) << i;
  }
}

TEST(WorkerCopies, SeveralBuffersAndWidths) {
  std::vector<std::uint32_t> narrow(5, 1);
  std::vector<std::uint64_t> wide(3, std::uint64_t{1} << 40);
  WorkerCopies copies(these(buffer_of(narrow, UpdateKind::kAdd), buffer_of(wide, UpdateKind::kMax)), 1);
  const Worker worker;
  const std::uint64_t* distances = copies.of(worker);
  own(distances, 0, narrow[4]) += 2;
  own(distances, 1, wide[2]) = std::uint64_t{1} << 50;
  EXPECT_EQ(narrow[4], 1u);
  copies.add_up();
  EXPECT_EQ(narrow, (std::vector<std::uint32_t>{1, 1, 1, 1, 3}));
  EXPECT_EQ(wide, (std::vector<std::uint64_t>{std::uint64_t{1} << 40, std::uint64_t{1} << 40, std::uint64_t{1} << 50}));
}

TEST(WorkerCopies, WhoComesLateUpdatesTheBuffer) {
  std::vector<std::uint32_t> words(4, 0);
  WorkerCopies copies(these(buffer_of(words, UpdateKind::kAdd)), 2);
  const std::unique_ptr<Worker[]> workers(new Worker[3]);
  EXPECT_NE(copies.of(workers[0]), nullptr);
  EXPECT_NE(copies.of(workers[1]), nullptr);
  EXPECT_EQ(copies.of(workers[2]), nullptr);
  EXPECT_NE(copies.of(workers[0]), copies.of(workers[1]));
}

TEST(WorkerCopies, PayForManyUpdatesOfFewWords) {
  std::vector<std::uint32_t> few(256), many(1 << 20);
  EXPECT_TRUE(WorkerCopies::pay(these(buffer_of(few, UpdateKind::kAdd)), 1 << 20, 16));
  EXPECT_FALSE(WorkerCopies::pay(these(buffer_of(few, UpdateKind::kAdd)), 256, 16));
  EXPECT_FALSE(WorkerCopies::pay(these(buffer_of(many, UpdateKind::kAdd)), std::uint64_t{1} << 40, 1));
  EXPECT_FALSE(WorkerCopies::pay({}, 1 << 20, 1));
  // Of 16 workers each has 16 work-items: 1 update each is too few, 16 are enough.
  Buffer counted = buffer_of(few, UpdateKind::kAdd);
  EXPECT_FALSE(WorkerCopies::pay(these(counted), 256, 16));
  counted.updates = 16;
  EXPECT_TRUE(WorkerCopies::pay(these(counted), 256, 16));
}

}  // namespace
}  // namespace weft::device
