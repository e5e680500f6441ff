// SPDX-License-Identifier: GPL-3.0-or-later
// Importing an OTF2 archive, beside what libotf2 alone needs. SKEIN_BENCH_ARCHIVE names the archive (its
// anchor file or folder); without it a small one is generated. import_bench.py runs this and prints the
// ratios.
#include "core/io/importer.h"
#include "tests/bench/archive_generator/archive_writer.h"
#include "tests/bench/otf2_baseline.h"

#include <benchmark/benchmark.h>
#include <cstdlib>
#include <fstream>
#include <malloc.h>
#include <unistd.h>

namespace skein::bench {

namespace {

class TemporaryArchive {
public:
    TemporaryArchive()
        : folder_(std::filesystem::temp_directory_path() / ("skein-bench-" + std::to_string(getpid())))
    {
        generator::Options options;
        options.ranks = 8;
        written_ = generator::writeArchive(folder_, options).has_value();
    }
    ~TemporaryArchive()
    {
        std::error_code ignored;
        std::filesystem::remove_all(folder_, ignored);
    }
    TemporaryArchive(const TemporaryArchive&) = delete;
    TemporaryArchive& operator=(const TemporaryArchive&) = delete;
    std::filesystem::path anchor() const
    {
        return written_ ? folder_ / "traces.otf2" : std::filesystem::path();
    }

private:
    std::filesystem::path folder_;
    bool written_ = false;
};

std::filesystem::path archive()
{
    if (const char* named = std::getenv("SKEIN_BENCH_ARCHIVE")) {
        const std::filesystem::path path = named;
        return std::filesystem::is_directory(path) ? path / "traces.otf2" : path;
    }
    static const TemporaryArchive generated;
    return generated.anchor();
}

double residentBytes()
{
    std::ifstream in("/proc/self/statm");
    double total = 0;
    double resident = 0;
    in >> total >> resident;
    return resident * static_cast<double>(sysconf(_SC_PAGESIZE));
}

std::uint64_t eventsOf(const Experiment& experiment)
{
    std::uint64_t events = 0;
    if (experiment.trace)
        for (const LocationTrace& location : experiment.trace->locations) events += location.events;
    return events;
}

void emptyCallbacks(benchmark::State& state)
{
    const auto anchor = archive();
    std::uint64_t events = 0;
    for ([[maybe_unused]] auto _ : state)
        events = readIntoEmptyCallbacks(anchor, static_cast<unsigned>(state.range(0)));
    if (events == 0) state.SkipWithError("libotf2 cannot read the archive");
    state.counters["events"] = static_cast<double>(events);
}

void skeinImport(benchmark::State& state)
{
    const auto anchor = archive();
    const Task task = Task().withThreads(static_cast<int>(state.range(0)));
    ExperimentPtr experiment;
    for ([[maybe_unused]] auto _ : state) {
        state.PauseTiming();
        experiment.reset();
        malloc_trim(0);
        const double before = residentBytes();
        state.ResumeTiming();
        auto opened = openExperiment(anchor, task);
        if (!opened) return state.SkipWithError(opened.error().text().c_str());
        experiment = *std::move(opened);
        state.PauseTiming();
        malloc_trim(0);
        const auto events = static_cast<double>(eventsOf(*experiment));
        state.counters["events"] = events;
        state.counters["resident_bytes_per_event"] = (residentBytes() - before) / events;
        state.ResumeTiming();
    }
}

BENCHMARK(emptyCallbacks)
    ->Name("Otf2EmptyCallbacks")
    ->ArgName("threads")
    ->Arg(1)
    ->Arg(2)
    ->UseRealTime()
    ->Iterations(1);
BENCHMARK(skeinImport)->Name("SkeinImport")->ArgName("threads")->Arg(1)->Arg(2)->UseRealTime()->Iterations(1);

}  // namespace

}  // namespace skein::bench
