// The engine: every part of every job runs once, jobs share the workers, launches report how they ended.
#include "device/engine.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <fstream>
#include <functional>
#include <iterator>
#include <numeric>
#include <thread>
#include <vector>

#include "device/launch.h"

namespace weft::device {
namespace {

Engine& engine() {
  static Engine* const one = new Engine(4);
  return *one;
}

struct CountingJob : Job {
  std::vector<std::atomic<int>> runs;
  std::atomic<int> begins{0}, ends{0};
  std::uint64_t spin_ns = 0;
  std::atomic<unsigned> calls{0};
  unsigned meets = 0;        ///< a part waits until so many run at once, for 10 seconds at most
  unsigned meets_after = 0;  ///< the calls before, which need not meet
  std::function<void()> at_end = [] {};
  std::thread::id expected_submitter;
  std::atomic<bool> submitter_ran{false};
  std::atomic<unsigned> now{0}, most{0};

  explicit CountingJob(std::uint64_t count) : runs(count) {
    static constexpr JobKind kKind = {
        [](Job& job, std::uint64_t) { ++static_cast<CountingJob&>(job).begins; },
        [](Job& job, Worker&, std::uint64_t first, std::uint64_t count) {
          auto& self = static_cast<CountingJob&>(job);
          const unsigned present = ++self.now;
          const unsigned calls_before = self.calls++;
          for (unsigned seen = self.most;
               present > seen && !self.most.compare_exchange_weak(seen, present);) {
          }
          if (std::this_thread::get_id() == self.expected_submitter) self.submitter_ran = true;
          if (calls_before >= self.meets_after)
            for (const auto until = now_ns() + 10'000'000'000; self.most < self.meets && now_ns() < until;) std::this_thread::yield();
          for (std::uint64_t i = first; i < first + count; ++i) {
            ++self.runs[i];
            for (const auto until = now_ns() + self.spin_ns; self.spin_ns && now_ns() < until;) {
            }
          }
          --self.now;
        },
        [](Job& job, float) {
          auto& self = static_cast<CountingJob&>(job);
          self.at_end();
          ++self.ends;
          self.ends.notify_all();
        },
    };
    kind = &kKind;
    parts = count;
  }
  void wait() {
    engine().help_until(nullptr, [this] { return ends != 0; });
    ends.wait(0);
  }
  void check() const {
    EXPECT_EQ(begins, 1);
    EXPECT_EQ(ends, 1);
    for (const auto& count : runs) ASSERT_EQ(count, 1);
  }
};

TEST(Engine, RunsEveryPartOnce) {
  for (std::uint64_t parts : {1, 2, 3, 7, 1000, 100'000}) {
    for (float part_ns : {0.f, 1.f, 50.f, 1e6f}) {
      for (Engine::Wake wake : {Engine::Wake::kWorkers, Engine::Wake::kCaller}) {
        CountingJob job(parts);
        job.part_ns = part_ns;
        engine().submit(job, wake);
        job.wait();
        job.check();
      }
    }
  }
}

// Many more than there are workers. By the estimate, workers take one at a time or all that there are.
TEST(Engine, PartsMayWaitForAllOthers) {
  std::atomic<std::uint32_t> beside{0};
  for (float part_ns : {0.f, 50.f, 1e6f})
    for (Engine::Wake wake : {Engine::Wake::kWorkers, Engine::Wake::kCaller}) {
      CountingJob job(60);
      job.part_ns = part_ns;
      job.beside = &beside;
      job.meets = 60;
      engine().submit(job, wake);
      job.wait();
      job.check();
      EXPECT_EQ(job.most, 60u);
    }
  EXPECT_GE(beside, 56u);
}

TEST(Engine, PartsThatNeedNotWait) {
  std::atomic<std::uint32_t> beside{0};
  for (std::uint64_t parts : {2, 100'000})
    for (float part_ns : {0.f, 50.f, 1e6f}) {
      CountingJob job(parts);
      job.part_ns = part_ns;
      job.beside = &beside;
      engine().submit(job, Engine::Wake::kCaller);
      job.wait();
      job.check();
    }
}

// Where parts may stay with processors, as well as where they begin in order.
TEST(Engine, RunsEveryPartOnceInAnyOrder) {
  for (std::uint64_t parts : {4, 5, 63, 1000, 100'000}) {
    for (float part_ns : {0.f, 50.f, 1e6f}) {
      for (int round = 0; round < 5; ++round) {
        CountingJob job(parts), other(parts);
        for (CountingJob* one : {&job, &other}) {
          one->part_ns = part_ns;
          one->in_any_order = true;
          engine().submit(*one, round % 2 ? Engine::Wake::kWorkers : Engine::Wake::kCaller);
        }
        job.wait();
        other.wait();
        job.check();
        other.check();
      }
    }
  }
}

// Long parts are taken one by one, but by those who do better with two.
TEST(Engine, TakesPartsTogether) {
  for (const bool in_any_order : {false, true})
    for (const unsigned together : {1u, 2u}) {
      CountingJob job(8);
      job.part_ns = 1e6f;
      job.spin_ns = 200'000;
      job.together = together;
      job.in_any_order = in_any_order;
      engine().submit(job, Engine::Wake::kWorkers);
      job.wait();
      job.check();
      EXPECT_EQ(job.calls, 8 / together);
    }
}

TEST(Engine, RunsWithoutHelp) {
  CountingJob job(5000);
  engine().submit(job, Engine::Wake::kWorkers);
  job.ends.wait(0);
  job.check();
}

// One place is left for the submitter at first.
TEST(Engine, AllWorkersComeThoughTheSubmitterDoesNot) {
  for (float part_ns : {0.f, 1e6f}) {
    for (int round = 0; round < 20; ++round) {
      CountingJob job(4);
      job.part_ns = part_ns;
      job.meets = 4;
      engine().submit(job, Engine::Wake::kWorkers);
      job.ends.wait(0);
      job.check();
      EXPECT_EQ(job.most, 4u);
      if (round % 5 == 4) std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
  }
}

// Idle threads have all workers; the one that waits takes one of their places.
TEST(Engine, ASubmitterThatWaitsHasAPlace) {
  for (int round = 0; round < 200; ++round) {
    CountingJob job(4);
    job.part_ns = 1e6f;
    job.meets = 4;
    job.expected_submitter = std::this_thread::get_id();
    engine().submit(job, Engine::Wake::kCaller);
    job.wait();
    job.check();
    EXPECT_TRUE(job.submitter_ran);
    EXPECT_EQ(job.most, 4u);
  }
}

TEST(Engine, OpensALongJobThatSeemedShort) {
  CountingJob job(64);
  job.part_ns = 1;
  job.spin_ns = 200'000;
  job.meets = 2;
  job.meets_after = 1;  // which tells how long the others are
  engine().submit(job, Engine::Wake::kCaller);
  job.wait();
  job.check();
  EXPECT_GE(job.most, 2u);
}

// Some are measured, by chance, whatever the others are.
TEST(Engine, MeasuresSomeShortJobs) {
  struct ShortJob : Job {
    std::atomic<int> ended{0};
    float measured_ns = 0;
  };
  static constexpr JobKind kKind = {[](Job&, std::uint64_t) {}, [](Job&, Worker&, std::uint64_t, std::uint64_t) {},
                                    [](Job& job, float part_ns) {
                                      auto& self = static_cast<ShortJob&>(job);
                                      self.measured_ns = part_ns;
                                      self.ended = 1;
                                    }};
  int measured[2] = {0, 0};
  for (int i = 0; i < 2000; ++i) {
    ShortJob job;
    job.kind = &kKind;
    job.parts = 1;
    job.part_ns = 100;
    job.wants_time = i % 5 == 0;
    engine().submit(job, Engine::Wake::kCaller);
    engine().help_until(nullptr, [&] { return job.ended != 0; });
    while (!job.ended) std::this_thread::yield();
    measured[job.wants_time] += job.measured_ns > 0;
  }
  EXPECT_GT(measured[false], 100);
  EXPECT_LT(measured[false], 400);
  EXPECT_EQ(measured[true], 400);
}

TEST(Engine, NeverExceedsItsWorkers) {
  CountingJob job(400);
  job.spin_ns = 20'000;
  engine().submit(job, Engine::Wake::kWorkers);
  std::vector<std::thread> helpers;
  for (int i = 0; i < 6; ++i) helpers.emplace_back([&] { job.wait(); });
  for (auto& helper : helpers) helper.join();
  job.check();
  EXPECT_LE(job.most, 4u);
}

TEST(Engine, JobsAdvanceSideBySide) {
  CountingJob longer(3000), shorter(8);
  longer.spin_ns = 100'000;
  shorter.at_end = [&longer] { EXPECT_EQ(longer.ends, 0); };  // a thread that waits may come later
  engine().submit(longer, Engine::Wake::kWorkers);
  engine().submit(shorter, Engine::Wake::kWorkers);
  shorter.ends.wait(0);
  longer.ends.wait(0);
  longer.check();
  shorter.check();
}

TEST(Engine, AWaitingThreadLeavesLongPartsOfOthersAlone) {
  CountingJob longer(64), mine(1);
  const int me = 0, other = 0;
  longer.owner = &other;
  longer.part_ns = 2e6f;
  longer.spin_ns = 2'000'000;
  mine.owner = &me;
  engine().submit(longer, Engine::Wake::kWorkers);
  engine().submit(mine, Engine::Wake::kCaller);
  engine().help_until(&me, [&mine] { return mine.ends != 0; });
  engine().help_until(&me, [] { return false; });  // returns at once, though the other is ready
  mine.ends.wait(0);
  longer.ends.wait(0);
  mine.check();
  longer.check();
}

/// Its end says so and goes on for a while.
struct LongEnd : Job {
  std::atomic<bool> told{false}, over{false};
  LongEnd() {
    static constexpr JobKind kKind = {
        [](Job&, std::uint64_t) {},
        [](Job&, Worker&, std::uint64_t, std::uint64_t) {},
        [](Job& job, float) {
          auto& self = static_cast<LongEnd&>(job);
          self.told = true;
          self.told.notify_all();
          std::this_thread::sleep_for(std::chrono::milliseconds(30));
          self.over = true;
          self.over.notify_all();
        },
    };
    kind = &kKind;
    parts = 1;
  }
};

// What a thread has seen the end of is not half done when that thread forks.
TEST(Engine, AForkWaitsForEndsThatWereSeen) {
  for (bool helped : {false, true}) {
    LongEnd job;
    job.part_ns = 100;
    engine().submit(job, helped ? Engine::Wake::kCaller : Engine::Wake::kWorkers);
    std::thread helper([&] {
      if (helped) engine().help_until(nullptr, [&] { return job.over.load(); });
    });
    job.told.wait(false);
    engine().before_fork();
    EXPECT_TRUE(job.over);
    engine().after_fork();
    helper.join();
    job.over.wait(false);
  }
}

TEST(Engine, AForkDoesNotWaitForTheEndThatForks) {
  struct Forks : Job {
    std::atomic<bool> over{false};
  } job;
  static constexpr JobKind kKind = {
      [](Job&, std::uint64_t) {},
      [](Job&, Worker&, std::uint64_t, std::uint64_t) {},
      [](Job& job, float) {
        engine().before_fork();
        engine().after_fork();
        static_cast<Forks&>(job).over = true;
        static_cast<Forks&>(job).over.notify_all();
      },
  };
  job.kind = &kKind;
  job.parts = 1;
  const std::uint64_t began = now_ns();
  engine().submit(job, Engine::Wake::kWorkers);
  job.over.wait(false);
  EXPECT_LT(now_ns() - began, 900'000'000u);
}

TEST(Engine, ManyThreadsSubmit) {
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([t] {
      for (int i = 0; i < 2000; ++i) {
        CountingJob job(1 + static_cast<std::uint64_t>(i % 5));
        job.part_ns = i % 3 ? 10.f : 0.f;
        engine().submit(job, i % 2 ? Engine::Wake::kWorkers : Engine::Wake::kCaller);
        job.wait();
        job.check();
        // `end` may still be in notify_all when the wait returns.
        if (t == 0) std::this_thread::yield();
      }
    });
  }
  for (auto& thread : threads) thread.join();
}

struct LaunchJob : Job {
  Launch launch;
  std::atomic<int> ended{0};
  LaunchStatus status{};

  LaunchJob(const Code& code, const void* arguments, std::array<std::uint64_t, 3> groups) {
    static constexpr JobKind kKind = {
        [](Job&, std::uint64_t) {},
        [](Job& job, Worker& worker, std::uint64_t first, std::uint64_t count) {
          if (!static_cast<LaunchJob&>(job).launch.run(worker, first, count)) job.abandon();
        },
        [](Job& job, float part_ns) {
          auto& self = static_cast<LaunchJob&>(job);
          self.status = self.launch.finish(part_ns);
          self.ended = 1;
          self.ended.notify_all();
        },
    };
    kind = &kKind;
    launch.info = {};
    launch.code = &code;
    launch.info.arguments = static_cast<const std::byte*>(arguments);
    for (int i = 0; i < 3; ++i) {
      launch.info.num_groups[i] = groups[static_cast<std::size_t>(i)];
      launch.info.local_size[i] = 1;
    }
    launch.prepare(false);
    parts = launch.blocks();
    part_ns = code.group_ns();
  }
  LaunchStatus run() {
    engine().submit(*this, Engine::Wake::kCaller);
    engine().help_until(nullptr, [this] { return ended != 0; });
    ended.wait(0);
    return status;
  }
};

std::shared_ptr<const Code> code(const char* symbol, const CodeTraits& traits = {}) {
  std::ifstream file(WEFT_TEST_OBJECTS "/group.o", std::ios::binary);
  const std::vector<std::uint8_t> bytes(std::istreambuf_iterator<char>(file), {});
  return Code::load(bytes, symbol, traits, nullptr);
}

TEST(Launch, VisitsEveryGroup) {
  const auto group = code("group");
  for (std::array<std::uint64_t, 3> groups :
       {std::array<std::uint64_t, 3>{1, 1, 1}, {1000, 1, 1}, {1, 77, 1}, {3, 5, 7}, {64, 32, 16}}) {
    std::vector<std::uint64_t> out(groups[0] * groups[1] * groups[2]);
    std::uint64_t* argument = out.data();
    for (int round = 0; round < 3; ++round) {
      LaunchJob job(*group, &argument, groups);
      EXPECT_EQ(job.run(), LaunchStatus::kDone);
    }
    for (std::size_t i = 0; i < out.size(); ++i) ASSERT_EQ(out[i], 3 * (i + 1));
  }
}

TEST(Launch, ReportsDivergentBarrier) {
  const auto divergent = code("divergent");
  LaunchJob job(*divergent, nullptr, {1000, 1, 1});
  EXPECT_EQ(job.run(), LaunchStatus::kDivergentBarrier);
  LaunchJob fine(*divergent, nullptr, {3, 1, 1});
  EXPECT_EQ(fine.run(), LaunchStatus::kDone);
}

TEST(Launch, GoesOnWithoutSome) {
  const auto without_some = code("without_some");
  LaunchJob job(*without_some, nullptr, {1000, 1, 1});
  EXPECT_EQ(job.run(), LaunchStatus::kDone);
}

TEST(Launch, GivesLocalMemoryAndScratch) {
  const auto stores = code("stores_local", {.scratch_fixed_bytes = 4096});
  LaunchJob job(*stores, nullptr, {100, 1, 1});
  EXPECT_EQ(job.run(), LaunchStatus::kDone);
  const auto greedy = code("stores_local", {.scratch_fixed_bytes = 0xffffffff});
  LaunchJob refused(*greedy, nullptr, {100, 1, 1});
  EXPECT_EQ(refused.run(), LaunchStatus::kOutOfMemory);
}

}  // namespace
}  // namespace weft::device
