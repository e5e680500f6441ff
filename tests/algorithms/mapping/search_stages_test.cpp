// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/mapping/search_stages.h"
#include "tests/support/catch.h"

#include <algorithm>

using namespace skein;

namespace {

std::vector<double> stagesOfSeconds(double seconds) { return stageEnds(SearchClock(SearchBudget{seconds, 0}), true); }

}  // namespace

TEST_CASE("remap: a longer search begins with the stages of a shorter one")
{
    CHECK(stagesOfSeconds(1.9) == std::vector<double>{1.9});
    CHECK(stagesOfSeconds(4.0) == std::vector<double>{4.0});
    CHECK(stagesOfSeconds(9.9) == std::vector<double>{2.0, 9.9});
    CHECK(stagesOfSeconds(60.0) == std::vector<double>{2.0, 10.0, 60.0});
    CHECK(stagesOfSeconds(3600.0) == std::vector<double>{2.0, 10.0, 60.0, 600.0, 3600.0});
    CHECK(stageEnds(SearchClock(SearchBudget{60.0, 0}), false) == std::vector<double>{60.0});
    const auto bySteps = stageEnds(SearchClock(SearchBudget{0.0, 500000000}), true);
    CHECK(bySteps == std::vector<double>{100000000.0, 500000000.0});
}
