// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/timeline/similarity_order.h"

#include "tests/support/catch.h"

#include <algorithm>
#include <cmath>
#include <random>

namespace skein::similarity_order_test {

TEST_CASE("rows of a like mix come to stand beside each other, whatever their amounts")
{
    const std::vector<std::vector<double>> rows{{1, 9}, {9, 1}, {20, 180}, {85, 15}, {3, 27}, {0, 0}};
    const auto order = similarityOrder(rows, Task());
    REQUIRE(order);
    CHECK(*order == std::vector<std::size_t>{0, 2, 4, 5, 1, 3});
    CHECK(similarityOrder({}, Task())->empty());
    CHECK(similarityOrder({{1, 2}, {1}}, Task()).error().code == ErrorCode::InvalidArgument);
}

TEST_CASE("each row is followed by the nearest one of those that are left")
{
    std::mt19937 random(5);
    std::vector<std::vector<double>> rows(40, std::vector<double>(6));
    for (auto& row : rows)
        for (double& value : row) value = static_cast<double>(random() % 50);
    const auto order = similarityOrder(rows, Task());
    REQUIRE(order);
    const auto distance = [&](std::size_t a, std::size_t b) {
        double sumA = 0, sumB = 0, sum = 0;
        for (const double value : rows[a]) sumA += value;
        for (const double value : rows[b]) sumB += value;
        for (std::size_t i = 0; i < 6; ++i)
            sum += std::abs((sumA > 0 ? rows[a][i] / sumA : 0) - (sumB > 0 ? rows[b][i] / sumB : 0));
        return sum;
    };
    CHECK(order->front() == 0);
    for (std::size_t place = 0; place + 1 < order->size(); ++place)
        for (std::size_t later = place + 2; later < order->size(); ++later)
            CHECK(distance((*order)[place], (*order)[place + 1])
                  <= distance((*order)[place], (*order)[later]) + 1e-12);
    std::vector<std::size_t> sorted = *order;
    std::sort(sorted.begin(), sorted.end());
    for (std::size_t i = 0; i < sorted.size(); ++i) CHECK(sorted[i] == i);
}

}  // namespace skein::similarity_order_test
