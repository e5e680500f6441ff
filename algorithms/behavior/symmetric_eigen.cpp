// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/behavior/symmetric_eigen.h"

#include <Eigen/Eigenvalues>

namespace skein {

SymmetricEigen symmetricEigen(const Eigen::MatrixXd& matrix)
{
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(matrix);
    return {solver.eigenvalues(), solver.eigenvectors()};
}

}  // namespace skein
