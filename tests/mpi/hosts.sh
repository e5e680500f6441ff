# SPDX-License-Identifier: GPL-3.0-or-later
# Sourced by tests that start MPI programs on hosts of their own: UTS namespaces of this machine, each with a name of its own,
# which mpirun enters through its ssh agent. Sets $folder, which is removed at the end, and launch().
skip() { echo "skipped: $1"; exit 77; }

need_hosts() {
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
}

# launch OPTIONS… PROGRAM…: mpirun on the hosts of $folder/hosts
launch() {
  OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 \
    mpirun --mca plm_rsh_agent "$folder/agent" --mca plm_rsh_no_tree_spawn 1 --hostfile "$folder/hosts" "$@"
}
