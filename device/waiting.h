// What a group does that waits for another one.
#pragma once

namespace weft::device {

/// While there is one, more threads than processors run groups.
class Crowd {
 public:
  Crowd();
  ~Crowd();
  Crowd(const Crowd&) = delete;
  Crowd& operator=(const Crowd&) = delete;
};

/// abi::Services::wait: lets another thread have the processor, at once in a crowd, else now and then: it may be the program's own that is
/// waited for.
void wait_for_others();

}  // namespace weft::device
