#include "common/cl.h"

#include <atomic>
#include <cstdlib>
#include <fstream>
#include <sstream>

namespace weft::conformance {

std::string platform_string(cl_platform_id platform, cl_platform_info what) {
  std::size_t size = 0;
  check(clGetPlatformInfo(platform, what, 0, nullptr, &size), "clGetPlatformInfo");
  std::string text(size, '\0');
  check(clGetPlatformInfo(platform, what, size, text.data(), nullptr), "clGetPlatformInfo");
  if (!text.empty() && text.back() == '\0') text.pop_back();
  return text;
}

std::string device_string(cl_device_id device, cl_device_info what) {
  std::size_t size = 0;
  check(clGetDeviceInfo(device, what, 0, nullptr, &size), "clGetDeviceInfo");
  std::string text(size, '\0');
  check(clGetDeviceInfo(device, what, size, text.data(), nullptr), "clGetDeviceInfo");
  if (!text.empty() && text.back() == '\0') text.pop_back();
  return text;
}

std::vector<cl_platform_id> all_platforms() {
  cl_uint count = 0;
  // A loader without any platform says CL_PLATFORM_NOT_FOUND_KHR, which is an empty list here.
  if (clGetPlatformIDs(0, nullptr, &count) != CL_SUCCESS || count == 0) return {};
  std::vector<cl_platform_id> platforms(count);
  check(clGetPlatformIDs(count, platforms.data(), nullptr), "clGetPlatformIDs");
  return platforms;
}

std::vector<cl_device_id> all_devices(cl_platform_id platform) {
  cl_uint count = 0;
  const cl_int found = clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 0, nullptr, &count);
  if (found == CL_DEVICE_NOT_FOUND || count == 0) return {};
  check(found, "clGetDeviceIDs");
  std::vector<cl_device_id> devices(count);
  check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, count, devices.data(), nullptr), "clGetDeviceIDs");
  return devices;
}

namespace {
std::atomic<bool> was_asked{false};
}

bool platform_was_asked() { return was_asked; }

cl_platform_id test_platform() {
  was_asked = true;
  static const cl_platform_id chosen = [] {
    const char* wanted = std::getenv("WEFT_TEST_PLATFORM");
    const std::string name = wanted ? wanted : "Weft";
    std::string present;
    for (cl_platform_id platform : all_platforms()) {
      const std::string found = platform_string(platform, CL_PLATFORM_NAME);
      if (found.find(name) != std::string::npos) return platform;
      present += " '" + found + "'";
    }
    throw std::runtime_error("no platform named like '" + name + "'; present:" + present);
  }();
  return chosen;
}

cl_device_id test_device() {
  const auto devices = all_devices(test_platform());
  if (devices.empty()) throw std::runtime_error("the platform under test has no device");
  return devices.front();
}

bool testing_weft() {
  static const bool is = platform_string(test_platform(), CL_PLATFORM_NAME) == "Weft";
  return is;
}

bool testing_pocl() {
  static const bool is =
      platform_string(test_platform(), CL_PLATFORM_NAME).find("Portable Computing") != std::string::npos;
  return is;
}

std::string read_text(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw std::runtime_error("cannot read " + path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

}  // namespace weft::conformance
