// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/location_detail/detail_messages_scene.h"

#include "core/select/filters.h"
#include "core/select/translate.h"
#include "tests/support/catch.h"
#include "tests/support/random_trace.h"
#include "tests/support/scenes.h"
#include "tests/support/small_session.h"
#include "views/common/scene/calls/message_tooltip.h"

#include <cmath>
#include <set>

namespace skein::detail_messages_test {

namespace {

/// Rank 0 sends to rank 2 and hears of rank 1.
ExperimentPtr threeRanks()
{
    Experiment experiment =
        *test::ExperimentBuilder("run")
             .process("n0", {{0, 1000, "main", 0}, {100, 200, "MPI_Send", 1}, {500, 600, "MPI_Recv", 1}})
             .process("n0", {{0, 1000, "main", 0}, {400, 450, "MPI_Send", 1}})
             .process("n0", {{0, 1000, "main", 0}, {250, 350, "MPI_Recv", 1}})
             .message(0, 150, 2, 300, 4096)
             .message(1, 420, 0, 590, 77)
             .message(1, 800, 2, 900, 5)
             .finish();
    Trace trace = *experiment.trace;
    std::vector<Message> messages(trace.messages.begin(), trace.messages.end());
    messages[0].sendInterval = messages[0].receiveInterval = messages[1].sendInterval = 1;
    messages[1].receiveInterval = 2;
    trace.messages = Column<Message>(std::move(messages));
    experiment.trace = std::make_shared<const Trace>(std::move(trace));
    return std::make_shared<const Experiment>(std::move(experiment));
}

/// With the messages of the location that is shown.
LocationDetailLayout readyLayout(const TimelineData& data, const ViewState& state, const Canvas& canvas)
{
    data.messages->of(data.session, detailLocation(data, state), Task());
    return locationDetailLayout(data, state, {}, canvas);
}

std::vector<LineItem> linesOf(const DrawList& list) { return test::itemsOf<LineItem>(list); }

std::set<std::uint32_t> indexesOf(const DetailMessages& messages)
{
    std::set<std::uint32_t> found;
    for (const DetailMessage& line : messages.drawn) found.insert(line.message.index);
    return found;
}

}  // namespace

TEST_CASE(
    "the detail of a location has a line from the call that sends or receives to the peer, at both times")
{
    const auto data = test::timelineDataOf({threeRanks()});
    const test::PlainCanvas plain(1000, 300);
    const DrawList list = locationDetailScene(*data, {}, {}, plain.canvas, Task());
    const LocationDetailLayout layout = locationDetailLayout(*data, {}, {}, plain.canvas);
    REQUIRE(layout.peerPlaces.size() == 2);
    CHECK(layout.peerOf(LocationId(1))->y < layout.peerOf(LocationId(2))->y);
    const auto lines = linesOf(list);
    REQUIRE(lines.size() == 2);
    const auto isAt = [&](Point point, TimeNs time) {
        return std::abs(point.x - layout.frame.scale.toX(time)) < 1;
    };
    const auto inRow = [&](Point point, std::uint32_t row) {
        return point.y > layout.top(row) && point.y < layout.top(row) + layout.rowHeight;
    };
    CHECK((isAt(lines[0].from, 150) && inRow(lines[0].from, 1)));
    CHECK((isAt(lines[0].to, 300) && lines[0].to.y == layout.peerOf(LocationId(2))->y));
    CHECK((isAt(lines[1].from, 590) && inRow(lines[1].from, 1)));
    CHECK((isAt(lines[1].to, 420) && lines[1].to.y == layout.peerOf(LocationId(1))->y));
    for (const char* text : {"Peers", "1", "2", "→ 2", "← 1"}) {
        INFO(text);
        CHECK(test::shows(list, text));
    }
    CHECK(linesOf(locationDetailScene(*data, {}, {0, DetailMessageDisplay::Hidden}, plain.canvas, Task()))
              .empty());
}

TEST_CASE("a line of the detail is hit before the call behind it, and says size, ends, durations and tag")
{
    const auto data = test::timelineDataOf({threeRanks()});
    const test::PlainCanvas plain(1000, 300);
    const LocationDetailLayout layout = readyLayout(*data, {}, plain.canvas);
    const DetailMessages messages = detailMessages(*data, {}, layout);
    REQUIRE(messages.drawn.size() == 2);
    for (const DetailMessage& line : messages.drawn)
        for (const Point point : {line.call, line.peer,
                                  Point{(line.call.x + line.peer.x) / 2, (line.call.y + line.peer.y) / 2}}) {
            const Hover hit = locationDetailHit(*data, {}, layout, plain.canvas, point);
            CHECK(hit.message == line.message);
            CHECK(hit.location == LocationRef{0, LocationId(0)});
        }
    CHECK_FALSE(
        locationDetailHit(*data, {}, layout, plain.canvas, {layout.frame.scale.toX(800), layout.peers.y + 20})
            .message.valid());
    const auto lines = messageTooltip(*data, {0, 0});
    const auto says = [&](const std::string& text) {
        return std::find(lines.begin(), lines.end(), text) != lines.end();
    };
    CHECK(lines.front().ends_with(", Rank 0 → Rank 2"));
    CHECK(lines[1].starts_with("150 ns under way, sent at "));
    CHECK(says("MPI_Send 100 ns → MPI_Recv 100 ns"));
    ViewState state;
    state.selected = select(data->session, MessageRef{0, 0});
    state.selected.locations = {};
    CHECK(linesOf(locationDetailOverlay(*data, state, layout, plain.canvas)).size() == 1);
}

TEST_CASE(
    "lines of the detail are the location's messages to peers that are shown, none lost where they are few")
{
    for (std::uint64_t seed = 1; seed <= 12; ++seed) {
        const auto data = test::timelineDataOf(
            {std::make_shared<const Experiment>(test::randomExperiment(seed, {.messages = 300}))});
        const auto& all = data->session.experiments[0]->trace->messages;
        ViewState state;
        state.selected.locations = {{0, LocationId(static_cast<std::uint32_t>(seed) % 4)}};
        if (seed % 3 == 0)
            state.filters = {locationFilter(FilterEffect::Hide, "one",
                                            {{0, LocationId((static_cast<std::uint32_t>(seed) + 1) % 4)}})};
        const TimeNs end = data->clock.extent.end;
        if (seed % 2 == 0) state.visible = TimeSpan{end / 3, end / 2};
        const test::PlainCanvas plain(900, 400);
        const LocationDetailLayout layout = readyLayout(*data, state, plain.canvas);
        REQUIRE(layout.location == state.selected.locations[0]);
        const TimeSpan span = layout.frame.scale.span;
        std::set<std::uint32_t> wanted;
        for (std::uint32_t at = 0; at < all.size(); ++at) {
            const Message& message = all[at];
            const bool own = message.sender == layout.location.id || message.receiver == layout.location.id;
            const LocationId other = message.sender == layout.location.id ? message.receiver : message.sender;
            if (!own || !message.matched() || !passes(state.filters, LocationRef{0, other})) continue;
            const TimeNs first = std::min(message.sendTime, message.receiveTime);
            const TimeNs last = std::max(message.sendTime, message.receiveTime);
            if (last >= span.begin && first < span.end) wanted.insert(at);
        }
        const DetailMessages found = detailMessages(*data, state, layout);
        CHECK_FALSE(found.thinned);
        CHECK(indexesOf(found) == wanted);
        CHECK(found.drawn.size() == wanted.size());
    }
}

TEST_CASE(
    "many messages of a location are thinned to what pixels hold, those that are alone stay, all are its own")
{
    test::ExperimentBuilder builder("many");
    std::vector<TimeNs> alone;
    for (int process = 0; process < 5; ++process) builder.process("node", {{0, 4'000'000, "main", 0}});
    for (TimeNs time = 0; time < 3'000'000; time += 60)
        builder.message(0, time, 1 + static_cast<std::uint32_t>(time / 60 % 4), time + 500, 8);
    for (TimeNs time = 3'100'000; time < 4'000'000; time += 100'000)
        builder.message(2, time, 0, time + 900, 8);
    const auto data = test::timelineDataOf({builder.finish()});
    const auto& all = data->session.experiments[0]->trace->messages;
    const test::PlainCanvas plain(1200, 400);
    const LocationDetailLayout layout = readyLayout(*data, {}, plain.canvas);
    const DetailMessages found = detailMessages(*data, {}, layout);
    CHECK(found.thinned);
    CHECK(found.drawn.size() < 600);
    CHECK(found.drawn.size() > 100);
    std::set<std::uint32_t> peers;
    std::size_t received = 0;
    for (const DetailMessage& line : found.drawn) {
        const Message& message = all[line.message.index];
        CHECK((message.sender == LocationId(0) || message.receiver == LocationId(0)));
        if (!line.sent) ++received;
        peers.insert(line.other.index());
    }
    CHECK(received == 9);
    CHECK(peers == std::set<std::uint32_t>{1, 2, 3, 4});
    CHECK(indexesOf(found).size() == found.drawn.size());
}

TEST_CASE("texts beside and at the lines of the detail can be read at every size")
{
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
        const auto data = test::timelineDataOf({std::make_shared<const Experiment>(
            test::randomExperiment(seed, {.processes = 30, .messages = 900}))});
        for (const int width : {300, 1000, 2600})
            for (const int height : {90, 200, 700}) {
                const test::PlainCanvas plain(width, height);
                INFO(width << " x " << height);
                CHECK(
                    test::unreadable(locationDetailScene(*data, {}, {}, plain.canvas, Task()), plain.measure)
                    == "");
            }
    }
}

TEST_CASE("of few messages a picture finds those of its location itself, of many it waits for nobody")
{
    const test::PlainCanvas plain(1000, 300);
    const auto few = test::timelineDataOf({threeRanks()});
    CHECK_FALSE(takesLongToFindMessages(*few, {0, LocationId(0)}));
    CHECK(linesOf(locationDetailScene(*few, {}, {0, DetailMessageDisplay::WhenKnown}, plain.canvas, Task()))
              .size()
          == 2);
    Experiment experiment = *threeRanks();
    Trace trace = *experiment.trace;
    std::vector<Message> messages((1u << 19) + 1, trace.messages[2]);  // between others
    messages[0] = trace.messages[0];
    trace.messages = Column<Message>(std::move(messages));
    experiment.trace = std::make_shared<const Trace>(std::move(trace));
    const auto many = test::timelineDataOf({std::make_shared<const Experiment>(std::move(experiment))});
    const LocationDetailOptions options{0, DetailMessageDisplay::WhenKnown};
    CHECK(takesLongToFindMessages(*many, {0, LocationId(0)}));
    CHECK(linesOf(locationDetailScene(*many, {}, options, plain.canvas, Task())).empty());
    many->messages->of(many->session, {0, LocationId(0)}, Task());
    CHECK(linesOf(locationDetailScene(*many, {}, options, plain.canvas, Task())).size() == 1);
}

TEST_CASE("the calls of a location keep most of the height, and peers without room are left out")
{
    const auto data = test::timelineDataOf({threeRanks()});
    for (int height = 60; height <= 600; height += 20) {
        const test::PlainCanvas plain(1000, height);
        const LocationDetailLayout layout = readyLayout(*data, {}, plain.canvas);
        INFO("height " << height);
        CHECK(layout.calls.height + layout.peers.height <= layout.frame.body.height + 0.5);
        CHECK(layout.calls.height
              >= std::min(0.69 * layout.frame.body.height, layout.rows * layout.rowHeight));
        CHECK(layout.peerPlaces.empty() == (layout.peers.height == 0));
        if (height >= 200) CHECK_FALSE(layout.peerPlaces.empty());
    }
}

TEST_CASE("a message's tooltip stays small where names are long")
{
    Experiment named(*threeRanks());
    for (Location& location : named.definitions.locations) location.name = "Rank of " + std::string(90, 'x');
    for (Region& region : named.definitions.regions) region.name = "MPI_" + std::string(90, 'y');
    const auto data = test::timelineDataOf({std::make_shared<const Experiment>(std::move(named))});
    const auto lines = messageTooltip(*data, {0, 0});
    REQUIRE(lines.size() >= 3);
    for (const std::string& line : lines) CHECK(line.size() <= 66);
}

}  // namespace skein::detail_messages_test
