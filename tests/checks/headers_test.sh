#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Whether every header compiles with nothing before it but what it includes; in batches, see header_batches.h.
#   headers_test.sh SOURCES COMPILER PROCESSORS WRITER FOLDER KIND...
# WRITER is skein-write-header-batches. FOLDER has KIND_flags.txt with the flags of the compiler, one a line, and keeps what has
# passed, which is not compiled again.
set -eu
sources=$1 compiler=$2 processors=$3 writer=$4 folder=$5
shift 5
export compiler folder
batches=$folder/batches
rm -rf "$batches"
mkdir -p "$batches"
"$writer" "$sources" "$batches"

cd "$sources"
state=$({
    "$compiler" --version
    for kind in "$@"; do cat "$folder/${kind}_flags.txt" "$batches/${kind}_"*.cpp; done
    find core algorithms views app -name '*.h' | LC_ALL=C sort | xargs cat
} | sha256sum)
if [ "$(cat "$folder/passed" 2>/dev/null)" = "$state" ]; then
    echo "the headers are those that have passed"
    exit 0
fi
# The largest batches first, so that no processor is left with one at the end.
cd "$batches"
for kind in "$@"; do ls -1 "${kind}_"*.cpp; done | xargs ls -1S | xargs -n 1 -P "$processors" sh -c '
    kind=${1%_*}
    exec "$compiler" "@$folder/${kind}_flags.txt" -O0 -fsyntax-only "$1"' compile
echo "$state" >"$folder/passed"
