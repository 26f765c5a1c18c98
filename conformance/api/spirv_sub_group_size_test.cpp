// SPIR-V's execution mode SubgroupSize: instructions of sub-groups and what they say of themselves, in sub-groups of each size.
#include <algorithm>
#include <bit>
#include <functional>

#include "api/spirv_modules.h"
#include "api/sub_group_sizes.h"

namespace weft::conformance {
namespace {

/// The values of a sub-group, and the place of the work-item in it.
struct View {
  std::vector<std::uint32_t> values;
  std::size_t lane, id, lanes;
  std::uint32_t own() const { return values[lane]; }
};
struct Case {
  std::string body;
  std::function<std::uint32_t(const View&)> host;
};

constexpr char kCapabilities[] = R"(
OpCapability SubgroupDispatch
OpCapability Groups
OpCapability GroupNonUniform
OpCapability GroupNonUniformBallot
OpCapability GroupNonUniformArithmetic
OpCapability GroupNonUniformShuffle
OpCapability GroupNonUniformShuffleRelative
OpCapability GroupNonUniformClustered
OpCapability SubgroupShuffleINTEL
OpCapability SubgroupBufferBlockIOINTEL
OpExtension "SPV_INTEL_subgroups"
)";

constexpr char kTypes[] = R"(
%zero = OpConstant %int 0
%one = OpConstant %int 1
%three = OpConstant %int 3
%four = OpConstant %int 4
%int4 = OpTypeVector %int 4
%in_int = OpTypePointer Input %int
%size_in = OpVariable %in_int Input
%most_in = OpVariable %in_int Input
%count_in = OpVariable %in_int Input
%id_in = OpVariable %in_int Input
%lane_in = OpVariable %in_int Input
)";

class SpirvSubGroupSize : public SpirvTest {
 protected:
  /// Over groups of 44 with `size` lanes a sub-group.
  void expect(std::size_t size, const Case& tested) {
    SCOPED_TRACE(tested.body + ", sub-groups of " + std::to_string(size));
    std::string decorations = "OpExecutionMode %kernel SubgroupSize " + std::to_string(size) + "\n";
    for (const auto& [name, what] : {std::pair{"size", "SubgroupSize"}, {"most", "SubgroupMaxSize"}, {"count", "NumSubgroups"}, {"id", "SubgroupId"},
                                     {"lane", "SubgroupLocalInvocationId"}})
      decorations += std::string("OpDecorate %") + name + "_in BuiltIn " + what + "\nOpDecorate %" + name + "_in Constant\n";
    const std::string loads = "%lane = OpLoad %int %lane_in\n%p = OpUGreaterThan %bool %x %four\n";
    std::string text = kernel_of(loads + tested.body, kTypes, decorations, kCapabilities);
    const std::string interface = "\"k\" %id";
    text.insert(text.find(interface) + interface.size(), " %size_in %most_in %count_in %id_in %lane_in");
    const Program program = build(text, SPV_ENV_UNIVERSAL_1_3);
    constexpr std::size_t kLocal = 44, kCount = 132;
    std::vector<std::uint32_t> in(kCount);
    for (std::size_t i = 0; i < kCount; ++i) in[i] = static_cast<std::uint32_t>(i * i * 7 + i) % 19;
    const Mem data = session.upload(in);
    session.launch(session.kernel(program, "k"), {{kCount}, {kLocal}}, data);
    const auto out = session.download<std::uint32_t>(data, kCount);
    for (std::size_t i = 0; i < kCount; ++i) {
      const std::size_t place = i % kLocal, begin = i - place % size, items = std::min(size, kLocal - (place - place % size));
      const View view{{in.begin() + static_cast<long>(begin), in.begin() + static_cast<long>(begin + items)}, place % size, place / size, size};
      ASSERT_EQ(out[i], tested.host(view)) << i;
    }
  }
};

std::uint32_t sum(const View& v, std::size_t begin, std::size_t end) {
  return std::accumulate(v.values.begin() + static_cast<long>(begin), v.values.begin() + static_cast<long>(end), 0u);
}

TEST_F(SpirvSubGroupSize, OfEachKind) {
  if (!has_extension("cl_intel_required_subgroup_size")) GTEST_SKIP() << "no cl_intel_required_subgroup_size";
  const Case cases[] = {
      {"%size = OpLoad %int %size_in\n%most = OpLoad %int %most_in\n%count = OpLoad %int %count_in\n%number = OpLoad %int %id_in\n"
       "%a = OpIMul %int %most %four\n%b = OpIAdd %int %a %count\n%c = OpIMul %int %b %four\n%d = OpIAdd %int %c %number\n"
       "%e = OpShiftLeftLogical %int %d %four\n%f = OpIAdd %int %e %size\n%g = OpShiftLeftLogical %int %f %four\n%y = OpIAdd %int %g %lane",
       [](const View& v) {
         const std::size_t of_kernel = (v.lanes * 4 + (44 + v.lanes - 1) / v.lanes) * 4 + v.id;
         return static_cast<std::uint32_t>(((of_kernel << 4) + v.values.size() << 4) + v.lane);
       }},
      {"%y = OpGroupIAdd %int %three Reduce %x", [](const View& v) { return sum(v, 0, v.values.size()); }},
      {"%y = OpGroupIAdd %int %three ExclusiveScan %x", [](const View& v) { return sum(v, 0, v.lane); }},
      {"%y = OpGroupUMax %int %three InclusiveScan %x",
       [](const View& v) { return *std::max_element(v.values.begin(), v.values.begin() + static_cast<long>(v.lane) + 1); }},
      {"%y = OpGroupBroadcast %int %three %x %three", [](const View& v) { return v.values[3]; }},
      {"%t = OpGroupAll %bool %three %p\n%y = OpSelect %int %t %one %zero",
       [](const View& v) { return std::uint32_t{std::ranges::all_of(v.values, [](auto x) { return x > 4; })}; }},
      {"%t = OpGroupAny %bool %three %p\n%y = OpSelect %int %t %one %zero",
       [](const View& v) { return std::uint32_t{std::ranges::any_of(v.values, [](auto x) { return x > 4; })}; }},
      {"%t = OpGroupNonUniformBallot %int4 %three %p\n%y = OpCompositeExtract %int %t 0",
       [](const View& v) {
         std::uint32_t bits = 0;
         for (std::size_t i = 0; i < v.values.size(); ++i) bits |= std::uint32_t{v.values[i] > 4} << i;
         return bits;
       }},
      {"%t = OpGroupNonUniformBallot %int4 %three %p\n%y = OpGroupNonUniformBallotBitCount %int %three ExclusiveScan %t",
       [](const View& v) { return static_cast<std::uint32_t>(std::count_if(v.values.begin(), v.values.begin() + static_cast<long>(v.lane), [](auto x) { return x > 4; })); }},
      {"%y = OpGroupNonUniformBroadcastFirst %int %three %x", [](const View& v) { return v.values[0]; }},
      {"%y = OpGroupNonUniformIAdd %int %three ClusteredReduce %x %four",
       [](const View& v) { return sum(v, v.lane / 4 * 4, std::min(v.lane / 4 * 4 + 4, v.values.size())); }},
      {"%y = OpGroupNonUniformIAdd %int %three InclusiveScan %x", [](const View& v) { return sum(v, 0, v.lane + 1); }},
      {"%from = OpBitwiseXor %int %lane %one\n%y = OpGroupNonUniformShuffle %int %three %x %from", [](const View& v) { return v.values[v.lane ^ 1]; }},
      {"%y = OpGroupNonUniformShuffleXor %int %three %x %three", [](const View& v) { return v.values[v.lane ^ 3]; }},
      {"%by = OpBitwiseAnd %int %lane %one\n%y = OpGroupNonUniformShuffleUp %int %three %x %by", [](const View& v) { return v.values[v.lane & ~std::size_t{1}]; }},
      {"%from = OpBitwiseXor %int %lane %one\n%y = OpSubgroupShuffleINTEL %int %x %from", [](const View& v) { return v.values[v.lane ^ 1]; }},
      // Of two values side by side: its own sub-group's, and behind that the same again.
      {"%y = OpSubgroupShuffleUpINTEL %int %x %x %lane", [](const View& v) { return v.values[0]; }},
      // The first work-item's place is the block's.
      {"%back = OpUConvert %long %lane\n%first_place = OpISub %long %i %back\n%block = OpInBoundsPtrAccessChain %global_int %data %first_place\n"
       "%r = OpSubgroupBlockReadINTEL %int %block\n%y = OpIAdd %int %r %one",
       [](const View& v) { return v.own() + 1; }},
  };
  for (const std::size_t size : sub_group_sizes(device))
    for (const Case& tested : cases) expect(size, tested);
}

TEST_F(SpirvSubGroupSize, WithoutItsCapability) {
  WEFT_ONLY("translators of some versions do not declare SubgroupDispatch");
  const Program program = build(kernel_of("%y = OpGroupIAdd %int %three Reduce %two", "%three = OpConstant %int 3", "OpExecutionMode %kernel SubgroupSize 8",
                                          "OpCapability Groups"));
  EXPECT_EQ(run(program), std::vector<cl_int>(64, 16));
}

TEST_F(SpirvSubGroupSize, IsOneOfTheDevices) {
  WEFT_ONLY("sizes are 8, 16 and 32");
  const Program program = create(assemble(kernel_of("%y = OpIAdd %int %x %two", "", "OpExecutionMode %kernel SubgroupSize 64", "OpCapability SubgroupDispatch")));
  EXPECT_EQ(clBuildProgram(program, 1, &device, "", nullptr, nullptr), CL_BUILD_PROGRAM_FAILURE);
}

}  // namespace
}  // namespace weft::conformance
