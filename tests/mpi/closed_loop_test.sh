#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# closed_loop_test.sh SKEIN_CLI PROGRAM: traces PROGRAM on four hosts, remaps it, runs it again with the rankfile that came of it,
# traced, and verifies that; then reruns that went elsewhere or sent something else, which must be told.
set -eu
cli=$1
program=$2
. "$(dirname "$0")/hosts.sh"
[ -x "$program" ] || skip "no MPI compiler, or no OTF2 library for it"
need_hosts
printf 'skeina slots=2\nskeinb slots=2\nskeinc slots=2\nskeind slots=2\n' >"$folder/hosts"

# traced NAME OPTIONS… ROUNDS: leaves an archive NAME of the program's run
traced() {
  SKEIN_TRACE_FOLDER="$folder/$1"
  export SKEIN_TRACE_FOLDER
  shift
  launch -x SKEIN_TRACE_FOLDER "$@"
}
# verified CODE MAP RERUN OPTIONS…: what `map verify` says, which must end with CODE
verified() {
  wanted=$1 map=$2 rerun=$3
  shift 3
  code=0
  "$cli" map verify "$folder/$map" "$folder/$rerun" --predicted "$folder/run" --format csv "$@" >"$folder/said" 2>&1 || code=$?
  [ "$code" = "$wanted" ] || fail "map verify of $rerun ended with $code, not $wanted"
}
fail() { echo "$1"; cat "$folder/said"; exit 1; }
says() { grep -q "$1" "$folder/said" || fail "not said: $1"; }

traced run -np 8 "$program" 4
"$cli" remap "$folder/run" --topology mesh:4 --steps 100000 --launcher openmpi -o "$folder/rankfile" --format json >"$folder/report" 2>/dev/null
grep -q '"placement": "hosts"' "$folder/report" || { echo "the hosts of the run are not the nodes"; exit 1; }

traced rerun -np 8 --rankfile "$folder/rankfile" "$program" 4
verified 0 rankfile rerun --topology mesh:4
says '^16 of 16 pairs'
says '^6 of 6 links'
says '^8 of 8 ranks'
[ "$(grep -c , "$folder/said")" = 1 ] || fail "something differs"

# What was predicted for the map is what the rerun has where it ran.
predicted=$(sed -n 's/.*"hop_bytes_after": \([0-9]*\).*/\1/p' "$folder/report")
measured=$("$cli" traffic "$folder/rerun" --topology mesh:4 --format json | sed -n 's/.*"hop_bytes": \([0-9]*\).*/\1/p' | head -n 1)
[ -n "$predicted" ] && [ "$predicted" = "$measured" ] || { echo "predicted $predicted hop-bytes, measured $measured"; exit 1; }

# The first run was elsewhere.
verified 1 rankfile run --topology mesh:4
says '^16 of 16 pairs'
says '^placement,rank '
says '^link,'

# On the right hosts, but with more rounds: the bytes differ by a quarter, which a tolerance may allow.
traced longer -np 8 --rankfile "$folder/rankfile" "$program" 5
verified 0 rankfile longer --topology mesh:4
says '^0 of 16 pairs'
says '^0 of 6 links'
says ',25$'
verified 0 rankfile longer --topology mesh:4 --tolerance 25
says '^16 of 16 pairs'

# A host that a map leaves free is a node all the same: skeind stays the last of the four.
mapped() { # mapped NAME HOST…: a rankfile with ranks two by two on the hosts
  name=$1
  shift
  rank=0
  echo "rank,host,slot" >"$folder/$name.csv"
  for host in "$@"; do
    echo "$rank,$host,$((rank % 2))" >>"$folder/$name.csv"
    rank=$((rank + 1))
  done
  "$cli" map convert "$folder/$name.csv" --to openmpi -o "$folder/$name.rankfile" >/dev/null 2>&1
}
mapped four skeina skeina skeinb skeinb skeinc skeind
mapped three skeina skeina skeinb skeinb skeind skeind
rm -r "$folder/run"
traced run -np 6 --rankfile "$folder/four.rankfile" "$program" 4
traced free -np 6 --rankfile "$folder/three.rankfile" "$program" 4
verified 0 three.rankfile free --topology mesh:4 --all
says '^12 of 12 pairs'
says '^6 of 6 links'
says '^link,2 → 3,'
echo "the loop is closed: reruns are told from those that went elsewhere or sent something else"
