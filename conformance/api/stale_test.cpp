// What a build depends on beside its source: a second build of the same source sees what has changed meanwhile.
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <thread>

#include "api/fixture.h"

namespace weft::conformance {
namespace {

namespace fs = std::filesystem;

class Stale : public ApiTest {
 protected:
  Stale() {
    std::string name = (fs::temp_directory_path() / "stale-test-XXXXXX").string();
    folder = mkdtemp(name.data());
    fs::create_directories(folder + "/first");
    fs::create_directories(folder + "/second");
  }
  ~Stale() override { fs::remove_all(folder); }

  void write(const std::string& name, const std::string& text) const { std::ofstream(folder + "/" + name) << text; }
  cl_int built(const std::string& source, const std::string& options) {
    const Mem out = session.upload(std::vector<cl_int>(1, -1));
    session.launch(session.kernel(session.build(source, options), "k"), {{1}, {1}, {}}, out);
    return session.download<cl_int>(out, 1)[0];
  }
  std::string paths() const { return "-I " + folder + "/first -I " + folder + "/second"; }

  std::string folder;
};

TEST_F(Stale, AHeaderThatAppearsEarlierOnThePath) {
  NOT_ON_POCL("looks at no header before it takes a program from its cache");
  const std::string source = "#include <value.h>\nkernel void k(global int* a) { *a = VALUE; } // " + folder;
  write("second/value.h", "#define VALUE 2\n");
  EXPECT_EQ(built(source, paths()), 2);
  write("first/value.h", "#define VALUE 1\n");
  EXPECT_EQ(built(source, paths()), 1);
  fs::remove(folder + "/first/value.h");
  EXPECT_EQ(built(source, paths()), 2);
  write("second/value.h", "#define VALUE 3\n");
  EXPECT_EQ(built(source, paths()), 3);
}

TEST_F(Stale, AFolderOfThePathThatIsMadeLater) {
  NOT_ON_POCL("looks at no header before it takes a program from its cache");
  const std::string source = "#include <value.h>\nkernel void k(global int* a) { *a = VALUE; } // " + folder;
  fs::remove(folder + "/first");
  write("second/value.h", "#define VALUE 2\n");
  EXPECT_EQ(built(source, paths()), 2);
  fs::create_directories(folder + "/first");
  write("first/value.h", "#define VALUE 1\n");
  EXPECT_EQ(built(source, paths()), 1);
}

TEST_F(Stale, HasIncludeOfAFileThatComesAndGoes) {
  NOT_ON_POCL("looks at no header before it takes a program from its cache");
  const std::string source = "#if __has_include(\"maybe.h\")\n#define VALUE 1\n#else\n#define VALUE 0\n#endif\n"
                             "kernel void k(global int* a) { *a = VALUE; } // " + folder;
  EXPECT_EQ(built(source, paths()), 0);
  write("first/maybe.h", "");
  EXPECT_EQ(built(source, paths()), 1);
  fs::remove(folder + "/first/maybe.h");
  EXPECT_EQ(built(source, paths()), 0);
}

TEST_F(Stale, TheTimeOfDay) {
  NOT_ON_POCL("takes the time from its cache");
  // Seconds of the build's time; the name is pasted, so that no look at the text finds it.
  const std::string source =
      "#define PASTE(a, b) a##b\n#define TIME PASTE(__TI, ME__)\n"
      "constant char now[] = TIME;\nkernel void k(global int* a) { *a = now[7] + 10 * now[6] + 1000 * now[4]; } // " + folder;
  const cl_int first = built(source, "");
  std::this_thread::sleep_for(std::chrono::milliseconds(1100));
  EXPECT_NE(built(source, ""), first);
}

TEST_F(Stale, TheWorkingFolder) {
  NOT_ON_POCL("looks at no header before it takes a program from its cache");
  const std::string source = "#include \"here.h\"\nkernel void k(global int* a) { *a = VALUE; } // " + folder;
  write("first/here.h", "#define VALUE 1\n");
  write("second/here.h", "#define VALUE 2\n");
  const fs::path before = fs::current_path();
  for (const char* where : {"first", "second", "first"}) {
    fs::current_path(folder + "/" + where);
    EXPECT_EQ(built(source, "-I ."), where == std::string("second") ? 2 : 1);
  }
  fs::current_path(before);
}

}  // namespace
}  // namespace weft::conformance
