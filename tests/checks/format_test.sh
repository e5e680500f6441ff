#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Whether every source has the form that .clang-format gives it.
#   format_test.sh SOURCES CLANG_FORMAT PROCESSORS      exit code 77: skipped
set -eu
sources=$1 program=$2 processors=$3
if [ -z "$program" ] || [ ! -x "$program" ]; then
    echo "skipped: there is no clang-format"
    exit 77
fi
version=$("$program" --version | sed 's/.*version \([0-9]*\).*/\1/')
if [ "$version" != 14 ]; then
    echo "skipped: clang-format $version breaks lines in other places than 14"
    exit 77
fi
cd "$sources"
find core algorithms views app python tests examples \( -name '*.cpp' -o -name '*.h' \) -print0 \
    | xargs -0 -n 32 -P "$processors" "$program" --dry-run -Werror
