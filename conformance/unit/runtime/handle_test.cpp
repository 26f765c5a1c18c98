// Handles: which addresses count as objects, and when objects die.
#include <gtest/gtest.h>

#include <set>
#include <stdexcept>
#include <thread>
#include <vector>

#include "runtime/object.h"
#include "runtime/platform.h"

struct Probe : weft::runtime::Object<Probe> {
  explicit Probe(int* deaths, int* releases = nullptr) : deaths(deaths), releases(releases) {
    if (!deaths) throw std::runtime_error("no counter");
  }
  ~Probe() { ++*deaths; }
  void on_last_release() {
    if (releases) ++*releases;
  }
  int* deaths;
  int* releases;
};

struct Other : weft::runtime::Object<Other> {};

namespace weft::runtime {
namespace {

TEST(Handle, StartsWithTheDispatchTable) {
  int deaths = 0;
  const auto probe = make<Probe>(&deaths);
  EXPECT_EQ(*reinterpret_cast<const void* const*>(probe.get()), &dispatch_table);
}

TEST(Handle, HasWhatALoaderGave) {
  int deaths = 0, data = 0;
  LoaderWords::given = &data;
  const auto probe = make<Probe>(&deaths);
  LoaderWords::given = nullptr;
  EXPECT_EQ(reinterpret_cast<void* const*>(probe.get())[1], &data);
}

TEST(Handle, IsValidFromPublishToLastRelease) {
  int deaths = 0, releases = 0;
  auto ref = make<Probe>(&deaths, &releases);
  Probe* handle = ref.get();
  EXPECT_EQ(from_handle(handle), nullptr);
  publish(std::move(ref));
  EXPECT_EQ(from_handle(handle), handle);
  retain(handle);
  EXPECT_EQ(handle->api_count(), 2u);
  release(handle);
  EXPECT_EQ(from_handle(handle), handle);
  EXPECT_EQ(releases, 0);
  release(handle);
  EXPECT_EQ(from_handle(handle), nullptr);
  EXPECT_EQ(releases, 1);
  EXPECT_EQ(deaths, 1);
}

TEST(Handle, InternalReferenceKeepsTheObjectButNotTheHandle) {
  int deaths = 0;
  Probe* handle = publish(make<Probe>(&deaths));
  Ref<Probe> inside(handle);
  release(handle);
  EXPECT_EQ(from_handle(handle), nullptr);
  EXPECT_EQ(deaths, 0);
  inside = nullptr;
  EXPECT_EQ(deaths, 1);
}

TEST(Handle, AnAttachmentKeepsTheHandle) {
  int deaths = 0, releases = 0;
  Probe* handle = publish(make<Probe>(&deaths, &releases));
  {
    const Attached<Probe> first(handle), second(handle);
    EXPECT_EQ(handle->api_count(), 1u);
    EXPECT_TRUE(release(handle));
    EXPECT_EQ(releases, 1);
    EXPECT_EQ(from_handle(handle), handle);
    EXPECT_EQ(handle->api_count(), 0u);
    EXPECT_FALSE(release(handle));
    retain(handle);  // the application was told it
    EXPECT_EQ(handle->api_count(), 1u);
  }
  EXPECT_EQ(from_handle(handle), handle);
  EXPECT_EQ(deaths, 0);
  EXPECT_TRUE(release(handle));
  EXPECT_EQ(from_handle(handle), nullptr);
  EXPECT_EQ(deaths, 1);
}

/// Any address as a handle. Where it comes from, the compiler is not to know.
template <class T>
T* handle_at(std::uintptr_t address) {
  volatile std::uintptr_t any = address;
  return reinterpret_cast<T*>(any);
}

TEST(Handle, ForeignAddressesAreNone) {
  int deaths = 0;
  Probe* probe = publish(make<Probe>(&deaths));
  Other* other = publish(make<Other>());
  char bytes[256] = {};
  const auto address = [](auto* of) { return reinterpret_cast<std::uintptr_t>(of); };
  EXPECT_EQ(from_handle(handle_at<Probe>(0)), nullptr);
  EXPECT_EQ(from_handle(handle_at<Probe>(address(other))), nullptr);
  EXPECT_EQ(from_handle(handle_at<Other>(address(probe))), nullptr);
  EXPECT_EQ(from_handle(handle_at<Probe>(address(bytes))), nullptr);
  EXPECT_EQ(from_handle(handle_at<Probe>(8)), nullptr);
  EXPECT_EQ(from_handle(handle_at<Probe>(~std::uintptr_t{0})), nullptr);
  EXPECT_EQ(from_handle(handle_at<Probe>(address(probe) + 8)), nullptr);
  EXPECT_EQ(from_handle(handle_at<Probe>(address(probe) + (std::uintptr_t{1} << 40))), nullptr);
  EXPECT_EQ(from_handle(handle_at<_cl_platform_id>(address(probe))), nullptr);
  EXPECT_EQ(from_handle(&the_platform), &the_platform);
  release(probe);
  release(other);
}

TEST(Handle, WeakOneGoesStaleForGood) {
  int deaths = 0;
  Probe* first = publish(make<Probe>(&deaths));
  const WeakHandle<Probe> weak(first);
  EXPECT_EQ(weak.get(), first);
  release(first);
  EXPECT_EQ(weak.get(), nullptr);
  // Until the slot serves again, and then still.
  std::vector<Probe*> handles;
  bool reused = false;
  for (int i = 0; i < 1000 && !reused; ++i) {
    Probe* next = publish(make<Probe>(&deaths));
    reused = next == first;
    handles.push_back(next);
    if (!reused) release(next);
  }
  EXPECT_TRUE(reused);
  EXPECT_EQ(weak.get(), nullptr);
  release(handles.back());
}

TEST(Handle, ThrowingConstructorGivesTheSlotBack) {
  EXPECT_THROW(make<Probe>(nullptr), std::runtime_error);
  int deaths = 0;
  const auto probe = make<Probe>(&deaths);
  EXPECT_EQ(deaths, 0);
}

TEST(Handle, ManyThreadsMakeAndReleaseDistinctObjects) {
  std::vector<std::thread> threads;
  std::vector<int> deaths(8, 0);
  for (int t = 0; t < 8; ++t) {
    threads.emplace_back([&deaths, t] {
      for (int round = 0; round < 20; ++round) {
        std::set<Probe*> mine;
        for (int i = 0; i < 100; ++i) mine.insert(publish(make<Probe>(&deaths[t])));
        ASSERT_EQ(mine.size(), 100u);
        for (Probe* probe : mine) release(probe);
      }
    });
  }
  for (auto& thread : threads) thread.join();
  for (const int count : deaths) EXPECT_EQ(count, 2000);
}

}  // namespace
}  // namespace weft::runtime
