# Compiles builtins/*.cl as programs are compiled (frontend/compile.cpp) and packs them into
# weft-builtins.a (linker/builtin_library.h), which lies beside libweft-compiler.so. Scalar and lightly optimized: the warp compiler widens them.
include(${CMAKE_CURRENT_SOURCE_DIR}/builtins_flags.cmake)
file(GLOB builtin_sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/builtins/*.cl)
file(GLOB builtin_headers CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/builtins/*.h
  ${CMAKE_CURRENT_SOURCE_DIR}/builtins/*.inc)
set(WEFT_BUILTINS ${CMAKE_LIBRARY_OUTPUT_DIRECTORY}/weft-builtins.a)

set(builtin_objects)
foreach(source ${builtin_sources})
  get_filename_component(name ${source} NAME_WE)
  set(object ${CMAKE_CURRENT_BINARY_DIR}/builtins/${name}.bc)
  add_custom_command(OUTPUT ${object}
    COMMAND ${WEFT_LLVM_BIN}/clang ${WEFT_BUILTIN_FLAGS} -I ${CMAKE_CURRENT_SOURCE_DIR}/builtins
            -c -emit-llvm -o ${object} ${source}
    DEPENDS ${source} ${builtin_headers} ${CMAKE_CURRENT_SOURCE_DIR}/builtins_flags.cmake
    COMMENT "Compiling builtins ${name}.cl" VERBATIM)
  list(APPEND builtin_objects ${object})
endforeach()
file(MAKE_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/builtins)
file(WRITE ${CMAKE_CURRENT_BINARY_DIR}/builtins/empty.ll.new "target triple = \"spir64-unknown-unknown\"\n")
file(COPY_FILE ${CMAKE_CURRENT_BINARY_DIR}/builtins/empty.ll.new ${CMAKE_CURRENT_BINARY_DIR}/builtins/empty.ll
  ONLY_IF_DIFFERENT)
set(linked_builtins ${CMAKE_CURRENT_BINARY_DIR}/builtins/all.bc)
add_custom_command(OUTPUT ${linked_builtins}
  COMMAND ${WEFT_LLVM_BIN}/llvm-link --suppress-warnings -o ${linked_builtins}
          ${CMAKE_CURRENT_BINARY_DIR}/builtins/empty.ll ${builtin_objects}
  DEPENDS ${builtin_objects} COMMENT "Linking the builtins" VERBATIM)
add_custom_command(OUTPUT ${WEFT_BUILTINS}
  COMMAND ${CMAKE_COMMAND} -E make_directory ${CMAKE_LIBRARY_OUTPUT_DIRECTORY}
  COMMAND weftc --pack-builtins -o ${WEFT_BUILTINS} ${linked_builtins}
  DEPENDS ${linked_builtins} ${CMAKE_CURRENT_SOURCE_DIR}/linker/pack_library.cpp
  COMMENT "Packing weft-builtins.a" VERBATIM)
add_custom_target(weft-builtins ALL DEPENDS ${WEFT_BUILTINS})
# Not packed anew whenever weftc is.
add_dependencies(weft-builtins weftc)
