// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>

namespace skein {

/// One of several things that may be so: how likely, and a Student distribution of the value then.
struct MixtureComponent {
    double weight = 0.0;  ///< all together 1
    double center = 0.0;
    double spread = 0.0;  ///< scale of the distribution; 0: the center for certain
};

/// P(T ≤ value) of a Student distribution: exact for one and two degrees of freedom, to 1e-3 for others
/// (Wallace, Bounds on normal approximations to Student's and the chi-square distributions, 1959).
double studentProbability(double value, double freedoms);

/// The value below which a mixture is with this probability, 0 < probability < 1. Components not empty.
/// O(components).
double mixtureQuantile(std::span<const MixtureComponent> components, double freedoms, double probability);

}  // namespace skein
