# `cmake --install`: the program and its data (each folder installs its own), and what
# find_package(protobeam) needs: the headers and libraries of plugin and controller authors.
include(CMakePackageConfigHelpers)
foreach(room IN ITEMS base sensor)
  set_target_properties(protobeam_${room} PROPERTIES EXPORT_NAME ${room})
  install(TARGETS protobeam_${room} EXPORT protobeamTargets)
endforeach()
foreach(room IN ITEMS base sensor geometry raycast)
  install(DIRECTORY src/${room} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/protobeam
    FILES_MATCHING PATTERN "*.h")
endforeach()
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/protobeam)
install(EXPORT protobeamTargets NAMESPACE protobeam:: DESTINATION ${package_dir})
configure_package_config_file(cmake/protobeamConfig.cmake.in
  ${PROJECT_BINARY_DIR}/protobeamConfig.cmake INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/protobeamConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/protobeamConfig.cmake
  ${PROJECT_BINARY_DIR}/protobeamConfigVersion.cmake DESTINATION ${package_dir})
