#include "compiler/simt/pass_control.h"

#include <cstdlib>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/Twine.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Instruction.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/raw_ostream.h"

namespace weft::compiler::simt {

PassOptions library_options() {
  PassOptions options;
  const char* const disabled = std::getenv("WEFT_DISABLE");
  for (const llvm::StringRef name : llvm::split(disabled ? disabled : "", ','))
    if (!name.trim().empty()) options.disable.push_back(name.trim().str());
  return options;
}

PassControl::PassControl(PassOptions options) : options_(std::move(options)), out_(&llvm::errs()) {}
PassControl::PassControl(PassOptions options, llvm::raw_ostream& out)
    : options_(std::move(options)), out_(&out) {}

bool PassControl::names(llvm::StringRef name) const { return llvm::is_contained(options_.only, name); }

llvm::Error PassControl::run(llvm::StringRef name, llvm::Module& module,
                             llvm::function_ref<llvm::Error()> body) {
  if (stopped_) return llvm::Error::success();
  const bool left_out =
      llvm::is_contained(options_.disable, name) || (selective() && !names(name));
  if (options_.list) *out_ << name << (left_out ? " (left out)\n" : "\n");
  if (!left_out) {
    running_ = name.str();
    if (llvm::Error error = body()) return error;
    running_.clear();
    if (options_.verify_each) {
      std::string text;
      llvm::raw_string_ostream stream(text);
      if (llvm::verifyModule(module, &stream))
        return llvm::createStringError("broken module after pass '" + name + "':\n" + stream.str());
    }
    if (llvm::is_contained(options_.print_after, name) || llvm::is_contained(options_.print_after, "all")) {
      *out_ << "; --- after " << name << " ---\n";
      module.print(*out_, nullptr);
    }
  }
  if (options_.stop_after == name) stopped_ = true;
  return llvm::Error::success();
}

void PassControl::remark(const llvm::Instruction* where, const llvm::Twine& message) {
  if (!options_.remarks) return;
  llvm::raw_string_ostream stream(remarks_);
  if (where != nullptr && where->getDebugLoc()) {
    const llvm::DILocation& location = *where->getDebugLoc();
    stream << location.getFilename() << ':' << location.getLine() << ": ";
  }
  stream << "remark: " << message;
  if (!running_.empty()) stream << " [" << running_ << "]";
  stream << '\n';
}

}  // namespace weft::compiler::simt
