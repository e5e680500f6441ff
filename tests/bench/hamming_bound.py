#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Lower bound of hop-bytes over all maps of c 2^N ranks, c a node, onto the hypercube of N dimensions.

  hamming_bound.py HOPBYTES N [ITERATIONS]

A torus of rings of 4 and 2 is a hypercube: a ring of 4 is a square. Needs numpy.

Y_k(i, j) says whether ranks i and j are k hops apart. For every map Y_0 = I (c = 1) or has 1 on the diagonal, the Y_k sum to
the matrix of ones, a row of Y_k sums to c C(N, k), and Z_s = sum_k K_s(k) Y_k (Krawtchouk polynomials) is positive
semidefinite and, for s > 0, 0 on the vector of ones. The least cost under these conditions is a bound (de Klerk, Sotirov:
symmetry of the Hamming scheme). Any multipliers prove one: for U_s negative semidefinite on vectors of sum 0,
cost >= sum over pairs of min_k (S k + <U, K(k)>). ADMM finds good ones; the bound is computed from them anew in double
precision, less what rounding may have spoilt.
"""
import sys
import time
from math import comb

import numpy as np

from linear_maps import read_flows


def read_traffic(path):
    flows = read_flows(path)
    n = 1 + max(max(pair) for pair in flows)
    traffic = np.zeros((n, n))
    for (a, b), size in flows.items():
        traffic[a, b] += size
    return traffic + traffic.T


def krawtchouk(s, k, n):
    return sum((-1) ** j * comb(k, j) * comb(n - k, s - j) for j in range(s + 1))


def centred(m):
    mean = m.mean(0)
    return m - mean[:, None] - mean[None, :] + mean.mean()


class Relaxation:
    def __init__(self, traffic, dims):
        self.n, self.dims = len(traffic), dims
        self.slots = self.n // 2 ** dims
        if self.slots * 2 ** dims != self.n:
            raise SystemExit("ranks do not fill the nodes")
        self.first = 0 if self.slots > 1 else 1  # ranks of one node are 0 hops apart
        self.scale = traffic[traffic > 0].mean()
        self.traffic = traffic / self.scale
        self.root = np.sqrt([float(comb(dims, k)) for k in range(dims + 1)])
        # orthogonal and symmetric after scaling Y_k and Z_s by the roots of their valencies
        self.turn = np.array([[krawtchouk(s, k, dims) * self.root[k] / self.root[s] for k in range(dims + 1)]
                              for s in range(dims + 1)]) / 2 ** (dims / 2)
        self.price = 0.5 * np.multiply.outer(np.arange(self.first, dims + 1) * self.root[self.first:], self.traffic)
        self.diagonal = self.turn[:, 0]

    def spectral(self, planes):
        return np.tensordot(self.turn, planes, 1)

    def nearest_choice(self, target):
        """The y >= 0 with sum_k root_k y_k = 1 nearest to target, for every pair."""
        root = self.root[self.first:, None, None]
        order = np.argsort(-target / root, axis=0)
        ratio = np.take_along_axis(target / root, order, 0)
        weight = root ** 2 * np.ones_like(target)
        weight = np.take_along_axis(weight, order, 0)
        filled = np.cumsum(weight, 0)
        level = (np.cumsum(weight * ratio, 0) - 1) / filled
        count = (ratio > level).sum(0)
        tau = np.take_along_axis(level, count[None] - 1, 0)
        choice = np.zeros((self.dims + 1, self.n, self.n))
        choice[self.first:] = np.maximum(target - tau * root, 0)
        i = np.arange(self.n)
        choice[:, i, i] = 0
        choice[0, i, i] = 1
        return choice

    def bound(self, multipliers):
        """Proven bound of these multipliers (already times rho); symmetric parts, s = 0 unused."""
        u = (multipliers + multipliers.transpose(0, 2, 1)) / 2
        u[0] = 0
        rounding = sum(max(0.0, np.linalg.eigvalsh(centred(u[s]))[-1]) * self.n * self.diagonal[s]
                       for s in range(1, self.dims + 1))
        prices = self.spectral(u) / self.root[:, None, None]
        prices += 0.5 * np.arange(self.dims + 1)[:, None, None] * self.traffic
        least = prices[self.first:].min(0)
        np.fill_diagonal(least, np.diag(prices[0]))
        return (least.sum() - rounding) * self.scale

    def solve(self, iterations, report):
        n, dims = self.n, self.dims
        w = np.zeros((dims + 1, n, n))
        w[:] = self.spectral(self.nearest_choice(-self.price))
        w[0] = 2 ** (-dims / 2)
        u = np.zeros_like(w)
        rho, best = 1.0, -np.inf
        for step in range(1, iterations + 1):
            choice = self.nearest_choice(self.spectral(w - u)[self.first:] - self.price / rho)
            v = self.spectral(choice)
            mixed = 1.7 * v - 0.7 * w
            before = w.copy()
            for s in range(1, dims + 1):
                full = mixed[s] + u[s]
                values, vectors = np.linalg.eigh(centred((full + full.T) / 2))
                up = values > 0
                w[s] = (vectors[:, up] * values[up]) @ vectors[:, up].T
                u[s] = full - w[s]
            primal, dual = np.linalg.norm(v - w), rho * np.linalg.norm(w - before)
            if step % 20 == 0:
                best = max(best, self.bound(u * rho))
                report(step, best)
                if step < 400 and (primal > 3 * dual or dual > 3 * primal):
                    factor = 1.5 if primal > dual else 1 / 1.5
                    rho *= factor
                    u /= factor
        return best


def main():
    path, dims = sys.argv[1], int(sys.argv[2])
    iterations = int(sys.argv[3]) if len(sys.argv) > 3 else 400
    start = time.time()
    relaxation = Relaxation(read_traffic(path), dims)
    relaxation.solve(iterations, lambda step, best: print(f"{step:5d} {time.time() - start:7.0f} s  bound {best:,.0f}", flush=True))


if __name__ == "__main__":
    main()
