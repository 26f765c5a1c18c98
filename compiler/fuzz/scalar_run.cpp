#include "compiler/fuzz/scalar_run.h"

#include <pthread.h>

#include <algorithm>
#include <cstring>

#include "compiler/codegen/emit.h"
#include "compiler/codegen/optimize.h"
#include "compiler/support/analysis_managers.h"
#include "compiler/target/target.h"
#include "compiler/fuzz/fibers.h"
#include "compiler/fuzz/generator.h"
#include "compiler/fuzz/meeting_points.h"
#include "compiler/fuzz/meetings.h"
#include "compiler/simt/ir/address_spaces.h"
#include "compiler/simt/ir/component_permutes.h"
#include "compiler/simt/widen/float_parts.h"
#include "compiler/simt/widen/reciprocal_root.h"
#include "compiler/simt/analysis/uniformity.h"
#include "compiler/wide/half_floats.h"
#include "device/worker.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Transforms/IPO/AlwaysInliner.h"
#include "llvm/Transforms/Scalar/SROA.h"

namespace weft::fuzz {
namespace {

using compiler::simt::kGlobalSpace;
using compiler::simt::kLocalSpace;
using compiler::simt::kPrivateSpace;

/// What the primitives of the running work-item answer: their names without "__weft_" and the dimension.
struct ItemState {
  std::uint64_t local_id[3];
  std::uint64_t global_id[3];
  std::uint64_t group_id[3];
  std::uint64_t local_size[3];
  std::uint64_t global_size[3];
  std::uint64_t global_offset[3];
  std::uint64_t num_groups[3];
  std::uint64_t work_dim;
  std::uint64_t linear_id;
  std::uint64_t lane;
  std::uint64_t sub_group;
  std::uint64_t sub_group_size;
  std::uint64_t warp;
  std::uint64_t warp_lane;
};
ItemState item;

/// Where `__local` arguments lie.
alignas(128) std::byte local_memory[device::kLocalMemoryBytes];

Fibers& fibers() {
  static Fibers instance(kMostWorkItems);
  return instance;
}

void wait_at(std::uint32_t barrier) { fibers().wait(barrier); }

Meetings meetings;

std::uint64_t meet_at(const MeetingPoint* point, std::uint64_t value, std::uint32_t argument, const std::uint32_t* position) {
  return meetings.meet(fibers(), fibers().current(), item.linear_id, *point, value, argument, position);
}

/// Private memory is on the stack of the work-item, a fiber's or the thread's.
bool is_private(const void* address) {
  if (fibers().on_stack(address)) return true;
  static thread_local const auto stack = [] {
    pthread_attr_t attributes;
    void* begin = nullptr;
    std::size_t bytes = 0;
    pthread_getattr_np(pthread_self(), &attributes);
    pthread_attr_getstack(&attributes, &begin, &bytes);
    pthread_attr_destroy(&attributes);
    return std::pair{reinterpret_cast<std::uintptr_t>(begin), bytes};
  }();
  return reinterpret_cast<std::uintptr_t>(address) - stack.first < stack.second;
}

using Entry = void (*)(const std::byte* arguments);

const std::uint64_t* answer(llvm::StringRef name) {
  if (name == "work_dim") return &item.work_dim;
  if (name == "sub_group_lane") return &item.lane;
  if (name == "sub_group_id") return &item.sub_group;
  if (name == "sub_group_size") return &item.sub_group_size;
  if (name == "warp_id") return &item.warp;
  if (name == "warp_lane") return &item.warp_lane;
  // What the builtins ask about a pointer whose space is not known: it is (tell_spaces).
  static constexpr std::uint64_t kNowhere = 0, kTrue = 1;
  if (name == "leaves") return &kTrue;
  if (llvm::is_contained({"local_memory", "local_memory_bytes", "scratch", "scratch_bytes", "stack_end", "stack_bytes"}, name)) return &kNowhere;
  const std::pair<llvm::StringLiteral, const std::uint64_t*> fields[] = {
      {"local_id", item.local_id},       {"global_id", item.global_id},         {"group_id", item.group_id},    {"local_size", item.local_size},
      {"enqueued_local_size", item.local_size},
      {"global_size", item.global_size}, {"global_offset", item.global_offset}, {"num_groups", item.num_groups}};
  for (const auto& [field, values] : fields)
    if (name.size() == field.size() + 2 && name.starts_with(field) && name.back() >= 'x' && name.back() <= 'z')
      return values + (name.back() - 'x');
  return nullptr;
}

class Builder {
 public:
  Builder(llvm::Module& module, const compiler::KernelInfo& kernel, std::uint8_t local_begins)
      : module_(module), kernel_(kernel), local_begins_(local_begins), ir_(module.getContext()) {}

  llvm::Error build() {
    llvm::Function* kernel = module_.getFunction(kernel_.name);
    for (llvm::Function& function : module_) function.setCallingConv(llvm::CallingConv::C);
    for (llvm::Function& function : module_)
      for (llvm::BasicBlock& block : function)
        for (llvm::Instruction& instruction : block)
          if (auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction)) call->setCallingConv(llvm::CallingConv::C);
    inline_what_stops();
    number_barriers();
    auto points = make_meeting_points(*kernel, &meet_at);
    if (!points) return points.takeError();
    points_ = std::move(*points);
    compiler::simt::expand_float_parts(module_);
    compiler::simt::expand_component_permutes(module_);
    compiler::simt::expand_reciprocal_roots(module_, compiler::target::vectors());
    if (llvm::Function* prefetch = module_.getFunction(compiler::simt::primitive::kPrefetch))
      for (llvm::User* hint : llvm::make_early_inc_range(prefetch->users())) llvm::cast<llvm::CallInst>(hint)->eraseFromParent();
    if (llvm::Function* known = module_.getFunction("__weft_known_space")) tell_spaces(*known);
    for (llvm::Function& function : module_) {
      llvm::StringRef name = function.getName();
      if (!function.isDeclaration() || !name.consume_front("__weft_") || function.use_empty()) continue;
      const std::uint64_t* place = answer(name);
      if (!place) return llvm::createStringError("the oracle does not know " + function.getName());
      define(function, place);
    }
    make_entry(*kernel);
    begin_local_variables();
    return llvm::Error::success();
  }

  bool waits() const { return barriers_ != 0 || !points_.empty(); }
  std::vector<std::unique_ptr<MeetingPoint>> take_points() { return std::move(points_); }

 private:
  llvm::Value* address(const void* place) {
    return ir_.CreateIntToPtr(ir_.getInt64(reinterpret_cast<std::uintptr_t>(place)), ir_.getPtrTy());
  }

  /// All functions in which work-items wait for each other become part of the kernel.
  void inline_what_stops() {
    llvm::SmallSetVector<llvm::Function*, 16> found;
    for (llvm::Function& function : module_) {
      const llvm::StringRef name = function.getName();
      if (name == "__weft_barrier" || is_meeting_point(name))
        found.insert(&function);
    }
    for (std::size_t i = 0; i < found.size(); ++i) {
      for (llvm::User* user : found[i]->users()) {
        llvm::Function* caller = llvm::cast<llvm::Instruction>(user)->getFunction();
        if (caller->getName() == kernel_.name || !found.insert(caller)) continue;
        caller->removeFnAttr(llvm::Attribute::NoInline);
        caller->addFnAttr(llvm::Attribute::AlwaysInline);
      }
    }
    inline_all();
    // What the inliner left of them is called by nobody.
    for (bool again = true; again;) {
      again = false;
      for (llvm::Function& function : llvm::make_early_inc_range(module_)) {
        if (function.isDeclaration() || !function.use_empty() || function.getName() == kernel_.name) continue;
        function.eraseFromParent();
        again = true;
      }
    }
  }

  /// Each call of barrier() gets a number of its own, so that items which wait at different ones are told apart.
  void number_barriers() {
    llvm::Function* barrier = module_.getFunction("__weft_barrier");
    if (!barrier) return;
    for (llvm::User* user : llvm::make_early_inc_range(barrier->users())) {
      auto* call = llvm::cast<llvm::CallInst>(user);
      ir_.SetInsertPoint(call);
      ir_.CreateCall(llvm::FunctionType::get(ir_.getVoidTy(), {ir_.getInt32Ty()}, false), address(reinterpret_cast<const void*>(&wait_at)),
                     ir_.getInt32(++barriers_));
      call->eraseFromParent();
    }
  }

  void inline_all() {
    llvm::LoopAnalysisManager loops;
    llvm::FunctionAnalysisManager functions;
    llvm::CGSCCAnalysisManager sccs;
    llvm::ModuleAnalysisManager modules;
    llvm::PassBuilder builder;
    compiler::support::register_analyses(builder, loops, functions, sccs, modules);
    llvm::AlwaysInlinerPass(/*InsertLifetime=*/false).run(module_, modules);
  }

  /// Local variables have no initial value, so any will do.
  void begin_local_variables() {
    if (local_begins_ == 0) return;
    llvm::SmallVector<llvm::GlobalVariable*, 8> variables;
    for (llvm::GlobalVariable& variable : module_.globals())
      if (variable.getAddressSpace() == kLocalSpace) variables.push_back(&variable);
    for (llvm::GlobalVariable* variable : variables) {
      const std::vector<std::uint8_t> bytes(module_.getDataLayout().getTypeAllocSize(variable->getValueType()), local_begins_);
      llvm::Constant* begin = llvm::ConstantDataArray::get(module_.getContext(), bytes);
      auto* replacement = new llvm::GlobalVariable(module_, begin->getType(), false, llvm::GlobalValue::InternalLinkage, begin, "", nullptr,
                                                   llvm::GlobalValue::NotThreadLocal, kLocalSpace);
      replacement->setAlignment(variable->getAlign());
      variable->replaceAllUsesWith(replacement);
      variable->eraseFromParent();
    }
  }

  /// A pointer's space, by where it points.
  void tell_spaces(llvm::Function& function) {
    function.setAttributes({});
    function.setLinkage(llvm::GlobalValue::InternalLinkage);
    for (llvm::User* user : function.users()) llvm::cast<llvm::CallBase>(user)->setAttributes({});
    ir_.SetInsertPoint(llvm::BasicBlock::Create(module_.getContext(), "", &function));
    llvm::Value* pointer = ir_.CreatePtrToInt(function.getArg(0), ir_.getInt64Ty());
    llvm::Value* is_local = ir_.getFalse();
    const auto add = [&](llvm::Value* begin, std::uint64_t bytes) {
      llvm::Value* offset = ir_.CreateSub(pointer, ir_.CreatePtrToInt(begin, ir_.getInt64Ty()));
      is_local = ir_.CreateOr(is_local, ir_.CreateICmpULT(offset, ir_.getInt64(bytes)));
    };
    add(address(local_memory), sizeof local_memory);
    for (llvm::GlobalVariable& variable : module_.globals())
      if (variable.getAddressSpace() == kLocalSpace) add(&variable, module_.getDataLayout().getTypeAllocSize(variable.getValueType()));
    auto* ask = llvm::FunctionType::get(ir_.getInt8Ty(), {ir_.getPtrTy()}, false);
    llvm::Value* on_stack = ir_.CreateCall(ask, address(reinterpret_cast<const void*>(&is_private)), {ir_.CreateIntToPtr(pointer, ir_.getPtrTy())});
    llvm::Value* elsewhere = ir_.CreateSelect(ir_.CreateIsNotNull(on_stack), ir_.getInt32(kPrivateSpace), ir_.getInt32(kGlobalSpace));
    ir_.CreateRet(ir_.CreateSelect(is_local, ir_.getInt32(kLocalSpace), elsewhere));
  }

  /// A primitive reads the running item's state, which changes at barriers.
  void define(llvm::Function& function, const std::uint64_t* place) {
    function.setAttributes({});
    function.setLinkage(llvm::GlobalValue::InternalLinkage);
    ir_.SetInsertPoint(llvm::BasicBlock::Create(module_.getContext(), "", &function));
    llvm::Value* value = ir_.CreateLoad(ir_.getInt64Ty(), address(place));
    ir_.CreateRet(ir_.CreateZExtOrTrunc(value, function.getReturnType()));
    for (llvm::User* user : function.users())
      if (auto* call = llvm::dyn_cast<llvm::CallBase>(user)) call->setAttributes({});
  }

  void make_entry(llvm::Function& kernel) {
    auto* entry = llvm::Function::Create(llvm::FunctionType::get(ir_.getVoidTy(), {ir_.getPtrTy()}, false),
                                         llvm::GlobalValue::ExternalLinkage, "entry", module_);
    ir_.SetInsertPoint(llvm::BasicBlock::Create(module_.getContext(), "", entry));
    llvm::SmallVector<llvm::Value*, 12> values;
    for (llvm::Argument& argument : kernel.args()) {
      const compiler::KernelArg& arg = kernel_.args[argument.getArgNo()];
      llvm::Value* place = ir_.CreateConstGEP1_64(ir_.getInt8Ty(), entry->getArg(0), arg.offset);
      if (arg.kind == compiler::ArgKind::kLocalPointer) {
        llvm::Value* offset = ir_.CreateLoad(ir_.getInt64Ty(), place);
        values.push_back(ir_.CreateAddrSpaceCast(ir_.CreateGEP(ir_.getInt8Ty(), address(local_memory), offset), argument.getType()));
      } else if (argument.hasByValAttr()) {
        // The block is aligned to 8; a struct may want more.
        llvm::AllocaInst* copy = ir_.CreateAlloca(argument.getParamByValType());
        copy->setAlignment(std::max(copy->getAlign(), argument.getParamAlign().valueOrOne()));
        ir_.CreateMemCpy(copy, copy->getAlign(), place, llvm::Align(1), arg.size);
        values.push_back(copy);
      } else {
        values.push_back(ir_.CreateAlignedLoad(argument.getType(), place, llvm::Align(1)));
      }
    }
    llvm::CallInst* call = ir_.CreateCall(&kernel, values);
    call->setAttributes(kernel.getAttributes().removeFnAttributes(module_.getContext()));
    ir_.CreateRetVoid();
  }

  llvm::Module& module_;
  const compiler::KernelInfo& kernel_;
  const std::uint8_t local_begins_;
  llvm::IRBuilder<> ir_;
  unsigned barriers_ = 0;
  std::vector<std::unique_ptr<MeetingPoint>> points_;
};

}  // namespace

llvm::Expected<std::unique_ptr<ScalarKernel>> ScalarKernel::make(std::unique_ptr<llvm::Module> module,
                                                                 const compiler::KernelInfo& kernel,
                                                                 std::uint8_t local_begins) {
  Builder builder(*module, kernel, local_begins);
  if (llvm::Error error = builder.build()) return error;
  const compiler::target::Machine machine = compiler::target::take_target_machine();
  machine->setOptLevel(llvm::CodeGenOptLevel::None);
  for (llvm::Function& function : *module) {
    if (function.isDeclaration()) continue;
    function.addFnAttr("target-cpu", machine->getTargetCPU());
    function.addFnAttr("target-features", machine->getTargetFeatureString());
    if (!compiler::target::vectors().half_arithmetic) compiler::wide::compute_halves_in_float(function);
  }
  auto object = compiler::codegen::emit(*module, *machine, compiler::codegen::FileKind::kObject);
  if (!object) return object.takeError();
  std::string error;
  auto result = std::make_unique<ScalarKernel>();
  result->waits_ = builder.waits();
  if (kernel.required_sub_group_size != 0) result->sub_group_size_ = kernel.required_sub_group_size;
  result->points_ = builder.take_points();
  result->local_begins_ = local_begins;
  result->code_ = device::Code::load({reinterpret_cast<const std::uint8_t*>(object->bytes.data()), object->bytes.size()}, "entry", {}, &error);
  if (!result->code_) return llvm::createStringError("the oracle's code does not load: " + error);
  return result;
}

bool ScalarKernel::run(const Memory& memory, const Variant& variant, ItemOrder order) const {
  const auto turn = [order](std::size_t i, std::size_t count) { return order == ItemOrder::kForwards ? i : count - 1 - i; };
  std::memset(local_memory, local_begins_, sizeof local_memory);
  const auto entry = reinterpret_cast<Entry>(reinterpret_cast<void*>(code_->entry()));
  item = {};
  item.work_dim = 3;
  item.sub_group_size = sub_group_size_;
  for (int d = 0; d < 3; ++d) {
    item.local_size[d] = variant.local[d];
    item.num_groups[d] = variant.groups[d];
    item.global_size[d] = std::uint64_t{variant.local[d]} * variant.groups[d];
    item.global_offset[d] = variant.offset[d];
  }
  const std::uint32_t items = variant.group_items();
  const auto choose = [&](std::size_t number) {
    const std::size_t i = turn(number, items);
    const std::uint64_t id[] = {i % variant.local[0], i / variant.local[0] % variant.local[1], i / variant.local[0] / variant.local[1]};
    item.linear_id = i;
    item.lane = i % sub_group_size_;
    item.sub_group = i / sub_group_size_;
    item.warp = i / 32;
    item.warp_lane = i % 32;
    for (int d = 0; d < 3; ++d) {
      item.local_id[d] = id[d];
      item.global_id[d] = item.global_offset[d] + item.group_id[d] * item.local_size[d] + id[d];
    }
  };
  for (std::uint32_t number = 0; number < variant.num_groups(); ++number) {
    const std::size_t group = turn(number, variant.num_groups());
    item.group_id[0] = group % variant.groups[0];
    item.group_id[1] = group / variant.groups[0] % variant.groups[1];
    item.group_id[2] = group / variant.groups[0] / variant.groups[1];
    if (waits_) {
      meetings.begin(items, sub_group_size_);
      if (!fibers().run(items, [&](std::size_t) { entry(memory.arguments()); }, choose, [] { meetings.hold(fibers()); })) return false;
      continue;
    }
    for (std::uint32_t i = 0; i < items; ++i) {
      choose(i);
      entry(memory.arguments());
    }
  }
  return true;
}

}  // namespace weft::fuzz
