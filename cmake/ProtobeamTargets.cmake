# How the project's own targets are made: flags, libraries and tests; plugins and controllers in
# ProtobeamExtend.cmake.
include(ProtobeamExtend)

# Flags for everything of ours. Contraction off: the same bytes on every machine.
add_library(protobeam_flags INTERFACE)
target_compile_options(protobeam_flags INTERFACE
  -Wall -Wextra -Wno-unused-parameter -Wno-missing-field-initializers -ffp-contract=off)
if(PROTOBEAM_WERROR)
  target_compile_options(protobeam_flags INTERFACE -Werror)
endif()
if(PROTOBEAM_SANITIZE)
  target_compile_options(protobeam_flags INTERFACE
    -fsanitize=${PROTOBEAM_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_link_options(protobeam_flags INTERFACE -fsanitize=${PROTOBEAM_SANITIZE})
  target_compile_definitions(protobeam_flags INTERFACE PROTOBEAM_SANITIZED _GLIBCXX_ASSERTIONS)
endif()
if(PROTOBEAM_FUZZ)
  # In the libraries as well: libFuzzer finds its way by the branches that it sees taken.
  target_compile_options(protobeam_flags INTERFACE -fsanitize=fuzzer-no-link)
endif()

# protobeam_library(NAME SOURCES ... [DEPS ...] [PRIVATE_DEPS ...]): the static library protobeam_NAME of src/NAME.
function(protobeam_library name)
  cmake_parse_arguments(ARG "" "" "SOURCES;DEPS;PRIVATE_DEPS" ${ARGN})
  add_library(protobeam_${name} STATIC ${ARG_SOURCES})
  add_library(protobeam::${name} ALIAS protobeam_${name})
  target_include_directories(protobeam_${name} PUBLIC
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/src> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}/protobeam>)
  target_link_libraries(protobeam_${name}
    PUBLIC ${ARG_DEPS} PRIVATE $<BUILD_INTERFACE:protobeam_flags> ${ARG_PRIVATE_DEPS})
endfunction()

# protobeam_test(NAME LABEL label SOURCES ... [DEPS ...]): a GoogleTest program; each test is a CTest test.
function(protobeam_test name)
  cmake_parse_arguments(ARG "" "LABEL;TIMEOUT" "SOURCES;DEPS" ${ARGN})
  if(NOT ARG_TIMEOUT)
    set(ARG_TIMEOUT 120)
  endif()
  add_executable(${name} ${ARG_SOURCES})
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR})
  target_link_libraries(${name} PRIVATE ${ARG_DEPS} protobeam_flags GTest::gmock GTest::gtest_main)
  target_compile_definitions(${name} PRIVATE
    PROTOBEAM_SOURCE_DIR="${PROJECT_SOURCE_DIR}" PROTOBEAM_BINARY_DIR="${PROJECT_BINARY_DIR}")
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/tests)
  gtest_discover_tests(${name} DISCOVERY_TIMEOUT 60 PROPERTIES LABELS ${ARG_LABEL} TIMEOUT ${ARG_TIMEOUT})
endfunction()
