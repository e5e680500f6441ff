// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trace/nested_calls.h"

#include "core/index/first_call.h"
#include "tests/support/catch.h"

#include <random>

namespace skein::nested_calls_test {
namespace {

struct Call {
    TimeNs begin;
    TimeNs end;
};

/// Calls inside of [from, to), some without duration and some that touch.
void addCalls(std::vector<Call>& calls, std::vector<std::uint16_t>& depths, std::mt19937& random, TimeNs from,
              TimeNs to, std::uint16_t depth)
{
    while (from < to && calls.size() < 300) {
        const auto within = [&](TimeNs least) {
            return least + static_cast<TimeNs>(random() % static_cast<std::uint64_t>(to - least + 1));
        };
        const TimeNs begin = within(from), end = within(begin);
        calls.push_back({begin, end});
        depths.push_back(depth);
        if (depth < 6 && random() % 3 != 0) addCalls(calls, depths, random, begin, end, depth + 1);
        from = end + static_cast<TimeNs>(random() % 3);
    }
}

CallIntervals randomCalls(std::mt19937& random)
{
    std::vector<Call> calls;
    std::vector<std::uint16_t> depths;
    addCalls(calls, depths, random, 0, 2000, 0);
    ColumnBuilder<TimeNs> begins, ends;
    ColumnBuilder<std::uint16_t> depth;
    for (std::size_t i = 0; i < calls.size(); ++i) {
        begins.push(calls[i].begin);
        ends.push(calls[i].end);
        depth.push(depths[i]);
    }
    CallIntervals intervals;
    intervals.begin = begins.finish();
    intervals.end = ends.finish();
    intervals.depth = depth.finish();
    return intervals;
}

/// The callers of a call from the inside out, by going through all calls before it in their order.
std::vector<std::uint32_t> stackAt(const CallIntervals& calls, std::size_t call)
{
    std::vector<std::uint32_t> stack;
    for (std::uint32_t i = 0; i < call; ++i) {
        stack.resize(calls.depth[i]);
        stack.push_back(i);
    }
    return {stack.rbegin(), stack.rend()};
}

}  // namespace

TEST_CASE("nested calls: callers, open calls and time in callees are those that a stack tells")
{
    std::mt19937 random(7);
    for (int round = 0; round < 30; ++round) {
        const CallIntervals calls = randomCalls(random);
        OpenCalls open(calls);
        for (std::uint32_t call = 0; call < calls.size(); ++call) {
            std::vector<std::uint32_t> around;
            forEachOpenBefore(calls, call, [&](std::uint32_t one) { around.push_back(one); });
            const auto stack = stackAt(calls, call);
            CHECK(around == stack);
            const std::size_t left = stack.size() - calls.depth[call];
            CHECK(callerOf(calls, call) == (left < stack.size() ? stack[left] : kNoInterval));
            std::size_t leaves = 0;
            open.enter(call, [&] {
                ++leaves;
                open.leave();
            });
            CHECK(leaves == left);
            CHECK(open.innermost() == call);
            TimeNs sum = 0;
            std::size_t below = 0;
            for (std::uint32_t other = call + 1;
                 other < calls.size() && calls.depth[other] > calls.depth[call]; ++other, ++below)
                if (callerOf(calls, other) == call) sum += calls.span(other).lengthNs();
            CHECK(timeInCallees(calls, call, below) == sum);
            if (below > 0) CHECK_FALSE(timeInCallees(calls, call, below - 1));
        }
    }
}

TEST_CASE("the first call from a time is found among many and few, at both ends and between")
{
    std::mt19937 random(11);
    for (int round = 0; round < 20; ++round) {
        const CallIntervals calls = randomCalls(random);
        for (TimeNs time = -1; time < 2010; ++time) {
            std::uint32_t expected = 0;
            while (expected < calls.size() && calls.begin[expected] < time) ++expected;
            CHECK(firstCallFrom(calls, time) == expected);
        }
    }
}

}  // namespace skein::nested_calls_test
