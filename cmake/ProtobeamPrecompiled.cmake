# Precompiled headers, each shared by many targets. A precompiled header fits those who compile with
# the same options, optimisation and -fPIC included, and define the same macros that it reads: what
# counts is set here, once for the header and its users.
# CMAKE_DISABLE_PRECOMPILE_HEADERS=ON builds without them.

# protobeam_precompiled(NAME [HEADER header] [OPTIONS ...] [LIBRARIES ...]): protobeam_pch_NAME, the
# precompiled cmake/precompiled/NAME.h (or header.h), whose users have OPTIONS as well.
function(protobeam_precompiled name)
  cmake_parse_arguments(ARG "" "HEADER" "OPTIONS;LIBRARIES" ${ARGN})
  if(NOT ARG_HEADER)
    set(ARG_HEADER ${name})
  endif()
  set(source ${PROJECT_BINARY_DIR}/generated/precompiled/${name}.cpp)
  file(CONFIGURE OUTPUT ${source} CONTENT "")
  add_library(protobeam_pch_${name} OBJECT ${source})
  target_precompile_headers(protobeam_pch_${name} PRIVATE
    ${PROJECT_SOURCE_DIR}/cmake/precompiled/${ARG_HEADER}.h)
  target_link_libraries(protobeam_pch_${name} PRIVATE ${ARG_LIBRARIES})
  # The file that CMake makes has the checkout's path in it: only preprocessed it is the same elsewhere,
  # and where a precompiled header is not found again, nothing is.
  set(launcher ${CMAKE_CXX_COMPILER_LAUNCHER})
  list(REMOVE_ITEM launcher CCACHE_DEPEND=1)
  set_target_properties(protobeam_pch_${name} PROPERTIES PROTOBEAM_OPTIONS "${ARG_OPTIONS}"
    CXX_COMPILER_LAUNCHER "${launcher}")
  protobeam_flags_of_precompiled(protobeam_pch_${name} ${name})
endfunction()

function(protobeam_flags_of_precompiled target name)
  get_target_property(options protobeam_pch_${name} PROTOBEAM_OPTIONS)
  target_link_libraries(${target} PRIVATE $<BUILD_INTERFACE:protobeam_flags>)
  target_compile_options(${target} PRIVATE
    "$<$<COMPILE_LANGUAGE:CXX>:${options}>"
    $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-fpch-preprocess>)  # ccache asks for it
  set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE OFF)  # only what OPTIONS say
endfunction()

# protobeam_use_precompiled(TARGET NAME): NAME as given to protobeam_precompiled.
function(protobeam_use_precompiled target name)
  protobeam_flags_of_precompiled(${target} ${name})
  get_target_property(visibility ${target} CXX_VISIBILITY_PRESET)
  if(visibility AND CMAKE_CXX_COMPILER_ID STREQUAL Clang)
    return()  # clang refuses a header of another visibility
  endif()
  target_precompile_headers(${target} REUSE_FROM protobeam_pch_${name})
endfunction()
