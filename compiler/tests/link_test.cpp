// Objects that no compiler of ours made.
#include <gtest/gtest.h>

#include "compiler/pipeline/pipeline.h"
#include "compiler/support/bitcode.h"
#include "compiler/target/target.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"

namespace weft::compiler {
namespace {

// With line tables LLVM's reader would verify it, print to stderr, and end the process.
TEST(Link, AnObjectThatDoesNotVerifyIsAnErrorWithALog) {
  constexpr char kUsedBeforeItIs[] =
      "define void @f(i1 %c, ptr %p) {\n"
      "  br i1 %c, label %a, label %b\n"
      "a:\n"
      "  %x = load i32, ptr %p\n"
      "  br label %b\n"
      "b:\n"
      "  store i32 %x, ptr %p\n"
      "  ret void\n"
      "}\n"
      "!llvm.module.flags = !{!0}\n"
      "!0 = !{i32 2, !\"Debug Info Version\", i32 3}\n";
  target::host_cpu();  // as the compiler's start does
  llvm::LLVMContext context;
  llvm::SMDiagnostic diagnostic;
  // The parser checks nothing of this.
  const auto module = llvm::parseAssemblyString(kUsedBeforeItIs, diagnostic, context);
  ASSERT_NE(module, nullptr) << diagnostic.getMessage().str();
  const Bytes object = support::write_bitcode(*module);

  testing::internal::CaptureStderr();
  const LinkResult linked = pipeline::link({&object}, "", /*create_library=*/true, nullptr, {});
  const LinkResult described = pipeline::describe(object);
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
  for (const LinkResult* result : {&linked, &described}) {
    EXPECT_FALSE(result->ok);
    EXPECT_NE(result->log.find("does not dominate"), std::string::npos) << result->log;
  }
}

}  // namespace
}  // namespace weft::compiler
