// SPDX-License-Identifier: GPL-3.0-or-later
// What only a process has: pipes and exit codes of the built skein-cli.
#include "tests/support/catch.h"
#include "tests/support/paths.h"

#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>
#include <sys/wait.h>

namespace skein::process_test {

namespace {

struct Outcome {
    int exitCode = -1;
    std::string output;
};

/// Runs a line of shell with $CLI set to the built program; standard error is part of the output.
Outcome shell(const std::string& line)
{
    const auto program = skein::test::builtProgram("skein-cli");
    if (!std::filesystem::exists(program)) return {-2, {}};
    const skein::test::TemporaryFolder folder;
    const auto script = folder.path() / "script";
    std::ofstream(script) << "cd '" << skein::test::sourcePath("").string() << "'; CLI='" << program.string()
                          << "'; exec 2>&1\n"
                          << line << "\n";
    std::FILE* const pipe = popen(("bash '" + script.string() + "'").c_str(), "r");
    REQUIRE(pipe);
    Outcome outcome;
    std::array<char, 4096> buffer{};
    while (const std::size_t read = fread(buffer.data(), 1, buffer.size(), pipe))
        outcome.output.append(buffer.data(), read);
    const int status = pclose(pipe);
    outcome.exitCode = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    return outcome;
}

}  // namespace

TEST_CASE("process: a reader that wants no more ends skein-cli quietly")
{
    const Outcome piped = shell(
        "$CLI messages examples/heatflow-16x2/trace-otf2 --format csv | head -n 1; echo ${PIPESTATUS[0]}");
    if (piped.exitCode == -2) return;
    CHECK(piped.output == "sender,receiver,communicator,tag,bytes,send_ns,receive_ns,send_end_ns\n0\n");
}

TEST_CASE("process: output that cannot be written is a failure with one sentence")
{
    const Outcome full = shell("$CLI messages examples/heatflow-16x2/trace-otf2 --format csv > /dev/full");
    if (full.exitCode == -2) return;
    CHECK(full.exitCode == 1);
    CHECK(full.output == "skein-cli: The output cannot be written: No space left on device.\n");
}

TEST_CASE("process: threads that the affinity or the user asks for are no reason for a warning")
{
    for (const std::string command :
         {"taskset -c 0 $CLI", "$CLI --threads 64", "taskset -c 0 $CLI --threads 3"}) {
        const Outcome info =
            shell(command + " --no-index info examples/heatflow-16x2/trace-otf2 | grep -i warning");
        if (info.exitCode == -2) return;
        INFO(command);
        CHECK(info.output.empty());
    }
}

TEST_CASE("process: exit codes are what the documentation says")
{
    const Outcome codes = shell("$CLI --version > /dev/null; echo $?; $CLI info no/such > /dev/null 2>&1; "
                                "echo $?; $CLI info > /dev/null 2>&1; echo $?");
    if (codes.exitCode == -2) return;
    CHECK(codes.output == "0\n1\n2\n");
}

TEST_CASE("process: Ctrl-C ends an import at once, with the exit code of an interruption and nothing printed")
{
    if (!std::filesystem::exists(skein::test::builtProgram("skein-generate-archive"))) return;
    const skein::test::TemporaryFolder folder;
    const std::string archive = (folder.path() / "halo").string();
    const Outcome stopped = shell("'" + skein::test::builtProgram("skein-generate-archive").string()
                                  + "' --ranks 8 --events 8000000 '" + archive
                                  + "' > /dev/null; timeout --preserve-status -s INT -k 2 0.1 $CLI info '"
                                  + archive + "'; echo $?");
    if (stopped.exitCode == -2) return;
    CHECK(stopped.output == "130\n");
}

TEST_CASE("process: Ctrl-C ends a search with the best found so far, also when a wrapper sends it twice")
{
    const Outcome stopped = shell("Q=$(mktemp); O=$(mktemp); awk 'BEGIN { srand(1); print 60; for (i = 0; i "
                                  "< 7200; ++i) print int(rand() * 100) }' > $Q; "
                                  "$CLI qap $Q --time 60 --format json > $O & P=$!; sleep 1.5; kill -INT $P; "
                                  "kill -INT $P 2> /dev/null; "
                                  "wait $P; echo $?; grep -c '\"permutation\": .[0-9]' $O; rm $Q $O");
    if (stopped.exitCode == -2) return;
    CHECK(stopped.output == "0\n1\n");
}

TEST_CASE(
    "process: killed at any moment while it saves an index, skein-cli says the same numbers the next time")
{
    const Outcome killed =
        shell("F=$(mktemp -d); cp -r examples/lulesh-8/trace-otf2 $F/run; $CLI info --no-index --format json "
              "$F/run > $F/expected; "
              "for KILL in 1 2 3 4 5 6 7 8; do find $F/run -name '*.otf2' -exec touch {} +; "
              "$CLI index build --index-dir $F/index $F/run > /dev/null & P=$!; sleep 0.$(printf %03d "
              "$((RANDOM % 200))); "
              "{ kill -9 $P; wait $P; } 2> /dev/null; "
              "$CLI info --index-dir $F/index --format json $F/run | cmp - $F/expected && echo same; done; "
              "ls $F/index | grep -v -e 'skein-index$' -e 'skein-stamp$'; rm -r $F");
    if (killed.exitCode == -2) return;
    CHECK(killed.output == "same\nsame\nsame\nsame\nsame\nsame\nsame\nsame\n");
}

}  // namespace skein::process_test
