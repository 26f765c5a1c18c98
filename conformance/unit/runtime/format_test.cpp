// Hashes, cache keys' parts and the container of program binaries.
#include <gtest/gtest.h>

#include "runtime/hash.h"
#include "runtime/program_binary.h"
#include "runtime/serialize.h"

namespace weft::runtime {
namespace {

std::string sha256(std::string_view text) {
  return to_hex(Hasher().bytes(text.data(), text.size()).finish());
}

TEST(Hash, IsSha256) {
  EXPECT_EQ(sha256(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(sha256("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(sha256("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  EXPECT_EQ(sha256(std::string(1'000'000, 'a')),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST(Hash, DoesNotDependOnHowBytesArrive) {
  const std::string text(300, 'x');
  for (std::size_t cut = 0; cut <= text.size(); ++cut) {
    EXPECT_EQ(to_hex(Hasher().bytes(text.data(), cut).bytes(text.data() + cut, text.size() - cut).finish()),
              sha256(text));
  }
}

TEST(Hash, FieldsDoNotRunTogether) {
  EXPECT_NE(Hasher().field("ab").field("c").finish(), Hasher().field("a").field("bc").finish());
}

TEST(Hash, ContentHashIsXxh64) {
  EXPECT_EQ(content_hash(""), 0xef46db3751d8e999u);
  EXPECT_EQ(content_hash("a"), 0xd24ec4f1a98c6e5bu);
  EXPECT_EQ(content_hash("abc"), 0x44bc2cf5ad770999u);
}

ProgramBinary sample() {
  ProgramBinary binary;
  binary.type = CL_PROGRAM_BINARY_TYPE_EXECUTABLE;
  binary.options = "-DX=1";
  compiler::KernelInfo& kernel = binary.kernels.emplace_back();
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
  binary.bitcode.assign(500, 0xBC);
  return binary;
}

TEST(ProgramBinary, SurvivesTheRoundTrip) {
  const auto decoded = decode(encode(sample()));
  ASSERT_TRUE(decoded);
  EXPECT_EQ(decoded->type, cl_program_binary_type{CL_PROGRAM_BINARY_TYPE_EXECUTABLE});
  EXPECT_EQ(decoded->options, "-DX=1");
  EXPECT_EQ(decoded->bitcode, sample().bitcode);
  ASSERT_EQ(decoded->kernels.size(), 1u);
  const auto& kernel = decoded->kernels[0];
  EXPECT_EQ(kernel.name, "add");
  EXPECT_EQ(kernel.attributes, "reqd_work_group_size(8,4,1)");
  EXPECT_EQ(kernel.argument_bytes, 24u);
  EXPECT_EQ(kernel.local_bytes, 128u);
  EXPECT_EQ(kernel.reqd_work_group_size[0], 8u);
  EXPECT_TRUE(kernel.uses_barrier);
  EXPECT_FALSE(kernel.uses_printf);
  ASSERT_EQ(kernel.args.size(), 1u);
  EXPECT_EQ(kernel.args[0].kind, compiler::ArgKind::kLocalPointer);
  EXPECT_EQ(kernel.args[0].offset, 16u);
  EXPECT_EQ(kernel.args[0].type_name, "float4*");
  EXPECT_EQ(kernel.args[0].name, "tile");
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
  Writer out;
  out.number<std::uint64_t>(~std::uint64_t{0});
  out.number<std::uint64_t>(1);
  const auto data = out.take();
  Reader text(data);
  EXPECT_EQ(text.text(), "");
  EXPECT_FALSE(text.ok());
  EXPECT_EQ(text.number<std::uint64_t>(), 0u);  // nothing after the first fault
  Reader kernels(data);
  EXPECT_TRUE(read_kernels(kernels).empty());
  EXPECT_FALSE(kernels.done());
}

}  // namespace
}  // namespace weft::runtime
