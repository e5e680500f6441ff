#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# rankfile_test.sh SKEIN_CLI PROGRAM: starts PROGRAM on three hosts with a scattered map and compares where it landed.
set -eu
cli=$1
program=$2
. "$(dirname "$0")/hosts.sh"
[ -x "$program" ] || skip "no MPI compiler"
need_hosts
printf 'skeina slots=2\nskeinb slots=2\nskeinc slots=2\n' >"$folder/hosts"
cat >"$folder/mapping.csv" <<'MAP'
rank,host,slot
0,skeinb,0
1,skeinc,1
2,skeina,0
3,skeinc,0
4,skeinb,1
5,skeina,1
MAP
"$cli" map convert "$folder/mapping.csv" --to openmpi --hosts "$folder/hosts" -o "$folder/rankfile" 2>/dev/null
launch -np 6 --rankfile "$folder/rankfile" "$program" | sort -n | tr ' ' ',' >"$folder/landed"
tail -n +2 "$folder/mapping.csv" >"$folder/wanted"
diff "$folder/wanted" "$folder/landed"
echo "every rank landed where the map says"
