// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/comm/comm_matrix_of.h"
#include "core/io/importer.h"
#include "tests/support/catch.h"
#include "tests/support/cli.h"
#include "tests/support/paths.h"
#include "tests/support/random_trace.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <map>
#include <nlohmann/json.hpp>
#include <random>
#include <set>
#include <sstream>

/// What the commands about communication promise to others: names, order and meaning of every field, counted
/// again from the messages one by one.
namespace skein::communication_contract_test {
namespace {

using nlohmann::json;
using test::fileWith;
using test::runCli;
using Pair = std::pair<std::string, std::string>;

struct Sum {
    std::uint64_t messages = 0, bytes = 0;
    bool operator==(const Sum&) const = default;
};

json jsonOf(std::vector<std::string> arguments, const cli::Opener& open = openExperiment)
{
    arguments.insert(arguments.end(), {"--format", "json"});
    const auto result = runCli(arguments, open);
    INFO(result.err);
    REQUIRE(result.exitCode == 0);
    return json::parse(result.out);
}

/// A random run of 6 ranks on 3 hosts of 2 racks, whose names sort otherwise than its ranks do.
Experiment runOnHosts(std::uint64_t seed)
{
    Experiment experiment = test::randomExperiment(seed, {.processes = 6, .messages = 200});
    Definitions& definitions = experiment.definitions;
    definitions.systemTree = {{"r1", "rack", {}, {}},
                              {"r0", "rack", {}, {}},
                              {"n10", "node", SystemTreeNodeId(0), {}},
                              {"n9", "node", SystemTreeNodeId(0), {}},
                              {"n2", "node", SystemTreeNodeId(1), {}}};
    for (LocationGroup& group : definitions.locationGroups)
        group.node = SystemTreeNodeId(static_cast<std::uint32_t>(2 + group.rank % 3));
    return experiment;
}

std::string memberOf(const Definitions& definitions, std::int64_t rank, const std::string& level)
{
    if (level == "rank") return std::to_string(rank);
    for (const LocationGroup& group : definitions.locationGroups) {
        if (group.rank != rank) continue;
        const SystemTreeNode& node = definitions.systemTree[group.node.index()];
        return level == "node" ? node.name : definitions.systemTree[node.parent.index()].name;
    }
    return {};
}

std::map<Pair, Sum> countedAgain(const Experiment& experiment, TimeSpan window, const std::string& level)
{
    const std::vector<std::int64_t> rankOf = ranksOfLocations(experiment.definitions);
    std::map<Pair, Sum> sums;
    for (const Message& message : experiment.trace->messages) {
        if (message.sendTime < window.begin || message.sendTime >= window.end) continue;
        Sum& sum = sums[{memberOf(experiment.definitions, rankOf[message.sender.index()], level),
                         memberOf(experiment.definitions, rankOf[message.receiver.index()], level)}];
        ++sum.messages;
        sum.bytes += message.bytes;
    }
    return sums;
}

std::string memberText(const json& member)
{
    return member.is_string() ? member.get<std::string>() : std::to_string(member.get<std::uint64_t>());
}

/// Rows stand by sender and then by receiver, both in one order of all members.
bool inOneOrder(const json& rows)
{
    std::vector<std::string> senders;
    std::map<std::string, std::vector<std::string>> receivers;
    for (const json& row : rows) {
        const std::string sender = memberText(row["sender"]);
        if (senders.empty() || senders.back() != sender) senders.push_back(sender);
        receivers[sender].push_back(memberText(row["receiver"]));
    }
    if (std::set<std::string>(senders.begin(), senders.end()).size() != senders.size()) return false;
    const auto place = [&](const std::string& member) { return std::ranges::find(senders, member); };
    for (const auto& [sender, list] : receivers) {
        std::vector<std::string> known;
        for (const std::string& member : list)
            if (place(member) != senders.end()) known.push_back(member);
        if (!std::ranges::is_sorted(known, {}, place)) return false;
    }
    return true;
}

struct Line {
    std::string source, target;
    double value = 0;
};

/// Every value, in the promised order, with shares of the sum without signs.
void checkRanked(const json& rows, std::vector<Line> expected, bool ofRanks)
{
    std::ranges::stable_sort(expected, [](const Line& a, const Line& b) { return a.value > b.value; });
    double all = 0, before = 0;
    for (const Line& line : expected) all += std::abs(line.value);
    REQUIRE(rows.size() == expected.size());
    std::multiset<std::tuple<std::string, std::string, double>> found, wanted;
    for (std::size_t i = 0; i < expected.size(); ++i) {
        const json& row = rows[i];
        CHECK(row["value"].get<double>() == expected[i].value);
        before += std::abs(expected[i].value);
        CHECK(row["cumulative_share"].get<double>() == Approx(all > 0 ? before / all : 0));
        CHECK(row.size() == (ofRanks ? 3u : 4u));
        found.emplace(ofRanks ? memberText(row["rank"]) : row["source"].get<std::string>(),
                      ofRanks ? "" : row["target"].get<std::string>(), row["value"].get<double>());
        wanted.emplace(expected[i].source, expected[i].target, expected[i].value);
    }
    CHECK(found == wanted);
}

std::vector<std::string> stopsOf(const std::string& path)
{
    std::vector<std::string> stops;
    std::istringstream words(path);
    std::string word, stop;
    while (words >> word) {
        if (word == ">") {
            stops.push_back(stop);
            stop.clear();
        } else stop += (stop.empty() ? "" : " ") + word;
    }
    stops.push_back(stop);
    return stops;
}

/// A random table on a torus, and what is to be ranked on it by the routes that the program prints.
struct RankedCase {
    std::string file;
    std::map<std::string, std::vector<Line>> lines;
};

RankedCase randomCase(const test::TemporaryFolder& folder, unsigned seed)
{
    std::mt19937 random(seed);
    constexpr unsigned kRanks = 12;
    std::string text = "sender,receiver,messages,bytes\n";
    std::map<unsigned, double> in, out;
    for (unsigned i = 0; i < 30; ++i) {
        const unsigned from = random() % kRanks, to = random() % kRanks, messages = 1 + random() % 9;
        text += fmt::format("{},{},{},{}\n", from, to, messages, 1 + random() % 1000);
        out[from] += messages;
        in[to] += messages;
    }
    text += fmt::format("{0},{0},1,1\n", kRanks - 1);
    out[kRanks - 1] += 1;
    in[kRanks - 1] += 1;
    RankedCase made{fileWith(folder, fmt::format("comm{}.csv", seed), text), {}};
    std::map<Pair, double> links;
    for (const json& row : jsonOf({"routes", made.file, "--topology", "torus:3x4"})) {
        const std::string from = row["source"], to = row["target"];
        const double bytes = row["bytes"].get<double>(), hops = row["hops"].get<double>();
        made.lines["route-bytes"].push_back({from, to, bytes});
        made.lines["route-length"].push_back({from, to, hops});
        made.lines["hop-bytes"].push_back({from, to, bytes * hops});
        const auto stops = stopsOf(row["path"]);
        CHECK(stops.size() == static_cast<std::size_t>(hops) + 1);
        for (std::size_t i = 1; i < stops.size(); ++i) links[{stops[i - 1], stops[i]}] += bytes;
    }
    for (const auto& [link, load] : links)
        made.lines["link-bytes"].push_back({link.first, link.second, load});
    for (unsigned rank = 0; rank < kRanks; ++rank) {
        made.lines["in-degree"].push_back({std::to_string(rank), "", in[rank]});
        made.lines["out-degree"].push_back({std::to_string(rank), "", out[rank]});
        made.lines["in-minus-out"].push_back({std::to_string(rank), "", in[rank] - out[rank]});
    }
    return made;
}

}  // namespace

TEST_CASE("comm adds up the sends of any window by any level, in every order")
{
    for (const std::uint64_t seed : {3u, 4u, 5u}) {
        const Experiment experiment = runOnHosts(seed);
        const cli::Opener open = [&](const std::filesystem::path&, const Task&) -> Result<ExperimentPtr> {
            return std::make_shared<const Experiment>(experiment);
        };
        const TimeNs end = experiment.trace->extent.end;
        for (const TimeSpan window : {TimeSpan{0, end + 1}, TimeSpan{end / 4, end / 2}, TimeSpan{7, 8}}) {
            for (const std::string level : {"rank", "node", "rack"}) {
                const auto wanted = countedAgain(experiment, window, level);
                for (const char* order : {"rank", "placement", "cluster", "bandwidth"}) {
                    INFO(seed << " " << level << " " << order << " " << window.begin);
                    if (level == "rack" && std::string(order) == "placement") continue;
                    const json rows =
                        jsonOf({"comm", "a", "--window", fmt::format("{}:{}", window.begin, window.end),
                                "--group-by", level, "--order", order},
                               open);
                    std::map<Pair, Sum> found;
                    for (const json& row : rows) {
                        CHECK(row.size() == 4);
                        found[{memberText(row["sender"]), memberText(row["receiver"])}] = {row["messages"],
                                                                                           row["bytes"]};
                    }
                    CHECK(found.size() == rows.size());
                    CHECK(found == wanted);
                    CHECK(inOneOrder(rows));
                }
            }
        }
    }
}

TEST_CASE("comm orders by rank and by host as it says")
{
    const Experiment experiment = runOnHosts(9);
    const std::map<std::string, Experiment> one{{"a", experiment}};
    const auto senders = [&](const char* order) {
        const auto result = runCli({"comm", "a", "--order", order, "--format", "json"}, one);
        REQUIRE(result.exitCode == 0);
        std::vector<std::uint64_t> list;
        for (const json& row : json::parse(result.out))
            if (list.empty() || list.back() != row["sender"]) list.push_back(row["sender"]);
        return list;
    };
    CHECK(senders("rank") == std::vector<std::uint64_t>{0, 1, 2, 3, 4, 5});
    // n2 has ranks 2 and 5, n9 1 and 4, n10 0 and 3.
    CHECK(senders("placement") == std::vector<std::uint64_t>{2, 5, 1, 4, 0, 3});
    const auto csv = runCli({"comm", "a", "--format", "csv"}, one);
    CHECK(csv.out.starts_with("sender,receiver,messages,bytes\n"));
    const auto table = runCli({"comm", "a"}, one);
    CHECK(table.out.starts_with("Sender"));
    CHECK(std::ranges::count(table.out, '\n') >= std::ranges::count(csv.out, '\n'));
    for (const std::vector<std::string>& wrong :
         {std::vector<std::string>{"--order", "size"}, {"--group-by", "blade"}, {"--window", "5"}}) {
        std::vector<std::string> arguments{"comm", "a"};
        arguments.insert(arguments.end(), wrong.begin(), wrong.end());
        const auto result = runCli(arguments, one);
        CHECK(result.exitCode == 2);
        CHECK(result.err.starts_with("skein-cli: "));
        CHECK(result.out.empty());
    }
}

TEST_CASE("rank tells what the routes of the machine tell, by every metric")
{
    const test::TemporaryFolder folder;
    for (const unsigned seed : {1u, 2u, 3u}) {
        const RankedCase made = randomCase(folder, seed);
        for (const auto& [metric, lines] : made.lines) {
            INFO(seed << " " << metric);
            const bool ofRanks = metric.starts_with("in-") || metric == "out-degree";
            const std::vector<std::string> base{"rank",      made.file,  "--topology",
                                                "torus:3x4", "--metric", metric};
            const json rows = jsonOf(base);
            checkRanked(rows, lines, ofRanks);
            const auto top = [&](const std::string& shown) {
                auto arguments = base;
                arguments.insert(arguments.end(), {"--top", shown});
                return jsonOf(arguments);
            };
            // A part is rounded up, so that the top of a list is never empty.
            const auto fifth = static_cast<std::size_t>(std::ceil(static_cast<double>(rows.size()) / 5));
            CHECK(top("20%") == json(json::array_t(rows.begin(), rows.begin() + std::ptrdiff_t(fifth))));
            CHECK(top("3") == json(json::array_t(rows.begin(), rows.begin() + 3)));
            CHECK(top("100000") == rows);
            CHECK(top("100%") == rows);
            auto arguments = base;
            arguments.insert(arguments.end(), {"--format", "csv"});
            const std::string csv = runCli(arguments).out;
            CHECK(csv.starts_with(ofRanks ? "rank,value,cumulative_share\n"
                                          : "source,target,value,cumulative_share\n"));
            CHECK(std::ranges::count(csv, '\n') == static_cast<std::ptrdiff_t>(rows.size()) + 1);
            CHECK(runCli(base).out.find("Cumulative share") != std::string::npos);
        }
    }
}

TEST_CASE("predict tells seconds of each phase and of all, on the placement of a map")
{
    const test::TemporaryFolder folder;
    const auto comm =
        fileWith(folder, "comm.csv", "sender,receiver,messages,bytes\n0,3,1,4000\n1,2,1,1000\n");
    const auto map = fileWith(folder, "map.txt", "0 0 0 0 0 0\n2 0 0 0 0 0\n3 0 0 0 0 0\n1 0 0 0 0 0\n");
    const std::vector<std::string> base{"predict",     comm,   "--topology", "mesh:4x1x1x1x1",
                                        "--bandwidth", "1000", "--latency",  "0"};
    const json before = jsonOf(base);
    for (const char* field : {"topology", "routing", "placement", "bandwidth_bytes_per_second",
                              "latency_seconds", "bytes", "seconds", "max_link_seconds", "phases"})
        CHECK(before.contains(field));
    // The middle link carries both: 1000 bytes share it for 2 s, then 3000 have it alone.
    CHECK(before["max_link_seconds"].get<double>() == Approx(5.0));
    CHECK(before["seconds"].get<double>() == Approx(5.0));
    auto mapped = base;
    mapped.insert(mapped.end(), {"--map", "bgq:" + map});
    const json after = jsonOf(mapped);
    // Now 0 and 3 are neighbours, and so are 1 and 2.
    CHECK(after["seconds"].get<double>() == Approx(4.0));
    CHECK(after["max_link_seconds"].get<double>() == Approx(4.0));
    CHECK(after["bytes"] == before["bytes"]);
    for (const json& found : {before, after}) {
        double seconds = 0;
        for (const json& phase : found["phases"]) {
            CHECK(phase.size() == 7);
            seconds += phase["seconds"].get<double>();
            CHECK(phase.contains("max_link_seconds"));
        }
        CHECK(seconds == Approx(found["seconds"].get<double>()));
    }
    auto asCsv = base;
    asCsv.insert(asCsv.end(), {"--format", "csv"});
    CHECK(runCli(asCsv).out.starts_with("phase,begin_ns,end_ns,messages,bytes,seconds,max_link_seconds\n"));
    CHECK(runCli(base).out.find("Seconds") != std::string::npos);
    auto both = mapped;
    both.insert(both.end(), {"--placement", "block"});
    CHECK(runCli(both).exitCode == 2);
}

}  // namespace skein::communication_contract_test
