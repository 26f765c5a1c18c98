#include "common/session.h"

namespace weft::conformance {

Session::Session(cl_device_id device, cl_command_queue_properties properties) : device_(device) {
  cl_int error = CL_SUCCESS;
  context_ = Context(clCreateContext(nullptr, 1, &device, nullptr, nullptr, &error));
  check(error, "clCreateContext");
  queue_ = queue(properties);
}

Queue Session::queue(cl_command_queue_properties properties) const {
  cl_int error = CL_SUCCESS;
  Queue queue;
  // A platform of OpenCL 1.x has only the old call; under Oclgrind the new one never returns.
  if (device_string(device_, CL_DEVICE_VERSION).rfind("OpenCL 1.", 0) == 0) {
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
    queue = Queue(clCreateCommandQueue(context_, device_, properties, &error));
#pragma GCC diagnostic pop
  } else {
    const cl_queue_properties list[] = {CL_QUEUE_PROPERTIES, properties, 0};
    queue = Queue(clCreateCommandQueueWithProperties(context_, device_, list, &error));
  }
  check(error, "creating a queue");
  return queue;
}

Program Session::create_program(const std::string& source) const {
  cl_int error = CL_SUCCESS;
  if (source.rfind("\x03\x02\x23\x07", 0) == 0) {
    Program program(clCreateProgramWithIL(context_, source.data(), source.size(), &error));
    check(error, "clCreateProgramWithIL");
    return program;
  }
  const char* text = source.c_str();
  const std::size_t length = source.size();
  Program program(clCreateProgramWithSource(context_, 1, &text, &length, &error));
  check(error, "clCreateProgramWithSource");
  return program;
}

Program Session::build(const std::string& source, const std::string& options) const {
  Program program = create_program(source);
  const cl_int error = clBuildProgram(program, 1, &device_, options.c_str(), nullptr, nullptr);
  if (error != CL_SUCCESS) throw ClError(error, "clBuildProgram: " + build_log(program));
  return program;
}

std::string Session::build_log(cl_program program) const {
  std::size_t size = 0;
  check(clGetProgramBuildInfo(program, device_, CL_PROGRAM_BUILD_LOG, 0, nullptr, &size), "build log");
  std::string log(size, '\0');
  check(clGetProgramBuildInfo(program, device_, CL_PROGRAM_BUILD_LOG, size, log.data(), nullptr),
        "build log");
  while (!log.empty() && log.back() == '\0') log.pop_back();
  return log;
}

Kernel Session::kernel(cl_program program, const std::string& name) const {
  cl_int error = CL_SUCCESS;
  Kernel kernel(clCreateKernel(program, name.c_str(), &error));
  check(error, "clCreateKernel " + name);
  return kernel;
}

Mem Session::buffer(std::size_t bytes, cl_mem_flags flags, void* host) const {
  cl_int error = CL_SUCCESS;
  Mem buffer(clCreateBuffer(context_, flags, bytes, host, &error));
  check(error, "clCreateBuffer");
  return buffer;
}

Event Session::enqueue(cl_kernel kernel, const Range& range) const {
  Event event;
  check(clEnqueueNDRangeKernel(queue_, kernel, static_cast<cl_uint>(range.global.size()),
                               range.offset.empty() ? nullptr : range.offset.data(), range.global.data(),
                               range.local.empty() ? nullptr : range.local.data(), 0, nullptr, event.out()),
        "clEnqueueNDRangeKernel");
  return event;
}

void Session::finish(const Event& event) const {
  const cl_event raw = event;
  const cl_int waited = clWaitForEvents(1, &raw);
  cl_int status = CL_COMPLETE;
  check(clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, nullptr),
        "event status");
  if (status < 0) throw ClError(status, "command ended abnormally");
  check(waited, "clWaitForEvents");
}

}  // namespace weft::conformance
