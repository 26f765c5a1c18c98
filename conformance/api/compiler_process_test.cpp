// The compiler's process, as the program sees it: not at all.
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <chrono>
#include <exception>
#include <thread>

#include "api/fixture.h"
#include "api/processes.h"

namespace weft::conformance {
namespace {

class CompilerProcess : public ApiTest {
 protected:
  /// Builds and runs what no cache knows.
  bool works() {
    static std::atomic<int> count{0};
    const int value = ++count * 7 + static_cast<int>(getpid());
    const Mem out = session.upload(std::vector<cl_int>(64, 0));
    session.run("kernel void k(global int* a) { a[get_global_id(0)] = " + std::to_string(value) + "; }", "k", {{64}, {32}, {}}, out);
    return session.download<cl_int>(out, 64)[63] == value;
  }
  static std::vector<int> open_sockets() {
    std::vector<int> found;
    for (int number = 3; number < 256; ++number) {
      struct stat status;
      if (fstat(number, &status) == 0 && S_ISSOCK(status.st_mode)) found.push_back(number);
    }
    return found;
  }
};

TEST_F(CompilerProcess, IsNoChildOfTheProgram) {
  WEFT_ONLY("others start programs of their own for a build");
  static std::atomic<int> signals{0};
  struct sigaction count {};
  count.sa_handler = [](int) { ++signals; };
  struct sigaction before;
  ASSERT_EQ(sigaction(SIGCHLD, &count, &before), 0);
  EXPECT_TRUE(works());
  EXPECT_EQ(waitpid(-1, nullptr, WNOHANG), -1);
  EXPECT_EQ(errno, ECHILD);
  EXPECT_EQ(signals, 0);
  sigaction(SIGCHLD, &before, nullptr);
}

// As daemons do at their start, and then open files of their own by the same numbers.
TEST_F(CompilerProcess, ProgramsMayCloseAllDescriptors) {
  WEFT_ONLY("others may have descriptors that they need");
  EXPECT_TRUE(works());
  for (const int number : open_sockets()) close(number);
  EXPECT_TRUE(works());
  int mine[2];
  for (const int number : open_sockets()) {
    ASSERT_EQ(pipe(mine), 0);
    ASSERT_EQ(dup2(mine[1], number), number);
    EXPECT_TRUE(works());
    // Nothing of it was written into the program's own.
    close(mine[1]);
    close(number);
    char byte;
    EXPECT_EQ(read(mine[0], &byte, 1), 0);
    close(mine[0]);
  }
}

// The next socket has the number of one that another thread still waits at.
TEST_F(CompilerProcess, DescriptorsMayBeClosedWhileThreadsBuild) {
  WEFT_ONLY("others may have descriptors that they need");
  EXPECT_TRUE(works());
  std::atomic<int> right{0}, done{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([&] {
      for (int round = 0; round < 4; ++round) try {
          right += works();
        } catch (const std::exception& error) {
          ADD_FAILURE() << error.what();
        }
      ++done;
    });
  // A call asks five processes before it gives up.
  for (int time = 0; time < 4 && done < 4; ++time) {
    for (const int number : open_sockets()) close(number);
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(right, 16);
}

TEST_F(CompilerProcess, ManyThreadsBuildAtOnce) {
  std::atomic<int> right{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < 12; ++i)
    threads.emplace_back([&] {
      for (int round = 0; round < 3; ++round) right += works();
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(right, 36);
}

TEST_F(CompilerProcess, ChildrenOfAForkHaveTheirOwn) {
  WEFT_ONLY("forks with a context");
  EXPECT_TRUE(works());
  EXPECT_EQ(in_processes(3, [&](int) { return works() && works(); }), 0);
  EXPECT_TRUE(works());
}

}  // namespace
}  // namespace weft::conformance
