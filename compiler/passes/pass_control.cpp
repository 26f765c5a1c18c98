#include "compiler/passes/pass_control.h"

#include "compiler/passes/pass_list.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/Twine.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Instruction.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/raw_ostream.h"

namespace weft::compiler::passes {

llvm::Expected<std::vector<std::string>> pass_names(llvm::StringRef names, bool required_too) {
  std::vector<std::string> result;
  for (llvm::StringRef name : llvm::split(names, ',')) {
    name = name.trim();
    if (name.empty()) continue;
    const PassInfo* pass = find_pass(name);
    if (!pass) return llvm::createStringError("no pass is called '" + name + "' (weftc --list-passes names them all)");
    if (!required_too && pass->kind != Kind::kOptimization)
      return llvm::createStringError("pass '" + name + "' is " + (pass->kind == Kind::kGuard ? "a " : "") + spelled(pass->kind) +
                                     " and cannot be left out");
    result.push_back(name.str());
  }
  return result;
}

PassControl::PassControl(PassOptions options) : PassControl(std::move(options), llvm::errs()) {}
PassControl::PassControl(PassOptions options, llvm::raw_ostream& out) : options_(std::move(options)), out_(&out) {}

bool PassControl::is_on(Pass pass) const {
  const PassInfo& about = info(pass);
  if (options_.required_only && about.kind == Kind::kOptimization) return false;
  if (llvm::is_contained(options_.disable, about.name)) return false;
  return !selective() || about.scope == Scope::kWidening || llvm::is_contained(options_.only, about.name);
}

llvm::Error PassControl::run(Pass pass, llvm::Module& module, llvm::function_ref<llvm::Error()> body) {
  if (stopped_) return llvm::Error::success();
  const llvm::StringRef name = info(pass).name;
  const bool on = is_on(pass);
  if (options_.trace) *out_ << name << (on ? "\n" : " (left out)\n");
  if (on) {
    running_ = name;
    if (llvm::Error error = body()) return error;
    running_ = "";
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

}  // namespace weft::compiler::passes
