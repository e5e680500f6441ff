#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Sends samples to Skein as lines of JSON (docs/STREAM.md): the columns of a table of text, or made-up ones.

    skein-cli changes --follow tcp:127.0.0.1:7777 &
    examples/stream/send_stream.py tcp:127.0.0.1:7777 --interval 0.01 series.csv
    examples/stream/send_stream.py unix:run.socket --entities 64 --rows 1000 --change 500

Where nobody listens it tries again, and goes on with the line that could not be sent; what has to wait
meanwhile is bounded, the oldest lines go first. Where the receiver is slow, send() waits: so does this.
"""
import argparse
import collections
import csv
import json
import random
import socket
import sys
import time


class Sender:
    """A connection that is made again when it breaks."""

    def __init__(self, address, patience, most_waiting=10000):
        self.address, self.patience = address, patience
        self.waiting = collections.deque(maxlen=most_waiting)
        self.dropped = 0
        self.head = None
        self.socket = None

    def _connect(self):
        if self.address.startswith("unix:"):
            connection = socket.socket(socket.AF_UNIX)
            where = self.address[len("unix:"):]
        else:
            host, _, port = self.address.removeprefix("tcp:").rpartition(":")
            where = (host.strip("[]") or "127.0.0.1", int(port))
            connection = socket.socket(socket.AF_INET6 if ":" in where[0] else socket.AF_INET)
        try:
            connection.connect(where)
        except OSError:
            connection.close()
            raise
        self.socket = connection
        # Who has just come says again what its values are of.
        if self.head:
            connection.sendall(self.head)

    def send(self, record, is_head=False):
        line = (json.dumps(record, separators=(",", ":"), allow_nan=False) + "\n").encode()
        if is_head:
            self.head = line
            if self.socket is None:
                return
        if len(self.waiting) == self.waiting.maxlen:
            self.dropped += 1
        self.waiting.append(line)
        self.flush(0.0)

    def flush(self, patience):
        """Sends what waits; True where nothing does any more. Tries for so many seconds to connect."""
        end = time.monotonic() + patience
        while self.waiting:
            try:
                if self.socket is None:
                    self._connect()
                self.socket.sendall(self.waiting[0])
                self.waiting.popleft()
            except OSError:
                # The line may have been sent in part: it is sent as a whole to the next receiver.
                if self.socket is not None:
                    self.socket.close()
                    self.socket = None
                if time.monotonic() >= end:
                    return False
                time.sleep(0.1)
        return True

    def close(self):
        done = self.flush(self.patience)
        if self.socket is not None:
            self.socket.close()
        return done


def table_samples(path):
    """Head and samples of a wide table whose first column may be the time."""
    with open(path, newline="") as file:
        rows = csv.reader(file)
        names = next(rows)
        timed = names[0].lower() in ("time", "t", "virtual_time", "sample", "step", "bin", "index", "timestamp")
        yield {"entities": names[1:] if timed else names}
        for number, row in enumerate(rows):
            values = [number_or_none(field) for field in row]
            record = {"time": values[0] if timed else number}
            record["values"] = values[1:] if timed else values
            yield record


def number_or_none(field):
    try:
        value = float(field)
        return value if abs(value) < float("inf") else None
    except ValueError:
        return None


def made_up_samples(entities, rows, change, seed):
    """Two metrics of noise; the level of a third of the entities rises at `change`, "received" follows "sent"."""
    generator = random.Random(seed)
    yield {"entities": [f"rank {i}" for i in range(entities)],
           "groups": [f"node {i // 8}/rank {i}" for i in range(entities)], "levels": ["node", "rank"],
           "attributes": {"kind": ["rising" if i % 3 == 0 else "steady" for i in range(entities)]}}
    sent = [0.0] * entities
    for row in range(rows):
        received = [0.9 * value + generator.gauss(0, 0.1) for value in sent]
        sent = [generator.gauss(10, 1) + (20 if row >= change and i % 3 == 0 else 0) for i in range(entities)]
        yield {"time": row, "metrics": {"sent": sent, "received": received},
               "messages": [[f"rank {i}", f"rank {(i + 1) % entities}", int(sent[i] * 1000), 1, "ring"]
                            for i in range(entities)]}


def main():
    parser = argparse.ArgumentParser(description="Sends samples to Skein as lines of JSON.")
    parser.add_argument("address", help="tcp:HOST:PORT or unix:PATH")
    parser.add_argument("table", nargs="?", help="a table of text: a row a time point, a column an entity")
    parser.add_argument("--interval", type=float, default=0.0, help="seconds between two samples")
    parser.add_argument("--patience", type=float, default=10.0, help="seconds to wait for a receiver at the end")
    parser.add_argument("--entities", type=int, default=16)
    parser.add_argument("--rows", type=int, default=400)
    parser.add_argument("--change", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--no-end", action="store_true", help="do not say at the end that no more will come")
    options = parser.parse_args()
    if options.table:
        samples = table_samples(options.table)
    else:
        samples = made_up_samples(options.entities, options.rows, options.change, options.seed)
    sender = Sender(options.address, options.patience)
    sender.send(next(samples), is_head=True)
    sender.flush(options.patience)
    for sample in samples:
        sender.send(sample)
        if options.interval > 0:
            time.sleep(options.interval)
        elif sender.socket is None and not sender.flush(options.patience):
            break
    if not options.no_end:
        sender.send({"end": True})
    done = sender.close()
    if sender.dropped:
        print(f"send_stream.py: {sender.dropped} lines were dropped while nobody listened.", file=sys.stderr)
    if not done:
        print("send_stream.py: nobody listens: not everything was sent.", file=sys.stderr)
    return 0 if done else 1


if __name__ == "__main__":
    sys.exit(main())
