// Programs from SPIR-V that tests write as text.
#pragma once

#include <spirv-tools/libspirv.hpp>

#include <string>
#include <vector>

#include "api/fixture.h"

namespace weft::conformance {

using Words = std::vector<std::uint32_t>;

class SpirvTest : public ApiTest {
 protected:
  void SetUp() override {
    if (device_string(device, CL_DEVICE_IL_VERSION).find("SPIR-V") == std::string::npos) GTEST_SKIP() << "the device takes no SPIR-V";
  }

  static Words assemble(const std::string& text, spv_target_env environment = SPV_ENV_UNIVERSAL_1_2) {
    spvtools::SpirvTools tools(environment);
    std::string log;
    tools.SetMessageConsumer([&](spv_message_level_t, const char*, const spv_position_t&, const char* message) { log += message; });
    Words words;
    if (!tools.Assemble(text, &words)) ADD_FAILURE() << log;
    return words;
  }

  Program create(const Words& words) {
    cl_int error = CL_SUCCESS;
    Program program(clCreateProgramWithIL(context, words.data(), words.size() * sizeof words[0], &error));
    EXPECT_EQ(error, CL_SUCCESS);
    return program;
  }

  std::string log_of(cl_program program) { return session.build_log(program); }

  Program build(const std::string& text, spv_target_env environment = SPV_ENV_UNIVERSAL_1_2) {
    Program program = create(assemble(text, environment));
    EXPECT_EQ(clBuildProgram(program, 1, &device, "", nullptr, nullptr), CL_SUCCESS) << log_of(program);
    return program;
  }

  std::vector<cl_int> run(const Program& program) {
    const Mem data = session.upload(iota<cl_int>(64));
    session.launch(session.kernel(program, "k"), {{64}, {32}}, data);
    return session.download<cl_int>(data, 64);
  }
};

/// `k(global int* data)`, with `body` between loading data[i] as %x and storing %y there; `types` before the functions, `decorations`
/// (and execution modes) before others, `capabilities` (and extensions) at the start.
inline std::string kernel_of(const std::string& body, const std::string& types = "", const std::string& decorations = "",
                             const std::string& capabilities = "") {
  return R"(
OpCapability Addresses
OpCapability Kernel
OpCapability Int64
OpCapability Linkage
)" + capabilities + R"(
%std = OpExtInstImport "OpenCL.std"
OpMemoryModel Physical64 OpenCL
OpEntryPoint Kernel %kernel "k" %id
)" + decorations + R"(
OpDecorate %id BuiltIn GlobalInvocationId
OpDecorate %id Constant
%void = OpTypeVoid
%bool = OpTypeBool
%int = OpTypeInt 32 0
%long = OpTypeInt 64 0
%long3 = OpTypeVector %long 3
%in_long3 = OpTypePointer Input %long3
%global_int = OpTypePointer CrossWorkgroup %int
%two = OpConstant %int 2
%signature = OpTypeFunction %void %global_int
%id = OpVariable %in_long3 Input
)" + types + R"(
%kernel = OpFunction %void None %signature
%data = OpFunctionParameter %global_int
%entry = OpLabel
%ids = OpLoad %long3 %id Aligned 32
%i = OpCompositeExtract %long %ids 0
%place = OpInBoundsPtrAccessChain %global_int %data %i
%x = OpLoad %int %place Aligned 4
)" + body + R"(
OpStore %place %y Aligned 4
OpReturn
OpFunctionEnd
)";
}

/// The start of a module whose kernel `k` has images: these capabilities too, then the types that its functions need, but for the image's.
inline std::string image_module(const std::string& capabilities) {
  return R"(
OpCapability Addresses
OpCapability Kernel
OpCapability ImageBasic
)" + capabilities + R"(
OpMemoryModel Physical64 OpenCL
OpEntryPoint Kernel %kernel "k"
%void = OpTypeVoid
%int = OpTypeInt 32 0
%float = OpTypeFloat 32
%int2 = OpTypeVector %int 2
%float2 = OpTypeVector %float 2
%float4 = OpTypeVector %float 4
%sampler = OpTypeSampler
)";
}

}  // namespace weft::conformance
