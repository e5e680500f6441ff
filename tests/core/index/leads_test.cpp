// SPDX-License-Identifier: GPL-3.0-or-later
// Which region leads in several locations, beside counting at every time.
#include "core/index/leads.h"
#include "core/index/own_time.h"
#include "tests/support/catch.h"
#include "tests/support/many_locations.h"

#include <algorithm>
#include <map>

namespace skein::leads_test {

namespace {

constexpr std::uint32_t kNobody = CallPathId::kNone;

struct Call {
    TimeNs begin;
    TimeNs end;
    std::uint32_t callPath;
    std::uint16_t depth = 0;
};

CallIntervals callsOf(const std::vector<Call>& calls)
{
    ColumnBuilder<TimeNs> begin, end;
    ColumnBuilder<std::uint32_t> callPath;
    ColumnBuilder<std::uint16_t> depth;
    for (const Call& call : calls) {
        begin.push(call.begin);
        end.push(call.end);
        callPath.push(call.callPath);
        depth.push(call.depth);
    }
    return {begin.finish(), end.finish(), callPath.finish(), depth.finish()};
}

/// Call paths 0, 1, 2 … are of regions 0, 0, 1, 1, 2, 2 …
Leads leadsOf(const std::vector<std::vector<Call>>& locations)
{
    std::vector<CallIntervals> calls;
    for (const auto& location : locations) calls.push_back(callsOf(location));
    std::vector<const CallIntervals*> all;
    for (const CallIntervals& location : calls) all.push_back(&location);
    return *findLeads(all, std::vector<std::uint32_t>{0, 0, 1, 1, 2, 2}, 3, Task());
}

std::vector<std::pair<TimeNs, std::uint32_t>> beginsOf(const Leads& leads)
{
    std::vector<std::pair<TimeNs, std::uint32_t>> begins;
    for (std::size_t lead = 0; lead < leads.size(); ++lead)
        begins.push_back({leads.begin(lead), leads.callPath(lead)});
    return begins;
}

using Begins = std::vector<std::pair<TimeNs, std::uint32_t>>;

/// In how many locations each region is innermost at a time.
std::map<std::uint32_t, int> countsAt(const test::ManyLocations& locations, TimeNs time)
{
    std::map<std::uint32_t, int> counts;
    for (std::size_t location = 0; location < locations.intervals.size(); ++location) {
        const CallIntervals& calls = *locations.intervals[location];
        const std::uint32_t innermost = locations.index.locations[location].skip.innermostAt(calls, time);
        if (innermost != kNoInterval) ++counts[locations.paths.region[calls.callPath[innermost]]];
    }
    return counts;
}

}  // namespace

TEST_CASE("the region that leads is the one most locations are in, at every time")
{
    for (std::uint32_t seed = 1; seed <= 6; ++seed) {
        const test::ManyLocations locations(seed, 60, 7);
        const Leads leads =
            *findLeads(locations.intervals, locations.paths.region, locations.paths.regionCount, Task());
        REQUIRE(leads.size() > 10);
        REQUIRE(leads.begin(0) == 0);
        for (std::size_t lead = 0; lead < leads.size(); ++lead) {
            const TimeSpan span = leads[lead].span;
            REQUIRE(span.begin < span.end);
            const TimeNs last = lead + 1 < leads.size() ? span.end - 1 : span.begin;
            for (const TimeNs time : {span.begin, span.begin + (last - span.begin) / 3, last}) {
                const auto counts = countsAt(locations, time);
                INFO("seed " << seed << " lead " << lead << " time " << time);
                if (leads.callPath(lead) == kNobody) {
                    REQUIRE(counts.empty());
                    continue;
                }
                if (counts.empty() && span.lengthNs() == 1) continue;  // of a call without duration
                int most = 0;
                for (const auto& [region, count] : counts) most = std::max(most, count);
                REQUIRE(counts.at(locations.paths.region[leads.callPath(lead)]) == most);
            }
        }
    }
}

TEST_CASE(
    "a lead's share is its region's part of all locations' time, and its call path the region's longest")
{
    // Region 0 in two of three locations, in call path 0 for 20 ns, in call path 1 for 60.
    const Leads leads = leadsOf({{{0, 40, 1}}, {{0, 20, 0}, {20, 40, 1}}, {{0, 40, 2}}});
    REQUIRE(beginsOf(leads) == Begins{{0, 1}, {40, kNobody}});
    CHECK(leads[0].share == Approx(2.0 / 3).margin(1.0 / 254));
    CHECK(leads[0].share <= 2.0 / 3);
    CHECK(leads[0].span == TimeSpan{0, 40});
}

TEST_CASE("a region goes on to lead while no other is in more locations")
{
    const Leads leads = leadsOf({{{10, 100, 4}}, {{10, 30, 4}, {30, 100, 2}}, {{60, 100, 2}}});
    CHECK(beginsOf(leads) == Begins{{0, kNobody}, {10, 4}, {60, 2}, {100, kNobody}});
}

TEST_CASE("a lead ends where its region is in more than twice as many locations, or less than half as many")
{
    const std::vector<Call> late{{60, 100, 2}};
    CHECK(beginsOf(leadsOf({{{0, 120, 2}}, late, late}))
          == Begins{{0, 2}, {60, 2}, {100, 2}, {120, kNobody}});
    const Leads leads = leadsOf({{{0, 120, 2}}, late, {}});
    CHECK(beginsOf(leads) == Begins{{0, 2}, {120, kNobody}});
    CHECK(leads[0].share == Approx((120.0 + 40) / (3 * 120)).margin(1.0 / 254));
}

TEST_CASE("of regions that begin together the smaller one leads")
{
    CHECK(beginsOf(leadsOf({{{0, 10, 4}}, {{0, 10, 2}}})) == Begins{{0, 2}, {10, kNobody}});
}

TEST_CASE("calls inside others take the lead over from them, and give it back")
{
    const std::vector<Call> nested{{0, 100, 0}, {20, 50, 2, 1}, {30, 40, 4, 2}};
    CHECK(beginsOf(leadsOf({nested, nested}))
          == Begins{{0, 0}, {20, 2}, {30, 4}, {40, 2}, {50, 0}, {100, kNobody}});
}

TEST_CASE("a call without duration leads for a nanosecond where nobody is in a call")
{
    CHECK(beginsOf(leadsOf({{{5, 5, 2}, {20, 30, 0}, {25, 25, 4, 1}}, {{6, 6, 4}, {6, 6, 2}}}))
          == Begins{{0, kNobody}, {5, 2}, {6, 4}, {7, kNobody}, {20, 0}, {30, kNobody}});
    CHECK(beginsOf(leadsOf({{{0, 0, 2}}})) == Begins{{0, 2}, {1, kNobody}});
    // Inside another one, which ends with it.
    CHECK(beginsOf(leadsOf({{{0, 8, 2}, {8, 8, 0, 1}}})) == Begins{{0, 2}, {8, kNobody}});
}

TEST_CASE("locations without calls lead nothing, and count among all locations")
{
    CHECK(leadsOf({{}, {}}).size() == 0);
    const Leads leads = leadsOf({{}, {{0, 10, 2}}, {}, {}});
    REQUIRE(leads.size() == 2);
    CHECK(leads[0].share == Approx(0.25).margin(1.0 / 254));
}

TEST_CASE("finding leads can be stopped")
{
    const test::ManyLocations locations(3, 20'000, 8);
    std::stop_source stop;
    stop.request_stop();
    CHECK_FALSE(findLeads(locations.intervals, locations.paths.region, locations.paths.regionCount,
                          Task(stop.get_token())));
}

}  // namespace skein::leads_test
