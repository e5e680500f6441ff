// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/importer.h"
#include "tests/support/catch.h"
#include "tests/support/cli.h"
#include "tests/support/paths.h"
#include "views/common/scene/data/machine_check.h"
#include "views/common/scene/data/session_communication.h"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

/// Machines that no memory holds and files that lie: a sentence each, and the rest is there.
namespace skein::hostile_communication_test {
namespace {

using nlohmann::json;
using test::fileWith;
using test::runCli;

const std::vector<std::string> kHugeMachines{"torus:1000x1000x1000",
                                             "mesh:1000000000",
                                             "hamming:1000x1000x1000",
                                             "hypercube:30",
                                             "torus:4294967295x2",
                                             "mesh:99999999999",
                                             "dragonfly:1000x1000x1000",
                                             "fattree:k=1000,n=3",
                                             "torus:-4x4",
                                             "torus:0x4",
                                             "torus:nanx4",
                                             "dragonfly:4294967295x4294967295x2"};

/// A sentence, perhaps with what it is about in parentheses behind it.
bool isSentence(const std::string& text)
{
    const std::size_t behind = text.ends_with(')') ? text.rfind(" (") : text.size();
    return behind > 0 && behind != std::string::npos && text[behind - 1] == '.'
        && text.find('\n') == std::string::npos;
}

bool isOneSentence(const std::string& text)
{
    return text.ends_with('\n') && isSentence(text.substr(0, text.size() - 1));
}

void checkRefused(const std::vector<std::string>& arguments)
{
    const auto result = runCli(arguments);
    INFO(fmt::format("{}", fmt::join(arguments, " ")));
    INFO(result.err);
    CHECK(result.exitCode != 0);
    CHECK(result.out.empty());
    CHECK(isOneSentence(result.err));
}

SessionPtr sessionOf(const std::string& file)
{
    auto session = std::make_shared<Session>();
    session->experiments.push_back(openExperiment(file, Task()).value());
    return session;
}

SessionCommunicationPtr communicationOn(const SessionPtr& session, const MachineChoice& machine)
{
    ResultStore results;
    CommunicationRequest request;
    request.machine = machine;
    return communicationOf(results, session, request, Task()).value();
}

}  // namespace

TEST_CASE("machines of a thousand million nodes are refused in a sentence by every command and every view")
{
    const test::TemporaryFolder folder;
    const auto comm = fileWith(folder, "comm.csv", "sender,receiver,bytes\n0,3,10\n1,2,30\n");
    const SessionPtr session = sessionOf(comm);
    for (const std::string& machine : kHugeMachines) {
        checkRefused({"traffic", comm, "--topology", machine});
        checkRefused({"rank", comm, "--topology", machine, "--metric", "link-bytes"});
        checkRefused({"predict", comm, "--topology", machine});
        checkRefused({"remap", comm, "--topology", machine, "--time", "0.1"});
        const auto communication = communicationOn(session, {.topology = machine});
        INFO(machine);
        CHECK_FALSE(communication->machine);
        CHECK(isSentence(communication->machineProblem));
        CHECK(communication->matrix->totalBytes() == 40);
        ResultStore results;
        const auto check =
            checkMachine(results, session, 0, {.topology = machine}, communication->matrix->ranks(), Task());
        CHECK(check.value().wrong == MachinePart::Topology);
        CHECK(isSentence(check.value().problem));
    }
}

TEST_CASE("a matrix that names ranks beyond the machine is told so, and stays")
{
    const test::TemporaryFolder folder;
    const auto comm = fileWith(folder, "comm.csv", "sender,receiver,bytes\n0,9,10\n0,1,3\n");
    for (const std::string command : {"traffic", "predict", "routes", "remap"})
        checkRefused({command, comm, "--topology", "mesh:4", "--ranks-per-node", "2"});
    checkRefused({"rank", comm, "--topology", "mesh:4", "--ranks-per-node", "2", "--metric", "hop-bytes"});
    const auto communication = communicationOn(sessionOf(comm), {.topology = "mesh:4", .ranksPerNode = 2});
    CHECK_FALSE(communication->machine);
    CHECK(isSentence(communication->machineProblem));
    CHECK(communication->matrix->totalBytes() == 13);
    // A rank that no machine can have is one line less, not a matrix of a million million cells.
    const auto far = fileWith(folder, "far.csv", "sender,receiver,bytes\n0,4294967295,10\n0,1,3\n");
    const auto rest = runCli({"comm", far, "--format", "csv"});
    CHECK(rest.exitCode == 3);
    CHECK(rest.out.ends_with("\n0,1,,3\n"));
    const auto market = fileWith(folder, "far.mtx",
                                 "%%MatrixMarket matrix coordinate real general\n"
                                 "4000000000 4000000000 1\n1 2 5\n");
    checkRefused({"comm", market});
    const auto outside = fileWith(folder, "outside.mtx",
                                  "%%MatrixMarket matrix coordinate real general\n3 3 2\n1 2 5\n9 1 4\n");
    const auto kept = runCli({"comm", outside, "--format", "csv"});
    CHECK(kept.exitCode == 3);
    CHECK(kept.out.find("0,1,,5") != std::string::npos);
}

TEST_CASE("bytes that are no numbers or negative cost their line alone, and a finding names it")
{
    const test::TemporaryFolder folder;
    const std::vector<std::pair<std::string, std::string>> files{
        {"pairs.csv", "sender,receiver,bytes\n0,1,7\n1,2,nan\n2,0,-5\n2,1,inf\n1,0,9\n"},
        {"hopbyte.txt", "0 1 3 1\n0 1 4 1\n1 2 nan 1\n2 0 -5 1\n2 1 inf 1\n1 0 9 1\n1 2 0 1\n"},
        {"matrix.mtx",
         "%%MatrixMarket matrix coordinate real general\n3 3 5\n1 2 7\n2 3 nan\n3 1 -5\n3 2 inf\n2 1 9\n"}};
    for (const auto& [name, text] : files) {
        const auto file = fileWith(folder, name, text);
        const auto comm = runCli({"comm", file, "--format", "json"});
        INFO(name << comm.err);
        CHECK(comm.exitCode == 3);
        std::uint64_t bytes = 0;
        for (const json& row : json::parse(comm.out)) bytes += row["bytes"].get<std::uint64_t>();
        CHECK(bytes == 16);
        CHECK(isOneSentence(comm.err));
        CHECK(json::parse(runCli({"check", file, "--format", "json"}).out).size() == 3);
        const auto traffic = runCli({"traffic", file, "--topology", "mesh:3", "--format", "json"});
        CHECK(traffic.exitCode == 3);
        CHECK(json::parse(traffic.out)["bytes"] == 16);
        const auto communication = communicationOn(sessionOf(file), {.topology = "mesh:3"});
        CHECK(communication->traffic.bytes == 16);
        CHECK(communication->traffic.hopBytes == 16);
    }
}

TEST_CASE("routes that skip hops keep what is known of them")
{
    const test::TemporaryFolder folder;
    const auto file = fileWith(folder, "route.txt",
                               "Hop 1: [0-3] 0 (0 0) -> 1 (1 0)\nHop 3: [0-3] 2 (2 0) -> 3 (3 0)\n"
                               "Hop 2: [3-1] 2 (2 0) -> 1 (1 0)\nHop 1: [1-2] 1 (1 0) -> 2 (2 0)\n");
    const auto comm = runCli({"comm", file, "--format", "csv"});
    CHECK(comm.exitCode == 3);
    CHECK(comm.out.find("\n0,3,") != std::string::npos);
    CHECK(comm.out.find("\n1,2,") != std::string::npos);
    const json findings = json::parse(runCli({"check", file, "--format", "json"}).out);
    REQUIRE(findings.size() == 2);
    for (const json& finding : findings) {
        CHECK(finding["file"].get<std::string>().find("route.txt") != std::string::npos);
        CHECK(finding["severity"] == "data loss");
    }
    const auto traffic = runCli({"traffic", file, "--topology", "mesh:4", "--format", "json"});
    INFO(traffic.err);
    CHECK(traffic.exitCode == 3);
    CHECK(json::parse(traffic.out)["links_used"] >= 1);
    const auto communication = communicationOn(sessionOf(file), {.topology = "mesh:4"});
    REQUIRE(communication->machine);
    CHECK(communication->traffic.loads.listed()[0] + communication->traffic.summary.maximum > 0);
    // Beside a table the routes count where they fit, and the model stands in for the others.
    const auto table = fileWith(folder, "comm.csv", "sender,receiver,bytes\n0,3,10\n1,2,30\n3,1,5\n");
    const auto beside =
        runCli({"traffic", table, "--topology", "mesh:4", "--routes", file, "--format", "json"});
    INFO(beside.err);
    const json figures = json::parse(beside.out);
    CHECK(figures["bytes"] == 45);
    CHECK(figures["measured_pairs"] == 1);
    CHECK(figures["hop_bytes"] == 3 * 10 + 30 + 2 * 5);
    const auto elsewhere = runCli({"traffic", table, "--topology", "mesh:2x2", "--routes", file});
    CHECK(elsewhere.exitCode == 2);
    // First what the file has lost, then why its routes are of no use here.
    const std::size_t refusal = elsewhere.err.find("skein-cli: ", 1);
    CHECK(elsewhere.err.find("data loss") < refusal);
    CHECK(isOneSentence(elsewhere.err.substr(refusal)));
}

}  // namespace skein::hostile_communication_test
