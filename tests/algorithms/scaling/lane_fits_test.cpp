// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/scaling/lane_fits.h"
#include "tests/support/catch.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <optional>
#include <random>
#include <vector>

namespace skein::lane_fits_test {

namespace {

ScalingDesign designOf(std::size_t points)
{
    std::vector<std::vector<double>> values;
    for (std::size_t at = 0; at < points; ++at)
        values.push_back({3.0 * std::pow(1.6, static_cast<double>(at))});
    return ScalingDesign(std::move(values));
}

/// The shape alone, by SmallFit.
std::optional<ShapeFit> fitAlone(const ScalingShape& shape, const ScalingDesign& design,
                                 const std::vector<double>& weights, const std::vector<double>& values)
{
    std::vector<double> columns(shape.columns() * design.points());
    design.fillColumns(shape, weights, columns.data());
    std::vector<const double*> starts;
    for (std::size_t at = 0; at < shape.columns(); ++at)
        starts.push_back(columns.data() + at * design.points());
    SmallFit fit;
    if (!fit.run(starts, values)) return std::nullopt;
    ShapeFit found;
    found.squares = fit.squares();
    for (std::size_t at = 0; at < design.points(); ++at) {
        const double left = std::max(1.0 - fit.leverages()[at], LaneFits::kLeastLeft);
        found.leftOut += fit.residuals()[at] * fit.residuals()[at] / left;
        found.logVariances += std::log(left);
    }
    for (std::size_t at = 0; at < shape.columns(); ++at) found.coefficients[at] = fit.coefficient(at);
    return found;
}

std::vector<ScalingShape> allShapes(const ScalingDesign& design)
{
    std::vector<ScalingShape> shapes = shapesOfOneParameter(), overheads = shapesWithOverhead(), jumps;
    for (const ScalingShape& shape : shapes) appendJumps(shape, design, jumps);
    shapes.insert(shapes.end(), overheads.begin(), overheads.end());
    shapes.insert(shapes.end(), jumps.begin(), jumps.end());
    return shapes;
}

}  // namespace

TEST_CASE("fits side by side are those of each shape alone")
{
    std::mt19937_64 random(2);
    std::uniform_real_distribution<double> any(0.5, 2.0);
    for (const std::size_t points : {6u, 9u, 40u}) {
        const ScalingDesign design = designOf(points);
        std::vector<double> weights(points), values(points);
        for (std::size_t at = 0; at < points; ++at) {
            weights[at] = any(random) / design.point(at)[0];
            values[at] = weights[at] * any(random) * design.point(at)[0];
        }
        LaneFits lanes;
        std::size_t compared = 0;
        for (const ShapeFamily& family : familiesOf(allShapes(design), design)) {
            if (family.columns() >= points) continue;
            const auto fits = lanes.run(family, weights, values);
            REQUIRE(fits.size() == family.shapes().size());
            for (std::size_t at = 0; at < fits.size(); ++at) {
                const auto alone = fitAlone(family.shapes()[at], design, weights, values);
                CHECK(alone.has_value() == fits[at].independent);
                if (!alone) continue;
                ++compared;
                // Columns that are nearly the same leave few digits to both.
                CHECK(fits[at].squares == Approx(alone->squares).epsilon(1e-6));
                CHECK(fits[at].leftOut == Approx(alone->leftOut).epsilon(1e-4));
                CHECK(fits[at].logVariances == Approx(alone->logVariances).epsilon(1e-4).margin(1e-4));
            }
        }
        CHECK(compared > 400);
    }
}

TEST_CASE("coefficients of fits side by side stand in the order of the shape's columns")
{
    const ScalingDesign design = designOf(9);
    const std::vector<double> weights(9, 1.0);
    std::size_t compared = 0;
    for (const ShapeFamily& family : familiesOf(allShapes(design), design)) {
        // What the shape itself makes: 3 of the first column, 5 of the second, and so on.
        const ScalingShape& shape = family.shapes()[family.shapes().size() / 2];
        std::vector<double> columns(shape.columns() * 9), values(9, 0.0);
        design.fillColumns(shape, weights, columns.data());
        for (std::size_t column = 0; column < shape.columns(); ++column)
            for (std::size_t at = 0; at < 9; ++at)
                values[at] += (3.0 + 2.0 * static_cast<double>(column)) * columns[column * 9 + at];
        LaneFits lanes;
        const auto fits = lanes.run(family, weights, values);
        REQUIRE_FALSE(fits.empty());
        const ShapeFit& fit = fits[family.shapes().size() / 2];
        REQUIRE(fit.independent);
        for (std::size_t column = 0; column < shape.columns(); ++column, ++compared)
            CHECK(fit.coefficients[column] == Approx(3.0 + 2.0 * static_cast<double>(column)).epsilon(1e-5));
    }
    CHECK(compared > 30);
}

TEST_CASE("signs of a shape are those of its constant and its summands, logarithms being 0 at 1")
{
    ScalingShape shape;
    shape.products = 2;
    // log2(p) and p
    const auto terms = performanceTerms();
    const auto placeOf = [&](PerformanceTerm term) {
        return static_cast<std::uint8_t>(std::find(terms.begin(), terms.end(), term) - terms.begin() + 1);
    };
    shape.product[0][0] = placeOf({0, 1, 1});
    shape.product[1][0] = placeOf({1, 1, 0});
    CHECK(signsOf(shape).atOne == 0b101);
    CHECK(signsOf(shape).summands == 0b110);
    shape.constant = false;
    CHECK(signsOf(shape).atOne == 0b10);
    CHECK(signsOf(shape).summands == 0b11);
    shape.form = JumpForm::Factor;
    CHECK(signsOf(shape).summands == 0);
}

}  // namespace skein::lane_fits_test
