// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <Eigen/Core>

namespace skein {

/// What a symmetric matrix does to its axes; what Eigen compiles for it is compiled once.
struct SymmetricEigen {
    Eigen::VectorXd values;   ///< ascending
    Eigen::MatrixXd vectors;  ///< a column each, of length 1, at right angles; signs are not determined
};

/// Of the lower triangle of a square matrix. O(n³). The same matrix gives the same bits.
SymmetricEigen symmetricEigen(const Eigen::MatrixXd& matrix);

}  // namespace skein
