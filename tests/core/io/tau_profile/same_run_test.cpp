// SPDX-License-Identifier: GPL-3.0-or-later
// A TAU profile and an OTF2 trace of the very same run: everything between the two importers.
#include "core/io/importer.h"
#include "tests/support/catch.h"
#include "tests/support/paths.h"
#include "tests/support/tau_facts.h"

namespace skein::same_run_test {

using namespace skein::test;

namespace {

void compare(const std::filesystem::path& folder)
{
    INFO(folder);
    const auto profile = openExperiment(folder / "profile-same-run", Task());
    const auto trace = openExperiment(folder / "trace-otf2", Task());
    REQUIRE(profile);
    REQUIRE(trace);
    const auto recorded = regionSums(**profile);
    const auto summed = traceSums(**trace);
    CHECK(recorded.size() == summed.size());
    for (const auto& [name, sum] : recorded) {
        INFO(name);
        REQUIRE(summed.count(name) == 1);
        CHECK(summed.at(name).calls == sum.calls);
        CHECK(summed.at(name).inclusive == sum.inclusive);
        CHECK(summed.at(name).exclusive == sum.exclusive);
    }
    const CommMatrix sent = traceMatrix(**trace);
    REQUIRE((*profile)->commMatrix);
    CHECK(std::equal(sent.entries().begin(), sent.entries().end(), (*profile)->commMatrix->entries().begin(),
                     (*profile)->commMatrix->entries().end()));
}

}  // namespace

TEST_CASE("a TAU profile and the OTF2 trace of the same run agree to the microsecond in every region")
{
    SKEIN_SHARED_OR_SKIP(sets, "data/ours");
    for (const char* set : {"lulesh-8", "miniamr-16", "heatflow-16x2", "workflow-12-4/ana"})
        compare(sets / set);
}

TEST_CASE("the bundled example's profile and trace agree to the microsecond")
{
    compare(sourcePath("examples/heatflow-16x2"));
}

}  // namespace skein::same_run_test
