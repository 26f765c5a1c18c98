#include "compiler/fuzz/meeting_points.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "llvm/ADT/StringSwitch.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

namespace weft::fuzz {
namespace {

using llvm::BasicBlock;
using llvm::Loop;

constexpr llvm::StringLiteral kSubGroup = "__weft_sub_group_", kWarp = "__weft_warp_";

std::optional<MeetingPoint> parse(llvm::StringRef name) {
  using Kind = MeetingPoint::Kind;
  using Operation = MeetingPoint::Operation;
  MeetingPoint point;
  point.of_warp = name.consume_front(kWarp);
  if (!point.of_warp && !name.consume_front(kSubGroup)) return std::nullopt;
  name.consume_front("segment_");
  if (name == "ballot") return point;
  const auto [kind, rest] = name.split('_');
  const auto found = llvm::StringSwitch<std::optional<Kind>>(kind)
                         .Case("first", Kind::kFirst)
                         .Case("broadcast", Kind::kBroadcast)
                         .Case("shuffle", Kind::kShuffle)
                         .Case("reduce", Kind::kReduce)
                         .Case("cluster", Kind::kCluster)
                         .Case("inclusive", Kind::kInclusive)
                         .Case("exclusive", Kind::kExclusive)
                         .Default(std::nullopt);
  if (!found) return std::nullopt;
  point.kind = *found;
  const auto [operation, last] = rest.split('_');
  const llvm::StringRef type = last.empty() ? operation : last;
  point.operation = llvm::StringSwitch<Operation>(operation)
                        .Case("add", Operation::kAdd)
                        .Case("mul", Operation::kMul)
                        .Case("min", Operation::kMin)
                        .Case("max", Operation::kMax)
                        .Case("umin", Operation::kMinUnsigned)
                        .Case("umax", Operation::kMaxUnsigned)
                        .Case("and", Operation::kAnd)
                        .Case("or", Operation::kOr)
                        .Case("xor", Operation::kXor)
                        .Default(Operation::kNone);
  point.is_float = type.starts_with("f");
  if (type.drop_front().getAsInteger(10, point.bits)) return std::nullopt;
  return point;
}

/// The calls of a function and the loops around them, in an order that goes up along every path.
class Order {
 public:
  explicit Order(llvm::Function& function) : tree_(function), loops_(tree_) { visit(nullptr, &function.getEntryBlock()); }

  const std::vector<std::pair<llvm::CallInst*, MeetingPoint>>& calls() const { return calls_; }
  unsigned number(const llvm::CallInst* call) const { return numbers_.at(call); }
  unsigned number(const Loop* loop) const { return numbers_.at(loop); }
  /// Outermost first.
  llvm::SmallVector<const Loop*, 8> loops_around(const llvm::CallInst& call) const {
    llvm::SmallVector<const Loop*, 8> around;
    for (const Loop* loop = loops_.getLoopFor(call.getParent()); loop; loop = loop->getParentLoop()) around.push_back(loop);
    std::ranges::reverse(around);
    return around;
  }

 private:
  /// The loop right inside of `region` that `block` is in, if any.
  Loop* step_of(const Loop* region, const BasicBlock* block) const {
    Loop* loop = loops_.getLoopFor(block);
    if (loop == region) return nullptr;
    while (loop && loop->getParentLoop() != region) loop = loop->getParentLoop();
    return loop;
  }

  /// The steps of a loop, or of the function: blocks and whole loops, by depth first search backwards.
  void visit(const Loop* region, BasicBlock* entry) {
    std::set<const BasicBlock*> seen;
    std::vector<BasicBlock*> steps;
    const auto walk = [&](const auto& self, BasicBlock* block) -> void {
      if (region && !region->contains(block)) return;
      Loop* inner = step_of(region, block);
      if (inner) block = inner->getHeader();
      if (!seen.insert(block).second) return;
      llvm::SmallVector<BasicBlock*, 8> next;
      if (inner)
        inner->getExitBlocks(next);
      else
        next.append(llvm::succ_begin(block), llvm::succ_end(block));
      for (BasicBlock* other : next) self(self, other);
      steps.push_back(block);
    };
    walk(walk, entry);
    for (auto step = steps.rbegin(); step != steps.rend(); ++step) {
      if (Loop* inner = step_of(region, *step)) {
        numbers_[inner] = count_++;
        visit(inner, inner->getHeader());
        continue;
      }
      for (llvm::Instruction& instruction : **step) {
        auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
        const llvm::Function* callee = call ? call->getCalledFunction() : nullptr;
        const auto point = callee ? parse(callee->getName()) : std::nullopt;
        if (!point) continue;
        numbers_[call] = count_++;
        calls_.emplace_back(call, *point);
      }
    }
  }

  llvm::DominatorTree tree_;
  llvm::LoopInfo loops_;
  std::vector<std::pair<llvm::CallInst*, MeetingPoint>> calls_;
  std::map<const void*, unsigned> numbers_;
  unsigned count_ = 0;
};

}  // namespace

bool is_meeting_point(llvm::StringRef name) { return parse(name).has_value(); }

llvm::Expected<std::vector<std::unique_ptr<MeetingPoint>>> make_meeting_points(llvm::Function& kernel, MeetFunction meet) {
  std::vector<std::unique_ptr<MeetingPoint>> points;
  llvm::EliminateUnreachableBlocks(kernel);
  const Order order(kernel);
  llvm::IRBuilder<> ir(kernel.getContext());
  const auto address = [&](const void* place) {
    return ir.CreateIntToPtr(ir.getInt64(reinterpret_cast<std::uintptr_t>(place)), ir.getPtrTy());
  };
  const auto at_entry = [&] { ir.SetInsertPoint(&kernel.getEntryBlock(), kernel.getEntryBlock().getFirstInsertionPt()); };
  // Each loop counts its iterations.
  std::map<const Loop*, llvm::Value*> counters;
  std::size_t longest = 0;
  for (const auto& [call, point] : order.calls()) {
    const auto around = order.loops_around(*call);
    longest = std::max(longest, 2 * around.size() + 1);
    for (const Loop* loop : around) {
      auto [entry, fresh] = counters.try_emplace(loop);
      if (!fresh) continue;
      at_entry();
      llvm::Value* counter = entry->second = ir.CreateAlloca(ir.getInt32Ty());
      BasicBlock* header = loop->getHeader();
      for (BasicBlock* before : llvm::predecessors(header)) {
        if (loop->contains(before)) continue;
        ir.SetInsertPoint(before->getTerminator());
        ir.CreateStore(ir.getInt32(0), counter);
      }
      ir.SetInsertPoint(header, header->getFirstInsertionPt());
      ir.CreateStore(ir.CreateAdd(ir.CreateLoad(ir.getInt32Ty(), counter), ir.getInt32(1)), counter);
    }
  }
  if (longest == 0) return points;
  at_entry();
  llvm::Value* position = ir.CreateAlloca(ir.getInt32Ty(), ir.getInt32(static_cast<unsigned>(longest)));
  for (const auto& [call, point] : order.calls()) {
    ir.SetInsertPoint(call);
    unsigned length = 0;
    const auto put = [&](llvm::Value* number) { ir.CreateStore(number, ir.CreateConstGEP1_32(ir.getInt32Ty(), position, length++)); };
    const auto around = order.loops_around(*call);
    for (const Loop* loop : around) {
      put(ir.getInt32(order.number(loop)));
      put(ir.CreateLoad(ir.getInt32Ty(), counters.at(loop)));
    }
    put(ir.getInt32(order.number(call)));
    points.push_back(std::make_unique<MeetingPoint>(point));
    points.back()->position_length = length;
    llvm::Value* value = call->getArgOperand(0);
    if (!value->getType()->isIntegerTy()) value = ir.CreateBitCast(value, ir.getIntNTy(point.bits));
    value = ir.CreateZExtOrTrunc(value, ir.getInt64Ty());
    llvm::Value* argument = call->arg_size() > 1 ? call->getArgOperand(1) : ir.getInt32(0);
    auto* type = llvm::FunctionType::get(ir.getInt64Ty(), {ir.getPtrTy(), ir.getInt64Ty(), ir.getInt32Ty(), ir.getPtrTy()}, false);
    llvm::Value* result = ir.CreateCall(type, address(reinterpret_cast<const void*>(meet)), {address(points.back().get()), value, argument, position});
    result = ir.CreateZExtOrTrunc(result, ir.getIntNTy(point.bits));
    call->replaceAllUsesWith(ir.CreateBitCast(result, call->getType()));
    call->eraseFromParent();
  }
  for (const llvm::Function& function : *kernel.getParent())
    if (!function.use_empty() && parse(function.getName()))
      return llvm::createStringError("a sub-group's primitive is called outside of the kernel, or where nobody comes");
  return points;
}

}  // namespace weft::fuzz
