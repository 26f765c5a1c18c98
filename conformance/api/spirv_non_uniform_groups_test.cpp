// Launches of SPIR-V modules whose last groups are smaller than the others.
#include "api/ragged.h"
#include "api/spirv_modules.h"

namespace weft::conformance {
namespace {

/// A module with a kernel that writes to its one argument, from %to on, the `numbers` of a work-item, whose place in the range is %place.
std::string module_of(const std::string& name, const std::string& numbers, const std::string& types, const std::string& body) {
  const std::vector<std::string> vectors = {"GlobalInvocationId", "LocalInvocationId", "WorkgroupId", "WorkgroupSize", "EnqueuedWorkgroupSize",
                                            "NumWorkgroups", "GlobalOffset", "GlobalSize"};
  const std::vector<std::string> longs = {"GlobalLinearId", "LocalInvocationIndex"};
  const std::vector<std::string> ints = {"NumSubgroups", "NumEnqueuedSubgroups", "SubgroupSize"};
  std::string interface, decorations, variables, loads;
  const auto declare = [&](const std::vector<std::string>& names, const std::string& type) {
    for (const std::string& each : names) {
      interface += " %" + each;
      decorations += "OpDecorate %" + each + " BuiltIn " + each + "\nOpDecorate %" + each + " Constant\n";
      variables += "%" + each + " = OpVariable %in_" + type + " Input\n";
      loads += "%v_" + each + " = OpLoad %" + type + " %" + each + "\n";
    }
  };
  declare(vectors, "long3");
  declare(longs, "long");
  declare(ints, "int");
  const auto part = [](const std::string& of, const std::string& d) { return "%" + of + d + " = OpCompositeExtract %long %v_" + of + " " + d + "\n"; };
  for (const char* d : {"0", "1", "2"}) {
    loads += part("GlobalInvocationId", d) + part("GlobalOffset", d) + part("GlobalSize", d);
    loads += std::string("%i") + d + " = OpISub %long %GlobalInvocationId" + d + " %GlobalOffset" + d + "\n";
  }
  return R"(
OpCapability Addresses
OpCapability Kernel
OpCapability Int64
OpCapability Groups
OpCapability SubgroupDispatch
OpMemoryModel Physical64 OpenCL
OpEntryPoint Kernel %kernel ")" + name + "\"" + interface + "\n" + decorations + R"(
%void = OpTypeVoid
%int = OpTypeInt 32 0
%long = OpTypeInt 64 0
%long3 = OpTypeVector %long 3
%in_long3 = OpTypePointer Input %long3
%in_long = OpTypePointer Input %long
%in_int = OpTypePointer Input %int
%to_long = OpTypePointer CrossWorkgroup %long
%signature = OpTypeFunction %void %to_long
%workgroup = OpConstant %int 2
%subgroup = OpConstant %int 3
%local_fence = OpConstant %int 272
%one_int = OpConstant %int 1
%one = OpConstant %long 1
%numbers = OpConstant %long )" + numbers + "\n" + variables + types + R"(
%kernel = OpFunction %void None %signature
%out = OpFunctionParameter %to_long
%entry = OpLabel
)" + loads + R"(
%row = OpIMul %long %i2 %GlobalSize1
%rows = OpIAdd %long %row %i1
%before = OpIMul %long %rows %GlobalSize0
%place = OpIAdd %long %before %i0
%first = OpIMul %long %place %numbers
%to = OpInBoundsPtrAccessChain %to_long %out %first
)" + body + "OpReturn\nOpFunctionEnd\n";
}

/// Stores %`value` as the number `at` of the work-item.
std::string store(unsigned at, const std::string& value) {
  const std::string pointer = "%to" + std::to_string(at);
  return pointer + " = OpInBoundsPtrAccessChain %to_long %to %c" + std::to_string(at) + "\nOpStore " + pointer + " %" + value + " Aligned 8\n";
}

std::string constants(unsigned count) {
  std::string text;
  for (unsigned i = 0; i < count; ++i) text += "%c" + std::to_string(i) + " = OpConstant %long " + std::to_string(i) + "\n";
  return text;
}

class SpirvNonUniformGroups : public SpirvTest {
 protected:
  void SetUp() override {
    SpirvTest::SetUp();
    if (!device_value<cl_bool>(device, CL_DEVICE_NON_UNIFORM_WORK_GROUP_SUPPORT)) GTEST_SKIP() << "groups are uniform";
  }
};

TEST_F(SpirvNonUniformGroups, BuiltInVariables) {
  std::string body;
  unsigned at = 0;
  for (const char* vector : {"GlobalInvocationId", "LocalInvocationId", "WorkgroupId", "WorkgroupSize", "EnqueuedWorkgroupSize", "NumWorkgroups",
                             "GlobalOffset"})
    for (const char* d : {"0", "1", "2"}) {
      body += std::string("%w_") + vector + d + " = OpCompositeExtract %long %v_" + vector + " " + d + "\n";
      body += store(at++, std::string("w_") + vector + d);
    }
  for (const char* id : {"v_GlobalLinearId", "v_LocalInvocationIndex"}) body += store(at++, id);
  const Program program = build(module_of("ids", "24", constants(24), body));
  check_ids(session, program, /*of_dimension_3=*/false);
}

// Barriers, local memory, sub-groups and collectives are those of the smaller group.
TEST_F(SpirvNonUniformGroups, GroupsOfTheirOwn) {
  const Program program = build(module_of("k", "7", constants(7) + R"(
%most = OpConstant %long 1024
%values = OpTypeArray %long %most
%to_values = OpTypePointer Workgroup %values
%to_value = OpTypePointer Workgroup %long
%shared = OpVariable %to_values Workgroup
)", R"(
%all = OpGroupIAdd %int %workgroup Reduce %one_int
%all_long = OpUConvert %long %all
%own = OpInBoundsAccessChain %to_value %shared %v_LocalInvocationIndex
OpStore %own %place Aligned 8
OpControlBarrier %workgroup %workgroup %local_fence
%behind = OpIAdd %long %v_LocalInvocationIndex %one
%next = OpUMod %long %behind %all_long
%from = OpInBoundsAccessChain %to_value %shared %next
%neighbour = OpLoad %long %from Aligned 8
%rank = OpGroupIAdd %int %workgroup ExclusiveScan %one_int
%rank_long = OpUConvert %long %rank
%lanes = OpGroupIAdd %int %subgroup Reduce %one_int
%lanes_long = OpUConvert %long %lanes
%size_long = OpUConvert %long %v_SubgroupSize
%count_long = OpUConvert %long %v_NumSubgroups
%enqueued_long = OpUConvert %long %v_NumEnqueuedSubgroups
)" + store(0, "all_long") + store(1, "neighbour") + store(2, "rank_long") + store(3, "lanes_long") + store(4, "size_long") +
                                                        store(5, "count_long") + store(6, "enqueued_long")));
  const Kernel kernel = session.kernel(program, "k");
  for (const Range& range : kRaggedRanges) {
    const Sizes global = sizes(range.global, 1), local = sizes(range.local, 1);
    const Mem out = session.buffer(product(global) * 7 * 8);
    session.launch(kernel, range, out);
    const auto got = session.download<cl_ulong>(out, product(global) * 7);
    for_each(range, [&](const Item& item, std::size_t at) {
      const cl_ulong* o = &got[at * 7];
      const std::size_t items = product(item.local_size), next = (item.local_linear() + 1) % items;
      const Sizes neighbour = {next % item.local_size[0], next / item.local_size[0] % item.local_size[1], next / item.local_size[0] / item.local_size[1]};
      cl_ulong place = 0;
      for (unsigned d = 3; d-- > 0;) place = place * global[d] + item.group[d] * local[d] + neighbour[d];
      ASSERT_EQ(o[0], items) << at;
      ASSERT_EQ(o[1], place) << at;
      ASSERT_EQ(o[2], item.local_linear()) << at;
      ASSERT_EQ(o[3], o[4]) << at;
      if (!testing_weft()) return;  // of 32
      ASSERT_EQ(o[4], std::min<std::size_t>(32, items - item.local_linear() / 32 * 32)) << at;
      ASSERT_EQ(o[5], (items + 31) / 32) << at;
      ASSERT_EQ(o[6], (product(local) + 31) / 32) << at;
    });
  }
}

}  // namespace
}  // namespace weft::conformance
