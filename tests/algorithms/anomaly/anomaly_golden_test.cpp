// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/anomaly/histogram_model.h"
#include "algorithms/anomaly/local_outlier_factor.h"
#include "algorithms/anomaly/one_class_svm.h"
#include "algorithms/anomaly/running_moments.h"
#include "algorithms/anomaly/sigma_rule.h"
#include "tests/support/catch.h"
#include "tests/support/golden_json.h"
#include "tests/support/paths.h"

#include <numeric>
#include <set>

namespace skein::anomaly_golden_test {

using Json = nlohmann::json;
using namespace skein::test;

bool near(double a, double b, double relative, double absolute = 0.0)
{
    return std::abs(a - b) <= std::max(relative * std::max(std::abs(a), std::abs(b)), absolute);
}

void checkFinal(const RunningMoments& moments, const Json& final, bool offset)
{
    CHECK(moments.count() == final["count"].get<std::uint64_t>());
    CHECK(near(moments.mean(), goldenNumber(final["mean"]), 1e-12));
    const double square = moments.mean() * moments.mean() * 1e-28;
    CHECK(near(moments.variance(), goldenNumber(final["var_ddof1"]), offset ? 1e-6 : 1e-9, square));
    const double population = moments.populationDeviation();
    CHECK(near(population * population, goldenNumber(final["var_ddof0"]), offset ? 1e-6 : 1e-9, square));
    CHECK(near(moments.skewness(), goldenNumber(final["skewness_g1"]), 0.0, offset ? 1e-5 : 1e-7));
    CHECK(
        near(moments.excessKurtosis(), goldenNumber(final["excess_kurtosis_g2"]), 0.0, offset ? 1e-5 : 1e-7));
    CHECK(moments.minimum() == goldenNumber(final["min"]));
    CHECK(moments.maximum() == goldenNumber(final["max"]));
}

TEST_CASE("anomaly golden: running moments, and merged ones, are those of numpy and scipy")
{
    SKEIN_SHARED_OR_SKIP(file, "golden/anomaly/running_stats.json");
    const Json golden = readGolden(file);
    for (const Json& series : golden["series"]) {
        const bool offset = series["name"].get<std::string>().starts_with("offset");
        INFO(series["name"]);
        const std::vector<double> x = goldenNumbers(series["x"]);
        RunningMoments moments;
        for (std::size_t i = 0; i < x.size(); ++i) {
            moments.add(x[i]);
            const Json& prefix = series["prefix_mean_var_ddof1"][i];
            CHECK(near(moments.mean(), goldenNumber(prefix[0]), 1e-12));
            CHECK(
                near(moments.variance(), goldenNumber(prefix[1]), offset ? 1e-6 : 1e-9, x[i] * x[i] * 1e-28));
        }
        checkFinal(moments, series["final"], offset);
        for (const Json& split : series["split_merge"]) {
            RunningMoments first, second;
            for (std::size_t i = 0; i < x.size(); ++i)
                (i < split.get<std::size_t>() ? first : second).add(x[i]);
            first.merge(second);
            checkFinal(first, series["final"], offset);
        }
    }
}

std::vector<std::size_t> flaggedOf(const std::vector<Judgement>& judged)
{
    std::vector<std::size_t> flagged;
    for (std::size_t i = 0; i < judged.size(); ++i)
        if (judged[i].verdict == Verdict::Anomaly) flagged.push_back(i);
    return flagged;
}

TEST_CASE("anomaly golden: k sigma over the whole forest and along it")
{
    SKEIN_SHARED_OR_SKIP(file, "golden/anomaly/running_stats.json");
    const Json golden = readGolden(file);
    for (const Json& one : golden["three_sigma"]) {
        const std::vector<double> x = goldenNumbers(one["x"]);
        const double k = goldenNumber(one["k"]);
        const auto all = judgeBySigma(x, k, SigmaModel::All);
        CHECK(flaggedOf(all) == goldenIndexes<std::size_t>(one["whole_forest"]));
        CHECK(flaggedOf(judgeBySigma(x, k, SigmaModel::UpToNow))
              == goldenIndexes<std::size_t>(one["online_including_current"]));
        CHECK(flaggedOf(judgeBySigma(x, k, SigmaModel::Past))
              == goldenIndexes<std::size_t>(one["online_excluding_current"]));
        const std::vector<double> z = goldenNumbers(one["z_whole_forest"]);
        for (std::size_t i = 0; i < z.size(); ++i) CHECK(near(all[i].score, std::abs(z[i]), 1e-9, 1e-12));
    }
    for (const Json& one : golden["smallest_n_for_a_3_sigma_outlier"]) {
        std::vector<double> x(one["n"].get<std::size_t>(), 1.0);
        x.back() = 5.0;
        const double largest = judgeBySigma(x, 3.0, SigmaModel::All).back().score;
        CHECK(near(largest, goldenNumber(one["max_abs_z_ddof1"]), 1e-9));
        CHECK((largest > 3.0) == (x.size() >= fewestForSigma(3.0)));
    }
}

/// Judges the batches of a run by the algorithm that it names.
class RunOfGolden {
public:
    explicit RunOfGolden(const Json& run)
        : name_(run["algorithm"]),
          sigma_(run["params"].value("sigma", Json()).is_number() ? run["params"]["sigma"].get<double>()
                                                                  : 3.0),
          histogram_(paramsOf(run))
    {
    }
    std::vector<Judgement> judge(const std::vector<double>& batch)
    {
        return name_ == "sstd" ? sigma_.judge(batch) : histogram_.judge(batch);
    }
    const RunningMoments& moments() const { return sigma_.model(); }
    double limit() const { return histogram_.limit(); }
    const std::string& name() const { return name_; }

private:
    static HistogramParams paramsOf(const Json& run)
    {
        const Json& given = run["params"];
        HistogramParams params;
        if (run["algorithm"] == "copod") params.method = HistogramMethod::Copod;
        if (given["threshold"].is_number()) params.threshold = given["threshold"];
        if (given["max_bins"].is_number()) params.bins = given["max_bins"];
        if (given["keep_strictest_threshold"].is_boolean())
            params.keepStrictest = given["keep_strictest_threshold"];
        return params;
    }

    std::string name_;
    SigmaDetector sigma_;
    HistogramDetector histogram_;
};

/// Where all values are equal none is flagged, whatever the reference does (README, section 6: Decision).
bool allEqual(const std::vector<double>& values)
{
    return std::all_of(values.begin(), values.end(), [&](double value) { return value == values[0]; });
}

void checkRun(const Json& example, const Json& run)
{
    RunOfGolden detector(run);
    const bool single = example["batches"].size() == 1;
    std::size_t points = 0, wrong = 0;
    std::vector<double> seen;
    for (std::size_t b = 0; b < example["batches"].size(); ++b) {
        const std::vector<double> batch = goldenNumbers(example["batches"][b]);
        seen.insert(seen.end(), batch.begin(), batch.end());
        const std::vector<double> scores = goldenNumbers(run["scores"][b]);
        const std::vector<Judgement> judged = detector.judge(batch);
        for (std::size_t i = 0; i < batch.size(); ++i, ++points) {
            const int label = allEqual(seen) && run["labels"][b][i] == 1 ? 0 : run["labels"][b][i].get<int>();
            if (static_cast<int>(judged[i].verdict) != label) ++wrong;
            if (single || detector.name() == "sstd") CHECK(near(judged[i].score, scores[i], 1e-9, 1e-12));
        }
    }
    CHECK(wrong <= (single || detector.name() == "sstd" ? 0 : points / 100));
    if (detector.name() != "sstd") {
        if (single && !allEqual(seen) && run["params"]["keep_strictest_threshold"] != false)
            CHECK(near(detector.limit(), goldenNumber(run["model"]["internal_global_threshold"]), 1e-9));
        return;
    }
    CHECK(near(detector.moments().mean(), goldenNumber(run["model"]["mean"]), 1e-9));
    CHECK(near(detector.moments().standardDeviation(), goldenNumber(run["model"]["stddev"]), 1e-9));
    CHECK(near(detector.moments().skewness(), goldenNumber(run["model"]["skewness"]), 1e-7, 1e-7));
    CHECK(near(detector.moments().excessKurtosis(), goldenNumber(run["model"]["kurtosis"]), 1e-7, 1e-7));
}

TEST_CASE("anomaly golden: sstd, HBOS and COPOD judge batches as Chimbuko does")
{
    SKEIN_SHARED_OR_SKIP(file, "golden/anomaly/histogram_methods.json");
    const Json golden = readGolden(file);
    for (const Json& example : golden["cases"])
        for (const Json& run : example["runs"]) {
            INFO(example["name"] << " " << run["algorithm"] << " " << run["params"]);
            checkRun(example, run);
        }
}

TEST_CASE("anomaly golden: local outlier factors are those of scikit-learn")
{
    SKEIN_SHARED_OR_SKIP(file, "golden/anomaly/lof.json");
    const Json golden = readGolden(file);
    for (const Json& one : golden["cases"]) {
        INFO(one["name"]);
        const std::vector<double> x = goldenNumbers(one["X"]);
        const Points points{x, one["X"][0].size()};
        const auto factors = localOutlierFactors(points, one["n_neighbors"].get<std::size_t>(), Task{});
        REQUIRE(factors);
        const std::vector<double> expected = goldenNumbers(one["lof"]);
        const double tolerance = one["name"] == "duplicates" ? 1e-4 : 1e-7;
        for (std::size_t i = 0; i < expected.size(); ++i) CHECK(near((*factors)[i], expected[i], tolerance));
        if (!one.contains("top5")) continue;
        std::vector<double> sorted = *factors;
        std::sort(sorted.begin(), sorted.end(), std::greater<>());
        for (std::size_t place = 0; place < one["top5"].size(); ++place)
            CHECK(near((*factors)[one["top5"][place].get<std::size_t>()], sorted[place], tolerance));
    }
}

void checkDecisions(const OneClassSvm& svm, const Points& points, const Json& expected, double tolerance)
{
    for (std::size_t i = 0; i < points.size(); ++i) {
        const double decision = svm.decision(points[i]);
        const double reference = goldenNumber(expected[i]);
        CHECK(near(decision, reference, 0.0, tolerance));
        if (std::abs(reference) > 1e-4) CHECK((decision < 0.0) == (reference < 0.0));
    }
}

TEST_CASE("anomaly golden: the one-class SVM decides as libsvm does")
{
    SKEIN_SHARED_OR_SKIP(file, "golden/anomaly/ocsvm.json");
    const Json golden = readGolden(file);
    for (const Json& one : golden["cases"]) {
        INFO(one["name"]);
        const std::vector<double> x = goldenNumbers(one["X"]), query = goldenNumbers(one["query"]);
        const Points points{x, one["X"][0].size()};
        const auto svm = OneClassSvm::train(points, {one["nu"], one["gamma"]}, Task{});
        REQUIRE(svm);
        const double share = one["nu"].get<double>() * static_cast<double>(points.size());
        CHECK(near(std::accumulate(svm->weights().begin(), svm->weights().end(), 0.0),
                   goldenNumber(one["dual_coef_sum"]), 1e-9));
        CHECK(near(svm->rho(), goldenNumber(one["rho"]), 0.0, 1e-5 * share));
        checkDecisions(*svm, points, one["decision_train"], 1e-5 * share);
        checkDecisions(*svm, {query, points.dimensions}, one["decision_query"], 1e-5 * share);
        double outside = 0;
        for (std::size_t i = 0; i < points.size(); ++i) outside += svm->decision(points[i]) < -1e-4;
        CHECK(outside == goldenNumber(one["n_below_minus_1e-4"]));
        CHECK(outside <= share);
    }
}

}  // namespace skein::anomaly_golden_test
