// The object loader: lays out an ELF64 x86-64 relocatable object in one mapping, relocates it, and takes the
// right to write from all but its data (W^X). Nothing of the object is trusted: every offset is checked.
#include "device/code.h"

#include <elf.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstring>
#include <limits>
#include <stdexcept>
#include <unordered_map>
#include <vector>

#include "device/host_symbols.h"

namespace weft::device {
namespace {

/// Far above any kernel, far below what 32-bit displacements reach.
constexpr std::uint64_t kMaxImageBytes = std::uint64_t{256} << 20;

[[noreturn]] void fail(const std::string& what) { throw std::runtime_error("bad kernel object: " + what); }

struct Unmap {
  std::size_t bytes;
  void operator()(std::byte* mapping) const { munmap(mapping, bytes); }
};
using Mapping = std::unique_ptr<std::byte, Unmap>;

/// Segments in the order in which they lie in the mapping, a page boundary between them.
enum Segment { kText, kReadOnly, kWritable, kNumSegments };

class Loader {
 public:
  explicit Loader(std::span<const std::uint8_t> object) : object_(object) {}

  /// Fills the mapping and gives it its final rights.
  Mapping load() {
    read_header();
    read_symbols();
    lay_out();
    allocate();
    for (std::size_t i = 0; i < sections_.size(); ++i) {
      if (sections_[i].sh_type == SHT_RELA) relocate(sections_[i]);
      // x86-64 has explicit addends only.
      if (sections_[i].sh_type == SHT_REL) fail("relocations without addends");
    }
    protect();
    return std::move(mapping_);
  }

  /// Address of a defined function; null if there is none of that name.
  std::byte* find_function(std::string_view name) const {
    for (const Elf64_Sym& symbol : symbols_) {
      if (symbol.st_shndx == SHN_UNDEF || symbol.st_shndx >= sections_.size() ||
          symbol_name(symbol) != name || ELF64_ST_TYPE(symbol.st_info) == STT_SECTION) {
        continue;
      }
      const Elf64_Shdr& section = sections_[symbol.st_shndx];
      if (!placed(symbol.st_shndx) || !(section.sh_flags & SHF_EXECINSTR) ||
          symbol.st_value >= section.sh_size) {
        fail("the kernel's symbol is not in code");
      }
      return base() + place_[symbol.st_shndx] + symbol.st_value;
    }
    return nullptr;
  }

 private:
  static constexpr std::uint64_t kNotPlaced = std::numeric_limits<std::uint64_t>::max();

  std::byte* base() const { return base_; }

  /// The part [offset, offset + size) of the object.
  std::span<const std::uint8_t> part(std::uint64_t offset, std::uint64_t size) const {
    if (offset > object_.size() || size > object_.size() - offset) fail("truncated");
    return object_.subspan(offset, size);
  }

  template <class T>
  std::vector<T> table(const Elf64_Shdr& section) const {
    if (section.sh_entsize != sizeof(T) || section.sh_size % sizeof(T) != 0) fail("odd entry size");
    const auto bytes = part(section.sh_offset, section.sh_size);
    std::vector<T> entries(bytes.size() / sizeof(T));
    if (!entries.empty()) std::memcpy(entries.data(), bytes.data(), bytes.size());
    return entries;
  }

  void read_header() {
    Elf64_Ehdr header;
    std::memcpy(&header, part(0, sizeof header).data(), sizeof header);
    if (std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 || header.e_ident[EI_CLASS] != ELFCLASS64 ||
        header.e_ident[EI_DATA] != ELFDATA2LSB || header.e_type != ET_REL || header.e_machine != EM_X86_64) {
      fail("no ELF64 x86-64 relocatable object");
    }
    if (header.e_shentsize != sizeof(Elf64_Shdr)) fail("odd section header size");
    // More sections than e_shnum can count would put 0 here; kernels do not have 65,280 sections.
    const auto bytes = part(header.e_shoff, std::uint64_t{header.e_shnum} * sizeof(Elf64_Shdr));
    sections_.resize(header.e_shnum);
    if (!sections_.empty()) std::memcpy(sections_.data(), bytes.data(), bytes.size());
  }

  void read_symbols() {
    for (std::size_t i = 0; i < sections_.size(); ++i) {
      const Elf64_Shdr& section = sections_[i];
      if (section.sh_type != SHT_SYMTAB) continue;
      if (symbol_table_ != 0) fail("two symbol tables");
      if (section.sh_link >= sections_.size()) fail("symbol table without names");
      symbol_table_ = i;
      symbols_ = table<Elf64_Sym>(section);
      const Elf64_Shdr& names = sections_[section.sh_link];
      names_ = part(names.sh_offset, names.sh_size);
    }
    if (symbol_table_ == 0) fail("no symbol table");
  }

  std::string_view symbol_name(const Elf64_Sym& symbol) const {
    if (symbol.st_name >= names_.size()) fail("symbol name out of range");
    const char* text = reinterpret_cast<const char*>(names_.data()) + symbol.st_name;
    return {text, strnlen(text, names_.size() - symbol.st_name)};
  }

  bool placed(std::size_t section) const { return place_[section] != kNotPlaced; }

  /// Takes `size` bytes at the end of the image and returns their offset.
  std::uint64_t reserve(std::uint64_t size, std::uint64_t align) {
    if (align == 0) align = 1;
    if ((align & (align - 1)) != 0 || align > 4096) fail("odd alignment");
    if (size > kMaxImageBytes) fail("too large");
    const std::uint64_t offset = (image_bytes_ + align - 1) & ~(align - 1);
    image_bytes_ = offset + size;
    if (image_bytes_ > kMaxImageBytes) fail("too large");
    return offset;
  }

  static Segment segment_of(const Elf64_Shdr& section) {
    if (section.sh_flags & SHF_EXECINSTR) return kText;
    return section.sh_flags & SHF_WRITE ? kWritable : kReadOnly;
  }

  /// Sections that matter at run time; unwind tables and notes do not.
  static bool wanted(const Elf64_Shdr& section) {
    if (!(section.sh_flags & SHF_ALLOC)) return false;
    if (section.sh_flags & SHF_TLS) fail("thread-local data");
    return section.sh_type == SHT_PROGBITS || section.sh_type == SHT_NOBITS;
  }

  void lay_out() {
    const std::uint64_t page = static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
    place_.assign(sections_.size(), kNotPlaced);
    common_.assign(symbols_.size(), 0);
    for (const Elf64_Shdr& section : sections_) {
      if (section.sh_type == SHT_INIT_ARRAY || section.sh_type == SHT_FINI_ARRAY) fail("constructors");
    }
    for (int segment = kText; segment < kNumSegments; ++segment) {
      for (std::size_t i = 0; i < sections_.size(); ++i) {
        // .eh_frame is PROGBITS in what GNU as emits and X86_64_UNWIND in LLVM's.
        if (!wanted(sections_[i]) || segment_of(sections_[i]) != segment || section_name(i) == ".eh_frame") {
          continue;
        }
        place_[i] = reserve(sections_[i].sh_size, sections_[i].sh_addralign);
      }
      // Space for what relocations of the worst kind ask for: one stub and one table slot a symbol.
      if (segment == kText) stubs_ = reserve(symbols_.size() * kStubBytes, 16);
      if (segment == kReadOnly) slots_ = reserve(symbols_.size() * sizeof(std::uint64_t), 8);
      if (segment == kWritable) {
        for (std::size_t i = 0; i < symbols_.size(); ++i) {
          if (symbols_[i].st_shndx == SHN_COMMON) {
            common_[i] = reserve(symbols_[i].st_size, symbols_[i].st_value);
          }
        }
      }
      image_bytes_ = (image_bytes_ + page - 1) & ~(page - 1);
      segment_end_[segment] = image_bytes_;
    }
  }

  std::string_view section_name(std::size_t index) const {
    Elf64_Ehdr header;
    std::memcpy(&header, object_.data(), sizeof header);
    if (header.e_shstrndx >= sections_.size()) return {};
    const auto names = part(sections_[header.e_shstrndx].sh_offset, sections_[header.e_shstrndx].sh_size);
    if (sections_[index].sh_name >= names.size()) return {};
    const char* text = reinterpret_cast<const char*>(names.data()) + sections_[index].sh_name;
    return {text, strnlen(text, names.size() - sections_[index].sh_name)};
  }

  /// Absolute 32-bit addresses need a place in the low 2 GiB.
  bool needs_low_addresses() const {
    for (const Elf64_Shdr& section : sections_) {
      if (section.sh_type != SHT_RELA || section.sh_info >= sections_.size() || !placed(section.sh_info)) {
        continue;
      }
      for (const Elf64_Rela& entry : table<Elf64_Rela>(section)) {
        const auto type = ELF64_R_TYPE(entry.r_info);
        if (type == R_X86_64_32 || type == R_X86_64_32S) return true;
      }
    }
    return false;
  }

  void allocate() {
    if (image_bytes_ == 0) fail("empty");
    void* memory = mmap(nullptr, image_bytes_, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | (needs_low_addresses() ? MAP_32BIT : 0), -1, 0);
    if (memory == MAP_FAILED) fail("no memory for it");
    base_ = static_cast<std::byte*>(memory);
    mapping_ = Mapping(base_, Unmap{image_bytes_});
    for (std::size_t i = 0; i < sections_.size(); ++i) {
      if (!placed(i) || sections_[i].sh_type == SHT_NOBITS || sections_[i].sh_size == 0) continue;
      const auto bytes = part(sections_[i].sh_offset, sections_[i].sh_size);
      std::memcpy(base_ + place_[i], bytes.data(), bytes.size());
    }
  }

  /// Address of a symbol; throws for one that is not known.
  std::uint64_t address_of(std::uint32_t index) const {
    if (index >= symbols_.size()) fail("symbol out of range");
    const Elf64_Sym& symbol = symbols_[index];
    const auto base_address = reinterpret_cast<std::uint64_t>(base_);
    switch (symbol.st_shndx) {
      case SHN_ABS:
        return symbol.st_value;
      case SHN_COMMON:
        return base_address + common_[index];
      case SHN_UNDEF: {
        if (index == 0) return 0;
        const std::string_view name = symbol_name(symbol);
        if (name == "_GLOBAL_OFFSET_TABLE_") return base_address + slots_;
        if (void* host = host_symbol(name)) return reinterpret_cast<std::uint64_t>(host);
        if (ELF64_ST_BIND(symbol.st_info) == STB_WEAK) return 0;
        fail("undefined symbol " + std::string(name));
      }
      default:
        if (symbol.st_shndx >= sections_.size() || !placed(symbol.st_shndx)) fail("symbol in no section");
        if (symbol.st_value > sections_[symbol.st_shndx].sh_size) fail("symbol outside its section");
        return base_address + place_[symbol.st_shndx] + symbol.st_value;
    }
  }

  /// Address of a table slot that holds the symbol's address.
  std::uint64_t slot_of(std::uint32_t index) const {
    const std::uint64_t target = address_of(index);
    std::byte* slot = base_ + slots_ + index * sizeof(std::uint64_t);
    std::memcpy(slot, &target, sizeof target);
    return reinterpret_cast<std::uint64_t>(slot);
  }

  /// Address of a stub that jumps to the symbol: host functions may be out of a 32-bit displacement's reach.
  std::uint64_t stub_of(std::uint32_t index) const {
    std::byte* stub = base_ + stubs_ + index * kStubBytes;
    const auto address = reinterpret_cast<std::uint64_t>(stub);
    const std::uint8_t jump[2] = {0xff, 0x25};  // jmp *displacement(%rip)
    const auto displacement = static_cast<std::int32_t>(slot_of(index) - (address + 6));
    std::memcpy(stub, jump, sizeof jump);
    std::memcpy(stub + 2, &displacement, sizeof displacement);
    return address;
  }

  template <class Field>
  static void store(std::byte* place, std::int64_t value, bool is_unsigned = false) {
    if constexpr (sizeof(Field) < sizeof(std::int64_t)) {
      using Signed = std::make_signed_t<Field>;
      using Unsigned = std::make_unsigned_t<Field>;
      const bool fits = is_unsigned ? value >= 0 && value <= std::numeric_limits<Unsigned>::max()
                                    : value >= std::numeric_limits<Signed>::min() &&
                                          value <= std::numeric_limits<Signed>::max();
      if (!fits) fail("relocation out of reach");
    }
    const Field field = static_cast<Field>(value);
    std::memcpy(place, &field, sizeof field);
  }

  void relocate(const Elf64_Shdr& relocations) {
    // Those of debug information and unwind tables are of no use here.
    if (relocations.sh_info >= sections_.size() || !placed(relocations.sh_info)) return;
    if (relocations.sh_link != symbol_table_) fail("relocations without symbols");
    const Elf64_Shdr& target = sections_[relocations.sh_info];
    for (const Elf64_Rela& entry : table<Elf64_Rela>(relocations)) {
      const std::uint32_t type = ELF64_R_TYPE(entry.r_info);
      const std::uint32_t symbol = ELF64_R_SYM(entry.r_info);
      if (type == R_X86_64_NONE) continue;
      const std::size_t size = field_bytes(type);
      if (entry.r_offset > target.sh_size || target.sh_size - entry.r_offset < size) {
        fail("relocation outside its section");
      }
      if (symbol >= symbols_.size()) fail("symbol out of range");
      std::byte* place = base_ + place_[relocations.sh_info] + entry.r_offset;
      apply(type, symbol, place, entry.r_addend);
    }
  }

  static std::size_t field_bytes(std::uint32_t type) {
    switch (type) {
      case R_X86_64_8:
      case R_X86_64_PC8:
        return 1;
      case R_X86_64_16:
      case R_X86_64_PC16:
        return 2;
      case R_X86_64_32:
      case R_X86_64_32S:
      case R_X86_64_PC32:
      case R_X86_64_PLT32:
      case R_X86_64_GOTPCREL:
      case R_X86_64_GOTPCRELX:
      case R_X86_64_REX_GOTPCRELX:
      case R_X86_64_GOTPC32:
        return 4;
      case R_X86_64_64:
      case R_X86_64_PC64:
      case R_X86_64_GOTOFF64:
      case R_X86_64_GOTPC64:
      case R_X86_64_GOT64:
        return 8;
      default:
        fail("relocation of type " + std::to_string(type));
    }
  }

  // System V ABI, AMD64 supplement §4.4.1: S symbol, A addend, P place, G slot, GOT the table's start. The
  // sums wrap: a hostile addend must not be undefined behaviour.
  void apply(std::uint32_t type, std::uint32_t symbol, std::byte* place, std::int64_t addend) const {
    const auto a = static_cast<std::uint64_t>(addend);
    const auto p = reinterpret_cast<std::uint64_t>(place);
    const auto table_start = reinterpret_cast<std::uint64_t>(base_) + slots_;
    const auto to_signed = [](std::uint64_t value) { return static_cast<std::int64_t>(value); };
    switch (type) {
      case R_X86_64_64:
        return store<std::uint64_t>(place, to_signed(address_of(symbol) + a));
      case R_X86_64_PC64:
        return store<std::uint64_t>(place, to_signed(address_of(symbol) + a - p));
      case R_X86_64_GOTOFF64:
        return store<std::uint64_t>(place, to_signed(address_of(symbol) + a - table_start));
      case R_X86_64_GOTPC64:
        return store<std::uint64_t>(place, to_signed(table_start + a - p));
      case R_X86_64_GOT64:
        return store<std::uint64_t>(place, to_signed(slot_of(symbol) + a - table_start));
      case R_X86_64_32:
        return store<std::uint32_t>(place, to_signed(address_of(symbol) + a), true);
      case R_X86_64_32S:
        return store<std::uint32_t>(place, to_signed(address_of(symbol) + a));
      case R_X86_64_GOTPC32:
        return store<std::uint32_t>(place, to_signed(table_start + a - p));
      case R_X86_64_GOTPCREL:
      case R_X86_64_GOTPCRELX:
      case R_X86_64_REX_GOTPCRELX:
        return store<std::uint32_t>(place, to_signed(slot_of(symbol) + a - p));
      case R_X86_64_PLT32:
      case R_X86_64_PC32: {
        // A call of a host function may be marked with either.
        const bool external = symbols_[symbol].st_shndx == SHN_UNDEF && symbol != 0;
        const std::uint64_t s = external && symbol_name(symbols_[symbol]) != "_GLOBAL_OFFSET_TABLE_"
                                    ? stub_of(symbol)
                                    : address_of(symbol);
        return store<std::uint32_t>(place, to_signed(s + a - p));
      }
      case R_X86_64_16:
        return store<std::uint16_t>(place, to_signed(address_of(symbol) + a), true);
      case R_X86_64_PC16:
        return store<std::uint16_t>(place, to_signed(address_of(symbol) + a - p));
      case R_X86_64_8:
        return store<std::uint8_t>(place, to_signed(address_of(symbol) + a), true);
      case R_X86_64_PC8:
        return store<std::uint8_t>(place, to_signed(address_of(symbol) + a - p));
      default:
        fail("relocation of type " + std::to_string(type));
    }
  }

  void protect() const {
    const auto set = [this](std::uint64_t from, std::uint64_t to, int rights) {
      if (from != to && mprotect(base_ + from, to - from, rights) != 0) fail("memory rights refused");
    };
    set(0, segment_end_[kText], PROT_READ | PROT_EXEC);
    set(segment_end_[kText], segment_end_[kReadOnly], PROT_READ);
  }

  static constexpr std::size_t kStubBytes = 8;

  std::span<const std::uint8_t> object_;
  std::vector<Elf64_Shdr> sections_;
  std::vector<Elf64_Sym> symbols_;
  std::span<const std::uint8_t> names_;
  std::size_t symbol_table_ = 0;
  std::vector<std::uint64_t> place_;   // of each section in the image
  std::vector<std::uint64_t> common_;  // of each common symbol in the image
  std::uint64_t stubs_ = 0, slots_ = 0;
  std::uint64_t segment_end_[kNumSegments] = {};
  std::uint64_t image_bytes_ = 0;
  std::byte* base_ = nullptr;
  Mapping mapping_;
};

}  // namespace

std::shared_ptr<const Code> Code::load(std::span<const std::uint8_t> object, std::string_view symbol,
                                       const CodeTraits& traits, std::string* error) {
  try {
    Loader loader(object);
    Mapping mapping = loader.load();
    std::byte* entry = loader.find_function(symbol);
    if (!entry) fail("no symbol " + std::string(symbol));
    std::shared_ptr<Code> code(new Code);
    code->entry_ = reinterpret_cast<abi::GroupFunction>(entry);
    code->traits_ = traits;
    code->mapping_bytes_ = mapping.get_deleter().bytes;
    code->mapping_ = mapping.release();
    return code;
  } catch (const std::exception& failure) {
    if (error) *error = failure.what();
    return nullptr;
  }
}

Code::~Code() {
  if (mapping_) munmap(mapping_, mapping_bytes_);
}

}  // namespace weft::device
