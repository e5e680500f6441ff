#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Whether every header compiles with nothing before it but what it includes; in batches, see header_batches.h.
#   headers_test.sh SOURCES COMPILER PROCESSORS WRITER FOLDER KIND...
# WRITER is skein-write-header-batches. FOLDER has KIND_flags.txt with the flags of the compiler, one a line.
set -eu
sources=$1 compiler=$2 processors=$3 writer=$4 folder=$5
shift 5
batches=$folder/batches
rm -rf "$batches"
mkdir -p "$batches"
"$writer" "$sources" "$batches"

cd "$batches"
names=
for kind in "$@"; do
    [ -e "${kind}_1.cpp" ] || { echo "there are no headers of the kind $kind"; exit 1; }
    names="$names ${kind}_*.cpp"
done
# The largest batches first, so that no processor is left with one at the end. Their names have no spaces.
ls -1S $names >list
xargs -n 1 -P "$processors" sh -c '
    compiler=$1 folder=$2 batch=$3
    set --
    while read -r flag; do set -- "$@" "$flag"; done <"$folder/${batch%_*}_flags.txt"
    exec "$compiler" "$@" -O0 -fsyntax-only "$batch"
' compile "$compiler" "$folder" <list
