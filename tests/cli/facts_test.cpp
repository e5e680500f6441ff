// SPDX-License-Identifier: GPL-3.0-or-later
// The numbers of skein-cli against those that independent readers computed for measured archives.
#include "tests/support/catch.h"
#include "tests/support/cli.h"
#include "tests/support/paths.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>

namespace skein::cli_facts_test {

using nlohmann::json;
using skein::test::runCli;
namespace fs = std::filesystem;

namespace {

json cli(std::vector<std::string> arguments)
{
    arguments.insert(arguments.end(), {"--format", "json"});
    const auto result = runCli(arguments);
    INFO(result.err);
    REQUIRE((result.exitCode == 0 || result.exitCode == 3));
    return json::parse(result.out);
}

std::map<std::string, json> byName(const json& rows)
{
    std::map<std::string, json> named;
    for (const json& row : rows) named[row["name"]] = row;
    return named;
}

/// otf2-print calls a region that is not defined INVALID; the importer makes up a name with its number.
std::string nameIn(const std::map<std::string, json>& rows, const std::string& name)
{
    if (name != "INVALID") return name;
    const auto made = std::find_if(rows.begin(), rows.end(),
                                   [](const auto& row) { return row.first.starts_with("undefined region"); });
    return made == rows.end() ? name : made->first;
}

/// Rows of FACTS.json are [name, calls, inclusive, exclusive] in units of `unitNs`.
void checkRegions(const fs::path& archive, const json& facts, double unitNs,
                  const std::vector<std::string>& more = {})
{
    std::vector<std::string> arguments{"profile", archive.string(), "--by", "region"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const auto rows = byName(cli(arguments));
    for (const json& fact : facts) {
        const std::string name = nameIn(rows, fact[0]);
        INFO("region " << name);
        REQUIRE(rows.contains(name));
        const json& row = rows.at(name);
        const std::string unit = row.contains("inclusive_ns") ? "_ns" : "";
        CHECK(row["calls"].get<double>() == fact[1].get<double>());
        CHECK(row["inclusive" + unit].get<double>() == Approx(fact[2].get<double>() * unitNs).epsilon(1e-12));
        CHECK(row["exclusive" + unit].get<double>() == Approx(fact[3].get<double>() * unitNs).epsilon(1e-12));
    }
}

/// Rows of FACTS.json are [sender, receiver, messages, bytes].
void checkMatrix(const fs::path& archive, const json& facts)
{
    std::map<std::pair<int, int>, std::pair<std::uint64_t, std::uint64_t>> expected, found;
    for (const json& fact : facts) expected[{fact[0], fact[1]}] = {fact[2], fact[3]};
    for (const json& row : cli({"comm", archive.string()}))
        found[{row["sender"], row["receiver"]}] = {row["messages"], row["bytes"]};
    CHECK(found == expected);
}

double ticksNs(const json& facts)
{
    return facts.contains("timer_resolution_ticks_per_s")
        ? 1e9 / facts["timer_resolution_ticks_per_s"].get<double>()
        : 1.0;
}

void checkOtf2(const fs::path& archive, const json& facts)
{
    const json info = cli({"info", archive.string()});
    CHECK(info["format"] == "OTF2");
    CHECK(info["locations"] == facts["locations"]);
    CHECK(info["location_groups"] == facts["location_groups"]);
    CHECK(info["ranks"] == facts["ranks"]);
    CHECK(info["regions"].get<int>() >= facts["regions_defined"].get<int>());
    CHECK(info["events"] == facts["events_total"]);
    CHECK(info["intervals"] == facts["event_counts"]["ENTER"]);
    CHECK(info["maximum_depth"] == facts["max_stack_depth"]);
    CHECK(info["messages"] == facts["p2p"]["send_events"]);
    CHECK(info["message_bytes"] == facts["p2p"]["send_bytes"]);
    CHECK(info["end_ns"].get<double>() == facts["duration_ticks"].get<double>() * ticksNs(facts));
    CHECK(info["origin_ticks"] == facts["first_timestamp"]);
    const auto matched = facts["p2p"]["matched_fifo_in_global_reading_order"].get<int>();
    CHECK(info["messages"].get<int>() - info["unmatched_sends"].get<int>() == matched);
    checkMatrix(archive, facts["p2p"]["send_matrix_src_dst_count_bytes"]);
    if (facts["enter_leave_mismatches"] == 0)
        checkRegions(archive, facts["regions_name_calls_inclusive_exclusive_ticks_all_locations"],
                     ticksNs(facts));
}

void checkTauTrace(const fs::path& archive, const json& facts)
{
    const json info = cli({"info", archive.string()});
    CHECK(info["locations"] == facts["threads"]);
    CHECK(info["location_groups"] == facts["nodes"]);
    CHECK(info["events"] == facts["records"]);
    CHECK(info["intervals"] == facts["records_by_kind"]["entry"]);
    CHECK(info["messages"] == facts["records_by_kind"]["MESSAGE_SEND"]);
    CHECK(info["unmatched_sends"] == 0);
    CHECK(info["message_bytes"] == facts["send_matrix"]["bytes"]);
    checkMatrix(archive, facts["send_matrix"]["src_dst_count_bytes"]);
    checkRegions(archive, facts["name_calls_inclusive_exclusive_usec"], 1e3);
}

/// The times of a metric that is no time are counted in its own unit.
void checkProfile(const fs::path& archive, const json& facts, const std::string& metric = {})
{
    const json info = cli({"info", archive.string()});
    CHECK(info["locations"] == facts["threads"]);
    CHECK(info["ranks"] == facts["nodes"]);
    std::vector<std::string> more;
    if (!metric.empty()) more = {"--metric", metric};
    checkRegions(archive, facts["flat_name_calls_inclusive_exclusive_usec_all_threads"],
                 metric == "TAU_MPI_MESSAGE_SIZE" ? 1.0 : 1e3, more);
    if (!facts.contains("message_matrix")) return;
    CHECK(info["messages"] == facts["message_matrix"]["count"]);
    CHECK(info["message_bytes"] == facts["message_matrix"]["bytes"]);
    checkMatrix(archive, facts["message_matrix"]["src_dst_count_bytes"]);
}

void checkArchive(const fs::path& archive, const json& facts)
{
    const std::string kind = archive.filename().string();
    if (kind == "trace-otf2") return checkOtf2(archive, facts);
    if (kind == "trace-tau") return checkTauTrace(archive, facts);
    if (kind != "profile-multi") return checkProfile(archive, facts);
    for (const auto& [folder, perMetric] : facts.items())
        checkProfile(archive, perMetric, folder.substr(std::string("MULTI__").size()));
}

void checkSet(const std::string& set)
{
    SKEIN_SHARED_OR_SKIP(folder, "data/ours/" + set);
    const json facts = json::parse(std::ifstream(folder / "FACTS.json"));
    int checked = 0;
    for (const auto& [key, value] : facts.items()) {
        const std::string kind = fs::path(key).filename().string();
        if (!kind.starts_with("trace-") && !kind.starts_with("profile-")) continue;
        INFO(set << "/" << key);
        checkArchive(folder / key, value);
        ++checked;
    }
    CHECK(checked > 0);
}

}  // namespace

TEST_CASE("the facts of lulesh-8 are what skein-cli prints") { checkSet("lulesh-8"); }
TEST_CASE("the facts of miniamr-16 are what skein-cli prints") { checkSet("miniamr-16"); }
TEST_CASE("the facts of miniamr-64 are what skein-cli prints") { checkSet("miniamr-64"); }
TEST_CASE("the facts of minimd-64 are what skein-cli prints") { checkSet("minimd-64"); }
TEST_CASE("the facts of heatflow-16x2 are what skein-cli prints") { checkSet("heatflow-16x2"); }
TEST_CASE("the facts of workflow-12-4 are what skein-cli prints") { checkSet("workflow-12-4"); }
TEST_CASE("the facts of eztrace-lulesh-8 are what skein-cli prints") { checkSet("eztrace-lulesh-8"); }

TEST_CASE("a trace and the profile of the same run agree to the microsecond")
{
    for (const auto* set : {"lulesh-8", "miniamr-16", "heatflow-16x2"}) {
        SKEIN_SHARED_OR_SKIP(folder, std::string("data/ours/") + set);
        const auto trace = byName(cli({"profile", (folder / "trace-otf2").string()}));
        const auto profile = byName(cli({"profile", (folder / "profile-same-run").string()}));
        REQUIRE(trace.size() == profile.size());
        for (const auto& [name, row] : profile) {
            INFO(set << " " << name);
            REQUIRE(trace.contains(name));
            for (const auto* value : {"calls", "inclusive_ns", "exclusive_ns", "locations"})
                CHECK(trace.at(name)[value] == row[value]);
        }
        CHECK(cli({"comm", (folder / "trace-otf2").string()})
              == cli({"comm", (folder / "profile-same-run").string()}));
    }
}

TEST_CASE("clocks of the EZTrace archive differ as its barrier shows, and are corrected")
{
    SKEIN_SHARED_OR_SKIP(folder, "data/ours/eztrace-lulesh-8");
    const std::string archive = (folder / "trace-otf2").string();
    const json info = cli({"info", archive});
    const double expectedMs[] = {0.0, 23.9, 25.0, 20.9, 24.0, 24.0, 21.5, 17.9};
    REQUIRE(info["clock_offsets_ns"].size() == 8);
    for (std::size_t rank = 0; rank < 8; ++rank) {
        // The leave times of one barrier spread by almost a millisecond on two cores; our bounds are of all
        // operations.
        CHECK(info["clock_offsets_ns"][rank].get<double>() == Approx(expectedMs[rank] * 1e6).margin(1e6));
        CHECK(info["clock_offset_errors_ns"][rank].get<double>() < 2e5);
    }
    CHECK(info["clock_violations"] > 0);
    // Rank 1 is ahead of the first event by more than its clock had run: the corrected time 0 lies before
    // tick 0.
    CHECK(cli({"info", archive, "--correct-clocks"})["origin_ticks"].get<std::int64_t>() < 0);
    for (const json& operation : cli({"collectives", archive, "--correct-clocks"}))
        if (operation["kind"] == "barrier" || operation["kind"] == "allreduce")
            CHECK(operation["last_enter_ns"] <= operation["end_ns"]);
}

TEST_CASE("one clock for all ranks stays as it is")
{
    for (const auto* set : {"lulesh-8/trace-otf2", "lulesh-8/trace-tau", "heatflow-16x2/trace-otf2",
                            "miniamr-16/trace-otf2", "workflow-12-4/sim/trace-otf2"}) {
        SKEIN_SHARED_OR_SKIP(folder, std::string("data/ours/") + set);
        const json info = cli({"info", folder.string()});
        CHECK(info["clock_violations"] == 0);
        CHECK(info["clock_largest_offset_ns"] == 0);
    }
}

TEST_CASE("archives of other tools and versions have their known numbers")
{
    SKEIN_SHARED_OR_SKIP(data, "data");
    const json pingPong = cli({"info", (data / "pipit/ping-pong-otf2").string()});
    CHECK(pingPong["events"] == 120);
    CHECK(pingPong["intervals"] == 42);
    CHECK(pingPong["messages"] == 16);
    CHECK(pingPong["message_bytes"] == 8355840);
    CHECK(pingPong["clock_resolution"] == 2095197216);
    CHECK(pingPong["regions"] == 235);
    const json papi = cli({"info", (data / "pipit/ping-pong-otf2-papi").string()});
    CHECK(papi["metric_samples"] == 84 * 3);
    const json hip = cli({"info", (data / "fastotf2/simple-mi300-example-run").string()});
    CHECK(hip["locations"] == 32);
    CHECK(hip["intervals"] == 40);
    CHECK(hip["metric_samples"] == 72584);
    CHECK(hip["clock_resolution"] == 3699958577);
    const auto cpi = byName(cli({"profile", (data / "hatchet/tau-cpi-mpi").string()}));
    CHECK(cpi.at(".TAU application")["inclusive_ns"] == (51781.0 + 55329.0 + 54029.0 + 52908.0) * 1e3);
}

TEST_CASE("the TAU trace of a wave equation is printed with its known numbers")
{
    SKEIN_SHARED_OR_SKIP(archive, "data/unlicensed-upstream/petsc-performance-modeling/wave2d-12ranks");
    const json info = cli({"info", archive.string()});
    CHECK(info["locations"] == 12);
    CHECK(info["events"] == 93996);
    CHECK(info["messages"] == 4800);
    CHECK(info["message_bytes"] == 19200000);
    CHECK(info["maximum_depth"] == 5);
    CHECK(info["end_ns"] == 1337988000);
    CHECK(cli({"comm", archive.string()}).size() == 48);
}

}  // namespace skein::cli_facts_test
