#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Bytes that the window sends to an X server without shared memory: for a move of the mouse over the timeline, for a step
of a pan that goes on (the panels that sum up follow at its end, once), and for a single step with all that
follows. The window talks to Xvfb through a socket that counts. Needs Xvfb and xdotool. With --widgets it tells what
each widget painted; those that lie in others count in both, and what is drawn into memory to be compared counts too.

    tests/bench/x_traffic.py build/release [ARCHIVE] [--size 1600x1000] [--steps 30] [--widgets]
"""
import argparse
import os
import pathlib
import select
import socket
import statistics
import subprocess
import tempfile
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
SOCKETS = pathlib.Path("/tmp/.X11-unix")


class CountingDisplay:
    """A display of its own number, whose clients are passed on to another display."""

    def __init__(self, number, server):
        self.number, self.server, self.sent = number, server, 0
        path = SOCKETS / f"X{number}"
        path.unlink(missing_ok=True)
        self.listener = socket.socket(socket.AF_UNIX)
        self.listener.bind(str(path))
        self.listener.listen()
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            client, _ = self.listener.accept()
            server = socket.socket(socket.AF_UNIX)
            server.connect(str(SOCKETS / f"X{self.server}"))
            threading.Thread(target=self.forward, args=(client, server), daemon=True).start()

    def forward(self, client, server):
        while True:
            for ready in select.select([client, server], [], [])[0]:
                data = ready.recv(1 << 20)
                if not data:
                    client.close()
                    server.close()
                    return
                if ready is client:
                    self.sent += len(data)
                    server.sendall(data)
                else:
                    client.sendall(data)

    def settle(self, quiet=0.4, most=60):
        """Waits until nothing has been sent for a while; returns all that was sent so far."""
        end = time.monotonic() + most
        last, since = self.sent, time.monotonic()
        while time.monotonic() < end and time.monotonic() - since < quiet:
            time.sleep(0.02)
            if self.sent != last:
                last, since = self.sent, time.monotonic()
        return self.sent


class PaintLog:
    """What widgets have painted, as skein-paint-log writes it."""

    def __init__(self, path):
        self.path, self.begin = path, 0.0

    def restart(self):
        self.begin = time.monotonic()

    def tell(self, steps, most=16):
        if not self.path:
            return
        pixels = {}
        for line in self.path.read_text().splitlines():
            when, area, widget = line.split("\t")
            if float(when) >= self.begin:
                pixels[widget] = pixels.get(widget, 0) + int(area)
        for widget, area in sorted(pixels.items(), key=lambda item: -item[1])[:most]:
            print(f"    {area * 4 / 1024 / steps:9.1f} KiB a step  {'/'.join(widget.rstrip('/').split('/')[-4:])}")
        self.restart()


def step_costs(display, actions):
    costs = []
    for action in actions:
        before = display.settle()
        subprocess.run(["xdotool", *action], check=True, env=dict(os.environ, DISPLAY=f":{display.server}"))
        costs.append(display.settle() - before)
    return costs


def cost_while_moving(display, keys, delay_ms):
    """Of a step, where one follows the other; what comes after the last one is not counted."""
    before = display.settle()
    mover = subprocess.Popen(["xdotool", "key", "--delay", str(delay_ms), *keys],
                             env=dict(os.environ, DISPLAY=f":{display.server}"))
    mover.wait()
    moving = display.sent - before
    return moving / len(keys), (display.settle() - before) / len(keys)


def tell(what, costs, limit):
    print(f"{what:24} median {statistics.median(costs) / 1024:8.1f} KiB, most {max(costs) / 1024:8.1f} KiB"
          f"   (wanted: at most {limit // 1024} KiB)", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("archive", nargs="?", default=ROOT / "examples/lulesh-8/trace-otf2")
    parser.add_argument("--size", default="1600x1000")
    parser.add_argument("--steps", type=int, default=30)
    parser.add_argument("--widgets", action="store_true", help="tell what each widget painted")
    options = parser.parse_args()
    width, height = map(int, options.size.split("x"))
    number = 90
    while any((SOCKETS / f"X{n}").exists() for n in (number, number + 1)):
        number += 2
    server = subprocess.Popen(["Xvfb", f":{number}", "-screen", "0", f"{width}x{height}x24", "-nolisten", "tcp",
                               "-extension", "MIT-SHM", "-extension", "DRI3", "-extension", "GLX"],
                              stderr=subprocess.DEVNULL)
    while not (SOCKETS / f"X{number}").exists():
        time.sleep(0.05)
    display = CountingDisplay(number + 1, number)
    with tempfile.TemporaryDirectory() as home:
        # Shared memory is not to be had over a network.
        env = dict(os.environ, DISPLAY=f":{display.number}", QT_QPA_PLATFORM="xcb", QT_X11_NO_MITSHM="1",
                   HOME=home, XDG_CONFIG_HOME=home, XDG_CACHE_HOME=home, XDG_DATA_HOME=home)
        log = PaintLog(pathlib.Path(home) / "paint.log" if options.widgets else None)
        if options.widgets:
            env.update(LD_PRELOAD=str(options.build.resolve() / "bin/skein-paint-log.so"),
                       SKEIN_PAINT_LOG=str(log.path))
        window = subprocess.Popen([options.build / "bin/skein", options.archive], env=env)
        try:
            here = dict(os.environ, DISPLAY=f":{number}")
            found = subprocess.run(["xdotool", "search", "--sync", "--onlyvisible", "--class", "skein"], check=True,
                                   env=here, stdout=subprocess.PIPE, text=True).stdout.split()
            subprocess.run(["xdotool", "windowmove", found[0], "0", "0", "windowsize", found[0], str(width),
                            str(height), "windowfocus", found[0]], check=True, env=here)
            while display.sent < width * height * 4:
                time.sleep(0.1)
            display.settle(quiet=3)
            x, y = width * 45 // 100, height * 35 // 100
            print(f"{options.archive}, {options.size}: {display.sent / 1048576:.1f} MiB until the first picture rests")
            moves = [["mousemove", str(x + 7 * i), str(y + 3 * (i % 9))] for i in range(options.steps)]
            log.restart()
            tell("a move of the mouse", step_costs(display, moves), 100 * 1024)
            log.tell(len(moves))
            step_costs(display, [["click", "1"]] + [["key", "w"]] * 10)
            log.restart()
            runs = [cost_while_moving(display, [key] * 10, 60) for key in "dada"]
            tell("a step of a long pan", [run[0] for run in runs], 1024 * 1024)
            tell("… with what follows it", [run[1] for run in runs], 1024 * 1024)
            log.tell(40)
            keys = [["key", "d"], ["key", "a"]] * (options.steps // 4)
            tell("a single step of a pan", step_costs(display, keys), 1024 * 1024)
            log.tell(len(keys))
        finally:
            window.terminate()
            window.wait()
            server.terminate()
            server.wait()
            (SOCKETS / f"X{display.number}").unlink(missing_ok=True)


if __name__ == "__main__":
    main()
