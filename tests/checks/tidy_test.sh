#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# What clang-tidy finds in files that include all headers, and others, by the checks of .clang-tidy.
#   tidy_test.sh SOURCES CLANG_TIDY PROCESSORS FLAGS FILE...      exit code 77: skipped
# FLAGS is a file with the flags of the compiler, one a line.
set -eu
sources=$1 program=$2 processors=$3 flags=$4
shift 4
if [ -z "$program" ] || [ ! -x "$program" ]; then
    echo "skipped: there is no clang-tidy"
    exit 77
fi
cd "$sources"
printf '%s\0' "$@" | xargs -0 -n 1 -P "$processors" sh -c '
    program=$1 sources=$2 flags=$3 file=$4
    set --
    while read -r flag; do set -- "$@" "$flag"; done <"$flags"
    exec "$program" --quiet --config-file="$sources/.clang-tidy" \
        --header-filter="^$sources/(core|algorithms|views|app)/" "$file" -- "$@"
' tidy "$program" "$sources" "$flags"
