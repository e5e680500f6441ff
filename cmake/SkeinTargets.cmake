# SPDX-License-Identifier: GPL-3.0-or-later
# What every target of the project has in common: include root, warnings, sanitizers.
find_program(CCACHE_PROGRAM ccache)
if(CCACHE_PROGRAM AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  # Paths are relative to the sources, so that one cache serves every checkout; precompiled headers may be cached. What a source
  # includes is asked of the compiler while it compiles: where the cache is empty nothing is preprocessed before.
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env CCACHE_BASEDIR=${CMAKE_SOURCE_DIR} CCACHE_NOHASHDIR=1
    CCACHE_DEPEND=1 CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime ${CCACHE_PROGRAM})
endif()
find_program(LLD_PROGRAM ld.lld)

add_library(skein_options INTERFACE)
target_include_directories(skein_options INTERFACE ${CMAKE_SOURCE_DIR})
target_compile_options(skein_options INTERFACE
  -Wall -Wextra -Wshadow -Wnon-virtual-dtor -Woverloaded-virtual $<$<CONFIG:Debug>:-Wnull-dereference>
  $<$<BOOL:${SKEIN_WARNINGS_AS_ERRORS}>:-Werror>
  $<$<BOOL:$<TARGET_PROPERTY:SKEIN_TEST_CODE>>:-Wno-missing-field-initializers>  # tests name what they set
  $<$<CONFIG:Debug>:-g1>)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  # g++ 12 sees these where it has inlined std::optional, std::variant and std::string, and nothing is wrong.
  target_compile_options(skein_options INTERFACE $<$<NOT:$<CONFIG:Debug>>:-Wno-maybe-uninitialized -Wno-restrict -Wno-stringop-overflow>)
endif()
if(LLD_PROGRAM)
  target_link_options(skein_options INTERFACE -fuse-ld=lld)
endif()
if(SKEIN_SANITIZE)
  # What is checked where, so that the whole builds in the time of a release (CPU seconds of one batch of core: 68 with
  # everything, 38 without alignment and with checks that are called instead of written out at each access; pointers that
  # wrap around are a tenth). Null pointers and what lies outside of an object are found without a check before each access.
  # SKEIN_EVERY_CHECK: code that reads files. SKEIN_COMPUTES: what has arrays on its stack frames. Elsewhere these are not
  # surrounded, and tests are not optimised.
  set(SKEIN_GNU_ASAN 0)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND SKEIN_SANITIZE MATCHES "address")
    set(SKEIN_GNU_ASAN 1)
  endif()
  set(every $<BOOL:$<TARGET_PROPERTY:SKEIN_EVERY_CHECK>>)
  set(stack_checked $<OR:${every},$<BOOL:$<TARGET_PROPERTY:SKEIN_COMPUTES>>>)
  target_compile_options(skein_options INTERFACE -fsanitize=${SKEIN_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all
    -fno-sanitize=null,object-size
    $<$<NOT:${every}>:-fno-sanitize=alignment,pointer-overflow>
    $<$<BOOL:$<TARGET_PROPERTY:SKEIN_TEST_CODE>>:-fno-sanitize=undefined>
    $<$<BOOL:${SKEIN_GNU_ASAN}>:--param=asan-instrumentation-with-call-threshold=0>
    $<$<AND:$<BOOL:${SKEIN_GNU_ASAN}>,$<BOOL:$<TARGET_PROPERTY:SKEIN_TEST_CODE>>>:-O0>
    $<$<AND:$<BOOL:${SKEIN_GNU_ASAN}>,$<NOT:${stack_checked}>>:--param=asan-stack=0>)
  target_link_options(skein_options INTERFACE -fsanitize=${SKEIN_SANITIZE})
  # Each test is a process. The checks' descriptions of globals are two million relocations, which a program that may lie
  # anywhere does at each start: 40 ms.
  if(SKEIN_GNU_ASAN)
    target_link_options(skein_options INTERFACE $<$<STREQUAL:$<TARGET_PROPERTY:TYPE>,EXECUTABLE>:-no-pie>)
  endif()
endif()

# skein_batch_sources(SOURCE...): puts sources that follow each other into batches of about SKEIN_UNITY_BATCH. A batch ends
# behind a source whose name's hash says so, and is called by its first source, so that a new source changes its own
# batch alone: with batches of a fixed size one file more compiles all batches behind it again.
function(skein_batch_sources)
  math(EXPR least "${SKEIN_UNITY_BATCH} / 2")
  math(EXPR most "${SKEIN_UNITY_BATCH} * 2")
  math(EXPR often "${SKEIN_UNITY_BATCH} - ${least}")
  set(batch)
  set(size 0)
  foreach(source IN LISTS ARGN)
    file(RELATIVE_PATH name ${CMAKE_SOURCE_DIR} ${source})
    if(NOT batch)
      string(MAKE_C_IDENTIFIER ${name} batch)
    endif()
    set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${batch})
    math(EXPR size "${size} + 1")
    string(MD5 hash ${name})
    string(SUBSTRING ${hash} 0 6 hash)
    math(EXPR remainder "0x${hash} % ${often}")
    if(size EQUAL most OR (NOT size LESS least AND remainder EQUAL 0))
      set(batch)
      set(size 0)
    endif()
  endforeach()
endfunction()

# skein_quick_build(TARGET HEADER...): sources are compiled in batches, and the headers named once beforehand, where
# SKEIN_UNITY is on. Names in unnamed namespaces are therefore unique within a target. The object files of `dev` are one
# a source, which is quicker after a small change. REUSE_FROM OTHER before the headers: OTHER, a target with the same
# -O, has compiled them already; not under sanitizers, whose checks differ between targets.
function(skein_quick_build target)
  if(NOT SKEIN_UNITY)
    return()
  endif()
  get_target_property(sources ${target} SOURCES)
  list(FILTER sources INCLUDE REGEX "^${CMAKE_SOURCE_DIR}/.*\\.cpp$")
  list(FILTER sources EXCLUDE REGEX "^${CMAKE_BINARY_DIR}/")
  skein_batch_sources(${sources})
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  cmake_parse_arguments(quick "" "REUSE_FROM" "" ${ARGN})
  if(quick_REUSE_FROM AND NOT SKEIN_SANITIZE)
    target_precompile_headers(${target} REUSE_FROM ${quick_REUSE_FROM})
  else()
    target_precompile_headers(${target} PRIVATE ${quick_UNPARSED_ARGUMENTS})
  endif()
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # The last two: g++ looks for garbage less often, as a batch leaves little; 5 to 12 % less time, 0.2 GB more memory.
    target_compile_options(${target} PRIVATE -fpch-preprocess --param=ggc-min-expand=400 --param=ggc-min-heapsize=1048576)
  endif()
endfunction()

# What nearly every source sees. `dev` does without, so that a forgotten include is found there.
set(SKEIN_STANDARD_HEADERS <algorithm> <array> <atomic> <bit> <charconv> <cmath> <cstdint> <cstring> <filesystem> <fstream>
  <functional> <limits> <map> <memory> <mutex> <numeric> <optional> <random> <set> <span> <sstream> <string> <string_view>
  <thread> <tuple> <unordered_map> <utility> <variant> <vector> <fmt/format.h> <tl/expected.hpp>)
# Not all of Qt: reading a precompiled header of all of it took every compilation two seconds.
set(SKEIN_QT_HEADERS <QAbstractItemModel> <QAction> <QApplication> <QCheckBox> <QComboBox> <QDir> <QDockWidget> <QEvent>
  <QHeaderView> <QImage> <QKeyEvent> <QLabel> <QLineEdit> <QMainWindow> <QMenu> <QMouseEvent> <QPainter> <QPointer> <QPushButton>
  <QSettings> <QString> <QStringList> <QTimer> <QToolButton> <QTreeView> <QTreeWidget> <QVBoxLayout> <QVariant> <QWidget>)
# Code that waits for people and files, not for memory: -O1 takes a quarter to a third less time to compile.
set(SKEIN_PLAIN_OPTIONS $<$<CONFIG:Release>:-O1>)

# skein_plain_part(TARGET SOURCES QUICK_BUILD...): the sources in the list SOURCES, of the target, wait for files and people more
# than for the processor. They become objects of the target TARGET_plain, as g++ 12 crashes where a precompiled header is of
# another -O. QUICK_BUILD: as for skein_quick_build. Called before that one, and behind all that TARGET links.
function(skein_plain_part target plain)
  get_target_property(sources ${target} SOURCES)
  list(REMOVE_ITEM sources ${${plain}})
  set_property(TARGET ${target} PROPERTY SOURCES ${sources})
  get_target_property(links ${target} LINK_LIBRARIES)
  add_library(${target}_plain OBJECT ${${plain}})
  target_link_libraries(${target}_plain PRIVATE ${links})
  target_compile_options(${target}_plain PRIVATE ${SKEIN_PLAIN_OPTIONS})
  foreach(property SKEIN_EVERY_CHECK SKEIN_COMPUTES)
    get_target_property(value ${target} ${property})
    if(value)
      set_property(TARGET ${target}_plain PROPERTY ${property} ${value})
    endif()
  endforeach()
  target_sources(${target} PRIVATE $<TARGET_OBJECTS:${target}_plain>)
  skein_quick_build(${target}_plain ${ARGN})
endfunction()

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
  get_target_property(SKEIN_MOC Qt6::moc LOCATION)
  configure_file(${CMAKE_SOURCE_DIR}/cmake/moc.sh.in ${CMAKE_BINARY_DIR}/moc.sh @ONLY
    FILE_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
  set_target_properties(${target} PROPERTIES AUTOMOC ON AUTOMOC_EXECUTABLE ${CMAKE_BINARY_DIR}/moc.sh)
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
