// SPDX-License-Identifier: GPL-3.0-or-later
// Scaling models: 100 000 series on one core.
#include "algorithms/scaling/scaling_model.h"

#include <benchmark/benchmark.h>
#include <cmath>
#include <random>

namespace skein {
namespace {

constexpr std::size_t kSeries = 100'000;

ScalingStudy syntheticStudy(std::size_t series, int repetitions)
{
    std::mt19937_64 random(1);
    std::normal_distribution<double> scatter(1.0, 0.03);
    ScalingStudy study;
    study.parameters = {"p"};
    for (const double p : {4.0, 8.0, 16.0, 32.0, 64.0}) study.points.push_back({p});
    for (std::size_t at = 0; at < series; ++at) {
        ScalingSeries one{"region", "time", "s", {}};
        const double exponent = static_cast<double>(at % 12) / 4.0;
        for (const auto& point : study.points) {
            std::vector<double> values;
            for (int repetition = 0; repetition < repetitions; ++repetition)
                values.push_back((5.0 + std::pow(point[0], exponent)) * scatter(random));
            one.values.push_back(std::move(values));
        }
        study.series.push_back(std::move(one));
    }
    return study;
}

void scalingModels(benchmark::State& state)
{
    const ScalingStudy study = syntheticStudy(kSeries, static_cast<int>(state.range(0)));
    for (auto _ : state) {
        auto models = modelScaling(study, {{{256.0}}}, Task().withThreads(1));
        benchmark::DoNotOptimize(models);
    }
    state.counters["models"] =
        benchmark::Counter(static_cast<double>(kSeries * state.iterations()), benchmark::Counter::kIsRate);
}
BENCHMARK(scalingModels)->Arg(1)->Arg(5)->Unit(benchmark::kSecond)->Iterations(1);

}  // namespace
}  // namespace skein
