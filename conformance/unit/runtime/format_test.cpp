// Hashes, cache keys' parts and the container of program binaries.
#include <gtest/gtest.h>

#include "runtime/hash.h"
#include "runtime/program_binary.h"
#include "compiler/serialize.h"

namespace weft::runtime {
namespace {

using compiler::Bytes;
using compiler::Reader;
using compiler::Writer;

std::string hash_of(std::string_view text) { return to_hex(Hasher().bytes(text.data(), text.size()).finish()); }

// Digits of `xxhsum -H2`.
TEST(Hash, IsXxh3) {
  EXPECT_EQ(hash_of(""), "99aa06d3014798d86001c324468d497f");
  EXPECT_EQ(hash_of("abc"), "06b05ab6733a618578af5f94892f3950");
  EXPECT_EQ(hash_of(std::string(1'000'000, 'a')), "a545df8e384a9579b1fd6fae5285c4eb");
}

TEST(Hash, DoesNotDependOnHowBytesArrive) {
  const std::string text(300, 'x');
  for (std::size_t cut = 0; cut <= text.size(); ++cut) {
    EXPECT_EQ(to_hex(Hasher().bytes(text.data(), cut).bytes(text.data() + cut, text.size() - cut).finish()),
              hash_of(text));
  }
}

TEST(Hash, FieldsDoNotRunTogether) {
  EXPECT_NE(Hasher().field("ab").field("c").finish(), Hasher().field("a").field("bc").finish());
}

// Digits of `xxhsum -H3`, and what LLVM's xxh3_64bits gives.
TEST(Hash, ContentHashIsXxh3) {
  EXPECT_EQ(content_hash(""), 0x2d06800538d394c2u);
  EXPECT_EQ(content_hash("abc"), 0x78af5f94892f3950u);
  EXPECT_EQ(content_hash(std::string(1'000'000, 'a')), 0xb1fd6fae5285c4ebu);
}

ProgramBinary sample() {
  ProgramBinary binary;
  binary.type = CL_PROGRAM_BINARY_TYPE_EXECUTABLE;
  binary.options = "-DX=1";
  binary.bitcode.assign(500, 0xBC);
  return binary;
}

TEST(ProgramBinary, SurvivesTheRoundTrip) {
  const auto decoded = decode(encode(sample()));
  ASSERT_TRUE(decoded);
  EXPECT_EQ(decoded->type, cl_program_binary_type{CL_PROGRAM_BINARY_TYPE_EXECUTABLE});
  EXPECT_EQ(decoded->options, "-DX=1");
  EXPECT_EQ(decoded->bitcode, sample().bitcode);
  EXPECT_EQ(encode(*decoded), encode(sample()));
}

TEST(KernelInfo, SurvivesTheRoundTrip) {
  compiler::KernelInfo kernel;
  kernel.name = "add";
  kernel.attributes = "reqd_work_group_size(8,4,1)";
  kernel.argument_bytes = 24;
  kernel.local_bytes = 128;
  kernel.reqd_work_group_size[0] = 8;
  kernel.uses_barrier = true;
  compiler::KernelArg& arg = kernel.args.emplace_back();
  arg.kind = compiler::ArgKind::kLocalPointer;
  arg.address_space = 3;
  arg.offset = 16;
  arg.size = 8;
  arg.type_name = "float4*";
  arg.name = "tile";
  Writer out;
  out.value(kernel);
  const Bytes bytes = out.take();
  Reader in(bytes);
  const auto read = in.value<compiler::KernelInfo>();
  EXPECT_TRUE(in.done());
  EXPECT_EQ(read.name, "add");
  EXPECT_EQ(read.reqd_work_group_size[0], 8u);
  EXPECT_TRUE(read.uses_barrier);
  EXPECT_FALSE(read.uses_printf);
  ASSERT_EQ(read.args.size(), 1u);
  EXPECT_EQ(read.args[0].kind, compiler::ArgKind::kLocalPointer);
  EXPECT_EQ(read.args[0].name, "tile");
}

template <class T>
Bytes bytes_of(const T& value) {
  Writer out;
  out.value(value);
  return out.take();
}

/// Whether each field of `value` alone changes its bytes and its hash, and comes back when read.
template <class T>
void expect_every_field_counts(T value) {
  const Bytes before = bytes_of(value);
  const auto change = [&](auto& field) {
    using Field = std::remove_reference_t<decltype(field)>;
    const T kept = value;
    if constexpr (std::same_as<Field, bool>) {
      field = !field;
    } else if constexpr (std::is_array_v<Field>) {
      field[std::extent_v<Field> - 1] += 1;
    } else if constexpr (compiler::Number<Field>) {
      field = static_cast<Field>(static_cast<std::uint64_t>(field) + 1);
    } else if constexpr (std::same_as<Field, abi::CounterTable>) {
      field.words += 1;  // its own fields are tested below
    } else {
      field.resize(field.size() + 1);
    }
    const Bytes changed = bytes_of(value);
    EXPECT_NE(changed, before);
    EXPECT_NE(Hasher().field(value).finish(), Hasher().field(kept).finish());
    Reader in(changed);
    EXPECT_EQ(bytes_of(in.value<T>()), changed);
    EXPECT_TRUE(in.done());
    value = kept;
  };
  std::apply([&](auto&... field) { (change(field), ...); }, fields(value));
}

TEST(Fields, EveryFieldIsWrittenReadAndHashed) {
  expect_every_field_counts(compiler::Specialization{});
  expect_every_field_counts(compiler::GenerateResult{});
  expect_every_field_counts(compiler::KernelInfo{});
  expect_every_field_counts(compiler::KernelArg{});
  expect_every_field_counts(compiler::Dependency{});
  expect_every_field_counts(compiler::Options{});
  expect_every_field_counts(abi::CounterTable{});
  expect_every_field_counts(abi::CountedBlock{});
  expect_every_field_counts(abi::CountedRecord{});
}

TEST(ProgramBinary, EveryFlippedBitAndEveryLengthIsNoticed) {
  const auto good = encode(sample());
  for (std::size_t i = 0; i < good.size(); ++i) {
    auto bad = good;
    bad[i] ^= static_cast<std::uint8_t>(1u << (i % 8));
    EXPECT_FALSE(decode(bad)) << i;
    EXPECT_FALSE(decode({good.data(), i})) << i;
  }
  auto longer = good;
  longer.push_back(0);
  EXPECT_FALSE(decode(longer));
}

TEST(Reader, LengthsBeyondTheEndGiveNothing) {
  const Bytes data = bytes_of(std::vector<std::uint64_t>{1});  // a length of 1, then the number 1
  Reader text(std::span<const std::uint8_t>(data).subspan(8));
  EXPECT_EQ(text.value<std::string>(), "");
  EXPECT_FALSE(text.ok());
  EXPECT_EQ(text.value<std::uint64_t>(), 0u);  // nothing after the first fault
  Reader kernels(data);
  EXPECT_TRUE(kernels.value<std::vector<compiler::KernelInfo>>().empty());
  EXPECT_FALSE(kernels.done());
  const Bytes endless = bytes_of(~std::uint64_t{0});
  Reader numbers(endless);
  EXPECT_TRUE(numbers.value<std::vector<std::uint64_t>>().empty());
  EXPECT_FALSE(numbers.ok());
}

}  // namespace
}  // namespace weft::runtime
