// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <deque>
#include <span>
#include <vector>

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

/// studentProbability() of one number of degrees of freedom from a table, to 1e-7. Immutable.
class StudentTable {
public:
    explicit StudentTable(double freedoms);

    double freedoms() const { return freedoms_; }
    double probability(double value) const;
    /// The value below which it is with this probability, 0 < wanted < 1.
    double quantile(double wanted) const;

private:
    double freedoms_;
    std::vector<double> upper_;  ///< P(T ≤ value) of values ≥ 0, see placeOf(); empty: worked out
};

/// Tables of the numbers of degrees of freedom that were asked for.
class StudentTables {
public:
    /// Stays where it is. O(numbers of degrees of freedom so far).
    const StudentTable& of(double freedoms);

private:
    std::deque<StudentTable> tables_;
};

/// The value below which a mixture is with this probability, 0 < probability < 1, to a thousandth of the
/// smallest spread. Components not empty. O(components) for each of some ten steps.
double mixtureQuantile(std::span<const MixtureComponent> components, const StudentTable& student,
                       double probability);

}  // namespace skein
