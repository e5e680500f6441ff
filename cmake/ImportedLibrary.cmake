# SPDX-License-Identifier: GPL-3.0-or-later
# skein_find_library(NAME header library [folders of headers…]): for Find modules of libraries that bring no CMake file of
# their own. Defines NAME::NAME and NAME_FOUND.
include(FindPackageHandleStandardArgs)

macro(skein_find_library name header library)
  find_path(${name}_INCLUDE_DIR ${header} PATH_SUFFIXES ${ARGN})
  find_library(${name}_LIBRARY ${library})
  find_package_handle_standard_args(${name} DEFAULT_MSG ${name}_LIBRARY ${name}_INCLUDE_DIR)
  if(${name}_FOUND AND NOT TARGET ${name}::${name})
    add_library(${name}::${name} UNKNOWN IMPORTED)
    set_target_properties(${name}::${name} PROPERTIES
      IMPORTED_LOCATION ${${name}_LIBRARY} INTERFACE_INCLUDE_DIRECTORIES ${${name}_INCLUDE_DIR})
  endif()
  mark_as_advanced(${name}_INCLUDE_DIR ${name}_LIBRARY)
endmacro()
