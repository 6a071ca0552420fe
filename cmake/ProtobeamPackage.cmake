# What find_package(protobeam) gives to plugins outside this tree: from an installation, or straight
# from a build folder with -Dprotobeam_DIR=<build folder>.
include(CMakePackageConfigHelpers)
set(package_install_dir ${CMAKE_INSTALL_LIBDIR}/cmake/protobeam)

# protobeam_flags only because the export of a build folder asks for it: it is linked privately.
install(TARGETS protobeam_base protobeam_message protobeam_device protobeam_vehicle protobeam_flags EXPORT protobeamTargets
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
foreach(target IN ITEMS base message device vehicle flags)
  set_target_properties(protobeam_${target} PROPERTIES EXPORT_NAME ${target})
endforeach()
install(EXPORT protobeamTargets NAMESPACE protobeam:: DESTINATION ${package_install_dir})
export(EXPORT protobeamTargets NAMESPACE protobeam::
  FILE ${PROJECT_BINARY_DIR}/protobeamTargets.cmake)

install(DIRECTORY ${PROJECT_SOURCE_DIR}/src/base ${PROJECT_SOURCE_DIR}/src/message ${PROJECT_SOURCE_DIR}/src/device
  ${PROJECT_SOURCE_DIR}/src/vehicle
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/protobeam FILES_MATCHING PATTERN "*.h")
install(FILES ${PROJECT_SOURCE_DIR}/src/raycast/ray_scene.h
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/protobeam/raycast)
install(FILES ${PROJECT_SOURCE_DIR}/src/geometry/geometry.h
              ${PROJECT_SOURCE_DIR}/src/geometry/material.h
              ${PROJECT_SOURCE_DIR}/src/geometry/paint_layer.h
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/protobeam/geometry)
# What plugin tests include, under the same name as in this tree.
install(DIRECTORY ${PROJECT_SOURCE_DIR}/tests/unit/support
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/protobeam/tests/unit FILES_MATCHING PATTERN "*.h")

set(package_plugin_dir ${PROJECT_BINARY_DIR}/lib/protobeam/plugins)
set(package_functions ${PROJECT_SOURCE_DIR}/cmake/ProtobeamExtend.cmake)
configure_file(${PROJECT_SOURCE_DIR}/cmake/protobeamConfig.cmake.in
  ${PROJECT_BINARY_DIR}/protobeamConfig.cmake @ONLY)

set(package_plugin_dir "\${CMAKE_CURRENT_LIST_DIR}/../../protobeam/plugins")
set(package_functions "\${CMAKE_CURRENT_LIST_DIR}/ProtobeamExtend.cmake")
configure_file(${PROJECT_SOURCE_DIR}/cmake/protobeamConfig.cmake.in
  ${PROJECT_BINARY_DIR}/install/protobeamConfig.cmake @ONLY)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/protobeamConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/install/protobeamConfig.cmake
              ${PROJECT_BINARY_DIR}/protobeamConfigVersion.cmake
              ${PROJECT_SOURCE_DIR}/cmake/ProtobeamExtend.cmake
              ${PROJECT_SOURCE_DIR}/cmake/plugin_symbols.map
  DESTINATION ${package_install_dir})

if(PROJECT_IS_TOP_LEVEL)
  add_custom_target(uninstall
    COMMAND ${CMAKE_COMMAND} -DMANIFEST=${PROJECT_BINARY_DIR}/install_manifest.txt
      -P ${PROJECT_SOURCE_DIR}/cmake/Uninstall.cmake)
endif()
