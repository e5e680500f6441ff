# SPDX-License-Identifier: GPL-3.0-or-later
# Debian's METIS brings no CMake file of its own. Defines METIS::METIS.
include(${CMAKE_CURRENT_LIST_DIR}/ImportedLibrary.cmake)
skein_find_library(METIS metis.h metis)
