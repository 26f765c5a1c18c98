// Updates that a lane alone makes where what it has loaded says so: a processor cannot tell beforehand which way it goes.
#pragma once

namespace llvm {
class Function;
}  // namespace llvm

namespace weft::compiler::simt {

/// In `if (distance <= radius) { sum += x; ++count; }` of a loop that runs for one lane after the other each wrong guess of the branch takes as
/// long as some twenty operations, and of numbers without order every second guess is wrong.
///
/// So in a function of one lane (by_lane.h) a few quick operations behind a condition that an innermost loop computes from what it loads in the same
/// iteration are done in any case, and what they give is chosen: sums of what they add or nothing, other values as they are. So is what LLVM has
/// made a choice of between a sum of floats and what it adds to: there is no instruction for that where others ask the condition, too.
///
///   br i1 %near, label %then, label %join            %x.chosen = select i1 %near, float %x, float -0.0, !unpredictable
/// then:                                        =>    %sum.next = fadd float %sum, %x.chosen
///   %sum.then = fadd float %sum, %x
///   br label %join
void choose_updates(llvm::Function& lane);

}  // namespace weft::compiler::simt
