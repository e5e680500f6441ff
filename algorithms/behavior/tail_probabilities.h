// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace skein {

/// How likely an F-distributed value with `above` and `below` degrees of freedom is greater than `value`;
/// freedoms > 0, value ≥ 0. Relative error about 1e-12, also of probabilities near 0. O(√freedoms).
double fTail(double value, double above, double below);

/// The same for a χ² distribution.
double chiSquareTail(double value, double freedom);

}  // namespace skein
