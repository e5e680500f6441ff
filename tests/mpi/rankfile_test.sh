#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# rankfile_test.sh SKEIN_CLI PROGRAM: starts PROGRAM on three hosts with a scattered map and compares where it landed.
# The hosts are UTS namespaces of this machine, each with a name of its own, which mpirun enters through its ssh agent.
set -eu
cli=$1
program=$2
skip() { echo "skipped: $1"; exit 77; }
[ -x "$program" ] || skip "no MPI compiler"
command -v mpirun >/dev/null || skip "no mpirun"
mpirun --version | grep -q 'Open MPI) 4' || skip "not Open MPI 4"
[ "$(nproc)" -ge 2 ] || skip "needs two cores"
unshare --uts true 2>/dev/null || skip "may not make hosts of its own"

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export SKEIN_INDEX_DIR="$folder/indexes"
cat >"$folder/agent" <<'AGENT'
#!/bin/sh
while [ "${1#-}" != "$1" ]; do shift; done
host=$1
shift
exec unshare --uts sh -c "hostname $host; $*"
AGENT
chmod +x "$folder/agent"
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
OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 \
  mpirun --mca plm_rsh_agent "$folder/agent" --mca plm_rsh_no_tree_spawn 1 --hostfile "$folder/hosts" \
  -np 6 --rankfile "$folder/rankfile" "$program" | sort -n | tr ' ' ',' >"$folder/landed"
tail -n +2 "$folder/mapping.csv" >"$folder/wanted"
diff "$folder/wanted" "$folder/landed"
echo "every rank landed where the map says"
