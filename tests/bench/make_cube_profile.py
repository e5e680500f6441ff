#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes a Cube profile of any size, with a tree and values that look like a run's, and prints what it holds as JSON.

    tests/bench/make_cube_profile.py --locations 10000 --call-paths 400 FILE.cubex
    tests/bench/make_cube_profile.py --packed --locations 10000 --call-paths 400 FILE.cubex

The same seed gives the same values. Sums are those of the numbers that were written.
"""
import argparse
import array
import json
import random
import sys
import tarfile
import io
import zlib
from xml.sax.saxutils import escape

METRICS = [
    ("visits", "UINT64", "occ", "EXCLUSIVE"),
    ("time", "DOUBLE", "sec", "INCLUSIVE"),
    ("min_time", "MINDOUBLE", "sec", "EXCLUSIVE"),
    ("max_time", "MAXDOUBLE", "sec", "EXCLUSIVE"),
    ("bytes_sent", "UINT64", "bytes", "EXCLUSIVE"),
    ("PAPI_TOT_INS", "UINT64", "#", "INCLUSIVE"),
]


def make_tree(count, rng):
    """Parents in preorder: a node goes below one of those that are open."""
    parents, depth, path = [-1], [0], [0]
    while len(parents) < count:
        keep = min(len(path), max(1, len(path) - rng.choice([0, 0, 1, 1, 2, 3])))
        path = path[:min(keep, 40)]
        parents.append(path[-1])
        depth.append(len(path))
        path.append(len(parents) - 1)
    return parents


def wide_numbers(parents):
    children = [[] for _ in parents]
    for node, parent in enumerate(parents):
        if parent >= 0:
            children[parent].append(node)
    order = [0]
    for node in range(len(parents)):
        order += children[node]
    return order


def anchor(parents, locations, per_node):
    children = [[] for _ in parents]
    for node, parent in enumerate(parents):
        if parent >= 0:
            children[parent].append(node)
    text = ['<?xml version="1.0" encoding="UTF-8"?>\n<cube version="4.4">\n<attr key="Creator" value="generated"/>\n<metrics>\n']
    for number, (name, kind, unit, stored) in enumerate(METRICS):
        text.append(f'<metric id="{number}" type="{stored}"><disp_name>{name}</disp_name><uniq_name>{name}</uniq_name>'
                    f'<dtype>{kind}</dtype><uom>{unit}</uom><url></url><descr></descr></metric>\n')
    text.append('</metrics>\n<program>\n')
    for region in range(len(parents)):
        text.append(f'<region id="{region}" mod="/src/part{region % 40}.cpp" begin="{region + 1}" end="{region + 9}">'
                    f'<name>{escape(f"solver::Field<double>::step_{region}(int, double)")}</name>'
                    f'<mangled_name>_ZN6solver5FieldIdE4step_{region}Eid</mangled_name><paradigm>compiler</paradigm>'
                    f'<role>function</role><url></url><descr></descr></region>\n')
    pending = [(0, False)]
    while pending:
        node, done = pending.pop()
        if done:
            text.append('</cnode>\n')
            continue
        text.append(f'<cnode id="{node}" calleeId="{node}">\n')
        pending.append((node, True))
        pending += [(child, False) for child in reversed(children[node])]
    text.append('</program>\n<system>\n<systemtreenode Id="0"><name>machine</name><class>machine</class>\n')
    for first in range(0, locations, per_node):
        text.append(f'<systemtreenode Id="{1 + first // per_node}"><name>node{first // per_node}</name><class>node</class>\n')
        for rank in range(first, min(locations, first + per_node)):
            text.append(f'<locationgroup Id="{rank}"><name>MPI Rank {rank}</name><rank>{rank}</rank><type>process</type>'
                        f'<location Id="{rank}"><name>Master thread</name><rank>0</rank><type>thread</type></location>'
                        '</locationgroup>\n')
        text.append('</systemtreenode>\n')
    text.append('</systemtreenode>\n<topologies></topologies>\n</system>\n</cube>\n')
    return ''.join(text).encode()


def add(archive, name, data):
    member = tarfile.TarInfo(name)
    member.size = len(data)
    archive.addfile(member, io.BytesIO(data))


def pack_rows(rows):
    streams = [zlib.compress(row, 1) for row in rows]
    header, plain, packed = array.array('q', [len(rows)]), 0, 0
    for row, stream in zip(rows, streams):
        header.extend([plain, packed, len(stream)])
        plain += len(row)
        packed += len(stream)
    return b'ZCUBEX.DATA' + header.tobytes() + b''.join(streams)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('file')
    parser.add_argument('--locations', type=int, default=10000)
    parser.add_argument('--call-paths', type=int, default=400)
    parser.add_argument('--visited', type=float, default=0.9, help='share of the call paths that a location visits')
    parser.add_argument('--packed', action='store_true')
    parser.add_argument('--seed', type=int, default=1)
    options = parser.parse_args()
    rng = random.Random(options.seed)
    parents = make_tree(options.call_paths, rng)
    nodes, locations = len(parents), options.locations

    # Exclusive values first: a pattern of the location, times a weight of the call path.
    noise = [rng.random() for _ in range(4096)]
    visited = [rng.random() < options.visited or node < 2 for node in range(nodes)]
    visits, seconds = [], []
    for node in range(nodes):
        if not visited[node]:
            visits.append(array.array('q', bytes(8 * locations)))
            seconds.append(array.array('d', bytes(8 * locations)))
            continue
        weight, shift = rng.randrange(1, 1000), rng.randrange(4096)
        visits.append(array.array('q', [1 + weight * (location % 7 + 1) for location in range(locations)]))
        seconds.append(array.array('d', [weight * 1e-3 * noise[(location + shift) & 4095] for location in range(locations)]))
    inclusive = [array.array('d', row) for row in seconds]
    counters = [array.array('q', [int(value * 2e9) for value in row]) for row in seconds]
    for node in range(nodes - 1, 0, -1):
        for table, kind in ((inclusive, 'd'), (counters, 'q')):
            above = table[parents[node]]
            table[parents[node]] = array.array(kind, map(sum, zip(above, table[node])))

    facts = {'locations': locations, 'call_paths': nodes, 'visits': sum(map(sum, visits)), 'time_seconds': sum(inclusive[0])}
    wide = wide_numbers(parents)
    tables = [(range(nodes), visits), (wide, inclusive),
              (range(nodes), [array.array('d', [value * 0.01 for value in row]) for row in seconds]),
              (range(nodes), seconds), (range(nodes), visits), (wide, counters)]
    with tarfile.open(options.file, 'w', format=tarfile.USTAR_FORMAT) as archive:
        for number, (order, table) in enumerate(tables):
            rows = [table[node].tobytes() for node in order]
            numbers = array.array('i', range(nodes))
            index = b'CUBEX.INDEX' + array.array('i', [1]).tobytes() + b'\0\0\x01' + array.array('i', [nodes]).tobytes()
            add(archive, f'{number}.data', pack_rows(rows) if options.packed else b'CUBEX.DATA' + b''.join(rows))
            add(archive, f'{number}.index', index + numbers.tobytes())
        add(archive, 'anchor.xml', anchor(parents, locations, 48))
    json.dump(facts, sys.stdout)
    print()


if __name__ == '__main__':
    main()
