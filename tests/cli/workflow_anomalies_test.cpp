// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/catch.h"
#include "tests/support/cli.h"
#include "tests/support/paths.h"
#include "tests/support/small_session.h"

#include <fstream>
#include <nlohmann/json.hpp>

namespace skein::workflow_anomalies_test {

namespace {

using nlohmann::json;
using test::Call;

constexpr TimeNs kStep = 2'000'000, kDelay = 3'000'000;
constexpr int kSteps = 40, kOdd = 20;
constexpr std::int64_t kUnixNs = 1'795'000'000'000'000'000;

TimeNs beginOf(int step) { return step * kStep + (step > kOdd ? kDelay : 0); }
TimeNs lateIn(int step) { return step == kOdd ? kDelay : 0; }

Experiment onClock(Experiment experiment)
{
    experiment.definitions.clock.present = true;
    experiment.definitions.clock.realtimeNs = kUnixNs;
    return experiment;
}

/// A simulation whose rank 1 is slow once; both ranks meet at a barrier, then rank 0 writes.
Experiment simulation()
{
    test::ExperimentBuilder builder("sim");
    for (int rank = 0; rank < 2; ++rank) {
        std::vector<Call> calls;
        for (int i = 0; i < kSteps; ++i) {
            const TimeNs begin = beginOf(i), late = lateIn(i), jitter = (i * 7 + rank * 3) % 5 * 1000;
            calls.push_back({begin, begin + 1'500'000 + late, "step", 0});
            calls.push_back({begin + 10'000, begin + 700'000 + jitter + (rank == 1 ? late : 0), "work", 1});
            calls.push_back(
                {begin + 720'000 + (rank == 1 ? late : 0), begin + 1'000'000 + late, "MPI_Barrier", 1});
            calls.push_back({begin + 1'100'000 + late, begin + 1'300'000 + late, "put", 1});
        }
        builder.process("node", calls);
    }
    builder.paradigm("MPI_Barrier", Paradigm::Mpi);
    return onClock(*builder.finish());
}

/// An analysis that gets a step when it was written.
Experiment analysis()
{
    std::vector<Call> calls;
    for (int i = 0; i < kSteps; ++i) {
        calls.push_back({beginOf(i), beginOf(i) + 1'600'000 + lateIn(i), "analyse", 0});
        calls.push_back({beginOf(i) + 1'200'000, beginOf(i) + 1'400'000 + lateIn(i), "get", 1});
    }
    return onClock(*test::ExperimentBuilder("ana").process("node", calls).finish());
}

std::filesystem::path writeCoupling(const test::TemporaryFolder& folder)
{
    const auto path = folder.path() / "coupling.csv";
    std::ofstream file(path);
    file << "side,output_index,sim_rank,analysis_rank,t_begin_us,t_available_us,t_end_us,bytes\n";
    for (int i = 0; i < kSteps; ++i) {
        const auto at = [&](TimeNs time) { return (kUnixNs + beginOf(i) + time) / 1000; };
        const TimeNs late = lateIn(i);
        file << "put," << i << ",0,," << at(1'100'000 + late) << ",," << at(1'300'000 + late) << ",64\n"
             << "get," << i << ",0,0," << at(1'200'000) << ',' << at(1'300'000 + late) << ','
             << at(1'400'000 + late) << ",64\n";
    }
    return path;
}

json rowsOf(const std::vector<std::string>& more)
{
    std::vector<std::string> arguments{"anomalies", "sim", "ana", "--format", "json"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const auto result = test::runCli(arguments, {{"sim", simulation()}, {"ana", analysis()}});
    INFO(result.err);
    REQUIRE(result.exitCode == 0);
    return json::parse(result.out);
}

}  // namespace

TEST_CASE("the cause of a call that waited for data is in the program, rank and call that made it late")
{
    const test::TemporaryFolder folder;
    const std::string coupling = writeCoupling(folder).string();
    std::size_t waited = 0;
    for (const json& row : rowsOf({"--coupling", coupling})) {
        INFO(row.dump());
        CHECK(row["cause_rank"] == 1);
        CHECK(row["cause_function"] == "work");
        CHECK(row["cause_call_index"] == kOdd);
        CHECK(row["cause_program"] == "sim");
        CHECK((row["label"] == "anomaly") == (row["function"] == "work"));
        if (row["experiment"] != "ana") continue;
        ++waited;
        if (row["function"] == "get") CHECK(row["reason"] == "wait");
    }
    CHECK(waited == 2);  // get, and analyse because of it
    for (const json& row : rowsOf({"--coupling", coupling, "--by", "function"}))
        if (row["function"] == "get") {
            CHECK(row["anomalies"] == 0);
            CHECK(row["consequences"] == 1);
        }
}

TEST_CASE("without what was handed over each program has its own anomalies")
{
    for (const json& row : rowsOf({}))
        if (row["function"] == "get") {
            CHECK(row["label"] == "anomaly");
            CHECK(row["cause_program"] == "ana");
            CHECK(row["cause_function"] == "get");
        }
    const auto single = test::runCli({"anomalies", "ana", "--format", "json"}, {{"ana", analysis()}});
    for (const json& row : json::parse(single.out)) CHECK_FALSE(row.contains("cause_program"));
}

TEST_CASE("what is said of a call goes before what another program did")
{
    const test::TemporaryFolder folder;
    const auto said = folder.path() / "a.session.json";
    std::ofstream(said) << R"({"format": "skein-session", "version": 1, "state": {"verdicts": [
        [1, 0, 41, "anomaly"]]}})";
    bool seen = false;
    for (const json& row :
         rowsOf({"--coupling", writeCoupling(folder).string(), "--verdicts", said.string()})) {
        if (row["function"] != "get") continue;
        seen = true;
        CHECK(row["label"] == "anomaly");
        CHECK(row["cause_program"] == "ana");
    }
    CHECK(seen);
}

}  // namespace skein::workflow_anomalies_test
