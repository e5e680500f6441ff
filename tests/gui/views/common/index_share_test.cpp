// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/index_share.h"

#include "tests/support/catch.h"
#include "tests/support/random_calls.h"

#include <thread>

namespace skein::index_share_test {

TEST_CASE("views that ask for the same trace at the same time share one index")
{
    const ExperimentPtr experiment = test::experimentOfRandomCalls(3, 2000, 4);
    IndexShare share;
    std::vector<TimelineIndexPtr> found(4);
    {
        std::vector<std::jthread> threads;
        for (TimelineIndexPtr& one : found)
            threads.emplace_back([&] { one = share.of(*experiment, Task()).value_or(nullptr); });
    }
    REQUIRE(found[0]);
    for (const TimelineIndexPtr& one : found) CHECK(one == found[0]);
    CHECK(share.of(*test::experimentOfRandomCalls(4, 100), Task()).value() != found[0]);
}

TEST_CASE("an index whose building was cancelled is built by the next who asks")
{
    const ExperimentPtr experiment = test::experimentOfRandomCalls(3, 200, 4);
    IndexShare share;
    std::stop_source stop;
    stop.request_stop();
    const auto stopped = share.of(*experiment, Task(stop.get_token()));
    REQUIRE_FALSE(stopped);
    CHECK(stopped.error().cancelled());
    CHECK(share.of(*experiment, Task()).has_value());
}

}  // namespace skein::index_share_test
