// Text at the end of a file through a mapping: whole after a kill, without an end of its own after `finish`.
#include "runtime/mapped_end.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>

namespace weft::runtime {
namespace {

/// An empty file that goes with the test.
class MappedEndTest : public testing::Test {
 protected:
  ~MappedEndTest() override { fclose(file_); }
  int file() const { return fileno(file_); }
  std::string text() const {
    std::ifstream in("/proc/self/fd/" + std::to_string(file()), std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }

 private:
  std::FILE* const file_ = std::tmpfile();
};

std::string line(std::size_t length, char letter) { return std::string(length, letter) + '\n'; }

TEST_F(MappedEndTest, LongerThanStepsAndWindows) {
  MappedEnd end(file(), 0);
  std::string all;
  for (int i = 0; i < 400; ++i) {
    const std::string one = line(std::size_t{100} << i % 11, static_cast<char>('a' + i % 26));
    ASSERT_TRUE(end.append(one));
    all += one;
  }
  all += line(20 << 20, 'z');  // longer than a window
  ASSERT_TRUE(end.append(std::string_view(all).substr(end.size())));
  EXPECT_EQ(end.size(), all.size());
  const std::string before = text();
  EXPECT_EQ(before.substr(0, all.size()), all);
  EXPECT_EQ(before.find_first_not_of('\n', all.size()), before.npos);
  end.finish();
  EXPECT_EQ(text(), all);
}

TEST_F(MappedEndTest, GoesOnBehindWhatThereIs) {
  ASSERT_EQ(write(file(), "start\n", 6), 6);
  MappedEnd end(file(), 6);
  ASSERT_TRUE(end.append("one\n"));
  end.finish();
  EXPECT_EQ(text(), "start\none\n");
  ASSERT_TRUE(end.append("two\n"));
  end.finish();
  EXPECT_EQ(text(), "start\none\ntwo\n");
}

TEST_F(MappedEndTest, IsThereAfterAKill) {
  EXPECT_EXIT(
      {
        MappedEnd end(file(), 0);
        if (!end.append(line(100'000, 'x'))) _exit(1);
        raise(SIGKILL);
      },
      testing::KilledBySignal(SIGKILL), "");
  EXPECT_EQ(text().substr(0, 100'001), line(100'000, 'x'));
}

TEST_F(MappedEndTest, SaysThatThereIsNoRoom) {
  const auto append_too_much = [this] {
    signal(SIGXFSZ, SIG_IGN);
    const rlimit most{1 << 17, 1 << 17};
    setrlimit(RLIMIT_FSIZE, &most);
    MappedEnd end(file(), 0);
    const bool fits = end.append(line(100'000, 'x')), is_too_much = !end.append(line(100'000, 'y'));
    end.finish();
    _exit(fits && is_too_much && end.size() == 100'001 ? 0 : 1);
  };
  EXPECT_EXIT(append_too_much(), testing::ExitedWithCode(0), "");
  EXPECT_EQ(text(), line(100'000, 'x'));
}

TEST(MappedEnd, NoMappingOfAPipe) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  MappedEnd end(ends[1], 0);
  EXPECT_FALSE(end.append("text\n"));
  close(ends[0]);
  close(ends[1]);
}

}  // namespace
}  // namespace weft::runtime
