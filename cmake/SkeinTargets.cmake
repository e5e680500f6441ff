# SPDX-License-Identifier: GPL-3.0-or-later
# What every target of the project has in common: include root, warnings, sanitizers.
find_program(CCACHE_PROGRAM ccache)
if(CCACHE_PROGRAM AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CCACHE_PROGRAM})
endif()
find_program(LLD_PROGRAM ld.lld)

add_library(skein_options INTERFACE)
target_include_directories(skein_options INTERFACE ${CMAKE_SOURCE_DIR})
target_compile_options(skein_options INTERFACE
  -Wall -Wextra -Wshadow -Wnon-virtual-dtor -Woverloaded-virtual $<$<CONFIG:Debug>:-Wnull-dereference>
  $<$<BOOL:${SKEIN_WARNINGS_AS_ERRORS}>:-Werror>
  $<$<CONFIG:Debug>:-g1>)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  # g++ 12 sees these where it has inlined std::optional, std::variant and std::string, and nothing is wrong.
  target_compile_options(skein_options INTERFACE $<$<NOT:$<CONFIG:Debug>>:-Wno-maybe-uninitialized -Wno-restrict>)
endif()
if(LLD_PROGRAM)
  target_link_options(skein_options INTERFACE -fuse-ld=lld)
endif()
if(SKEIN_SANITIZE)
  target_compile_options(skein_options INTERFACE -fsanitize=${SKEIN_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  target_link_options(skein_options INTERFACE -fsanitize=${SKEIN_SANITIZE})
endif()

# skein_sources(VAR DIR...): every .cpp below the folders, noticed when one is added.
function(skein_sources var)
  set(found)
  foreach(dir IN LISTS ARGN)
    file(GLOB_RECURSE part CONFIGURE_DEPENDS ${dir}/*.cpp)
    list(APPEND found ${part})
  endforeach()
  list(SORT found)
  set(${var} ${found} PARENT_SCOPE)
endfunction()

# skein_automoc(TARGET): Qt's moc for the sources and headers of the target. CMake 3.25 does not run it again for a file
# that a glob has newly found, so its time stamp goes when the list has changed.
function(skein_automoc target)
  set_target_properties(${target} PROPERTIES AUTOMOC ON)
  get_target_property(sources ${target} SOURCES)
  list(JOIN sources "\n" text)
  set(known_file ${CMAKE_CURRENT_BINARY_DIR}/${target}_sources.txt)
  set(known)
  if(EXISTS ${known_file})
    file(READ ${known_file} known)
  endif()
  if(NOT known STREQUAL text)
    file(REMOVE ${CMAKE_CURRENT_BINARY_DIR}/${target}_autogen/timestamp)
    file(WRITE ${known_file} "${text}")
  endif()
endfunction()
