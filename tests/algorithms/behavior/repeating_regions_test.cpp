// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/behavior/repeating_regions.h"

#include "tests/support/catch.h"
#include "tests/support/small_session.h"

namespace skein::repeating_regions_test {

TEST_CASE("regions that repeat are those called 20 to 5000 times on the first location, by their time")
{
    test::ExperimentBuilder builder("steps");
    std::vector<test::Call> calls{{0, 100'000, "main", 0}};
    for (int i = 0; i < 20; ++i) {
        const TimeNs begin = 10 + i * 1000;
        calls.push_back({begin, begin + 100, "short", 1});
        calls.push_back({begin + 200, begin + 900, "long", 1});
        if (i > 0) calls.push_back({begin + 910, begin + 980, "too seldom", 1});
    }
    builder.process("node", calls);
    builder.process("node", {{0, 100'000, "main", 0}});
    const ExperimentPtr experiment = builder.finish();
    CHECK(repeatingRegions(*experiment, Task()) == std::vector<std::string>{"long", "short"});
    CHECK(repeatingRegions(Experiment(), Task()).empty());
}

}  // namespace skein::repeating_regions_test
