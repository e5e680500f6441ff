# SPDX-License-Identifier: GPL-3.0-or-later
# Debian's Scotch brings no CMake file that names its folder of headers. Defines Scotch::Scotch, without the library that
# prints errors: Skein has functions of its own for those.
include(${CMAKE_CURRENT_LIST_DIR}/ImportedLibrary.cmake)
skein_find_library(Scotch scotch.h scotch scotch)
