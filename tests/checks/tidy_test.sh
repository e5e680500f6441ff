#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# What clang-tidy finds in the headers, all of a kind at once, by the checks of .clang-tidy.
#   tidy_test.sh SOURCES CLANG_TIDY PROCESSORS WRITER FOLDER KIND...      exit code 77: skipped
# WRITER is skein-write-header-batches. FOLDER has KIND_flags.txt with the flags of the compiler, one a line.
set -eu
sources=$1 program=$2 processors=$3 writer=$4 folder=$5
shift 5
if [ -z "$program" ] || [ ! -x "$program" ]; then
    echo "skipped: there is no clang-tidy"
    exit 77
fi
batches=$folder/tidy
rm -rf "$batches"
mkdir -p "$batches"
"$writer" "$sources" "$batches"
cd "$batches"
for kind in "$@"; do cat "${kind}_"*.cpp >"$kind.cpp"; done
cd "$sources"
printf '%s\0' "$@" | xargs -0 -n 1 -P "$processors" sh -c '
    program=$1 sources=$2 folder=$3 kind=$4
    set --
    while read -r flag; do set -- "$@" "$flag"; done <"$folder/${kind}_flags.txt"
    exec "$program" --quiet --config-file="$sources/.clang-tidy" \
        --header-filter="^$sources/(core|algorithms|views|app)/" "$folder/tidy/$kind.cpp" -- "$@"
' tidy "$program" "$sources" "$folder"
