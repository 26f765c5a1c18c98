#include "profiler/ranks.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <stdexcept>

namespace weft::profiler {
namespace {

namespace fs = std::filesystem;

std::optional<unsigned> number(const char* variable) {
  const char* const text = std::getenv(variable);
  if (!text || !*text) return std::nullopt;
  char* end = nullptr;
  const unsigned long value = std::strtoul(text, &end, 10);
  if (*end || value > 1'000'000) return std::nullopt;
  return static_cast<unsigned>(value);
}

/// What may stand in a file's name.
std::string plain(std::string text) {
  std::replace_if(text.begin(), text.end(), [](char c) { return !std::isalnum(static_cast<unsigned char>(c)) && c != '-' && c != '.'; }, '_');
  return text;
}

std::string host() {
  char name[256] = {};
  return gethostname(name, sizeof name - 1) == 0 ? name : "";
}

}  // namespace

std::optional<Rank> this_rank() {
  std::optional<unsigned> rank = number("OMPI_COMM_WORLD_RANK"), size = number("OMPI_COMM_WORLD_SIZE");
  std::optional<unsigned> local = number("OMPI_COMM_WORLD_LOCAL_SIZE");
  if (!rank) {
    rank = number("PMI_RANK");
    size = number("PMI_SIZE");
    local = number("MPI_LOCALNRANKS");
  }
  if (!rank || !size || *size < 2) return std::nullopt;
  Rank found;
  found.rank = *rank;
  found.on_node = local.value_or(*size);
  found.everywhere = found.on_node == *size;
  // A launcher starts the ranks of a node from one process of its own there.
  found.job = plain(host() + "-" + std::to_string(getppid()));
  return found;
}

RankFolder::RankFolder(const Rank& rank, const fs::path& report)
    : rank_(rank), path_(report.string() + ".ranks-" + rank.job) {
  std::error_code error;
  fs::create_directories(path_, error);
  if (error) throw std::runtime_error(path_.string() + ": " + error.message());
}

std::optional<std::map<unsigned, std::string>> RankFolder::leave(const std::string& ending) {
  const int lock = open((path_ / "lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (lock < 0 || flock(lock, LOCK_EX) != 0) throw std::runtime_error((path_ / "lock").string() + ": " + std::strerror(errno));
  std::ofstream(path_ / ("rank-" + std::to_string(rank_.rank) + ".ended")) << ending;
  std::map<unsigned, std::string> endings;
  for (const auto& entry : fs::directory_iterator(path_)) {
    if (entry.path().extension() != ".ended") continue;
    std::ifstream in(entry.path());
    std::getline(in, endings[static_cast<unsigned>(std::stoul(entry.path().stem().string().substr(5)))]);
  }
  close(lock);
  if (endings.size() < rank_.on_node) return std::nullopt;
  return endings;
}

void RankFolder::remove() noexcept {
  std::error_code error;
  fs::remove_all(path_, error);
}

std::string ending_of_ranks(const std::map<unsigned, std::string>& endings) {
  const std::string& first = endings.begin()->second;
  std::string text = first;
  for (const auto& [rank, ending] : endings) {
    if (ending != first) text += "; rank " + std::to_string(rank) + ": " + ending;
  }
  return text;
}

}  // namespace weft::profiler
