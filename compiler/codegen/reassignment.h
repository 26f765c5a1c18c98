// What the register allocator does for values of one block that are in each other's way.
#pragma once

namespace weft::compiler::codegen {

/// While one lives, LLVM's allocator, on this thread, does not ask of each value that is in another's way in a block whether a third
/// register were free for it, if `is_left_out`. It asks for each register of each value that finds none: a quarter of the time of making
/// code of functions of thousands of instructions, whose blocks are long.
class Reassignment {
 public:
  explicit Reassignment(bool is_left_out);
  ~Reassignment();
  Reassignment(const Reassignment&) = delete;
  Reassignment& operator=(const Reassignment&) = delete;
};

}  // namespace weft::compiler::codegen
