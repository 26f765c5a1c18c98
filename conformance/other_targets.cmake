# weft_other_targets(VARIABLE): processors, by LLVM's names, of which each has fewer instructions than the next, and whose code
# this machine can run: SSE4.2, AVX2. What a test passes with AVX-512 it must also pass with these.
function(weft_other_targets variable)
  set(result nehalem)
  if(EXISTS /proc/cpuinfo)
    file(STRINGS /proc/cpuinfo flags REGEX "^flags" LIMIT_COUNT 1)
    if(flags MATCHES " avx2 " AND flags MATCHES " bmi2 " AND flags MATCHES " fma ")
      list(APPEND result haswell)
    endif()
  endif()
  set(${variable} ${result} PARENT_SCOPE)
endfunction()
