#include "compiler/frontend/leniency.h"

#include "clang/Basic/DiagnosticSema.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Frontend/TextDiagnosticPrinter.h"
#include "llvm/ADT/SmallString.h"

namespace weft::compiler::frontend {

// Every pair of types that has no overload of its own gets one; those that the language can choose for mean the same.
// mul24 and mad24: of int where an argument is and none is uint, and of long alone; else of uint. The others: of the type that the
// usual arithmetic conversions give.
static constexpr char kOverloads[] = R"(
#define WEFT_F static inline __attribute__((overloadable))
#define WEFT_24(T, A, B) WEFT_F T mul24(A a, B b) { return mul24((T)a, (T)b); } WEFT_MAD(T, A, B, T) WEFT_MAD(T, A, B, long) WEFT_MAD(T, A, B, ulong)
#define WEFT_MAD(T, A, B, C) WEFT_F T mad24(A a, B b, C c) { return mad24((T)a, (T)b, (T)c); }
#define WEFT_24_OF(T) WEFT_24(T, T, long) WEFT_24(T, T, ulong) WEFT_24(T, long, T) WEFT_24(T, ulong, T) WEFT_MAD(T, T, T, long) WEFT_MAD(T, T, T, ulong)
WEFT_24_OF(int)
WEFT_24_OF(uint)
WEFT_24(uint, int, uint)
WEFT_24(uint, uint, int)
WEFT_F int mul24(long a, long b) { return mul24((int)a, (int)b); }
WEFT_F uint mul24(long a, ulong b) { return mul24((uint)a, (uint)b); }
WEFT_F uint mul24(ulong a, long b) { return mul24((uint)a, (uint)b); }
WEFT_F uint mul24(ulong a, ulong b) { return mul24((uint)a, (uint)b); }
#define WEFT_MAD_LONG(A, B, T) WEFT_MAD(int, A, B, int) WEFT_MAD(uint, A, B, uint) WEFT_MAD(T, A, B, long) WEFT_MAD(uint, A, B, ulong)
WEFT_MAD_LONG(long, long, int)
WEFT_MAD_LONG(long, ulong, uint)
WEFT_MAD_LONG(ulong, long, uint)
WEFT_MAD_LONG(ulong, ulong, uint)
WEFT_MAD(uint, int, int, uint)
WEFT_MAD(uint, uint, uint, int)
WEFT_MAD(uint, int, uint, int)
WEFT_MAD(uint, uint, int, int)
WEFT_MAD(uint, int, long, uint)
WEFT_MAD(uint, int, ulong, uint)
WEFT_MAD(uint, uint, long, int)
WEFT_MAD(uint, uint, ulong, int)
WEFT_MAD(uint, long, int, uint)
WEFT_MAD(uint, ulong, int, uint)
WEFT_MAD(uint, long, uint, int)
WEFT_MAD(uint, ulong, uint, int)

#define WEFT_COMMON(A, B) __typeof__((A)0 + (B)0)
#define WEFT_PAIR(A, B) \
  WEFT_F WEFT_COMMON(A, B) min(A a, B b) { typedef WEFT_COMMON(A, B) T; return min((T)a, (T)b); } \
  WEFT_F WEFT_COMMON(A, B) max(A a, B b) { typedef WEFT_COMMON(A, B) T; return max((T)a, (T)b); } \
  WEFT_F WEFT_COMMON(A, B) clamp(A a, B b, B c) { typedef WEFT_COMMON(A, B) T; return clamp((T)a, (T)b, (T)c); } \
  WEFT_F WEFT_COMMON(A, B) clamp(A a, A b, B c) { typedef WEFT_COMMON(A, B) T; return clamp((T)a, (T)b, (T)c); } \
  WEFT_F WEFT_COMMON(A, B) clamp(A a, B b, A c) { typedef WEFT_COMMON(A, B) T; return clamp((T)a, (T)b, (T)c); }
#define WEFT_PAIRS(A, B) WEFT_PAIR(A, B) WEFT_PAIR(B, A)
#define WEFT_WITH_double(A) WEFT_PAIRS(A, double)
#define WEFT_WITH_float(A) WEFT_WITH_double(A) WEFT_PAIRS(A, float)
#define WEFT_WITH_ulong(A) WEFT_WITH_float(A) WEFT_PAIRS(A, ulong)
#define WEFT_WITH_long(A) WEFT_WITH_ulong(A) WEFT_PAIRS(A, long)
#define WEFT_WITH_uint(A) WEFT_WITH_long(A) WEFT_PAIRS(A, uint)
#define WEFT_WITH_int(A) WEFT_WITH_uint(A) WEFT_PAIRS(A, int)
#define WEFT_WITH_ushort(A) WEFT_WITH_int(A) WEFT_PAIRS(A, ushort)
#define WEFT_WITH_short(A) WEFT_WITH_ushort(A) WEFT_PAIRS(A, short)
#define WEFT_WITH_uchar(A) WEFT_WITH_short(A) WEFT_PAIRS(A, uchar)
WEFT_WITH_uchar(char)
WEFT_WITH_short(uchar)
WEFT_WITH_ushort(short)
WEFT_WITH_int(ushort)
WEFT_WITH_uint(int)
WEFT_WITH_long(uint)
WEFT_WITH_ulong(long)
WEFT_WITH_float(ulong)
WEFT_WITH_double(float)
)";

std::string Leniency::header() const {
  std::string text(overloads ? kOverloads : "");
  if (samplers) text += "#define sampler_t const sampler_t\n";
  if (assembly) text += "#undef cl_nv_pragma_unroll\n";
  return text;
}

Leniency Leniency::operator|(const Leniency& other) const {
  return {.overloads = overloads || other.overloads, .samplers = samplers || other.samplers, .assembly = assembly || other.assembly};
}

LenientPrinter::LenientPrinter(llvm::raw_ostream& log, clang::DiagnosticOptions& options)
    : printer_(std::make_unique<clang::TextDiagnosticPrinter>(log, &options)) {}

LenientPrinter::~LenientPrinter() = default;

void LenientPrinter::BeginSourceFile(const clang::LangOptions& language, const clang::Preprocessor* preprocessor) {
  printer_->BeginSourceFile(language, preprocessor);
}

void LenientPrinter::EndSourceFile() { printer_->EndSourceFile(); }

void LenientPrinter::HandleDiagnostic(clang::DiagnosticsEngine::Level level, const clang::Diagnostic& diagnostic) {
  clang::DiagnosticConsumer::HandleDiagnostic(level, diagnostic);  // counts
  printer_->HandleDiagnostic(level, diagnostic);
  const char* taken = nullptr;
  bool* asked = nullptr;
  switch (diagnostic.getID()) {
    case clang::diag::err_ovl_ambiguous_call: taken = "; its arguments are converted to one type", asked = &asked_.overloads; break;
    case clang::diag::err_opencl_nonconst_global_sampler: taken = "; taken as const", asked = &asked_.samplers; break;
    case clang::diag::err_undeclared_var_use: taken = "; compiled without cl_nv_pragma_unroll", asked = &asked_.assembly; break;
    default: return;
  }
  llvm::SmallString<128> message;
  diagnostic.FormatDiagnostic(message);
  if (diagnostic.getID() == clang::diag::err_undeclared_var_use && !llvm::StringRef(message).ends_with(" 'asm'")) return;
  *asked = true;
  llvm::raw_string_ostream forgiven(forgiven_);
  if (diagnostic.hasSourceManager()) {
    const clang::PresumedLoc place = diagnostic.getSourceManager().getPresumedLoc(diagnostic.getLocation());
    if (place.isValid()) forgiven << place.getFilename() << ':' << place.getLine() << ':' << place.getColumn() << ": ";
  }
  forgiven << "warning: " << message << taken << '\n';
}

}  // namespace weft::compiler::frontend
