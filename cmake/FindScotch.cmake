# SPDX-License-Identifier: GPL-3.0-or-later
# Debian's Scotch brings no CMake file that names its folder of headers. Defines Scotch::Scotch, without the library that
# prints errors: Skein has functions of its own for those.
find_path(Scotch_INCLUDE_DIR scotch.h PATH_SUFFIXES scotch)
find_library(Scotch_LIBRARY scotch)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(Scotch DEFAULT_MSG Scotch_LIBRARY Scotch_INCLUDE_DIR)
if(Scotch_FOUND AND NOT TARGET Scotch::Scotch)
  add_library(Scotch::Scotch UNKNOWN IMPORTED)
  set_target_properties(Scotch::Scotch PROPERTIES
    IMPORTED_LOCATION ${Scotch_LIBRARY} INTERFACE_INCLUDE_DIRECTORIES ${Scotch_INCLUDE_DIR})
endif()
mark_as_advanced(Scotch_INCLUDE_DIR Scotch_LIBRARY)
