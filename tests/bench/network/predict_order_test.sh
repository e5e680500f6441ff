#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Of two placements of the same communication, SimGrid's flow model and `skein-cli predict` find the same one faster.
#   predict_order_test.sh SKEIN_CLI SIMGRID_REPLAY      exit code 77: skipped
set -eu
skein=$1 replay=${2:-}
if [ -z "$replay" ] || [ ! -x "$replay" ]; then
    echo "skipped: there is no SimGrid"
    exit 77
fi
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# communication KIND: 64 ranks that send to neighbours in a shuffled cube, or to a few ranks far and near.
communication() {
    awk -v kind="$1" 'BEGIN {
        srand(5); print "sender,receiver,bytes"
        for (r = 0; r < 64; ++r) { name[r] = r }
        for (r = 63; r > 0; --r) { other = int(rand() * (r + 1)); kept = name[r]; name[r] = name[other]; name[other] = kept }
        for (x = 0; x < 4; ++x) for (y = 0; y < 4; ++y) for (z = 0; z < 4; ++z) for (d = 0; d < 3; ++d) for (s = -1; s <= 1; s += 2) {
            a = x + (d == 0 ? s : 0); b = y + (d == 1 ? s : 0); c = z + (d == 2 ? s : 0)
            if (a < 0 || b < 0 || c < 0 || a > 3 || b > 3 || c > 3) continue
            to = kind == "cube" ? name[16 * a + 4 * b + c] : int(rand() * 64)
            from = name[16 * x + 4 * y + z]
            if (from != to) printf "%d,%d,%d\n", from, to, 200000 + int(rand() * 800000)
        }
    }' >"$folder/$1.csv"
}

compared=0
for kind in cube random; do
    communication "$kind"
    for machine in torus:4x4x4 hamming:4x4x4 mesh:8x8 fattree:k=4,n=3; do
        comm=$folder/$kind.csv
        "$skein" remap "$comm" --topology "$machine" --steps 200000 --format json --launcher csv -o "$folder/map.csv" >"$folder/map.json"
        seconds() { "$skein" predict "$comm" --topology "$machine" --format json "$@" | awk -F'[:,]' '/^ *"seconds"/ { print $2 }'; }
        simulated() { "$replay" "$comm" --topology "$machine" "$@" 2>/dev/null; }
        before=$(seconds) after=$(seconds --map "csv:$folder/map.csv")
        simBefore=$(simulated) simAfter=$(simulated --map "$folder/map.json")
        echo "$kind on $machine: predicted $before then $after, simulated $simBefore then $simAfter"
        # Differences below 3 % are none.
        echo "$before $after $simBefore $simAfter" | awk '{
            predicted = $2 / $1 - 1; simulated = $4 / $3 - 1
            if (predicted * simulated < 0 && (predicted > 0.03 || predicted < -0.03 || simulated > 0.03 || simulated < -0.03)) exit 1 }' || {
            echo "the two disagree"
            exit 1
        }
        compared=$((compared + 1))
    done
done
[ "$compared" = 8 ]
