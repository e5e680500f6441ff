# SPDX-License-Identifier: GPL-3.0-or-later
# Writes OUT: a number made of the contents of all sources below SOURCES, so that what one build has saved is not
# believed by a build that would read an archive differently.
file(GLOB_RECURSE files ${SOURCES}/*.h ${SOURCES}/*.cpp)
list(SORT files)
set(all)
foreach(file IN LISTS files)
  file(SHA1 ${file} hash)
  string(APPEND all ${hash})
endforeach()
string(SHA1 all "${all}")
string(SUBSTRING ${all} 0 16 number)
file(WRITE ${OUT} "#include <cstdint>\nnamespace skein::disk {\nextern const std::uint64_t kSourcesHash;\nconst std::uint64_t kSourcesHash = 0x${number}ull;\n}\n")
