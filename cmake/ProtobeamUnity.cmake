# Several sources in one: reading headers and making templates takes longer than the sources
# themselves. Unlike CMake's own UNITY_BUILD, the made files have no absolute paths in them, so that a
# compiler cache finds them again in another checkout. Names in unnamed namespaces of one target have to
# be different; -DPROTOBEAM_UNITY=OFF compiles each source for itself.
option(PROTOBEAM_UNITY "Compile several sources at once" ON)

# protobeam_unity(OUT NAME COUNT source ...): sets OUT to files that include COUNT sources each, or to
# the sources. Sources with properties or from the build folder have to be given elsewhere.
function(protobeam_unity out name count)
  if(NOT PROTOBEAM_UNITY)
    set(${out} ${ARGN} PARENT_SCOPE)
    return()
  endif()
  set(made)
  set(text)
  set(number 0)
  set(waiting 0)
  list(LENGTH ARGN left)
  foreach(source IN LISTS ARGN)
    get_filename_component(path ${source} ABSOLUTE)
    file(RELATIVE_PATH relative ${PROJECT_SOURCE_DIR} ${path})
    string(APPEND text "#include \"${relative}\"\n")
    math(EXPR waiting "${waiting} + 1")
    math(EXPR left "${left} - 1")
    if(waiting EQUAL count OR left EQUAL 0)
      set(file ${CMAKE_CURRENT_BINARY_DIR}/unity/${name}_${number}.cpp)
      file(CONFIGURE OUTPUT ${file} CONTENT "${text}" @ONLY)
      list(APPEND made ${file})
      set(text)
      set(waiting 0)
      math(EXPR number "${number} + 1")
    endif()
  endforeach()
  # The sources are found from the root of the tree; what is in an included file may well be of an
  # unnamed namespace.
  set_source_files_properties(${made} PROPERTIES INCLUDE_DIRECTORIES ${PROJECT_SOURCE_DIR}
    COMPILE_OPTIONS $<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage>)
  set(${out} ${made} PARENT_SCOPE)
endfunction()
