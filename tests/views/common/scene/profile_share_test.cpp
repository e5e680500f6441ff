// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/scene/profile_share.h"

#include "tests/support/catch.h"
#include "tests/support/random_calls.h"

#include <chrono>
#include <stop_token>
#include <thread>
#include <vector>

namespace skein::profile_share_test {

TEST_CASE("views that ask for the same part of a run at once get the same profile, others their own")
{
    const ExperimentPtr experiment = test::experimentOfRandomCalls(1, 20'000, 4);
    const ExperimentPtr other = test::experimentOfRandomCalls(1, 20'000, 4);
    ProfileShare share;
    std::vector<std::shared_ptr<const Profile>> got(6);
    {
        std::vector<std::jthread> threads;
        for (auto& profile : got)
            threads.emplace_back([&] { profile = share.of(experiment, {}, Task()).value_or(nullptr); });
    }
    REQUIRE(got.front());
    for (const auto& profile : got) CHECK(profile == got.front());
    CHECK(share.of(experiment, {TimeSpan{0, 1000}, {}}, Task()).value() != got.front());
    CHECK(share.of(other, {}, Task()).value() != got.front());
    const std::weak_ptr<const Profile> kept = got.front();
    got.clear();
    CHECK(kept.expired());
    CHECK(share.of(experiment, {}, Task()));
}

TEST_CASE("who waits for a profile whose maker is stopped makes it")
{
    const ExperimentPtr experiment = test::experimentOfRandomCalls(3, 50'000, 8);
    for (int round = 0; round < 20; ++round) {
        ProfileShare share;
        std::stop_source stop;
        if (round == 0) stop.request_stop();
        Result<std::shared_ptr<const Profile>> stopped = nullptr, made = nullptr;
        {
            std::jthread one([&] { stopped = share.of(experiment, {}, Task(stop.get_token())); });
            std::jthread two([&] { made = share.of(experiment, {}, Task()); });
            std::this_thread::sleep_for(std::chrono::microseconds(100 * round));
            stop.request_stop();
        }
        REQUIRE(made);
        CHECK(*made);
        CHECK((stopped.has_value() || stopped.error().cancelled()));
    }
}

}  // namespace skein::profile_share_test
