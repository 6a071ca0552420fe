# What those call who extend Protobeam, in its tree or through find_package(protobeam).
include(GNUInstallDirs)
include(GoogleTest)

set(PROTOBEAM_PLUGIN_SYMBOLS ${CMAKE_CURRENT_LIST_DIR}/plugin_symbols.map)

# protobeam_plugin(NODE [COLD] SOURCES ... [DEPS ...]): the plugin of the node type NODE; outside
# Protobeam's tree with a copy in plugins/ of the project. COLD is for Protobeam's own ones, as for
# libraries (ProtobeamTargets.cmake).
function(protobeam_plugin node)
  cmake_parse_arguments(ARG "COLD" "" "SOURCES;DEPS" ${ARGN})
  if(COMMAND protobeam_unity)  # in Protobeam's tree
    protobeam_unity(ARG_SOURCES ${node} 40 ${ARG_SOURCES})
  endif()
  add_library(plugin_${node} MODULE ${ARG_SOURCES})
  set_target_properties(plugin_${node} PROPERTIES
    PREFIX "" OUTPUT_NAME ${node} CXX_VISIBILITY_PRESET hidden
    LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/lib/protobeam/plugins)
  target_compile_features(plugin_${node} PRIVATE cxx_std_20)
  # Nothing but what the program asks for can be seen from outside: calls within are direct, and there is
  # little to look up at the start.
  target_link_options(plugin_${node} PRIVATE LINKER:--version-script=${PROTOBEAM_PLUGIN_SYMBOLS})
  set_property(TARGET plugin_${node} APPEND PROPERTY LINK_DEPENDS ${PROTOBEAM_PLUGIN_SYMBOLS})
  # No contraction: the same bytes on every machine.
  target_compile_options(plugin_${node} PRIVATE -ffp-contract=off)
  target_link_libraries(plugin_${node} PRIVATE
    protobeam::device $<TARGET_NAME_IF_EXISTS:protobeam_flags> ${ARG_DEPS})
  if(COMMAND protobeam_use_precompiled)  # in Protobeam's tree
    set(precompiled libraries)
    if(ARG_COLD)
      set(precompiled cold)
    endif()
    protobeam_use_precompiled(plugin_${node} ${precompiled})
  else()  # where the worlds of the project find it
    add_custom_command(TARGET plugin_${node} POST_BUILD
      COMMAND ${CMAKE_COMMAND} -E make_directory ${PROJECT_SOURCE_DIR}/plugins
      COMMAND ${CMAKE_COMMAND} -E copy_if_different $<TARGET_FILE:plugin_${node}> ${PROJECT_SOURCE_DIR}/plugins)
  endif()
  install(TARGETS plugin_${node} LIBRARY DESTINATION ${PROTOBEAM_PLUGIN_DIR})
  set_property(GLOBAL APPEND PROPERTY PROTOBEAM_RUN_TARGETS plugin_${node})
endfunction()

# protobeam_device_api(C ... CPP ... CLASSES ...): a device type's part of the controller libraries.
# C are the sources of its C functions, CPP of its C++ classes where these are not inline, CLASSES the
# names of the classes; the headers lie in the folder webots/ beside them. In Protobeam's tree only:
# users have pb_device_*().
function(protobeam_device_api)
  cmake_parse_arguments(ARG "" "" "C;CPP;CLASSES" ${ARGN})
  list(TRANSFORM ARG_C PREPEND ${CMAKE_CURRENT_SOURCE_DIR}/)
  list(TRANSFORM ARG_CPP PREPEND ${CMAKE_CURRENT_SOURCE_DIR}/)
  set_property(GLOBAL APPEND PROPERTY PROTOBEAM_DEVICE_C_SOURCES ${ARG_C})
  set_property(GLOBAL APPEND PROPERTY PROTOBEAM_DEVICE_CPP_SOURCES ${ARG_CPP})
  install(DIRECTORY webots DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/protobeam/controller)
  set_property(GLOBAL APPEND PROPERTY PROTOBEAM_DEVICE_CLASSES ${ARG_CLASSES})
  set_property(GLOBAL APPEND PROPERTY PROTOBEAM_API_FOLDERS ${CMAKE_CURRENT_SOURCE_DIR})
endfunction()

# protobeam_test_paths(): the library protobeam_test_paths, which tells tests where the sources and
# the build are (tests/unit/support/paths.h).
function(protobeam_test_paths)
  if(TARGET protobeam_test_paths)
    return()
  endif()
  set(file ${PROJECT_BINARY_DIR}/generated/test_paths.cpp)
  file(CONFIGURE OUTPUT ${file} CONTENT [[
#include <string>

namespace protobeam {
std::string source_dir() { return "@PROJECT_SOURCE_DIR@"; }
std::string build_dir() { return "@PROJECT_BINARY_DIR@"; }
}  // namespace protobeam
]] @ONLY)
  add_library(protobeam_test_paths STATIC ${file})
endfunction()

# protobeam_plugin_test(NODE [ALONE] SOURCES ... [COMPUTING ...] [DEPS ...]): a GoogleTest program that loads the
# plugin of NODE, plugin_NODE_test. In Protobeam's tree, unless ALONE, a part of the program plugins_test
# (ProtobeamTargets.cmake, which says what COMPUTING is), for which all plugins are built.
function(protobeam_plugin_test node)
  cmake_parse_arguments(ARG "ALONE" "" "SOURCES;COMPUTING;DEPS" ${ARGN})
  if(DEFINED PROTOBEAM_TESTS AND NOT PROTOBEAM_TESTS)
    return()
  endif()
  if(COMMAND protobeam_test_part AND NOT ARG_ALONE)
    set(tests ${ARG_SOURCES})
    list(FILTER tests INCLUDE REGEX "_test\\.cpp$")
    list(FILTER ARG_SOURCES EXCLUDE REGEX "_test\\.cpp$")
    protobeam_test_part(plugins_test SOURCES ${tests} COMPUTING ${ARG_COMPUTING} MORE_SOURCES ${ARG_SOURCES}
      DEPS protobeam::device ${ARG_DEPS} ${CMAKE_DL_LIBS})
    return()
  endif()
  find_package(GTest REQUIRED)
  set(test plugin_${node}_test)
  add_executable(${test} ${ARG_SOURCES} ${ARG_COMPUTING})
  add_dependencies(${test} plugin_${node})
  target_compile_features(${test} PRIVATE cxx_std_20)
  target_include_directories(${test} PRIVATE ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/..)
  protobeam_test_paths()
  target_link_libraries(${test} PRIVATE protobeam::device $<TARGET_NAME_IF_EXISTS:protobeam_flags>
    protobeam_test_paths ${ARG_DEPS} GTest::gmock GTest::gtest_main ${CMAKE_DL_LIBS})
  if(COMMAND protobeam_use_precompiled)
    protobeam_use_precompiled(${test} tests)
  endif()
  set_target_properties(${test} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/tests)
  gtest_discover_tests(${test} PROPERTIES LABELS plugins TIMEOUT 300)
endfunction()

# protobeam_controller(NAME SOURCES ...): the program of the controller NAME, written beside its
# source, where `controller "NAME"` looks for it.
function(protobeam_controller name)
  cmake_parse_arguments(ARG "" "" "SOURCES" ${ARGN})
  add_executable(controller_${name} ${ARG_SOURCES})
  list(GET ARG_SOURCES 0 source)
  get_filename_component(folder ${source} DIRECTORY BASE_DIR ${CMAKE_CURRENT_SOURCE_DIR})
  cmake_path(ABSOLUTE_PATH folder NORMALIZE)
  set_target_properties(controller_${name} PROPERTIES
    OUTPUT_NAME ${name} RUNTIME_OUTPUT_DIRECTORY ${folder})
  set(libraries Controller)
  if(ARG_SOURCES MATCHES "\\.(cpp|cc|cxx)(;|$)")
    list(PREPEND libraries CppController)
    target_compile_features(controller_${name} PRIVATE cxx_std_17)
  endif()
  if(NOT TARGET Controller)  # outside Protobeam's tree
    list(TRANSFORM libraries PREPEND protobeam::)
  endif()
  target_link_libraries(controller_${name} PRIVATE ${libraries} m)
  set_property(GLOBAL APPEND PROPERTY PROTOBEAM_RUN_TARGETS controller_${name})
endfunction()
