// The command graph: order within queues, between them, through user events and errors; many threads.
#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <cstring>
#include <memory>
#include <random>
#include <thread>
#include <vector>

#include "runtime/event.h"
#include "runtime/queue.h"

namespace weft::runtime {
namespace {

constexpr cl_command_queue_properties kOutOfOrder = CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE;

Ref<Context> make_context() { return make<Context>(Context::DeviceList{Ref(&the_device)}, std::vector<cl_context_properties>{}, nullptr, nullptr); }
Ref<Queue> make_queue(Context& context, cl_command_queue_properties properties = 0) {
  return make<Queue>(&context, the_device, properties, std::vector<cl_queue_properties>{});
}
Ref<Event> make_marker(Queue& queue) { return make<Event>(&queue, CL_COMMAND_MARKER); }

/// A command that copies `size` bytes.
Ref<Event> make_copy(Queue& queue, const void* from, void* to, std::size_t size) {
  Ref<Event> command = make<Event>(&queue, CL_COMMAND_COPY_BUFFER);
  auto& work = command->work().emplace<CopyWork>();
  work.from = static_cast<const std::byte*>(from);
  work.to = static_cast<std::byte*>(to);
  work.region = {size, 1, 1};
  work.plan();
  return command;
}

void enqueue(Queue& queue, const Ref<Event>& command, const std::vector<cl_event>& waits = {},
             Queue::Order order = Queue::Order::kNone, bool blocks_later = false) {
  queue.enqueue(command, waits, order, blocks_later);
}

TEST(Graph, InOrderQueueKeepsOrder) {
  const auto context = make_context();
  const auto queue = make_queue(*context);
  std::vector<std::uint32_t> cells(5000, 0);
  cells[0] = 42;
  for (std::size_t i = 1; i < cells.size(); ++i) {
    enqueue(*queue, make_copy(*queue, &cells[i - 1], &cells[i], sizeof cells[0]));
  }
  queue->finish();
  for (std::uint32_t cell : cells) ASSERT_EQ(cell, 42u);
}

TEST(Graph, LongChainOfMarkersNeedsNoDeepStack) {
  const auto context = make_context();
  const auto queue = make_queue(*context, kOutOfOrder);
  const auto gate = make<Event>(context.get());
  Ref<Event> last = gate;
  for (int i = 0; i < 300'000; ++i) {
    const auto marker = make_marker(*queue);
    enqueue(*queue, marker, {last.get()});
    last = marker;
  }
  queue->flush();
  EXPECT_EQ(last->status(), CL_SUBMITTED);
  EXPECT_TRUE(gate->set_user_status(CL_COMPLETE));
  last->wait();
  EXPECT_EQ(last->status(), CL_COMPLETE);
  queue->finish();
}

TEST(Graph, ErrorsPassAlongWaitListsOnly) {
  const auto context = make_context();
  const auto queue = make_queue(*context), other = make_queue(*context, kOutOfOrder);
  const auto gate = make<Event>(context.get());
  std::array<int, 3> cells{1, 2, 3};
  const auto fails = make_copy(*queue, &cells[0], &cells[1], sizeof(int));
  enqueue(*queue, fails, {gate.get()});
  const auto follows = make_marker(*queue);  // in order only
  enqueue(*queue, follows);
  const auto fails_too = make_marker(*other);
  enqueue(*other, fails_too, {fails.get()});
  const auto apart = make_marker(*other);
  enqueue(*other, apart);
  apart->queue()->flush();
  apart->wait();
  EXPECT_EQ(apart->status(), CL_COMPLETE);
  gate->set_user_status(-5);
  EXPECT_FALSE(gate->set_user_status(CL_COMPLETE));
  queue->finish();
  other->finish();
  EXPECT_EQ(fails->status(), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
  EXPECT_EQ(fails_too->status(), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
  EXPECT_EQ(follows->status(), CL_COMPLETE);
  EXPECT_EQ(cells[1], 2);
  // What has failed already fails a later command as well.
  const auto late = make_marker(*queue);
  enqueue(*queue, late, {fails.get()});
  queue->finish();
  EXPECT_EQ(late->status(), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
}

TEST(Graph, BarrierHoldsWhatComesAfter) {
  const auto context = make_context();
  const auto queue = make_queue(*context, kOutOfOrder);
  const auto gate = make<Event>(context.get());
  const auto before = make_marker(*queue), barrier = make_marker(*queue), after = make_marker(*queue);
  enqueue(*queue, before, {gate.get()});
  enqueue(*queue, barrier, {}, Queue::Order::kAllBefore, true);
  enqueue(*queue, after);
  queue->flush();
  std::this_thread::sleep_for(std::chrono::milliseconds(2));
  EXPECT_EQ(barrier->status(), CL_SUBMITTED);
  EXPECT_EQ(after->status(), CL_SUBMITTED);
  gate->set_user_status(CL_COMPLETE);
  after->wait();
  EXPECT_EQ(barrier->status(), CL_COMPLETE);
}

TEST(Graph, MarkerFollowsManyPending) {
  const auto context = make_context();
  const auto queue = make_queue(*context, kOutOfOrder);
  const auto gate = make<Event>(context.get());
  std::vector<Ref<Event>> pending;
  for (int i = 0; i < 1000; ++i) {
    pending.push_back(make_marker(*queue));
    enqueue(*queue, pending.back(), {gate.get()});
  }
  const auto marker = make_marker(*queue);
  enqueue(*queue, marker, {}, Queue::Order::kAllBefore);
  queue->flush();
  EXPECT_EQ(marker->status(), CL_SUBMITTED);
  gate->set_user_status(CL_COMPLETE);
  marker->wait();
  for (const auto& each : pending) EXPECT_EQ(each->status(), CL_COMPLETE);
}

TEST(Graph, CallbacksComeInOrderAndOnErrors) {
  const auto context = make_context();
  const auto queue = make_queue(*context);
  struct Log {
    std::mutex mutex;
    std::vector<cl_int> seen;
    std::atomic<int> count{0};
  } log;
  const Event::Callback note = [](cl_event, cl_int status, void* data) {
    auto& log = *static_cast<Log*>(data);
    {
      std::lock_guard lock(log.mutex);
      log.seen.push_back(status);
    }
    ++log.count;
    log.count.notify_all();
  };
  const auto wait_for = [&log](int count) {
    for (int now = log.count; now < count; now = log.count) log.count.wait(now);
  };
  const auto marker = make_marker(*queue);
  for (cl_int status : {CL_COMPLETE, CL_RUNNING, CL_SUBMITTED}) marker->on_status(status, note, &log);
  enqueue(*queue, marker);
  queue->finish();
  wait_for(3);
  EXPECT_EQ(log.seen, (std::vector<cl_int>{CL_SUBMITTED, CL_RUNNING, CL_COMPLETE}));
  marker->on_status(CL_RUNNING, note, &log);  // passed already
  wait_for(4);
  EXPECT_EQ(log.seen.back(), CL_RUNNING);
  const auto gate = make<Event>(context.get());
  const auto fails = make_marker(*queue);
  enqueue(*queue, fails, {gate.get()});
  fails->on_status(CL_COMPLETE, note, &log);
  queue->flush();
  gate->set_user_status(-7);
  wait_for(5);
  EXPECT_EQ(log.seen.back(), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
}

TEST(Graph, QueueOutlivesItsReleaseWithWorkPending) {
  const auto context = make_context();
  const auto gate = make<Event>(context.get());
  Ref<Event> last;
  {
    const auto queue = make_queue(*context);
    for (int i = 0; i < 100; ++i) enqueue(*queue, make_marker(*queue), {gate.get()});
    last = make_marker(*queue);
    enqueue(*queue, last);
    queue->flush();
  }
  gate->set_user_status(CL_COMPLETE);
  last->wait();
}

TEST(Graph, ManyThreadsOneRandomGraph) {
  // Each command copies its predecessor's value, from whatever queue it came, to a cell of its own.
  constexpr int kThreads = 4, kCommands = 3000;
  const auto context = make_context();
  std::vector<Ref<Queue>> queues;
  for (int i = 0; i < 4; ++i) queues.push_back(make_queue(*context, i % 2 ? kOutOfOrder : 0));
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&, t] {
      std::mt19937 random(static_cast<unsigned>(t));
      std::vector<std::uint64_t> cells(kCommands, 0);
      std::vector<Ref<Event>> events(kCommands);
      const auto gate = make<Event>(context.get());
      std::vector<std::size_t> origin(kCommands);
      std::vector<std::uint64_t> seeds(kCommands);
      for (std::size_t i = 0; i < kCommands; ++i) seeds[i] = random();
      for (std::size_t i = 0; i < kCommands; ++i) {
        Queue& queue = *queues[random() % queues.size()];
        const bool is_root = i < 4 || random() % 50 == 0;
        const std::size_t from = is_root ? i : i - 1 - random() % std::min<std::size_t>(i, 40);
        origin[i] = is_root ? i : origin[from];
        events[i] = make_copy(queue, is_root ? &seeds[i] : &cells[from], &cells[i], sizeof cells[0]);
        std::vector<cl_event> waits;
        if (!is_root) waits.push_back(events[from].get());
        for (unsigned more = random() % 7; i > 0 && more > 0; --more)
          waits.push_back(events[random() % i].get());
        if (i % 500 == 499) waits.push_back(gate.get());
        enqueue(queue, events[i], waits);
        if (random() % 64 == 0) queue.flush();
        // Nothing before the gate can hang on it.
        if (random() % 100 == 0 && i < 499) {
          events[i]->queue()->flush();
        }
      }
      gate->set_user_status(CL_COMPLETE);
      for (const auto& event : events) {
        if (event->status() == CL_QUEUED) event->queue()->flush();
        event->wait();
        ASSERT_EQ(event->status(), CL_COMPLETE);
      }
      for (std::size_t i = 0; i < kCommands; ++i) ASSERT_EQ(cells[i], seeds[origin[i]]);
    });
  }
  for (auto& thread : threads) thread.join();
  for (const auto& queue : queues) queue->finish();
}

TEST(Graph, ExitWithWorkPending) {
  const auto leave = [] {
    const auto context = make_context();
    const auto queue = make_queue(*context);
    // Never freed: copies go on while the program exits.
    const auto from = new char[64 << 20](), to = new char[64 << 20]();
    for (int i = 0; i < 50; ++i) enqueue(*queue, make_copy(*queue, from, to, 1 << 20));
    const auto never = make<Event>(context.get());
    enqueue(*queue, make_marker(*queue), {never.get()});
    queue->flush();
    std::exit(7);
  };
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  EXPECT_EXIT(leave(), testing::ExitedWithCode(7), "");
}

}  // namespace
}  // namespace weft::runtime
