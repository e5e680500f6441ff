// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/behavior/incremental_pca.h"

#include "algorithms/behavior/leading_component.h"
#include "algorithms/behavior/procrustes.h"
#include "algorithms/behavior/progressive_projection.h"
#include "tests/support/catch.h"
#include "tests/support/golden_json.h"
#include "tests/support/paths.h"

#include <random>

namespace skein::incremental_pca_test {

using namespace skein::test;

namespace {

std::span<const double> rowsOf(const std::vector<double>& values, std::size_t first, std::size_t last,
                               std::size_t columns)
{
    return std::span(values).subspan(first * columns, (last - first) * columns);
}

double cosine(std::span<const double> a, std::span<const double> b)
{
    double sum = 0.0;
    for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
    return sum;
}

void checkState(const IncrementalPca& pca, const nlohmann::json& step, double largestInput)
{
    const auto expected = goldenNumbers(step["singular_values"]);
    const auto components = goldenNumbers(step["components"]);
    const std::size_t columns = pca.mean().size();
    CHECK(pca.rowsSeen() == step["n_seen"].get<double>());
    REQUIRE(pca.componentCount() == expected.size());
    CHECK(largestDifference(pca.singularValues(), expected) <= 1e-9 * largestOf(expected) + 1e-12);
    CHECK(largestDifference(pca.mean(), goldenNumbers(step["mean"])) <= 1e-11 * largestInput);
    for (std::size_t i = 0; i < expected.size(); ++i) {
        if (expected[i] <= 1e-9 * largestOf(expected)) continue;
        const double along =
            cosine(rowsOf(pca.components(), i, i + 1, columns), rowsOf(components, i, i + 1, columns));
        CHECK(std::abs(along) >= 1.0 - 1e-9);
    }
    if (pca.rowsSeen() < 2.0) return;
    const auto variance = goldenNumbers(step["explained_variance"]);
    CHECK(largestDifference(pca.explainedVariance(), variance) <= 1e-9 * largestOf(variance) + 1e-12);
    const auto ratio = goldenNumbers(step["explained_variance_ratio"]);
    for (const double value : ratio)
        if (!std::isfinite(value)) return;
    CHECK(largestDifference(pca.explainedVarianceRatio(), ratio) <= 1e-9);
}

std::vector<double> randomRows(std::size_t count, std::uint32_t seed)
{
    std::mt19937 random(seed);
    std::normal_distribution<double> normal;
    std::vector<double> values(count);
    for (double& value : values) value = normal(random);
    return values;
}

}  // namespace

TEST_CASE("incremental components are those of the reference after every batch")
{
    SKEIN_SHARED_OR_SKIP(file, "golden/ipca/ipca.json");
    const auto golden = readGolden(file);
    for (const auto& one : golden["cases"]) {
        INFO(one["name"]);
        const std::size_t columns = one["X"][0].size();
        const auto values = goldenNumbers(one["X"]);
        IncrementalPca pca(columns, one["n_components"].get<std::size_t>());
        for (const auto& step : one["steps"]) {
            INFO("rows " << step["rows"]);
            pca.update(rowsOf(values, step["rows"][0].get<std::size_t>(), step["rows"][1].get<std::size_t>(),
                              columns));
            checkState(pca, step, largestOf(values));
        }
        const auto scores = pca.project(values);
        const auto expected = goldenNumbers(one["projection_last"]);
        const std::size_t count = pca.componentCount();
        REQUIRE(expected.size() <= scores.size());
        // Of the first rows, by the last components.
        for (std::size_t i = 0; i < expected.size(); ++i) {
            if (pca.singularValues()[i % count] <= 1e-9 * pca.singularValues()[0]) continue;
            CHECK(std::abs(scores[i]) == Approx(std::abs(expected[i])).margin(1e-8 * largestOf(expected)));
        }
        if (!one["batch_pca"]["incremental_is_exact"].get<bool>()) continue;
        const auto batch = goldenNumbers(one["batch_pca"]["singular_values"]);
        CHECK(largestDifference(pca.singularValues(), batch) <= 1e-9 * largestOf(batch));
    }
}

TEST_CASE("with all components kept the order of the batches does not matter")
{
    const std::size_t columns = 4, rows = 60;
    const auto values = randomRows(rows * columns, 1);
    IncrementalPca whole(columns, columns), parts(columns, columns);
    whole.update(values);
    for (std::size_t first = rows; first > 0; first -= 12)
        parts.update(rowsOf(values, first - 12, first, columns));
    CHECK(largestDifference(whole.singularValues(), parts.singularValues()) < 1e-11);
    for (std::size_t i = 0; i < columns; ++i)
        CHECK(std::abs(cosine(rowsOf(whole.components(), i, i + 1, columns),
                              rowsOf(parts.components(), i, i + 1, columns)))
              == Approx(1.0).margin(1e-10));
}

TEST_CASE("the closed form for single rows is the incremental decomposition with one component")
{
    const std::size_t columns = 23, rows = 400;
    auto values = randomRows(rows * columns, 7);
    for (std::size_t row = 0; row < rows; ++row)
        for (std::size_t i = 0; i < columns; ++i)
            values[row * columns + i] +=
                1e3 + std::sin(static_cast<double>(row) / 9.0) * static_cast<double>(i);
    IncrementalPca pca(columns, 1);
    LeadingComponent leading(columns);
    std::vector<double> before;
    for (std::size_t row = 0; row < rows; ++row) {
        const auto one = rowsOf(values, row, row + 1, columns);
        pca.update(one);
        const double score = leading.add(one);
        if (row == 0) continue;
        CHECK(leading.singularValue() == Approx(pca.singularValues()[0]).epsilon(1e-11));
        const auto component = leading.component();
        CHECK(std::abs(cosine(component, pca.components())) == Approx(1.0).margin(1e-11));
        CHECK(cosine(component, component) == Approx(1.0).margin(1e-13));
        CHECK(std::abs(score) == Approx(std::abs(pca.project(one)[0])).margin(1e-8));
        if (!before.empty()) CHECK(cosine(before, component) >= 0.0);
        before = component;
    }
}

TEST_CASE("a component without a singular value is a unit vector across the others")
{
    std::vector<double> values;
    for (int row = 0; row < 10; ++row) values.insert(values.end(), {1.0 * row, 2.0 * row, 5.0, 0.0});
    IncrementalPca pca(4, 3);
    for (std::size_t first = 0; first < 10; first += 2) pca.update(rowsOf(values, first, first + 2, 4));
    REQUIRE(pca.componentCount() == 3);
    CHECK(pca.singularValues()[0] > 1.0);
    CHECK(pca.singularValues()[1] == Approx(0.0).margin(1e-9));
    for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t j = 0; j < 3; ++j)
            CHECK(cosine(rowsOf(pca.components(), i, i + 1, 4), rowsOf(pca.components(), j, j + 1, 4))
                  == Approx(i == j ? 1.0 : 0.0).margin(1e-12));
    IncrementalPca constant(3, 2);
    constant.update(std::vector<double>(15, 2.5));
    for (const double value : constant.components()) CHECK(std::isfinite(value));
    CHECK(constant.explainedVarianceRatio() == std::vector<double>{0.0, 0.0});
}

TEST_CASE("forgetting lets the newest batches decide")
{
    std::vector<double> early, late;
    const auto noise = randomRows(400, 2);
    for (std::size_t i = 0; i < 100; ++i) {
        early.insert(early.end(), {10.0 * noise[i], 0.1 * noise[100 + i]});
        late.insert(late.end(), {0.1 * noise[200 + i], 3.0 * noise[300 + i]});
    }
    IncrementalPca keeping(2, 1), forgetting(2, 1, 0.1);
    for (IncrementalPca* pca : {&keeping, &forgetting}) {
        pca->update(early);
        for (int i = 0; i < 3; ++i) pca->update(late);
    }
    CHECK(std::abs(keeping.components()[0]) > 0.9);
    CHECK(std::abs(forgetting.components()[1]) > 0.9);
}

TEST_CASE("superimposed points are those of the reference")
{
    SKEIN_SHARED_OR_SKIP(file, "golden/ipca/procrustes.json");
    const auto golden = readGolden(file);
    for (const auto& one : golden["cases"]) {
        INFO(one["name"]);
        const std::size_t dimensions = one["target"][0].size();
        const auto target = goldenNumbers(one["target"]);
        const auto moving = goldenNumbers(one["moving"]);
        const auto fit = fitProcrustes(moving, target, dimensions);
        const auto expected = goldenNumbers(one["aligned"]);
        CHECK(largestDifference(applyFit(fit, moving), expected) <= 1e-9 * largestOf(target));
        CHECK(fit.scale == Approx(one["scale"].get<double>()).epsilon(1e-9));
        if (one["name"] != "collinear")
            CHECK(largestDifference(fit.rotation, goldenNumbers(one["rotation"])) <= 1e-9);
    }
}

TEST_CASE("superimposing few or coinciding points moves them and no more")
{
    const std::vector<double> target{1, 1, 4, 5, 2, 9}, same(6, 3.0);
    const auto one = fitProcrustes(std::vector<double>{7, 8}, target, 2);
    CHECK(applyFit(one, std::vector<double>{7, 8, 8, 8}) == std::vector<double>{1, 1, 2, 1});
    const auto coinciding = applyFit(fitProcrustes(same, target, 2), same);
    for (std::size_t i = 0; i < 6; i += 2) {
        CHECK(coinciding[i] == Approx(7.0 / 3.0));
        CHECK(coinciding[i + 1] == Approx(5.0));
    }
    CHECK(fitProcrustes(target, same, 2).scale == 1.0);
    CHECK(fitProcrustes({}, target, 2).scale == 1.0);
}

TEST_CASE("an exact projection is that of all components, whatever order and seed")
{
    constexpr std::size_t kColumns = 40;
    // Few entities and many, fewer time points than axes that are iterated, and one of each.
    for (const auto& [count, columns] :
         {std::pair<std::size_t, std::size_t>{90, kColumns}, {7, kColumns}, {60, 3}, {1, 5}}) {
        INFO(count << " entities of " << columns << " time points");
        auto values = randomRows(count * columns, 5);
        for (std::size_t i = 0; i < values.size(); ++i)
            values[i] = values[i] * (i % columns == 1 ? 3.0 : 1.0) + 100.0;
        IncrementalPca all(columns, std::min(count, columns));
        all.update(values);
        ProjectionParams params;
        params.seed = count;
        const auto exact = projectExactly({values, columns}, params, Task());
        REQUIRE(exact);
        CHECK(exact->processed == count);
        const auto expected = all.project(values);
        const auto shares = all.explainedVarianceRatio();
        for (std::size_t axis = 0; axis < 2 && axis < all.componentCount(); ++axis) {
            if (all.singularValues()[axis] < 1e-9) continue;
            CHECK(exact->explained[axis] == Approx(shares[axis]).epsilon(1e-9));
            double sign = 0.0, largest = 0.0;
            for (std::size_t i = 0; i < count; ++i)
                if (const double x = expected[i * all.componentCount() + axis];
                    std::abs(x) > std::abs(largest)) {
                    largest = x;
                    sign = exact->scores[2 * i + axis] * x > 0.0 ? 1.0 : -1.0;
                }
            for (std::size_t i = 0; i < count; ++i)
                CHECK(exact->scores[2 * i + axis]
                      == Approx(sign * expected[i * all.componentCount() + axis])
                             .margin(1e-6 * std::abs(largest)));
        }
        CHECK(projectExactly({values, columns}, {}, Task())->places == exact->places);
    }
}

TEST_CASE("nothing, and what is too large, is not projected")
{
    CHECK_FALSE(projectExactly({}, {}, Task()));
    const std::vector<double> values{1e308, -1e308, 1e308, 1e308, -1e308, -1e308};
    const auto large = projectExactly({values, 2}, {}, Task());
    REQUIRE_FALSE(large);
    CHECK(large.error().message.find("too large") != std::string::npos);
}

TEST_CASE("rows that are equal have the scores of the definition too, and are counted")
{
    LeadingComponent component(3);
    const std::vector<double> a{1, 2, 3}, b{4, 4, 4};
    CHECK(component.add(a) == 0.0);
    for (std::size_t i = 0; i < 20; ++i) {
        const double score = component.add(b);
        CHECK(component.rowsStill() == i);
        double expected = 0.0;
        for (std::size_t column = 0; column < 3; ++column)
            expected += (b[column] - component.mean()[column]) * component.component()[column];
        CHECK(score == Approx(expected).epsilon(1e-12));
        // Of n rows that are b and one that is a the mean is |b − a| / (n + 1) away from b.
        CHECK(score == Approx(std::sqrt(14.0) / static_cast<double>(i + 2)).epsilon(1e-12));
    }
    component.add(a);
    CHECK(component.rowsStill() == 0);
}

}  // namespace skein::incremental_pca_test
