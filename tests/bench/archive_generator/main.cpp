// SPDX-License-Identifier: GPL-3.0-or-later
// skein-generate-archive: an OTF2 archive of any size, for benchmarks and tests.
#include "tests/bench/archive_generator/archive_writer.h"

#include <CLI/CLI.hpp>
#include <cstdio>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <otf2/OTF2_ErrorCodes.h>

namespace {

using namespace skein::generator;

void print(const Counts& counts, const Options& options)
{
    fmt::print("{{\"ranks\": {}, \"steps\": {}, \"seed\": {}, \"events\": {}, \"enters\": {}, \"sends\": {}, "
               "\"sent_bytes\": {}, \"send_completions\": {}, \"fields\": {}, \"messages_per_step\": {}, "
               "\"collectives\": {}, \"metric_records\": {}, \"last_time_ns\": {}, \"phases\": [{}], "
               "\"slow_ranks\": [{}], \"cause_lag\": {}}}\n",
               options.ranks, options.steps, options.seed, counts.events, counts.enters, counts.sends,
               counts.sentBytes, counts.sendCompletions, options.fields, messagesOfStep(options),
               counts.collectives, counts.metricRecords, counts.lastTimeNs, fmt::join(options.phases, ", "),
               fmt::join(slowRanks(options), ", "), options.causeLag);
}

/// One line a call that is different.
bool writeTruth(const std::string& path, const Options& options)
{
    std::FILE* file = std::fopen(path.c_str(), "w");
    if (!file) return false;
    fmt::print(file, "kind,rank,thread,function,call_index,begin_ns,duration_ns,delay_ns\n");
    for (const TrueAnomaly& each : trueAnomalies(options))
        fmt::print(file, "{},{},0,\"{}\",{},{},{},{}\n", each.kind, each.rank, each.function, each.callIndex,
                   each.beginNs, each.durationNs, each.delayNs);
    return std::fclose(file) == 0;
}

}  // namespace

int main(int argc, char** argv)
{
    CLI::App app("Writes an OTF2 archive of a simulated 3-D halo exchange and prints as JSON what is in it.\n"
                 "example: skein-generate-archive --ranks 64 --events 30000000 /tmp/halo-64",
                 "skein-generate-archive");
    Options options;
    std::string folder;
    std::uint64_t events = 0;
    app.add_option("FOLDER", folder, "where to write; must not hold an archive yet")->required();
    app.add_option("--ranks", options.ranks, "processes, one location each")
        ->check(CLI::Range(1U, 1U << 20))
        ->capture_default_str();
    auto* steps = app.add_option("--steps", options.steps, "time steps")
                      ->check(CLI::Range(1U, 1U << 30))
                      ->capture_default_str();
    app.add_option("--events", events, "as many steps as give at least so many events")->excludes(steps);
    app.add_option("--ranks-per-node", options.ranksPerNode)
        ->check(CLI::Range(1U, 1U << 20))
        ->capture_default_str();
    app.add_option(
           "--fields", options.fields,
           "arrays to exchange, a message each: 2 make 12 messages a step for a rank with six neighbours")
        ->check(CLI::Range(1U, kMostFields))
        ->capture_default_str();
    app.add_option("--seed", options.seed, "the same seed gives the same archive")->capture_default_str();
    app.add_option("--anomalies", options.anomalies,
                   "calls that are made slow, or call more or less than usual")
        ->capture_default_str();
    app.add_option("--anomaly-size", options.anomalySize,
                   "how much longer slow calls are, in usual durations")
        ->check(CLI::Range(0.0, 1e6))
        ->capture_default_str();
    std::string truth;
    app.add_option("--truth", truth, "a CSV file for what is different, interruptions included");
    app.add_option(
        "--phase", options.phases,
        "a step from which blocks take longer, from the next such step on as long as before; may be "
        "repeated");
    app.add_option("--phase-size", options.phaseSize, "by what share they take longer")
        ->check(CLI::Range(0.0, 100.0))
        ->capture_default_str();
    app.add_option("--slow-ranks", options.slowRanks, "so many ranks whose blocks always take longer")
        ->capture_default_str();
    app.add_option("--slow-size", options.slowSize, "by what share they take longer")
        ->check(CLI::Range(0.0, 100.0))
        ->capture_default_str();
    app.add_option("--cause-lag", options.causeLag,
                   "limit_slope goes up and down, and so does compute_boundary so many steps later; 0: not")
        ->capture_default_str();
    app.add_option("--cause-size", options.causeSize, "how far: 1 is more than they do by themselves")
        ->check(CLI::Range(0.0, 2.0))
        ->capture_default_str();
    app.add_flag("--steady", options.steady, "no load wanders over the ranks, and nothing is interrupted");
    app.add_flag("--metrics", options.metrics, "two hardware counters at every enter and leave");
    CLI11_PARSE(app, argc, argv);
    if (events > 0) options.steps = stepsForEvents(options, events);
    const auto written = writeArchive(folder, options);
    if (!written) {
        fmt::print(stderr, "skein-generate-archive: {}\n", written.error().text());
        return 1;
    }
    if (!truth.empty() && !writeTruth(truth, options)) {
        fmt::print(stderr, "skein-generate-archive: {} could not be written.\n", truth);
        return 1;
    }
    print(*written, options);
    return 0;
}
