#include "device/print.h"

#include <algorithm>
#include <bit>
#include <cstdio>
#include <cstring>
#include <optional>
#include <string_view>

namespace weft::device {
namespace {

/// Text that is kept back at most.
constexpr std::size_t kSinkBytes = std::size_t{1} << 20;

/// Element sizes: `h` modifiers count for vectors, where nothing is promoted (§6.15.14.2).
enum class Length { kNone, kChar, kShort, kInt, kLong };

struct Conversion {
  std::string flags_width_precision;  ///< as written, for the host's printf
  unsigned vector = 0;                ///< elements; 0: a scalar
  Length length = Length::kNone;
  char specifier = 0;
  const char* end = nullptr;
};

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// Reads the conversion after a '%'. Nothing if it is none of OpenCL C's.
std::optional<Conversion> parse(const char* text) {
  Conversion conversion;
  const char* begin = text;
  while (*text && std::strchr("-+ #0", *text)) ++text;
  const auto number = [&text] {
    const char* first = text;
    while (is_digit(*text)) ++text;
    return text - first <= 4;  // beyond 9999 columns is damage, not layout
  };
  if (!number()) return {};
  if (*text == '.') {
    ++text;
    if (!number()) return {};
  }
  conversion.flags_width_precision.assign(begin, text);
  if (*text == 'v') {
    ++text;
    while (is_digit(*text) && conversion.vector < 100)
      conversion.vector = conversion.vector * 10 + (*text++ - '0');
    const unsigned n = conversion.vector;
    if (n != 2 && n != 3 && n != 4 && n != 8 && n != 16) return {};
  }
  if (text[0] == 'h' && text[1] == 'h') {
    conversion.length = Length::kChar;
    text += 2;
  } else if (text[0] == 'h' && text[1] == 'l') {
    if (!conversion.vector) return {};
    conversion.length = Length::kInt;
    text += 2;
  } else if (*text == 'h') {
    conversion.length = Length::kShort;
    ++text;
  } else if (*text == 'l') {
    conversion.length = Length::kLong;
    ++text;
  } else if ((*text == 'z' || *text == 't') && !conversion.vector && text[1] && std::strchr("diouxX", text[1])) {
    conversion.length = Length::kLong;  // of size_t and ptrdiff_t (OpenCL C 3.1 §6.15.14)
    ++text;
  }
  if (!*text || !std::strchr("diouxXfFeEgGaAcsp%", *text)) return {};
  conversion.specifier = *text++;
  if (conversion.vector && std::strchr("csp%", conversion.specifier)) return {};
  conversion.end = text;
  return conversion;
}

/// The packed arguments, read in order.
class Arguments {
 public:
  Arguments(const std::byte* data, std::size_t size) : data_(data), size_(size) {}

  /// The next argument of `size` bytes, or null.
  const std::byte* next(std::size_t size) {
    const std::size_t align = std::min<std::size_t>(size, 8);
    const std::size_t offset = (offset_ + align - 1) / align * align;
    if (offset > size_ || size_ - offset < size) return nullptr;
    offset_ = offset + size;
    return data_ + offset;
  }

 private:
  const std::byte* data_;
  std::size_t size_;
  std::size_t offset_ = 0;
};

template <class T>
T read(const std::byte* place) {
  T value;
  std::memcpy(&value, place, sizeof value);
  return value;
}

template <class T>
void append_printed(std::string& out, const std::string& format, T value) {
  char small[128];
  const int length = std::snprintf(small, sizeof small, format.c_str(), value);
  if (length < 0) return;
  if (static_cast<std::size_t>(length) < sizeof small) {
    out.append(small, static_cast<std::size_t>(length));
    return;
  }
  const std::size_t old = out.size();
  out.resize(old + static_cast<std::size_t>(length) + 1);
  std::snprintf(out.data() + old, static_cast<std::size_t>(length) + 1, format.c_str(), value);
  out.resize(old + static_cast<std::size_t>(length));
}

double half_to_double(std::uint16_t half) {
  const std::uint32_t sign = std::uint32_t{half & 0x8000u} << 16;
  const std::uint32_t exponent = (half >> 10) & 0x1f;
  const std::uint32_t fraction = half & 0x3ff;
  if (exponent == 31) return std::bit_cast<float>(sign | 0x7f800000u | fraction << 13);
  if (exponent == 0) {
    const double magnitude = static_cast<double>(fraction) * 0x1p-24;
    return sign ? -magnitude : magnitude;
  }
  return std::bit_cast<float>(sign | (exponent + 112) << 23 | fraction << 13);
}

bool is_float(char specifier) { return std::strchr("fFeEgGaA", specifier) != nullptr; }
bool is_signed(char specifier) { return specifier == 'd' || specifier == 'i'; }

/// Bytes of one element as it lies in the packed arguments.
std::size_t element_bytes(const Conversion& conversion) {
  if (!conversion.vector) {
    // Scalars come promoted: integers to int, float to double.
    if (is_float(conversion.specifier)) return 8;
    return conversion.length == Length::kLong ? 8 : 4;
  }
  switch (conversion.length) {
    case Length::kChar:
      return 1;
    case Length::kShort:
      return 2;
    case Length::kLong:
      return 8;
    default:
      return 4;
  }
}

void append_float(std::string& out, const Conversion& conversion, const std::byte* place, std::size_t bytes) {
  const double value = bytes == 8   ? read<double>(place)
                       : bytes == 4 ? read<float>(place)
                                    : half_to_double(read<std::uint16_t>(place));
  append_printed(out, "%" + conversion.flags_width_precision + conversion.specifier, value);
}

void append_integer(std::string& out, const Conversion& conversion, const std::byte* place,
                    std::size_t bytes) {
  // Widened here, so that one host conversion serves; %hhd of a promoted int shows its low byte.
  const bool keep_sign = is_signed(conversion.specifier);
  const std::size_t shown = conversion.length == Length::kChar    ? 1
                            : conversion.length == Length::kShort ? 2
                                                                  : bytes;
  long long value = 0;
  switch (shown) {
    case 1:
      value = keep_sign ? static_cast<long long>(read<std::int8_t>(place)) : read<std::uint8_t>(place);
      break;
    case 2:
      value = keep_sign ? static_cast<long long>(read<std::int16_t>(place)) : read<std::uint16_t>(place);
      break;
    case 4:
      value = keep_sign ? static_cast<long long>(read<std::int32_t>(place)) : read<std::uint32_t>(place);
      break;
    default:
      value = read<long long>(place);
  }
  append_printed(out, "%" + conversion.flags_width_precision + "ll" + conversion.specifier, value);
}

/// False if the argument is missing.
bool append_conversion(std::string& out, const Conversion& conversion, Arguments& arguments) {
  const std::string prefix = "%" + conversion.flags_width_precision;
  switch (conversion.specifier) {
    case '%':
      out += '%';
      return true;
    case 'c': {
      const std::byte* place = arguments.next(4);
      if (place) append_printed(out, prefix + "c", read<int>(place));
      return place != nullptr;
    }
    case 's': {
      const std::byte* place = arguments.next(8);
      if (!place) return false;
      const char* text = read<const char*>(place);
      append_printed(out, prefix + "s", text ? text : "(null)");
      return true;
    }
    case 'p': {
      const std::byte* place = arguments.next(8);
      if (place) append_printed(out, prefix + "p", read<void*>(place));
      return place != nullptr;
    }
    default:
      break;
  }
  const std::size_t bytes = element_bytes(conversion);
  const unsigned elements = std::max(1u, conversion.vector);
  const std::byte* place = arguments.next(bytes * (elements == 3 ? 4 : elements));
  if (!place) return false;
  for (unsigned i = 0; i < elements; ++i) {
    if (i) out += ',';
    (is_float(conversion.specifier) ? append_float : append_integer)(out, conversion, place + i * bytes,
                                                                     bytes);
  }
  return true;
}

}  // namespace

void format_print(std::string& out, const char* format, const std::byte* data, std::size_t size) {
  Arguments arguments(data, size);
  while (*format) {
    const char* percent = std::strchr(format, '%');
    if (!percent) {
      out += format;
      return;
    }
    out.append(format, percent);
    const auto conversion = parse(percent + 1);
    if (conversion && append_conversion(out, *conversion, arguments)) {
      format = conversion->end;
    } else {
      out += '%';
      format = percent + 1;
    }
  }
}

void PrintSink::print(const char* format, const void* arguments, std::size_t size) noexcept {
  try {
    thread_local std::string line;
    line.clear();
    format_print(line, format, static_cast<const std::byte*>(arguments), size);
    std::lock_guard guard(mutex_);
    text_ += line;
    if (text_.size() < kSinkBytes) return;
    std::fwrite(text_.data(), 1, text_.size(), stdout);
    text_.clear();
  } catch (...) {
    // Out of memory: the text is lost, as with a full printf buffer on a device.
  }
}

void PrintSink::flush() noexcept {
  std::lock_guard guard(mutex_);
  if (!text_.empty()) std::fwrite(text_.data(), 1, text_.size(), stdout);
  text_.clear();
  std::fflush(stdout);
}

}  // namespace weft::device
