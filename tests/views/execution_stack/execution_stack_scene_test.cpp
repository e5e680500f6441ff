// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/catch.h"
#include "tests/support/heatflow_anomalies.h"
#include "tests/support/scenes.h"
#include "views/execution_stack/execution_stack_scene.h"

#include <algorithm>

namespace skein::execution_stack_scene_test {

namespace {

const SessionAnomalies& heatflow() { return *test::heatflowAnomalies(); }

const Trace& trace() { return *heatflow().session->experiments[0]->trace; }

ExecutionStackDataPtr stackOf(const Selection& selected)
{
    const auto data = stackExecutions(heatflow(), selected, {}, Task());
    REQUIRE(data.has_value());
    return *data;
}

/// A call with messages in calls below it, which are not all of its location.
IntervalRef callWithMessages()
{
    for (std::size_t location = 0; location < trace().locations.size(); ++location) {
        const CallIntervals& calls = trace().locations[location].intervals;
        for (std::uint32_t call = 0; call < calls.size(); ++call) {
            if (calls.depth[call] != 1) continue;
            Selection selected;
            selected.intervals = {{0, LocationId(location), call}};
            const auto data = stackOf(selected);
            if (data->executions[0].messages.size() >= 2 && data->executions[0].levels >= 2)
                return selected.intervals[0];
        }
    }
    FAIL("heatflow sends messages");
    return {};
}

}  // namespace

TEST_CASE("an execution stack has the calls in it and every message that they send or receive")
{
    Selection selected;
    selected.intervals = {callWithMessages()};
    const ExecutionStackDataPtr data = stackOf(selected);
    REQUIRE(data->executions.size() == 1);
    const StackedExecution& execution = data->executions[0];
    std::size_t sent = 0, received = 0;
    for (const Message& message : trace().messages) {
        const auto inside = [&](std::uint32_t call) {
            return call >= execution.of.index && call < execution.end;
        };
        sent += message.matched() && message.sender == execution.of.location && inside(message.sendInterval);
        received +=
            message.matched() && message.receiver == execution.of.location && inside(message.receiveInterval);
    }
    CHECK(sent + received == execution.messages.size());
    CHECK(execution.allMessages == execution.messages.size());
    for (const StackMessage& each : execution.messages) {
        const Message& message = trace().messages[each.message.index];
        const LocationId other = each.sent ? message.receiver : message.sender;
        REQUIRE(each.peer < execution.peers.size());
        CHECK(execution.peers[each.peer] == other);
        CHECK(each.time >= 0);
        CHECK(each.time <= execution.span.lengthNs());
        CHECK(each.level < execution.levels);
    }
}

TEST_CASE("calls and messages of an execution stack are found where they are drawn, at every zoom")
{
    Selection selected;
    selected.intervals = {callWithMessages()};
    const ExecutionStackDataPtr data = stackOf(selected);
    const StackedExecution& execution = data->executions[0];
    const test::PlainCanvas plain(1200, 700);
    const TimeSpan whole = wholeOfStack(*data);
    const TimeSpan part{whole.begin + whole.lengthNs() / 4, whole.begin + whole.lengthNs() / 2};
    for (const auto& window : {std::optional<TimeSpan>(), std::optional(part)}) {
        const ExecutionStackLayout layout = executionStackLayout(*data, window, plain.canvas);
        const DrawList list = executionStackScene(*data, window, {}, plain.canvas, Task());
        CHECK(test::unreadable(list, plain.measure) == "");
        const StackBand& band = layout.bands[0];
        CHECK(band.peers.bottom() <= 700);
        const TimeNs middle = layout.focus.span.begin + layout.focus.span.lengthNs() / 2;
        const Point outermost{layout.focus.toX(middle), band.calls.y + 1};
        const StackHit hit = executionStackAt(*data, window, plain.canvas, outermost);
        REQUIRE((hit.call.has_value() || hit.message.has_value()));
        CHECK(executionStackTooltip(*data, hit).size() >= 2);
        for (const StackMessage& message : execution.messages) {
            const double x = layout.focus.toX(message.otherTime);
            if (x < layout.body.x || x >= layout.body.right()) continue;
            CHECK(executionStackAt(*data, window, plain.canvas, {x, band.peerY(message.peer)})
                      .message.has_value());
        }
    }
    CHECK_FALSE(executionStackAt(*data, {}, plain.canvas, {3, 3}).call.has_value());
}

TEST_CASE("without a selection the stack of the most severe anomaly is shown, marked")
{
    const ExecutionStackDataPtr data = stackOf({});
    REQUIRE(data->executions.size() == 1);
    CHECK(data->executions[0].of == heatflow().points[0].call);
    const test::PlainCanvas plain(1200, 700);
    const DrawList list = executionStackScene(*data, {}, {}, plain.canvas, Task());
    const auto rects = test::itemsOf<RectItem>(list);
    CHECK(std::any_of(rects.begin(), rects.end(), [&](const RectItem& item) {
        return item.stroke == plain.style.theme.text && item.strokeWidth == 2;
    }));
}

}  // namespace skein::execution_stack_scene_test
