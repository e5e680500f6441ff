// SPDX-License-Identifier: GPL-3.0-or-later
// What was put into generated archives is found again: phases, slow ranks, and a cause that leads its effect.
// tests/bench/behavior_table.py makes the tables of docs/BEHAVIOR.md with the same archives.
#include "algorithms/behavior/causality.h"
#include "algorithms/behavior/change_points.h"
#include "algorithms/behavior/mini_batch_kmeans.h"
#include "algorithms/behavior/trace_series.h"
#include "core/io/importer.h"
#include "tests/bench/archive_generator/archive_writer.h"
#include "tests/support/catch.h"
#include "tests/support/paths.h"

#include <cmath>
#include <random>
#include <set>

namespace skein::injected_behavior_test {

namespace {

using generator::Options;

ExperimentPtr generated(const Options& options)
{
    const test::TemporaryFolder folder;
    REQUIRE(generator::writeArchive(folder.path() / "archive", options));
    auto opened = openExperiment(folder.path() / "archive", Task());
    REQUIRE(opened);
    return *opened;
}

/// A bin a time step: row i is step i, for what is before the first step is left out.
SeriesTable stepSeries(const Experiment& experiment, const std::string& metric)
{
    auto edges = binsByRegion(experiment, "time_step");
    REQUIRE(edges);
    TraceSeriesParams params = seriesQuantity(metric);
    params.edges.assign(edges->begin() + 1, edges->end());
    auto table = traceSeries(experiment, params, Task());
    REQUIRE(table);
    table->metric = metric;
    return std::move(*table);
}

/// How much of what was found is true, and how much of the truth was found.
struct Score {
    std::size_t found = 0, right = 0, truths = 0, hit = 0;

    double precision() const
    {
        return found > 0 ? static_cast<double>(right) / static_cast<double>(found) : 1.0;
    }
    double recall() const
    {
        return truths > 0 ? static_cast<double>(hit) / static_cast<double>(truths) : 1.0;
    }
};

void addChanges(Score& score, const std::vector<std::uint32_t>& truth, const std::vector<SettledChange>& told)
{
    constexpr std::int64_t kNear = 3;
    const auto near = [](std::size_t row, std::uint32_t step) {
        return std::abs(static_cast<std::int64_t>(row) - static_cast<std::int64_t>(step)) <= kNear;
    };
    score.found += told.size();
    score.truths += truth.size();
    for (const SettledChange& change : told)
        score.right +=
            std::any_of(truth.begin(), truth.end(), [&](auto step) { return near(change.row, step); });
    for (const std::uint32_t step : truth)
        score.hit +=
            std::any_of(told.begin(), told.end(), [&](const auto& each) { return near(each.row, step); });
}

SeriesTable noiseTable(std::size_t rows, std::size_t columns, std::uint32_t seed)
{
    std::mt19937 random(seed);
    std::normal_distribution<double> normal;
    SeriesTable table;
    for (std::size_t i = 0; i < columns; ++i) table.columns.push_back(std::to_string(i));
    for (std::size_t row = 0; row < rows; ++row) table.times.push_back(static_cast<double>(row));
    for (std::size_t i = 0; i < rows * columns; ++i) table.values.push_back(normal(random));
    return table;
}

}  // namespace

TEST_CASE("injected phases are found as lasting changes, at their step, and nothing else is")
{
    Score steady, wandering;
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
        Options options;
        options.ranks = 16;
        options.steps = 400;
        options.seed = seed;
        options.phases = {110, 190, 300};
        options.phaseSize = 0.2;
        for (const bool still : {true, false}) {
            options.steady = still;
            const SeriesTable table =
                stepSeries(*generated(options), "exclusive:void sweep_block(Grid&, Block)");
            const auto found = findChanges(table, ChangeParams{}, Task());
            REQUIRE(found);
            addChanges(still ? steady : wandering, options.phases,
                       settledChanges(table, *found, ChangeParams{}));
        }
    }
    CHECK(steady.recall() >= 0.85);
    CHECK(steady.precision() >= 0.9);
    // A load that wanders over the ranks is a drift, and no change.
    CHECK(wandering.recall() >= 0.85);
    CHECK(wandering.precision() >= 0.8);
}

TEST_CASE("without injected phases no change lasts")
{
    Score score;
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
        Options options;
        options.ranks = 16;
        options.steps = 400;
        options.seed = seed;
        options.steady = true;
        const SeriesTable table = stepSeries(*generated(options), "exclusive:void sweep_block(Grid&, Block)");
        const auto found = findChanges(table, ChangeParams{}, Task());
        REQUIRE(found);
        addChanges(score, {}, settledChanges(table, *found, ChangeParams{}));
    }
    CHECK(score.found <= 1);
}

TEST_CASE("injected slow ranks are a cluster")
{
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
        Options options;
        options.ranks = 24;
        options.steps = 60;
        options.seed = seed;
        options.slowRanks = 5;
        options.slowSize = 0.4;
        options.steady = true;
        const std::vector<std::uint32_t> slow = generator::slowRanks(options);
        REQUIRE(slow.size() == 5);
        const SeriesTable table = stepSeries(*generated(options), "exclusive:void sweep_block(Grid&, Block)");
        const std::vector<double> values = entityMajor(table);
        KMeansParams params;
        params.clusters = 2;
        const auto clusters = clusterExactly({values, table.rows()}, params, Task());
        REQUIRE(clusters);
        const std::uint32_t label = clusters->labels[slow.front()];
        std::vector<std::uint32_t> same;
        for (std::uint32_t rank = 0; rank < options.ranks; ++rank)
            if (clusters->labels[rank] == label) same.push_back(rank);
        INFO("seed " << seed);
        CHECK(same == slow);
    }
}

TEST_CASE("an injected cause leads its effect by its lag, and not the other way round")
{
    const std::vector<std::string> metrics{
        "exclusive:void limit_slope(Grid&, Block)", "exclusive:void compute_boundary(Grid&)",
        "exclusive:void pack_face(const Grid&, Face, double*)", "exclusive:void apply_flux(Grid&, Block)"};
    std::size_t wrong = 0, others = 0;
    for (const std::uint32_t lag : {1U, 2U, 5U}) {
        Options options;
        options.ranks = 12;
        options.steps = 300;
        options.seed = lag;
        options.causeLag = lag;
        options.causeSize = 1;
        options.steady = true;
        const ExperimentPtr experiment = generated(options);
        std::vector<SeriesTable> tables;
        for (const std::string& metric : metrics) tables.push_back(stepSeries(*experiment, metric));
        const auto variables = causalVariables(std::move(tables), Task());
        REQUIRE(variables);
        const auto model = fitWithLags(*variables, LagChoice{}, Task());
        REQUIRE(model);
        const double threshold = 0.05 / 12;  // of 12 pairs one falls below 0.05 by chance in two runs
        for (const CausalLink& link : causalLinks(*model, varResponse(*model, 10))) {
            INFO("lag " << lag << ": " << metrics[link.from] << " → " << metrics[link.to]);
            if (link.from == 0 && link.to == 1) {
                CHECK(link.pValue < threshold);
                CHECK(link.step == lag);
                CHECK(link.share > 0.3);
                continue;
            }
            ++others;
            wrong += link.pValue < threshold ? 1 : 0;
        }
    }
    CHECK(others == 33);
    CHECK(wrong <= 1);
}

TEST_CASE("false alarms on noise come no oftener than alpha promises where the burn-in is long enough")
{
    struct Promise {
        double alpha;
        std::uint32_t burnIn;
    };
    for (const Promise promise : {Promise{0.05, 20}, {0.05, 50}, {0.01, 20}, {0.01, 50}, {0.001, 200}}) {
        std::size_t alarms = 0, compared = 0;
        for (std::uint32_t seed = 1; seed <= 40; ++seed) {
            const SeriesTable table = noiseTable(1500, 1, seed);
            const auto found = findChanges(table, {promise.alpha, 0.01, promise.burnIn}, Task());
            REQUIRE(found);
            alarms += found->changes.size();
            compared += table.rows();
            for (const BlindZone& zone : found->blind) compared -= zone.last - zone.first;
        }
        const double expected = promise.alpha * static_cast<double>(compared);
        INFO("alpha " << promise.alpha << ", burn-in " << promise.burnIn << ": " << alarms << " of "
                      << compared);
        CHECK(static_cast<double>(alarms) <= expected + 3 * std::sqrt(expected));
        CHECK(alarms > 0);
    }
}

TEST_CASE("false links between series of noise are as many as the threshold says")
{
    constexpr std::size_t kRuns = 60, kVariables = 6, kPairs = kVariables * (kVariables - 1);
    for (const double alpha : {0.05, 0.01}) {
        std::size_t below = 0;
        for (std::uint32_t seed = 1; seed <= kRuns; ++seed) {
            const auto model = fitVar(noiseTable(400, kVariables, seed), {2, VarTrend::Constant, {}}, Task());
            REQUIRE(model);
            for (const double p : grangerPairs(*model)) below += p < alpha ? 1 : 0;
        }
        const double expected = alpha * kRuns * kPairs;
        INFO("alpha " << alpha << ": " << below << ", expected " << expected);
        CHECK(std::abs(static_cast<double>(below) - expected) <= 3 * std::sqrt(expected * (1 - alpha)));
    }
}

}  // namespace skein::injected_behavior_test
