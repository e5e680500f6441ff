// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace skein {

/// Moves, turns or mirrors, and scales points: (point − from) · rotation · scale + to.
struct ProcrustesFit {
    std::size_t dimensions = 0;
    std::vector<double> rotation;  ///< [row × dimensions + column], orthogonal
    double scale = 1.0;
    std::vector<double> from;
    std::vector<double> to;
};

/// The fit that brings `moving` nearest to `target` by least squares (Gower and Dijksterhuis, Procrustes
/// Problems, 2004). Both hold points of `dimensions` coordinates, one after the other; those that both have
/// count. Fewer than two of these, or points that all coincide, are moved only; a target whose points all
/// coincide does not make the others coincide: the scale is 1 then. O(points · dimensions²).
ProcrustesFit fitProcrustes(std::span<const double> moving, std::span<const double> target,
                            std::size_t dimensions);

/// All points after the fit. O(points · dimensions²).
std::vector<double> applyFit(const ProcrustesFit& fit, std::span<const double> points);

}  // namespace skein
