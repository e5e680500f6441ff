// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/session/global_ranks.h"

#include "tests/support/catch.h"
#include "tests/support/random_trace.h"

namespace skein::global_ranks_test {

TEST_CASE("the ranks of components follow each other without gaps")
{
    Session session;
    for (const std::uint32_t processes : {3u, 0u, 12u, 4u})
        session.experiments.push_back(std::make_shared<const Experiment>(
            test::randomExperiment(1, {.processes = processes, .threadsPerProcess = 2})));
    const auto ranges = globalRanks(session);
    REQUIRE(ranges.size() == 4);
    std::uint64_t next = 0;
    const std::uint64_t counts[] = {3, 0, 12, 4};
    for (std::size_t i = 0; i < 4; ++i) {
        CHECK(ranges[i].first == next);
        CHECK(ranges[i].count == counts[i]);
        next += counts[i];
    }
}

}  // namespace skein::global_ranks_test
