#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Prints the least hop-bytes of all linear maps of ranks onto a hypercube, and proves that no other linear map costs less.

  linear_maps.py HOPBYTES DIMENSIONS [--map FILE]

On the hypercube of n dimensions hop-bytes are the sum of the costs of n cuts, one for each bit of a node. Where the bits of a
node are linear in those of the rank (orders, splits, folds and Gray codes of grids of powers of two are), the cuts are n
linearly independent ones of the 2^n - 1 parities of rank bits. Independent sets of vectors are a matroid, so taking the
cheapest parity that is independent of those taken before gives the least sum. A torus of rings of 4 and 2 is a hypercube:
a ring of 4 is a square. --map writes the map for such a torus (rings of 4 first), to be refined by skein-cli remap --placement.
"""
import argparse


def read_flows(path):
    flows = {}
    for line in open(path, errors="replace"):
        fields = line.split()
        try:
            a, b, size = int(fields[0]), int(fields[1]), round(float(fields[2]))
        except (IndexError, ValueError):
            continue
        if a != b:
            flows[a, b] = flows.get((a, b), 0) + size
    return flows


def cut_costs(flows, dimensions):
    """Cost of each parity: the bytes between ranks whose numbers differ in an odd number of its bits."""
    by_difference = {}
    for (a, b), size in flows.items():
        by_difference[a ^ b] = by_difference.get(a ^ b, 0) + size
    return {mask: sum(size for difference, size in by_difference.items() if bin(mask & difference).count("1") % 2)
            for mask in range(1, 1 << dimensions)}


def cheapest_basis(costs):
    reduced, chosen = [], []
    for mask in sorted(costs, key=costs.get):
        rest = mask
        for vector in reduced:
            rest = min(rest, rest ^ vector)
        if rest:
            reduced = sorted(reduced + [rest], reverse=True)
            chosen.append(mask)
    return chosen


def write_map(path, basis):
    bits = len(basis)
    with open(path, "w") as out:
        out.write("rank,host,slot\n")
        for rank in range(1 << bits):
            parity = [bin(rank & mask).count("1") % 2 for mask in basis]
            node = 0
            for i in range(0, bits - bits % 2, 2):
                node = node * 4 + 2 * parity[i] + (parity[i] ^ parity[i + 1])
            out.write(f"{rank},node{node * 2 + parity[-1] if bits % 2 else node},0\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("hopbytes")
    parser.add_argument("dimensions", type=int)
    parser.add_argument("--map")
    args = parser.parse_args()
    costs = cut_costs(read_flows(args.hopbytes), args.dimensions)
    basis = cheapest_basis(costs)
    for mask in basis:
        print(f"{mask:0{args.dimensions}b}  {costs[mask]:,}")
    print(f"least hop-bytes of all linear maps: {sum(costs[mask] for mask in basis):,}")
    if args.map:
        write_map(args.map, basis)


if __name__ == "__main__":
    main()
