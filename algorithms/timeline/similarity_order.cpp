// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/timeline/similarity_order.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace skein {
namespace {

double distance(const std::vector<double>& left, const std::vector<double>& right)
{
    double sum = 0;
    for (std::size_t i = 0; i < left.size(); ++i) sum += std::abs(left[i] - right[i]);
    return sum;
}

void scaleToShares(std::vector<double>& row)
{
    const double sum = std::accumulate(row.begin(), row.end(), 0.0);
    if (sum > 0)
        for (double& value : row) value /= sum;
}

}  // namespace

Result<std::vector<std::size_t>> similarityOrder(std::vector<std::vector<double>> rows, const Task& task)
{
    for (auto& row : rows) {
        if (row.size() != rows.front().size())
            return fail(ErrorCode::InvalidArgument,
                        "Rows to be ordered by their likeness have equal lengths.");
        scaleToShares(row);
    }
    std::vector<std::size_t> left(rows.size());
    std::iota(left.begin(), left.end(), std::size_t{0});
    std::vector<std::size_t> order;
    std::size_t nearest = 0;  // a place in `left`
    while (!left.empty()) {
        if (task.stopRequested()) return cancelled();
        order.push_back(left[nearest]);
        left.erase(left.begin() + static_cast<std::ptrdiff_t>(nearest));
        double least = INFINITY;
        for (std::size_t place = 0; place < left.size(); ++place) {
            const double now = distance(rows[order.back()], rows[left[place]]);
            if (now >= least) continue;
            least = now;
            nearest = place;
        }
        if (least == INFINITY) nearest = 0;
    }
    return order;
}

}  // namespace skein
