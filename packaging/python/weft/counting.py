"""Counters of launches: the extension cl_weft_performance_counters by pyopencl, which knows nothing of it."""
import ctypes
import weakref

import pyopencl as cl

_DEVICE_COUNTERS = 0x57460000
_QUEUE_COUNTERS = 0x57460010
_EVENT_COUNTERS = 0x57460020
_EVENT_FILES = 0x57460021
_EVENT_LINES = 0x57460022
_EVENT_LINE_COUNTERS = 0x57460023

# The loader that pyopencl is linked with, whichever it is.
_opencl = ctypes.CDLL(cl._cl.__file__)


class _Counter(ctypes.Structure):
    _fields_ = [("id", ctypes.c_uint32), ("unit", ctypes.c_uint32), ("scope", ctypes.c_uint32), ("storage", ctypes.c_uint32),
                ("name", ctypes.c_char * 128), ("description", ctypes.c_char * 256)]


class _Config(ctypes.Structure):
    _fields_ = [("num_counters", ctypes.c_uint32), ("ids", ctypes.POINTER(ctypes.c_uint32))]


class _Result(ctypes.Union):
    _fields_ = [("uint64", ctypes.c_uint64), ("float64", ctypes.c_double)]


class _Line(ctypes.Structure):
    _fields_ = [("file", ctypes.c_uint32), ("line", ctypes.c_uint32)]


def _query(function, handle, name, kind):
    size = ctypes.c_size_t()
    status = function(ctypes.c_void_p(handle), ctypes.c_uint32(name), ctypes.c_size_t(0), None, ctypes.byref(size))
    answer = (kind * (size.value // ctypes.sizeof(kind)))()
    if status == 0 and size.value:
        status = function(ctypes.c_void_p(handle), ctypes.c_uint32(name), size, answer, None)
    return status, answer


def _counters_of(device):
    status, answer = _query(_opencl.clGetDeviceInfo, device.int_ptr, _DEVICE_COUNTERS, _Counter)
    if status != 0 or not len(answer):
        raise ValueError(f"{device.name.strip()} has no counters: it is not Weft's")
    return {counter.name.decode(): counter for counter in answer}


def counter_list(device):
    """Of a device: {name: what it means}."""
    return {name: counter.description.decode() for name, counter in _counters_of(device).items()}


_counters_of_queues = weakref.WeakValueDictionary()  # by the queue's handle


class CountingQueue(cl.CommandQueue):
    """A queue whose launches are counted; `names` are counters of `counter_list`, all of them if None."""

    def __init__(self, context, names=None, device=None, properties=()):
        device = device or context.devices[0]
        known = _counters_of(device)
        missing = [name for name in names or () if name not in known]
        if missing:
            raise ValueError(f"no counter {missing[0]!r}; weft.counter_list(device) has those there are")
        self.counted = [known[name] for name in (names or known)]
        ids = (ctypes.c_uint32 * len(self.counted))(*(counter.id for counter in self.counted))
        config = _Config(len(self.counted), ids)
        super().__init__(context, device, [*properties, _QUEUE_COUNTERS, ctypes.addressof(config)])
        _counters_of_queues[self.int_ptr] = self

    def _named(self, results):
        return {counter.name.decode(): result.float64 if counter.storage else result.uint64
                for counter, result in zip(self.counted, results)}


def _of_event(event, name, kind):
    event.wait()
    status, answer = _query(_opencl.clGetEventProfilingInfo, event.int_ptr, name, kind)
    if status != 0:
        raise ValueError("the event is no launch in a CountingQueue that was counted")
    return answer


def _queue_of(event):
    queue = _counters_of_queues.get(event.command_queue.int_ptr)
    if queue is None:
        raise ValueError("the event's queue is no CountingQueue")
    return queue


def counters(event):
    """Of a launch, which is waited for: {counter: value}."""
    queue = _queue_of(event)
    return queue._named(_of_event(event, _EVENT_COUNTERS, _Result))


def line_counters(event):
    """Of a launch's source lines: {(file, line): {counter: value}}."""
    queue = _queue_of(event)
    results = _of_event(event, _EVENT_LINE_COUNTERS, _Result)
    files = bytes(_of_event(event, _EVENT_FILES, ctypes.c_ubyte)).decode().split("\0")
    width = len(queue.counted)
    return {(files[place.file], place.line): queue._named(results[i * width:(i + 1) * width])
            for i, place in enumerate(_of_event(event, _EVENT_LINES, _Line))}
