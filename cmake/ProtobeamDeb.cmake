# The package for Debian that `cpack -G DEB` makes of the release build, and `./protobeam package`:
# protobeam_VERSION_ARCHITECTURE.deb, with everything below /usr.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_CONTACT "Protobeam maintainers <maintainers@protobeam.invalid>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "simulator of range sensors and vehicles for robot developers")
set(CPACK_DEBIAN_PACKAGE_DESCRIPTION "\
Runs worlds of Webots, Gazebo and MVSim without a GPU or a display: lidars,
cameras and other sensors, vehicles, rigid bodies. The same world and seed give
the same bytes on every machine.

Robots are driven by programs in C, C++, Python or Java against the controller
API of Webots, or over ROS 2. This package holds the program, its plugins, the
catalogue of sensors and vehicles, the demos, and what controllers, plugins and
scripts in Python are written with.")
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS  # whatever the umask
  OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
set(CPACK_THREADS 0)  # as many as there are processors

# Two components, and not all at once: then the list of what `cmake --install` wrote, which
# Uninstall.cmake reads, stays as it is.
set(CPACK_INSTALL_CMAKE_PROJECTS
  "${PROJECT_BINARY_DIR};${PROJECT_NAME};Unspecified;/;${PROJECT_BINARY_DIR};${PROJECT_NAME};debian;/")

# What Debian asks every package for; written when it is packed.
install(FILES ${PROJECT_SOURCE_DIR}/cmake/debian/copyright DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/protobeam
  COMPONENT debian EXCLUDE_FROM_ALL)
install(CODE "
  find_program(shlibdeps dpkg-shlibdeps)
  if(NOT shlibdeps)  # without it, CPack makes a package that depends on nothing
    message(FATAL_ERROR \"dpkg-shlibdeps is missing (package dpkg-dev)\")
  endif()
  set(folder \$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_DATADIR}/doc/protobeam)
  string(TIMESTAMP today \"%a, %d %b %Y 00:00:00 +0000\" UTC)
  file(WRITE \${folder}/changelog \"protobeam (${PROJECT_VERSION}) stable; urgency=medium

  * Version ${PROJECT_VERSION}; NEWS.gz says what has changed.

 -- ${CPACK_PACKAGE_CONTACT}  \${today}
\")
  file(COPY_FILE ${PROJECT_SOURCE_DIR}/CHANGELOG.md \${folder}/NEWS)
  execute_process(COMMAND gzip -9n changelog NEWS WORKING_DIRECTORY \${folder} COMMAND_ERROR_IS_FATAL ANY)"
  COMPONENT debian EXCLUDE_FROM_ALL)

# What programs and plugins are linked with, dpkg-shlibdeps finds; the others are started or read.
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${PROJECT_BINARY_DIR}/lib)
set(recommended ca-certificates fonts-dejavu-core libjs-three)
set(suggested ffmpeg g++ make cmake libeigen3-dev libfmt-dev libmd-dev libsleef-dev libgmock-dev)
if(TARGET protobeam_python)
  get_target_property(suffix protobeam_python SUFFIX)
  string(REGEX REPLACE ".*cpython-3([0-9]+)-.*" "\\1" minor ${suffix})
  math(EXPR next "${minor} + 1")
  list(APPEND recommended "python3 (>= 3.${minor})" "python3 (<< 3.${next})" python3-numpy)
  list(APPEND suggested python3-matplotlib)
else()
  list(APPEND recommended python3)  # controllers
endif()
if(TARGET JavaController)
  list(APPEND suggested default-jdk-headless)
endif()
list(JOIN recommended ", " CPACK_DEBIAN_PACKAGE_RECOMMENDS)
list(JOIN suggested ", " CPACK_DEBIAN_PACKAGE_SUGGESTS)
set(CPACK_DEBIAN_PACKAGE_CONTROL_EXTRA
  ${PROJECT_SOURCE_DIR}/cmake/debian/prerm ${PROJECT_SOURCE_DIR}/cmake/debian/triggers)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
include(CPack)
