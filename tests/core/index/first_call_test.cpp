// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/index/first_call.h"

#include "tests/support/catch.h"

#include <random>

namespace skein::first_call_test {

TEST_CASE("the first call from a time on is that of all calls, at the ends of the run as between")
{
    for (std::uint32_t seed = 1; seed <= 30; ++seed) {
        std::mt19937 random(seed);
        std::vector<TimeNs> begins(random() % 300);
        for (TimeNs& begin : begins) begin = static_cast<TimeNs>(random() % (seed % 3 == 0 ? 20 : 5000));
        std::sort(begins.begin(), begins.end());
        CallIntervals calls;
        calls.begin = Column<TimeNs>(begins);
        for (TimeNs time = -2; time < 5100; time += 1 + static_cast<TimeNs>(random() % 9)) {
            const auto wanted = std::lower_bound(begins.begin(), begins.end(), time) - begins.begin();
            REQUIRE(firstCallFrom(calls, time) == static_cast<std::uint32_t>(wanted));
        }
    }
}

}  // namespace skein::first_call_test
