#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# usage: install_test.sh BUILD EXAMPLES DESKTOP_FILE_VALIDATE APPSTREAMCLI UPDATE_MIME_DATABASE
# Installs into a new folder, moves that folder, and runs the programs from there. Tools that are absent are not called.
set -euo pipefail
build=$1 examples=$2 validateDesktop=$3 appstream=$4 updateMime=$5
unset DISPLAY WAYLAND_DISPLAY

fail() { echo "FAILED: $*" >&2; exit 1; }
have() { [ -n "$1" ] && [ -x "$1" ]; }

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export SKEIN_INDEX_DIR="$folder/indexes"
cmake --install "$build" --prefix "$folder/first" >"$folder/log" || { cat "$folder/log"; fail "cmake --install"; }
mv "$folder/first" "$folder/moved"
cd "$folder/moved"

cli=$(find . -name skein-cli -type f)
[ -x "$cli" ] || fail "skein-cli was not installed"
"$cli" --help >/dev/null || fail "skein-cli --help"
"$cli" info --format json "$examples/lulesh-8/trace-otf2" | grep -q '"locations": *8' || fail "skein-cli info on the example"

gui=$(find . -name skein -type f)
if [ -n "$gui" ]; then
    "$gui" --version | grep -q '^skein [0-9]' || fail "skein --version"
    QT_QPA_PLATFORM=offscreen "$gui" --tour "$folder/tour" "$examples/lulesh-8/trace-otf2" >/dev/null || fail "skein --tour"
    compgen -G "$folder/tour/*.png" >/dev/null || fail "the tour drew no picture"
    for file in applications/skein.desktop mime/packages/skein.xml metainfo/org.skein.skein.metainfo.xml \
                icons/hicolor/scalable/apps/skein.svg; do
        [ -s "share/$file" ] || fail "share/$file was not installed"
    done
    if have "$validateDesktop"; then "$validateDesktop" share/applications/skein.desktop; fi
    if have "$appstream"; then "$appstream" validate --no-net share/metainfo/org.skein.skein.metainfo.xml; fi
    if have "$updateMime"; then
        "$updateMime" share/mime
        grep -q '^application/x-otf2:\*.otf2$' share/mime/globs || fail "*.otf2 has no MIME type"
    fi
fi
echo "installed, moved and run"
