// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/catch.h"
#include "tests/support/cli.h"
#include "tests/support/golden_json.h"
#include "tests/support/paths.h"
#include "tests/support/random_trace.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace skein::series_commands_test {

using namespace skein::test;
using nlohmann::json;

namespace {

json jsonOf(std::vector<std::string> arguments)
{
    arguments.insert(arguments.end(), {"--format", "json"});
    const auto result = runCli(arguments);
    INFO(result.err);
    REQUIRE(result.exitCode == 0);
    return json::parse(result.out);
}

/// Rows from JSON as a table of text.
std::string csvOf(const json& rows)
{
    std::string text;
    for (const json& row : rows) {
        for (std::size_t i = 0; i < row.size(); ++i)
            text += (i ? "," : "") + (row[i].is_number() ? fmt::format("{}", row[i].get<double>()) : "");
        text += '\n';
    }
    return text;
}

/// Columns for rows: what is a row an entity in the reference is a column in a table.
json turned(const json& rows)
{
    json columns = json::array();
    for (std::size_t i = 0; i < rows[0].size(); ++i) {
        json column = json::array();
        for (const json& row : rows) column.push_back(row[i]);
        columns.push_back(column);
    }
    return columns;
}

}  // namespace

TEST_CASE("series of waits are of the messages that are asked for, and other metrics refuse to be")
{
    const std::string archive = sourcePath("examples/lulesh-8/trace-otf2").string();
    const std::vector<std::string> tagged{"--messages", "tag=2048"};
    const auto with = [&](std::vector<std::string> arguments) {
        arguments.insert(arguments.end(), tagged.begin(), tagged.end());
        return arguments;
    };
    double late = 0;
    for (const json& row : jsonOf(with({"waits", archive, "--by", "kind"})))
        if (row["kind"] == "late sender") late = row["wait_ns"].get<double>();
    CHECK(late > 0);
    double sum = 0;
    const json table = jsonOf(with({"series", archive, "--metric", "wait:late sender", "--bins", "7"}));
    for (const json& bin : table["wait:late sender"])
        for (const json& value : bin) sum += value.get<double>();
    CHECK(sum == late);
    const auto refused = runCli(with({"series", archive, "--metric", "calls"}));
    CHECK(refused.exitCode == 2);
    CHECK(refused.err.find("calls is neither") != std::string::npos);
    CHECK(runCli(with({"waits", archive})).err.find("(of all messages)") != std::string::npos);
}

TEST_CASE("changes prints the changes of the reference, and what moved")
{
    SKEIN_SHARED_OR_SKIP(folder, "golden/aff_cpd");
    const auto golden = readGolden(folder / "multi_expected.json");
    for (const auto& one : golden["cases"]) {
        const std::string file = (folder / "multi" / (one["name"].get<std::string>() + ".csv")).string();
        for (const auto& run : one["detect"]) {
            INFO(file);
            const json found =
                jsonOf({"changes", file, "--alpha", fmt::format("{}", run["alpha"].get<double>()),
                        "--burn-in", std::to_string(run["burn_in"].get<int>()), "--eta",
                        fmt::format("{}", run["eta"].get<double>())});
            CHECK(found["representative"].size() == one["T"].get<std::size_t>());
            CHECK(found["times"] == found["changes"]);
            if (!one.contains("required")) CHECK(found["changes"] == run["changes_sign_adjusted_0based"]);
        }
    }
}

TEST_CASE("changes reads long tables, and prints tables and CSV")
{
    const TemporaryFolder folder;
    std::string text = "t,who,what\n";
    for (int t = 0; t < 60; ++t)
        for (int who = 0; who < 3; ++who)
            text += fmt::format("{},r{},{}\n", t * 10, who,
                                (t * 7 + who * 3) % 5 + (t >= 40 && who == 1 ? 100 : 0));
    const std::string file = fileWith(folder, "long.csv", text);
    const std::vector<std::string> arguments{"changes", file, "--entity", "who",
                                             "--time",  "t",  "--metric", "what"};
    const json found = jsonOf(arguments);
    const auto changes = goldenIndexes<int>(found["changes"]);
    const auto at = std::find(changes.begin(), changes.end(), 40);
    REQUIRE(at != changes.end());
    CHECK(found["times"][static_cast<std::size_t>(at - changes.begin())] == 400);
    CHECK(found["entities"] == 3);
    CHECK(found["findings"].empty());
    auto csv = arguments;
    csv.insert(csv.end(), {"--format", "csv"});
    const auto result = runCli(csv);
    CHECK(result.exitCode == 0);
    CHECK(result.out.find("number,index,time,p_value,lasting,entity,before,after,deviations\n") == 0);
    CHECK(result.out.find(",40,400,") != std::string::npos);
    CHECK(runCli(arguments).out.find("r1") != std::string::npos);
    CHECK(found["lasting"] == json::array({40}));
    auto lasting = arguments;
    lasting.push_back("--lasting");
    CHECK(jsonOf(lasting)["changes"] == json::array({40}));
    CHECK(jsonOf(lasting)["times"] == json::array({400}));
}

TEST_CASE("the traffic of a simulation changes where its phases do, and nowhere else")
{
    SKEIN_SHARED_OR_SKIP(file, "data/ours/ross-dflow-8/pe_series.csv");
    const auto arguments = [&file](const std::string& metric, int bins) {
        return std::vector<std::string>{"changes", file.string(),       "--entity", "pe",
                                        "--time",  "virtual_time",      "--metric", metric,
                                        "--bins",  std::to_string(bins)};
    };
    for (const char* metric : {"network_sends", "network_recvs"}) {
        INFO(metric);
        auto lasting = arguments(metric, 96);
        lasting.emplace_back("--lasting");
        const json found = jsonOf(lasting);
        REQUIRE(found["times"].size() == 2);
        CHECK(std::abs(found["times"][0].get<double>() - 200) < 10);
        CHECK(std::abs(found["times"][1].get<double>() - 400) < 10);
        CHECK(jsonOf(arguments(metric, 96))["settled_times"] == found["times"]);
    }
    std::size_t near = 0, runs = 0;
    for (const char* metric : {"network_sends", "network_recvs", "events_processed"})
        for (const int bins : {50, 60, 72, 80, 96, 100, 120, 144, 160, 174, 200, 300, 489, 1000}) {
            const json found = jsonOf(arguments(metric, bins));
            const json times = found["settled_times"];
            INFO(metric << " " << bins << " " << times);
            // Bins narrower than samples are apart are told (as are samples of one time), and as many as
            // there can be are made.
            CHECK(found["findings"].size() == (bins > 174 ? 2 : 1));
            CHECK(found["time_points"] == std::min(bins, 174));
            ++runs;
            // Nothing else is called out. The simulator runs ahead of its virtual time, so that traffic of
            // 385 to 412 is that of the change.
            REQUIRE(times.size() == 2);
            CHECK(std::abs(times[0].get<double>() - 200) < 10);
            CHECK(std::abs(times[1].get<double>() - 400) < 12);
            // The start of a bin, as near as bins are wide.
            near += std::abs(times[1].get<double>() - 400) < std::max(10.0, 600.0 / bins);
        }
    INFO(near << " of " << runs);
    CHECK(10 * near >= 9 * runs);
    auto lasting = arguments("network_sends", 100);
    lasting.emplace_back("--lasting");
    CHECK(jsonOf(lasting)["times"] == jsonOf(arguments("network_sends", 100))["settled_times"]);
    const auto table = runCli(arguments("network_sends", 100));
    CHECK(table.err.find("in hindsight levels are others from 199.9") != std::string::npos);
}

TEST_CASE("a region that repeats is proposed for bins")
{
    const std::string trace = sourcePath("examples/lulesh-8/trace-otf2").string();
    const auto chosen =
        runCli({"series", trace, "--metric", "calls", "--by-region", "auto", "--format", "csv"});
    REQUIRE(chosen.exitCode == 0);
    const auto begin = chosen.err.find("a bin from each call of ");
    REQUIRE(begin != std::string::npos);
    const auto from = begin + std::string("a bin from each call of ").size();
    const std::string region = chosen.err.substr(from, chosen.err.find(" to the next one", from) - from);
    const auto named =
        runCli({"series", trace, "--metric", "calls", "--by-region", region, "--format", "csv"});
    CHECK(named.out == chosen.out);
    // Ten iterations, and what was before them.
    CHECK(std::count(chosen.out.begin(), chosen.out.end(), '\n') == 12);
}

TEST_CASE("clusters prints labels as good as is required, and proposes a number")
{
    SKEIN_SHARED_OR_SKIP(file, "golden/minibatch_kmeans/kmeans.json");
    const json one = readGolden(file)["cases"][0];
    const TemporaryFolder folder;
    const std::string table = fileWith(folder, "series.csv", csvOf(turned(one["X"])));
    const json exact = jsonOf({"clusters", table, "--k", "3"});
    CHECK(exact["inertia"].get<double>() == Approx(one["kmeans_best_inertia"].get<double>()).epsilon(0.02));
    CHECK(exact["labels"].size() == one["X"].size());
    CHECK(exact == jsonOf({"clusters", table, "--k", "3"}));
    const json proposed = jsonOf({"clusters", table});
    CHECK(proposed["k"].get<int>() >= 2);
    CHECK(proposed["silhouette"].get<double>() >= exact["silhouette"].get<double>());
    const json hasty = jsonOf({"clusters", table, "--k", "3", "--budget", "0", "--seed", "4"});
    CHECK(hasty["processed"].get<double>() < 1.0);
    CHECK(hasty["labels"].size() == one["X"].size());
    CHECK(runCli({"clusters", table, "--k", "0"}).exitCode == 2);
    CHECK(runCli({"clusters", table, "--k", "3", "--format", "csv"}).out.find("entity,cluster\n0,") == 0);
}

TEST_CASE("more clusters than series differ are told, and what is too large for numbers is refused")
{
    const TemporaryFolder folder;
    const std::string few = fileWith(folder, "few.csv", "a,b,c\n1,2,1\n2,4,2\n5,1,5\n");
    const auto result = runCli({"clusters", few, "--k", "5", "--format", "json"});
    CHECK(result.exitCode == 0);
    CHECK(result.err.find("3 of the 5 clusters are empty: no more series differ.") != std::string::npos);
    const json labels = json::parse(result.out)["labels"];
    CHECK(labels[0] == labels[2]);
    CHECK(labels[0] != labels[1]);
    const std::string large = fileWith(folder, "large.csv", "a,b\n1e300,2e301\n3e301,-2e300\n1e300,5e301\n");
    for (const char* command : {"changes", "clusters", "project"}) {
        INFO(command);
        const auto refused = runCli({command, large});
        CHECK(refused.exitCode == 2);
        CHECK(refused.out.empty());
        CHECK(refused.err.find("The values are too large") != std::string::npos);
    }
}

TEST_CASE("causality prints the order, tests, responses and shares of the reference")
{
    SKEIN_SHARED_OR_SKIP(file, "golden/var/var.json");
    const auto golden = readGolden(file);
    for (const auto& one : golden["cases"]) {
        if (one["trend"] != "c") continue;
        INFO(one["name"]);
        const TemporaryFolder folder;
        const std::string table = fileWith(folder, "series.csv", csvOf(one["Y"]));
        const json found = jsonOf({"causality", table, "--lags", std::to_string(one["lag"].get<int>()),
                                   "--horizon", std::to_string(one["irf_horizon"].get<int>())});
        CHECK(found["order"] == one["lag"]);
        for (const auto& test : one["granger"])
            CHECK(found["granger"][test["caused"].get<std::size_t>()][test["causing"].get<std::size_t>()]
                      .get<double>()
                  == Approx(test["p_F"].get<double>()).epsilon(1e-5).margin(1e-9));
        for (const char* field : {"irf", "orth_irf", "fevd"}) {
            const auto expected = goldenNumbers(one[field]);
            CHECK(largestDifference(goldenNumbers(found[field]), expected) <= 1e-6 * largestOf(expected));
        }
        const json chosen = jsonOf({"causality", table});
        CHECK(chosen["order"].get<int>() >= 1);
    }
}

TEST_CASE("causality tells what cannot be told, and refuses too few time points")
{
    const TemporaryFolder folder;
    const std::string twins = fileWith(folder, "twins.csv",
                                       "a,b,c\n1,1,3\n4,4,1\n2,2,5\n7,7,2\n1,1,9\n6,6,4\n3,3,3\n"
                                       "8,8,1\n2,2,7\n5,5,2\n9,9,6\n4,4,8\n");
    const auto found = runCli({"causality", twins, "--lags", "1", "--format", "json"});
    CHECK(found.exitCode == 0);
    const json parsed = json::parse(found.out);
    CHECK(parsed["identity"] == json::array({"entangled", "dropped", "told"}));
    CHECK(parsed["granger"][0][1].is_null());
    CHECK(found.err.find("nothing can be told of it") != std::string::npos);
    const auto few = runCli({"causality", fileWith(folder, "few.csv", "1,2\n2,1\n3,3\n"), "--lags", "2"});
    CHECK(few.exitCode == 2);
    CHECK(few.err.find("too few time points") != std::string::npos);
    CHECK(runCli({"causality", twins, "--lags", "x"}).exitCode == 2);
}

TEST_CASE("project prints a place for every entity")
{
    const TemporaryFolder folder;
    const std::string table = fileWith(folder, "series.csv", "a,b,c\n1,1,9\n2,2,8\n3,3.5,9\n4,4,1\n");
    const json found = jsonOf({"project", table});
    REQUIRE(found["places"].size() == 3);
    CHECK(found["explained"][0].get<double>() > 0.9);
    CHECK(found["processed"] == 1);
    CHECK(jsonOf({"project", table, "--align", "3"})["places"].size() == 3);
    CHECK(runCli({"project", table, "--align", "5"}).exitCode == 2);
}

TEST_CASE("series of a trace are printed wide and long, and can be read again")
{
    const std::map<std::string, Experiment> traces{{"a", randomExperiment(5)}};
    const auto wide =
        runCli({"series", "a", "--metric", "exclusive", "--bins", "8", "--format", "csv"}, traces);
    REQUIRE(wide.exitCode == 0);
    CHECK(wide.out.find("time_ns,Rank 0,Rank 1,Rank 2,Rank 3\n0,") == 0);
    CHECK(std::count(wide.out.begin(), wide.out.end(), '\n') == 9);
    const auto tall = runCli({"series", "a", "--metric", "exclusive", "--metric", "calls", "--bins", "8",
                              "--shape", "long", "--format", "csv"},
                             traces);
    REQUIRE(tall.exitCode == 0);
    CHECK(tall.out.find("time_ns,entity,exclusive,calls\n0,Rank 0,") == 0);
    CHECK(std::count(tall.out.begin(), tall.out.end(), '\n') == 33);
    const TemporaryFolder folder;
    const std::string file = fileWith(folder, "long.csv", tall.out);
    const auto again = runCli({"series", file, "--entity", "entity", "--time", "time_ns", "--metric",
                               "exclusive", "--format", "json"});
    REQUIRE(again.exitCode == 0);
    const auto first =
        runCli({"series", "a", "--metric", "exclusive", "--bins", "8", "--format", "json"}, traces);
    CHECK(json::parse(again.out)["exclusive"] == json::parse(first.out)["exclusive"]);
    CHECK(runCli({"series", "a", "--metric", "exclusive:nothing"}, traces).exitCode != 0);
    CHECK(runCli({"series", "a", "--metric", "calls", "--entity", "x"}, traces).exitCode == 2);
    CHECK(runCli({"changes", "a", "--metric", "calls", "--bins", "30", "--format", "json"}, traces).exitCode
          == 0);
}

TEST_CASE("causality leaves out time points with missing values, and tells how many are used")
{
    const TemporaryFolder folder;
    std::string text = "a,b\n";
    for (int row = 0; row < 60; ++row)
        text +=
            fmt::format("{},{}\n", (row * row * 7) % 31, row == 20 ? "nan" : std::to_string((row * 13) % 29));
    const std::string file = fileWith(folder, "gap.csv", text);
    const auto result = runCli({"causality", file, "--lags", "2", "--format", "json"});
    REQUIRE(result.exitCode == 0);
    // The row of the gap, the two whose lags hold it, and the first two.
    CHECK(json::parse(result.out)["rows"] == 55);
    CHECK(result.err.find("entity's mean") == std::string::npos);
    CHECK(result.err.find(
              "1 value is missing or no finite number: time points that have or need them are left out")
          != std::string::npos);
    CHECK(result.err.find("55 of 60 time points have all values") != std::string::npos);
    CHECK(json::parse(result.out)["findings"][0].get<std::string>().find("left out") != std::string::npos);
    CHECK(runCli({"changes", file}).err.find("entity's mean") != std::string::npos);
}

TEST_CASE("with gaps no more lags are tried than there are time points for")
{
    const TemporaryFolder folder;
    std::string text = "a,b\n";
    for (int row = 0; row < 160; ++row)
        text +=
            fmt::format("{},{}\n", row % 7 == 3 ? "" : std::to_string((row * row * 7) % 31), (row * 13) % 29);
    const json found = jsonOf({"causality", fileWith(folder, "gaps.csv", text)});
    CHECK(found["order"].get<int>() >= 1);
    CHECK(found["order"].get<int>() <= 5);
    CHECK(found["rows"].get<int>() > 20);
}

TEST_CASE("what cannot be read as series ends in one sentence")
{
    const TemporaryFolder folder;
    for (const auto& [text, sentence] :
         {std::pair("", "holds no lines of numbers"), {"a,b\n", "holds no lines of numbers"}}) {
        const auto result = runCli({"changes", fileWith(folder, "empty.csv", text)});
        CHECK(result.exitCode == 1);
        CHECK(result.err.find(sentence) != std::string::npos);
        CHECK(result.out.empty());
    }
    CHECK(runCli({"changes", (folder.path() / "none.csv").string()}).exitCode == 1);
    const std::string odd = fileWith(folder, "odd.csv", "time,a,b\n3,1,x\n1,2,\n2,nan,4\n");
    const auto odds = runCli({"changes", odd, "--format", "json"});
    CHECK(odds.exitCode == 0);
    CHECK(json::parse(odds.out)["findings"].size() == 5);
    CHECK(odds.err.find("earlier than the one before") != std::string::npos);
    CHECK(runCli({"changes", odd, "--burn-in", "1"}).exitCode == 2);
    CHECK(runCli({"changes", odd, "--alpha", "2"}).exitCode == 2);
}

TEST_CASE("fewer time points than teach a level are told: nothing can be found in them")
{
    const TemporaryFolder folder;
    const std::string file = fileWith(folder, "short.csv", "time,a,b\n0,1,2\n1,2,1\n2,9,9\n");
    const auto found = runCli({"changes", file, "--format", "json"});
    const json told = json::parse(found.out)["findings"];
    REQUIRE(told.size() == 1);
    CHECK(told[0].get<std::string>().find("3 time points are no more than the 10") == 0);
    CHECK(found.err.find("no change can be found") != std::string::npos);
    CHECK(jsonOf({"changes", file, "--burn-in", "2"})["findings"].empty());
}

TEST_CASE("TAU's monitoring is known by its head, and a metric of it is chosen by its name")
{
    const TemporaryFolder folder;
    std::string text = "\"rank\",\"name\",\"step\",\"value\"\n";
    for (int rank = 0; rank < 4; ++rank)
        for (int step = 0; step < 40; ++step)
            text += fmt::format("{0},\"cpu: User %\",{1},{2}\n{0},\"load\",{1},{3}\n", rank, step,
                                (step * 7 + rank) % 5, (step < 20 ? 1 : 50) + (step + rank) % 3);
    const std::string file = fileWith(folder, "monitoring.csv", text);
    const json all = jsonOf({"series", file});
    CHECK(all["entities"] == json({"Rank 0", "Rank 1", "Rank 2", "Rank 3"}));
    const json found = jsonOf({"changes", file, "--metric", "load"});
    CHECK(found["settled"] == json({20}));
    const auto unnamed = runCli({"changes", file});
    CHECK(unnamed.exitCode != 0);
    CHECK(unnamed.err.find("has 2 metrics: name one, such as --metric \"cpu: User %\".")
          != std::string::npos);
    const auto unknown = runCli({"changes", file, "--metric", "lode"});
    CHECK(unknown.exitCode != 0);
    CHECK(unknown.err.find("no metric \"lode\"") != std::string::npos);
    const auto followed = runCli({"changes", file, "--metric", "load", "--follow", "--format", "json"});
    CHECK(followed.exitCode == 0);
    CHECK(followed.out.find("\"event\": \"change\"") != std::string::npos);
    CHECK(jsonOf({"causality", file})["variables"].size() == 2);
}

TEST_CASE("series of a trace are of any level of its system tree, and what there is not is named")
{
    const std::string trace = sourcePath("examples/heatflow-16x2/trace-otf2").string();
    const auto width = [&](const std::string& per) {
        return jsonOf({"series", trace, "--metric", "exclusive", "--bins", "5", "--per", per})["entities"]
            .size();
    };
    CHECK(width("component") == 1);
    CHECK(width("process") == 16);
    CHECK(width("location") >= 16);
    CHECK(width("node") <= 16);
    const auto none = runCli({"series", trace, "--per", "galaxy"});
    CHECK(none.exitCode != 0);
    CHECK(none.err.find("There is no level \"galaxy\" in the system tree; there are ") != std::string::npos);
}

TEST_CASE("entities of tables and traces are chosen by their attributes")
{
    const TemporaryFolder folder;
    std::string text = "time,rank,kind,load\n";
    for (int t = 0; t < 30; ++t)
        for (int rank = 0; rank < 4; ++rank)
            text += fmt::format("{},{},{},{}\n", t, rank, rank < 2 ? "io" : "compute", t * rank);
    const std::string file = fileWith(folder, "long.csv", text);
    const auto entities = [&](std::vector<std::string> more) {
        std::vector<std::string> arguments{"series", file,   "--entity", "rank",
                                           "--time", "time", "--metric", "load"};
        arguments.insert(arguments.end(), more.begin(), more.end());
        return jsonOf(arguments)["entities"];
    };
    CHECK(entities({}).size() == 4);
    CHECK(entities({"--where", "kind=io"}) == json({"0", "1"}));
    CHECK(entities({"--where", "kind=comp*", "--where", "rank>2"}) == json({"3"}));
    const auto refused = [&](const std::string& condition) {
        return runCli({"series", file, "--entity", "rank", "--time", "time", "--metric", "load", "--where",
                       condition})
            .err;
    };
    CHECK(refused("kind").find("is no condition") != std::string::npos);
    CHECK(refused("colour=red").find("has no column \"colour\"") != std::string::npos);
    CHECK(refused("kind=memory").find("is like kind=memory") != std::string::npos);

    const std::string wide = fileWith(folder, "wide.csv", "time,rank 0,rank 1,node 0\n0,1,2,3\n1,2,3,4\n");
    CHECK(jsonOf({"series", wide, "--where", "name=rank*"})["entities"] == json({"rank 0", "rank 1"}));
    CHECK(runCli({"series", wide, "--where", "kind=io"}).err.find("is a wide table") != std::string::npos);

    const std::string trace = sourcePath("examples/heatflow-16x2/trace-otf2").string();
    const auto ofTrace = [&](const std::string& condition) {
        return jsonOf({"series", trace, "--bins", "5", "--per", "location", "--where", condition});
    };
    CHECK(ofTrace("rank<4")["entities"].size() == 8);
    CHECK(ofTrace("thread=0; rank=3|5")["entities"].size() == 2);
    const auto whole = jsonOf({"series", trace, "--bins", "5", "--per", "location"});
    const auto part = ofTrace("name=Rank 2");
    REQUIRE(part["entities"].size() == 1);
    std::size_t column = 0;
    while (whole["entities"][column] != part["entities"][0]) ++column;
    for (std::size_t row = 0; row < 5; ++row)
        CHECK(whole["exclusive"][row][column] == part["exclusive"][row][0]);
    CHECK(runCli({"series", trace, "--where", "galaxy=m31"}).err.find("No location has an attribute")
          != std::string::npos);
    CHECK(runCli({"series", trace, "--where", "rank>99"}).err.find("is like rank>99") != std::string::npos);
}

TEST_CASE("a simulator's kernel processes are chosen by the processing element that they are on")
{
    SKEIN_SHARED_OR_SKIP(file, "data/ours/ross-dflow-8/raw/gvt.bin");
    const auto entities = [&](const char* where) {
        return jsonOf({"series", file.string(), "--entity", "kp", "--metric", "network_sends", "--where",
                       where})["entities"];
    };
    CHECK(entities("pe=3").size() == 8);
    CHECK(entities("pe=3; kp<2") == json({"3/0", "3/1"}));
}

}  // namespace skein::series_commands_test
