// An address that CodeGenPrepare computes for two accesses stands in front of both.
// RUN: weftc --cpu=znver4 --local-size=256,1,1 --counted --verify-each --emit asm -o /dev/null %S/../../fuzz/regressions/address_behind_use.cl
// RUN: weftc --cpu=haswell --local-size=256,1,1 --counted --verify-each --emit asm -o /dev/null %S/../../fuzz/regressions/address_behind_use.cl
