# How the project's own targets are made: flags, libraries and tests; plugins and controllers in
# ProtobeamExtend.cmake.
include(ProtobeamExtend)

# Flags for everything of ours. Contraction off: the same bytes on every machine.
add_library(protobeam_flags INTERFACE)
target_compile_options(protobeam_flags INTERFACE
  -Wall -Wextra -Wno-unused-parameter -Wno-missing-field-initializers -ffp-contract=off
  # GCC inlines less the larger a unit is: several sources at once (ProtobeamUnity.cmake) shall be as
  # fast as one by one. It takes this from the precompiled header, so it stands here for all.
  $<$<COMPILE_LANG_AND_ID:CXX,GNU>:--param=large-unit-insns=100000>
  # GCC looks through all of its memory again and again, precompiled headers included: a tenth of its
  # time, to save memory that it has. The largest unit takes 1.6 GB without.
  $<$<COMPILE_LANG_AND_ID:CXX,GNU>:--param=ggc-min-heapsize=2000000>)
# With or without fmt: the macros of a precompiled header's users must be its own.
get_target_property(fmt_definitions fmt::fmt INTERFACE_COMPILE_DEFINITIONS)
if(fmt_definitions)
  target_compile_definitions(protobeam_flags INTERFACE ${fmt_definitions})
endif()
if(PROTOBEAM_WERROR)
  target_compile_options(protobeam_flags INTERFACE -Werror)
endif()
if(PROTOBEAM_SANITIZE)
  target_compile_options(protobeam_flags INTERFACE
    -fsanitize=${PROTOBEAM_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer
    # Asks for type information that JavaScriptCore's classes do not have, by system calls that the
    # worker may not make.
    -fno-sanitize=vptr)
  target_link_options(protobeam_flags INTERFACE -fsanitize=${PROTOBEAM_SANITIZE}
    # Controllers in C have libraries in C++, whose checks clang gives to programs in C++ only.
    $<$<LINK_LANG_AND_ID:C,Clang>:-fsanitize-link-c++-runtime$<SEMICOLON>-lstdc++>)
  target_compile_definitions(protobeam_flags INTERFACE PROTOBEAM_SANITIZED _GLIBCXX_ASSERTIONS)
endif()
if(PROTOBEAM_FUZZ)
  # In the libraries as well: libFuzzer finds its way by the branches that it sees taken.
  target_compile_options(protobeam_flags INTERFACE -fsanitize=fuzzer-no-link)
endif()

include(ProtobeamPrecompiled)
include(ProtobeamUnity)
# Without errno and traps of the mathematics, which nothing asks for, the compiler vectorises rounding,
# roots, divisions and comparisons; no value changes. Nor does a program replace functions of ours in
# what it loads: they may be compiled into those that call them.
protobeam_precompiled(libraries OPTIONS -fPIC -fno-math-errno -fno-trapping-math -fno-semantic-interposition
  LIBRARIES Eigen3::Eigen fmt::fmt)
# What runs once, or waits for people and programs: compiled in half of the time.
protobeam_precompiled(cold HEADER libraries OPTIONS -fPIC $<$<CONFIG:Release>:-O1> LIBRARIES Eigen3::Eigen fmt::fmt)
if(PROTOBEAM_TESTS)
  # Tests compile for minutes and run for moments: no optimisation, or little for those that compute.
  protobeam_precompiled(tests OPTIONS $<$<CONFIG:Release>:-O0> LIBRARIES GTest::gmock Eigen3::Eigen)
  protobeam_precompiled(computing_tests HEADER tests OPTIONS $<$<CONFIG:Release>:-O1>
    LIBRARIES GTest::gmock Eigen3::Eigen)
  protobeam_test_paths()
endif()

# protobeam_compile_apart(TARGET PART PRECOMPILED SOURCES ... [LIBRARIES ...]): of TARGET as well, but with the
# options of another precompiled header.
function(protobeam_compile_apart target part precompiled)
  cmake_parse_arguments(ARG "" "" "SOURCES;LIBRARIES" ${ARGN})
  add_library(${target}_${part} OBJECT ${ARG_SOURCES})
  # What the target has, and what it is told later.
  foreach(of IN ITEMS INCLUDE_DIRECTORIES COMPILE_DEFINITIONS)
    set_target_properties(${target}_${part} PROPERTIES ${of} $<TARGET_PROPERTY:${target},${of}>)
  endforeach()
  target_link_libraries(${target}_${part} PRIVATE ${ARG_LIBRARIES})
  protobeam_use_precompiled(${target}_${part} ${precompiled})
  target_sources(${target} PRIVATE $<TARGET_OBJECTS:${target}_${part}>)
endfunction()

# protobeam_library(NAME [COLD] SOURCES ... [COLD_SOURCES ...] [APART ...] [DEPS ...]
# [PRIVATE_DEPS ...]): the static library protobeam_NAME of src/NAME. SOURCES are compiled many at once
# (ProtobeamUnity.cmake), APART each for itself; all of a COLD library and COLD_SOURCES with little
# optimisation.
function(protobeam_library name)
  cmake_parse_arguments(ARG "COLD" "" "SOURCES;COLD_SOURCES;APART;DEPS;PRIVATE_DEPS" ${ARGN})
  set(precompiled libraries)
  if(ARG_COLD)
    set(precompiled cold)
  endif()
  protobeam_unity(ARG_SOURCES ${name} 40 ${ARG_SOURCES})
  add_library(protobeam_${name} STATIC ${ARG_SOURCES} ${ARG_APART})
  add_library(protobeam::${name} ALIAS protobeam_${name})
  target_include_directories(protobeam_${name} PUBLIC
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/src> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}/protobeam>)
  target_link_libraries(protobeam_${name}
    PUBLIC ${ARG_DEPS} PRIVATE ${ARG_PRIVATE_DEPS})
  protobeam_use_precompiled(protobeam_${name} ${precompiled})
  if(ARG_COLD_SOURCES)
    protobeam_unity(ARG_COLD_SOURCES ${name}_cold 40 ${ARG_COLD_SOURCES})
    protobeam_compile_apart(protobeam_${name} cold cold SOURCES ${ARG_COLD_SOURCES}
      LIBRARIES ${ARG_DEPS} ${ARG_PRIVATE_DEPS})
  endif()
endfunction()

# protobeam_test_units(OUT NAME source ...): units of a size, as few as 30 sources each allow.
function(protobeam_test_units out name)
  list(LENGTH ARGN count)
  if(count GREATER 0)
    math(EXPR units "(${count} + 29) / 30")
    math(EXPR count "(${count} + ${units} - 1) / ${units}")
  endif()
  protobeam_unity(made ${name} ${count} ${ARGN})
  set(${out} ${made} PARENT_SCOPE)
endfunction()

# protobeam_test(NAME LABEL label [TIMEOUT seconds] [SOURCES ...] [COMPUTING ...] [MORE_SOURCES ...] [DEPS ...]
# [NEEDS ...]): a GoogleTest program; each test is a CTest test. SOURCES are compiled many at once, and their
# names in unnamed namespaces have to be different throughout the program: then a new file collides with none,
# wherever the units end. COMPUTING are those that compute for seconds, compiled with some optimisation, as are
# MORE_SOURCES: these are no tests but what is tested, of whose names that cannot be asked: they are compiled
# with each other only. NEEDS are targets that the tests use when they run. What protobeam_test_part() was given
# for NAME before is a part of it.
function(protobeam_test name)
  cmake_parse_arguments(ARG "" "LABEL;TIMEOUT" "SOURCES;COMPUTING;MORE_SOURCES;DEPS;NEEDS" ${ARGN})
  foreach(what IN ITEMS SOURCES COMPUTING MORE_SOURCES DEPS NEEDS)
    get_property(parts GLOBAL PROPERTY PROTOBEAM_TEST_${name}_${what})
    list(APPEND ARG_${what} ${parts})
    list(REMOVE_DUPLICATES ARG_${what})
  endforeach()
  if(NOT ARG_TIMEOUT)
    set(ARG_TIMEOUT 300)
  endif()
  if(PROTOBEAM_SANITIZE)
    math(EXPR ARG_TIMEOUT "${ARG_TIMEOUT} * 5")
  endif()
  protobeam_test_units(ARG_SOURCES ${name} ${ARG_SOURCES})
  protobeam_test_units(ARG_COMPUTING ${name}_computing ${ARG_COMPUTING})
  protobeam_unity(ARG_MORE_SOURCES ${name}_more 12 ${ARG_MORE_SOURCES})
  set(libraries ${ARG_DEPS} protobeam_test_paths GTest::gmock GTest::gtest_main)
  add_executable(${name} ${ARG_SOURCES})
  set_target_properties(${name} PROPERTIES LINKER_LANGUAGE CXX)  # where all are COMPUTING
  if(ARG_COMPUTING OR ARG_MORE_SOURCES)
    protobeam_compile_apart(${name} computing computing_tests SOURCES ${ARG_COMPUTING} ${ARG_MORE_SOURCES}
      LIBRARIES ${libraries})
  endif()
  if(ARG_NEEDS)
    add_dependencies(${name} ${ARG_NEEDS})
  endif()
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR})
  target_link_libraries(${name} PRIVATE ${libraries})
  protobeam_use_precompiled(${name} tests)
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/tests)
  gtest_discover_tests(${name} DISCOVERY_TIMEOUT 60 PROPERTIES LABELS ${ARG_LABEL} TIMEOUT ${ARG_TIMEOUT})
endfunction()

# protobeam_test_part(NAME SOURCES ... [COMPUTING ...] [MORE_SOURCES ...] [DEPS ...] [NEEDS ...]): what a
# folder adds to the test program NAME, which several share: each program of its own costs the reading of all
# headers and the making of all templates once more. tests/CMakeLists.txt makes it at its end.
function(protobeam_test_part name)
  cmake_parse_arguments(ARG "" "" "SOURCES;COMPUTING;MORE_SOURCES;DEPS;NEEDS" ${ARGN})
  foreach(what IN ITEMS SOURCES COMPUTING MORE_SOURCES)
    foreach(source IN LISTS ARG_${what})
      get_filename_component(source ${source} ABSOLUTE)
      set_property(GLOBAL APPEND PROPERTY PROTOBEAM_TEST_${name}_${what} ${source})
    endforeach()
  endforeach()
  set_property(GLOBAL APPEND PROPERTY PROTOBEAM_TEST_${name}_DEPS ${ARG_DEPS})
  set_property(GLOBAL APPEND PROPERTY PROTOBEAM_TEST_${name}_NEEDS ${ARG_NEEDS})
endfunction()

# protobeam_plugins_test(): the program plugins_test, of what protobeam_plugin_test() was given in this tree.
function(protobeam_plugins_test)
  protobeam_test(plugins_test LABEL plugins NEEDS protobeam_run)
endfunction()
