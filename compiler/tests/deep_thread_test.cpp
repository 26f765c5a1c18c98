// LLVM's fatal errors, exceptions and deep recursion on the compiler's threads.
#include "compiler/support/deep_thread.h"

#include <gtest/gtest.h>

#include <stdexcept>

#include "llvm/ADT/StringRef.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Pass.h"
#include "llvm/Support/ErrorHandling.h"

/// LeakSanitizer's, if that is there: the calling thread's allocations are no leaks from now on.
extern "C" __attribute__((weak)) void __lsan_disable();

namespace weft::compiler::support {
namespace {

TEST(DeepThread, FatalErrorsBecomeErrors) {
  std::string error;
  EXPECT_FALSE(run_on_deep_thread([] { llvm::report_fatal_error("enough"); }, error));
  EXPECT_NE(error.find("enough"), std::string::npos) << error;
}

TEST(DeepThread, FatalErrorsPassThroughLlvmsFrames) {
  // The legacy verifier pass reports a broken function as fatal, several of LLVM's frames deep.
  std::string error;
  EXPECT_FALSE(run_on_deep_thread(
      [] {
        if (__lsan_disable) __lsan_disable();  // these frames are left without their destructors
        llvm::LLVMContext context;
        llvm::Module module("broken", context);
        auto* type = llvm::FunctionType::get(llvm::Type::getInt32Ty(context), false);
        auto* function = llvm::Function::Create(type, llvm::GlobalValue::ExternalLinkage, "f", module);
        llvm::BasicBlock::Create(context, "entry", function);  // no terminator
        llvm::legacy::PassManager passes;
        passes.add(llvm::createVerifierPass());
        passes.run(module);
      },
      error));
  EXPECT_NE(error.find("internal compiler error"), std::string::npos) << error;
}

TEST(DeepThread, ExceptionsBecomeErrors) {
  std::string error;
  EXPECT_FALSE(run_on_deep_thread([] { throw std::runtime_error("thrown"); }, error));
  EXPECT_NE(error.find("thrown"), std::string::npos);
  EXPECT_TRUE(run_on_deep_thread([] {}, error));
}

int recurse(int depth) {
  volatile char frame[1024];
  frame[depth % 1024] = static_cast<char>(depth);
  return depth == 0 ? 0 : recurse(depth - 1) + frame[depth % 1024] * 0 + 1;
}

TEST(DeepThread, StackIsDeep) {
  std::string error;
  int depth = 0;
  EXPECT_TRUE(run_on_deep_thread([&] { depth = recurse(100000); }, error));
  EXPECT_EQ(depth, 100000);
}

}  // namespace
}  // namespace weft::compiler::support
