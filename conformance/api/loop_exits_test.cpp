// What work-items of a sub-group do in a loop under a condition, they do together in their iteration, whichever way they leave it then
// (docs/lockstep.md).
#include <algorithm>

#include "api/fixture.h"
#include "api/spirv_modules.h"

namespace weft::conformance {
namespace {

/// Runs kernels of (global const uint* in, global uint* out) which leave in each element a ballot of those in its sub-group that have the
/// same key.
void check_keys(Session& session, cl_device_id device, cl_program program, const char* name, cl_uint keys) {
  for (const std::size_t local : {std::size_t{32}, std::size_t{20}}) {
    const std::size_t count = local * 3;
    std::vector<cl_uint> in(count);
    for (std::size_t i = 0; i < count; ++i) in[i] = static_cast<cl_uint>(i * i * 7 + 3) % 101;
    const Mem from = session.upload(in), to = session.buffer(count * sizeof(cl_uint));
    const Kernel kernel = session.kernel(program, name);
    std::size_t width = 0;
    ASSERT_EQ(clGetKernelSubGroupInfo(kernel, device, CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE, sizeof local, &local, sizeof width, &width, nullptr),
              CL_SUCCESS);
    session.launch(kernel, {{count}, {local}}, from, to);
    const auto got = session.download<cl_uint>(to, count);
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t group = i / local * local, first = group + (i - group) / width * width;
      cl_uint ballot = 0;
      for (std::size_t k = first; k < std::min(first + width, group + local); ++k)
        if (in[k] % keys == in[i] % keys) ballot |= 1u << (k - first);
      ASSERT_EQ(got[i], ballot) << name << ", item " << i << " of groups of " << local;
    }
  }
}

class LoopExits : public ApiTest {};

// The inner conditions are true, which a compiler may find out.
constexpr const char* kSource = R"(
uint here() { return sub_group_ballot(1).x; }
kernel void by_break(global const uint* in, global uint* out) {
  const uint key = in[get_global_id(0)] % 5;
  uint r = 0;
  for (uint i = 0; i < 8; ++i) {
    if (key == i) {
      r = here();
      if (i < 8) break;
    }
  }
  out[get_global_id(0)] = r;
}
kernel void by_flag(global const uint* in, global uint* out) {
  const uint key = in[get_global_id(0)] % 5;
  uint r = 0, i = 0;
  for (;;) {
    bool found = false;
    if (key == i) {
      r = here();
      found = true;
    }
    if (found) break;
    ++i;
  }
  out[get_global_id(0)] = r;
}
kernel void by_loop_condition(global const uint* in, global uint* out) {
  const uint key = in[get_global_id(0)] % 5;
  uint r = 0, i = 0;
  bool found = false;
  do {
    if (key == i) {
      r = here();
      found = true;
    }
    ++i;
  } while (!found);
  out[get_global_id(0)] = r;
}
kernel void in_the_last_iteration(global const uint* in, global uint* out) {
  const uint key = in[get_global_id(0)] % 5;
  uint r = 0;
  for (uint i = 0; i <= key; ++i)
    if (i == key) r = here();
  out[get_global_id(0)] = r;
}
kernel void by_return(global const uint* in, global uint* out) {
  const uint key = in[get_global_id(0)] % 5;
  for (uint i = 0; i < 8; ++i) {
    if (key == i) {
      out[get_global_id(0)] = here();
      if (i <= 7) return;
    }
  }
}
kernel void behind_continue(global const uint* in, global uint* out) {
  const uint key = in[get_global_id(0)] % 5;
  uint r = 0;
  for (uint i = 0; i < 8; ++i) {
    if (key != i) continue;
    r = here();
    if (key < 5) break;
    r = 0;
  }
  out[get_global_id(0)] = r;
}
kernel void by_switch(global const uint* in, global uint* out) {
  const uint key = in[get_global_id(0)] % 5;
  uint r = 0, i = 0;
  while (1) {
    bool found = false;
    switch (key - i) {
      case 0:
        r = here();
        found = key < 5;
        break;
      case 1:
        i += 1;
        continue;
      default:
        i += 1;
    }
    if (found) break;
  }
  out[get_global_id(0)] = r;
}
kernel void of_two_loops(global const uint* in, global uint* out) {
  const uint key = in[get_global_id(0)] % 5;
  uint r = 0;
  bool found = false;
  for (uint i = 0; i < 4 && !found; ++i) {
    for (uint k = 0; k < 2; ++k) {
      if (key == i * 2 + k) {
        r = here();
        found = true;
        if (k < 2) break;
      }
    }
  }
  out[get_global_id(0)] = r;
}
kernel void by_goto(global const uint* in, global uint* out) {
  const uint key = in[get_global_id(0)] % 5;
  uint r = 0;
  for (uint i = 0; i < 4; ++i) {
    uint k = 0;
    do {
      if (key == i * 2 + k) {
        r = here();
        if (k <= 1) goto found;
      }
    } while (++k < 2);
  }
found:
  out[get_global_id(0)] = r;
}
uint search(uint key) {
  for (uint i = 0;; ++i) {
    if (key == i) {
      const uint r = here();
      if (key < 5) return r;
    }
  }
}
kernel void of_a_function(global const uint* in, global uint* out) { out[get_global_id(0)] = search(in[get_global_id(0)] % 5); }
)";

TEST_F(LoopExits, OfSources) {
  if (!has_extension("cl_khr_subgroup_ballot")) GTEST_SKIP() << "no ballots";
  const Program program = session.build(kSource, "-cl-std=CL3.0");
  for (const char* name : {"by_break", "by_flag", "by_loop_condition", "in_the_last_iteration", "by_return", "behind_continue", "by_switch",
                           "of_two_loops", "by_goto", "of_a_function"})
    check_keys(session, device, program, name, 5);
}

class SpirvLoopExits : public SpirvTest {
 protected:
  void SetUp() override {
    if (!has_extension("cl_khr_subgroup_ballot")) GTEST_SKIP() << "no ballots";
    SpirvTest::SetUp();
  }

  /// A kernel of which `body` leaves in %r what is stored, from %key.
  static std::string keys_kernel(const std::string& body) {
    return R"(
OpCapability Addresses
OpCapability Kernel
OpCapability Linkage
OpCapability Int64
OpCapability Groups
OpCapability GroupNonUniform
OpCapability GroupNonUniformBallot
OpMemoryModel Physical64 OpenCL
OpEntryPoint Kernel %k "k" %id
OpName %head "while.cond"
OpDecorate %id BuiltIn GlobalInvocationId
OpDecorate %id Constant
OpDecorate %id LinkageAttributes "id" Import
%void = OpTypeVoid
%bool = OpTypeBool
%uint = OpTypeInt 32 0
%ulong = OpTypeInt 64 0
%v3 = OpTypeVector %ulong 3
%v4 = OpTypeVector %uint 4
%pointer_v3 = OpTypePointer Input %v3
%pointer = OpTypePointer CrossWorkgroup %uint
%function = OpTypeFunction %void %pointer %pointer
%c0 = OpConstant %uint 0
%c1 = OpConstant %uint 1
%c2 = OpConstant %uint 2
%c3 = OpConstant %uint 3
%c5 = OpConstant %uint 5
%c9 = OpConstant %uint 9
%acquire_release = OpConstant %uint 264
%true = OpConstantTrue %bool
%id = OpVariable %pointer_v3 Input
%k = OpFunction %void None %function
%in = OpFunctionParameter %pointer
%out = OpFunctionParameter %pointer
%entry = OpLabel
%ids = OpLoad %v3 %id
%i = OpCompositeExtract %ulong %ids 0
%from = OpInBoundsPtrAccessChain %pointer %in %i
%to = OpInBoundsPtrAccessChain %pointer %out %i
%x = OpLoad %uint %from Aligned 4
%key = OpUMod %uint %x %c5
OpBranch %head
)" + body + "OpFunctionEnd\n";
  }

  void check(const std::string& body) {
    const Program program = build(keys_kernel(body), SPV_ENV_UNIVERSAL_1_3);
    check_keys(session, device, program, "k", 5);
  }
};

constexpr const char* kStore = R"(
OpStore %to %r Aligned 4
OpReturn
)";

/// The block that ends with the way out leads nowhere else: what belongs to the loop, its merge block says.
TEST_F(SpirvLoopExits, ByBreak) {
  check(std::string(R"(
%head = OpLabel
%n = OpPhi %uint %c0 %entry %next %continue
OpLoopMerge %merge %continue None
OpBranch %body
%body = OpLabel
%is_mine = OpIEqual %bool %key %n
OpBranchConditional %is_mine %found %continue
%found = OpLabel
%ballot = OpGroupNonUniformBallot %v4 %c3 %true
%r = OpCompositeExtract %uint %ballot 0
OpBranch %merge
%continue = OpLabel
%next = OpIAdd %uint %n %c1
OpBranch %head
%merge = OpLabel
)") + kStore);
}

TEST_F(SpirvLoopExits, ByReturn) {
  check(R"(
%head = OpLabel
%n = OpPhi %uint %c0 %entry %next %continue
OpLoopMerge %merge %continue None
OpBranch %body
%body = OpLabel
%goes_on = OpULessThan %bool %n %c9
OpBranchConditional %goes_on %test %merge
%test = OpLabel
%is_mine = OpIEqual %bool %key %n
OpBranchConditional %is_mine %found %continue
%found = OpLabel
%ballot = OpGroupNonUniformBallot %v4 %c3 %true
%r = OpCompositeExtract %uint %ballot 0
OpStore %to %r Aligned 4
OpReturn
%continue = OpLabel
%next = OpIAdd %uint %n %c1
OpBranch %head
%merge = OpLabel
OpReturn
)");
}

/// A loop whose merge block begins another, in a loop that is left from there.
TEST_F(SpirvLoopExits, OfNestedLoops) {
  check(std::string(R"(
%head = OpLabel
%n = OpPhi %uint %c0 %entry %next %continue
OpLoopMerge %merge %continue None
OpBranch %first
%first = OpLabel
%j = OpPhi %uint %c0 %head %j_next %first_continue
OpLoopMerge %second %first_continue None
OpBranch %first_body
%first_body = OpLabel
%first_ends = OpUGreaterThanEqual %bool %j %key
OpBranchConditional %first_ends %second %first_continue
%first_continue = OpLabel
%j_next = OpIAdd %uint %j %c1
OpBranch %first
%second = OpLabel
%m = OpPhi %uint %c0 %first_body %m_next %second_continue
OpLoopMerge %continue %second_continue None
OpBranch %second_body
%second_body = OpLabel
%twice = OpIMul %uint %n %c2
%place = OpIAdd %uint %twice %m
%is_mine = OpIEqual %bool %key %place
OpBranchConditional %is_mine %found %second_continue
%found = OpLabel
%ballot = OpGroupNonUniformBallot %v4 %c3 %true
%r = OpCompositeExtract %uint %ballot 0
OpBranch %merge
%second_continue = OpLabel
%m_next = OpIAdd %uint %m %c1
%goes_on = OpULessThan %bool %m_next %c2
OpBranchConditional %goes_on %second %continue
%continue = OpLabel
%next = OpIAdd %uint %n %c1
OpBranch %head
%merge = OpLabel
)") + kStore);
}

/// No structure is told, but the call is followed by a branch, which says that it is in the loop.
TEST_F(SpirvLoopExits, UnderAConditionThatIsAlwaysTrue) {
  check(std::string(R"(
%head = OpLabel
%n = OpPhi %uint %c0 %entry %next %continue
%is_mine = OpIEqual %bool %key %n
OpBranchConditional %is_mine %found %continue
%found = OpLabel
%ballot = OpGroupNonUniformBallot %v4 %c3 %true
%r = OpCompositeExtract %uint %ballot 0
%leaves = OpULessThan %bool %key %c5
OpBranchConditional %leaves %merge %continue
%continue = OpLabel
%next = OpIAdd %uint %n %c1
OpBranch %head
%merge = OpLabel
)") + kStore);
}

/// What is named as a merge block is none: code behind the loop leads to others that it would have in the loop.
TEST_F(SpirvLoopExits, WithAMergeBlockThatIsNone) {
  const Program program = build(keys_kernel(std::string(R"(
%head = OpLabel
%n = OpPhi %uint %c0 %entry %next %continue
OpLoopMerge %aside %continue None
OpBranch %body
%body = OpLabel
%is_mine = OpIEqual %bool %key %n
OpBranchConditional %is_mine %aside %test
%test = OpLabel
%goes_on = OpULessThan %bool %n %c2
OpBranchConditional %goes_on %continue %behind
%continue = OpLabel
%next = OpIAdd %uint %n %c1
OpBranch %head
%aside = OpLabel
OpBranch %behind
%behind = OpLabel
OpControlBarrier %c2 %c2 %acquire_release
%ballot = OpGroupNonUniformBallot %v4 %c3 %true
%r = OpCompositeExtract %uint %ballot 0
)") + kStore), SPV_ENV_UNIVERSAL_1_3);
  check_keys(session, device, program, "k", 1);
}

}  // namespace
}  // namespace weft::conformance
