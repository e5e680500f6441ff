// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/timeline/timeline_scene.h"

#include "core/select/filters.h"
#include "core/select/translate.h"
#include "tests/support/catch.h"
#include "tests/support/random_calls.h"
#include "tests/support/random_trace.h"
#include "tests/support/scenes.h"
#include "tests/support/small_session.h"
#include "views/common/scene/regions/region_groups.h"
#include "views/timeline/timeline_bars_scene.h"

#include <map>

namespace skein::timeline_scene_test {

using test::itemsOf;
using test::shows;

namespace {

const ApproximateTextMeasure kMeasure(12);

TimelineOptions options()
{
    TimelineOptions result;
    result.theme = lightTheme();
    return result;
}

DrawList sceneOf(const TimelineData& data, const ViewState& state, int width, int height)
{
    return timelineScene(data, state, options(), width, height, kMeasure, Task());
}

int heightOf(const PixelItem& item)
{
    int sum = 0;
    for (const int height : item.heights) sum += height;
    return sum;
}

ExperimentPtr twoRanks()
{
    const std::vector<test::Call> calls{
        {0, 1000, "main", 0}, {100, 600, "solve", 1}, {600, 900, "MPI_Wait", 1}};
    return test::ExperimentBuilder("run")
        .process("n0", calls)
        .process("n1", calls)
        .paradigm("MPI_Wait", Paradigm::Mpi)
        .message(0, 150, 1, 800, 64)
        .finish();
}

}  // namespace

TEST_CASE("a timeline names its rows, its calls and its time")
{
    const auto data = test::timelineDataOf({twoRanks()});
    const DrawList list = sceneOf(*data, {}, 800, 200);
    for (const char* text : {"Rank 0", "Rank 1", "main", "solve", "MPI_Wait", "0.0 µs", "0.2 µs", "Time"})
        CHECK(shows(list, text));
    CHECK(itemsOf<LineItem>(list).size() == 1);
    CHECK(itemsOf<PixelItem>(list).size() == 2);
}

TEST_CASE("every pixel of a row says which call ran there, from the outermost to the innermost")
{
    for (std::uint32_t seed = 1; seed <= 6; ++seed) {
        const auto data = test::timelineDataOf({test::experimentOfRandomCalls(seed, 120, 2, 7, 4)});
        const Experiment& experiment = *data->session.experiments[0];
        ViewState state;
        // Columns of a fourth of a nanosecond: at most one call is innermost in each.
        state.visible = TimeSpan{static_cast<TimeNs>(seed) * 40, static_cast<TimeNs>(seed) * 40 + 200};
        const TimelineLayout layout = timelineLayout(*data, state, options(), 880, 300, kMeasure);
        const LaneLayout lanes = lanesOf(*data, options(), layout, kMeasure);
        const RegionPalette palette = test::shownPalette(experiment, lightTheme());
        std::uint32_t location = 0;
        for (const PixelItem& row : itemsOf<PixelItem>(sceneOf(*data, state, 880, 300))) {
            const auto& calls = experiment.trace->locations[location++].intervals;
            REQUIRE(row.heights.size() == lanes.count());
            for (int column = 0; column < row.columns; ++column) {
                const double time =
                    static_cast<double>(state.visible->begin) + (column + 0.5) * layout.scale.nsPerPixel();
                std::vector<std::uint32_t> stack;
                for (std::uint32_t call = 0; call < calls.size(); ++call)
                    if (calls.begin[call] <= time && time < calls.end[call]) stack.push_back(call);
                const double left = time - layout.scale.nsPerPixel();
                bool edge = false;
                for (std::uint32_t call = 0; call < calls.size(); ++call)
                    for (const TimeNs at : {calls.begin[call], calls.end[call]})
                        edge = edge || (left <= at && at <= left + 2 * layout.scale.nsPerPixel());
                if (edge) continue;
                for (std::uint32_t lane = 0; lane < lanes.count(); ++lane) {
                    const std::uint32_t shown = row.argb[lane * static_cast<std::size_t>(row.columns)
                                                         + static_cast<std::size_t>(column)];
                    if (stack.empty()) {
                        REQUIRE(shown == 0);
                        continue;
                    }
                    const std::size_t level = lane + 1 == lanes.count()
                        ? stack.size() - 1
                        : std::min<std::size_t>(lane, stack.size() - 1);
                    const RegionId region =
                        experiment.callTree->region(CallPathId(calls.callPath[stack[level]]));
                    REQUIRE(shown == palette.argb[region.index()]);
                }
            }
        }
    }
}

TEST_CASE("bars carry the colours of the recorded groups where these are chosen")
{
    const auto data = test::timelineDataOf(
        {test::ExperimentBuilder("run")
             .process("n0", {{0, 1000, "main", 0}, {0, 500, "MPI_Send", 1}, {500, 1000, "flush", 1}})
             .group("main", "TAU_USER")
             .group("MPI_Send", "TAU_MESSAGE")
             .finish()});
    for (const ColorMode colors : {ColorMode::Region, ColorMode::Group})
        for (const RegionGrouping grouping : {RegionGrouping::Role, RegionGrouping::Recorded}) {
            ViewState state;
            state.colors = colors;
            state.grouping = grouping;
            const RegionGroups groups(data->session, grouping);
            const RegionPalette palette = regionPalette(groups, 0, lightTheme());
            const auto pixels = itemsOf<PixelItem>(sceneOf(*data, state, 880, 300));
            REQUIRE(pixels.size() == 1);
            const auto last = pixels[0].argb.size() - static_cast<std::size_t>(pixels[0].columns);
            const auto at = [&](double part) {
                return fromArgb(pixels[0].argb[last + static_cast<std::size_t>(part * pixels[0].columns)]);
            };
            const auto expected = [&](std::uint32_t region) {
                return colors == ColorMode::Group ? palette.colorOfGroup(RegionId(region))
                                                  : palette.color(RegionId(region));
            };
            CHECK(at(0.25) == expected(1));
            CHECK(at(0.75) == expected(2));
            const std::string second = groups.list()[groups.of({0, RegionId(2)})].name;
            CHECK(second == (grouping == RegionGrouping::Recorded ? "Others" : "Application"));
        }
}

TEST_CASE("rows never overlap, and when there are more rows than pixels they are merged")
{
    const auto data = test::timelineDataOf({test::experimentOfRandomCalls(4, 60, 300)});
    for (const int height : {60, 150, 400, 2000}) {
        int free = 0;
        for (const PixelItem& row : itemsOf<PixelItem>(sceneOf(*data, {}, 500, height))) {
            CHECK(row.y >= free);
            free = row.y + heightOf(row);
        }
        CHECK(free <= height);
        // Below them is the line that says what the picture leaves out.
        CHECK(free >= height - 18);
    }
}

TEST_CASE("names of calls and rows fit their boxes and do not overlap")
{
    const auto data = test::timelineDataOf({test::experimentOfRandomCalls(8, 200, 12)});
    for (const int height : {120, 300, 900})
        for (const TimeNs length : {200, 1000, 5000}) {
            ViewState state;
            state.visible = TimeSpan{100, 100 + length};
            const auto texts = itemsOf<TextItem>(sceneOf(*data, state, 900, height));
            for (std::size_t one = 0; one < texts.size(); ++one) {
                CHECK(kMeasure.width(texts[one].text, texts[one].style) <= texts[one].box.width + 1.5);
                for (std::size_t two = one + 1; two < texts.size(); ++two) {
                    Rect box = texts[one].box;
                    box.width = kMeasure.width(texts[one].text, texts[one].style);
                    Rect other = texts[two].box;
                    other.width = kMeasure.width(texts[two].text, texts[two].style);
                    if (texts[one].align != Align::Left || texts[two].align != Align::Left) continue;
                    INFO(texts[one].text << " and " << texts[two].text);
                    const bool apart = !box.inset(0.5).overlaps(other.inset(0.5));
                    CHECK(apart);
                }
            }
        }
}

TEST_CASE("names of low rows stand whole between the ruler and the lower edge, the first among them")
{
    const auto data = test::timelineDataOf({test::experimentOfRandomCalls(4, 60, 64)});
    ViewState state;
    for (const int height : {150, 200, 400, 1000}) {
        const TimelineLayout layout = timelineLayout(*data, state, options(), 500, height, kMeasure);
        std::vector<TextItem> names;
        for (const TextItem& text : itemsOf<TextItem>(sceneOf(*data, state, 500, height)))
            if (text.align == Align::Right && text.box.right() < layout.labels.right()
                && text.text.starts_with("Rank"))
                names.push_back(text);
        REQUIRE(names.size() > 3);
        CHECK(names.front().text == "Rank 0");
        CHECK(names.front().box.y >= layout.labels.y);
        CHECK(names.back().box.bottom() <= layout.labels.bottom());
        for (std::size_t name = 1; name < names.size(); ++name)
            CHECK(names[name].box.y >= names[name - 1].box.bottom() - 0.5);
    }
}

TEST_CASE("among low rows the first of a process is named, not its other threads")
{
    const auto data = test::timelineDataOf({std::make_shared<const Experiment>(
        test::randomExperiment(5, test::RandomTraceOptions{.processes = 16, .threadsPerProcess = 2}))});
    for (const int height : {300, 340, 380, 420}) {
        std::vector<std::string> names;
        for (const TextItem& text : itemsOf<TextItem>(sceneOf(*data, {}, 500, height)))
            if (text.align == Align::Right && text.text.starts_with("Rank")) names.push_back(text.text);
        INFO(height);
        REQUIRE(names.size() > 4);
        CHECK(names.front() == "Rank 0");
        CHECK(std::none_of(names.begin(), names.end(),
                           [](const std::string& name) { return name.ends_with("Thread 1"); }));
    }
}

TEST_CASE("an empty timeline says why and what to do")
{
    const auto textOf = [](const TimelineData& data, const ViewState& state) {
        return timelineEmptyText(data, timelineLayout(data, state, options(), 400, 200, kMeasure));
    };
    CHECK(textOf(*test::timelineDataOf({}), {})
          == "Open an archive, or drop one here, to see what happened when.");
    auto profile = std::make_shared<Experiment>();
    CHECK(textOf(*test::timelineDataOf({profile}), {})
          == "This profile has no times of events. Open a trace to see when calls happened.");
    ViewState state;
    state.filters = {{"", FilterEffect::Hide, {}, {{0, LocationId(0)}, {0, LocationId(1)}}}};
    CHECK(textOf(*test::timelineDataOf({twoRanks()}), state)
          == "The filters hide every location. Remove one of them to see rows again.");
    CHECK(textOf(*test::timelineDataOf({twoRanks()}), {}).empty());
}

TEST_CASE("a hidden region leaves its place to its caller")
{
    const auto data = test::timelineDataOf({twoRanks()});
    ViewState state;
    state.filters = {{"", FilterEffect::Hide, {{0, RegionId(1)}}, {}}};
    const DrawList list = sceneOf(*data, state, 800, 200);
    CHECK_FALSE(shows(list, "solve"));
    CHECK(shows(list, "MPI_Wait"));
}

TEST_CASE("components of a session stand under their titles on one clock")
{
    const auto data = test::timelineDataOf(
        {twoRanks(), test::ExperimentBuilder("other").process("n", {{0, 500, "a", 0}}).finish()});
    const auto rows = timelineRows(*data, {});
    REQUIRE(rows.size() == 5);
    CHECK(rows[0].kind == TimelineRowKind::Experiment);
    CHECK(rows[0].label == "run");
    CHECK(rows[3].label == "other");
    CHECK(rows[4].location == LocationRef{1, LocationId(0)});
}

TEST_CASE("rows are grouped by node and process where that says anything")
{
    test::ExperimentBuilder builder("run");
    const std::vector<test::Call> calls{{0, 10, "main", 0}};
    builder.process("node A", calls)
        .thread(calls)
        .process("node A", calls)
        .thread(calls)
        .process("node B", calls)
        .thread(calls);
    const auto rows = timelineRows(*test::timelineDataOf({builder.finish()}), {});
    std::string text;
    for (const TimelineRow& row : rows) text += row.label + "/";
    CHECK(text
          == "node A/Rank 0/Thread 0/Thread 1/Rank 1/Thread 0/Thread 1/node B/Rank 2/Thread 0/Thread 1/");
    CHECK(withoutHeaders(rows, TimelineRowKind::Process)[2].label == "Rank 0 Thread 1");
    const auto flat = timelineRows(*test::timelineDataOf({test::experimentOfRandomCalls(1, 5, 3)}), {});
    CHECK(flat.size() == 3);
}

TEST_CASE("lanes fill a row, get no thinner than three pixels, and leave room for a name")
{
    for (double height = 1; height < 300; height += 1)
        for (const std::uint32_t depth : {1u, 2u, 5u, 12u, 40u}) {
            const LaneLayout lanes = laneLayout(height, depth, 1, 14);
            REQUIRE(lanes.count() >= 1);
            REQUIRE(lanes.count() <= depth);
            for (std::uint32_t lane = 0; lane + 1 < lanes.count(); ++lane)
                REQUIRE(lanes.bottom(lane) - lanes.tops[lane] >= 3);
            if (lanes.count() > 1) REQUIRE(height - lanes.tops.back() >= 14);
            REQUIRE(lanes.tops.front() == 0);
        }
}

TEST_CASE("thinned messages keep those that are alone and do not change when the view moves")
{
    test::ExperimentBuilder builder("run");
    const std::vector<test::Call> calls{{0, 1'000'000, "main", 0}};
    builder.process("n", calls).process("n", calls).process("n", calls);
    for (TimeNs send = 100'000; send < 200'000; send += 20)
        builder.message(static_cast<std::uint32_t>(send / 20 % 3), send,
                        static_cast<std::uint32_t>((send / 20 + 1) % 3), send + 500, 8);
    builder.message(0, 700'000, 2, 700'100, 8);
    const auto data = test::timelineDataOf({builder.finish()});
    const auto drawnIn = [&](TimeSpan span) {
        ViewState state;
        state.visible = span;
        std::map<std::uint32_t, bool> drawn;
        for (const PlacedMessage& placed :
             visibleMessages(*data, timelineLayout(*data, state, options(), 900, 300, kMeasure)).drawn)
            drawn[placed.message.index] = true;
        return drawn;
    };
    const auto all = drawnIn({0, 1'000'000});
    CHECK(all.size() < 900);
    CHECK(all.size() > 20);
    CHECK(all.contains(5000));
    for (const auto& [message, yes] : drawnIn({0, 900'000})) CHECK(message <= 5000);
    const auto left = drawnIn({90'000, 890'000});
    const auto right = drawnIn({95'000, 895'000});
    for (const auto& [message, yes] : left) CHECK(right.contains(message));
}

TEST_CASE("of messages only those that the filters leave are drawn")
{
    test::ExperimentBuilder builder("run");
    const std::vector<test::Call> calls{{0, 1'000'000, "main", 0}};
    builder.process("n", calls).process("n", calls);
    for (TimeNs send = 100'000; send < 900'000; send += 100'000)
        builder.message(0, send, 1, send + 500, send < 500'000 ? 8 : 4096);
    const auto data = test::timelineDataOf({builder.finish()});
    const TimelineLayout layout = timelineLayout(*data, {}, options(), 900, 300, kMeasure);
    CHECK(visibleMessages(*data, layout).drawn.size() == 8);
    const auto conditions = *parseAttributeConditions("bytes>8");
    for (const FilterEffect effect : {FilterEffect::Keep, FilterEffect::Hide}) {
        const auto drawn = visibleMessages(*data, layout, {messageFilter(effect, conditions)}).drawn;
        CHECK(drawn.size() == 4);
        for (const PlacedMessage& placed : drawn)
            CHECK((placed.message.index >= 4) == (effect == FilterEffect::Keep));
    }
}

TEST_CASE("lines of messages that were drawn and are still in sight are drawn again when the view moves")
{
    test::ExperimentBuilder builder("run");
    constexpr TimeNs kEnd = 4'000'000;
    const std::vector<test::Call> calls{{0, kEnd, "main", 0}};
    for (int rank = 0; rank < 8; ++rank) builder.process("n", calls);
    std::uint32_t sender = 0;
    // Denser from burst to burst, so that windows beside each other hold other numbers of them.
    for (TimeNs burst = 0; burst < kEnd - 50'000; burst += 20'000)
        for (TimeNs number = 0; number < 8 + burst / 100'000; ++number, ++sender)
            builder.message(sender % 8, burst + number * 40, (sender + 3) % 8, burst + number * 40 + 9'000,
                            8);
    const auto data = test::timelineDataOf({builder.finish()});
    using Looks = std::pair<double, double>;
    const auto drawnIn = [&](TimeSpan span) {
        ViewState state;
        state.visible = span;
        std::map<std::uint32_t, Looks> drawn;
        for (const PlacedMessage& line :
             visibleMessages(*data, timelineLayout(*data, state, options(), 1500, 900, kMeasure)).drawn)
            drawn[line.message.index] = {line.opacity, line.faint};
        return drawn;
    };
    const auto& messages = data->session.experiments[0]->trace->messages;
    constexpr TimeNs kWindow = 1'000'000, kStep = 150'000, kEdge = 20'000;
    std::size_t compared = 0;
    for (TimeNs begin = 0; begin + kStep + kWindow < kEnd; begin += kStep) {
        const auto before = drawnIn({begin, begin + kWindow});
        const auto after = drawnIn({begin + kStep, begin + kStep + kWindow});
        const TimeSpan both{begin + kStep + kEdge, begin + kWindow - kEdge};
        const auto within = [&](const std::map<std::uint32_t, Looks>& drawn) {
            std::map<std::uint32_t, Looks> inside;
            for (const auto& [message, looks] : drawn)
                if (both.contains(messages[message].sendTime)) inside.emplace(message, looks);
            return inside;
        };
        CHECK(within(before) == within(after));
        compared += within(before).size();
    }
    CHECK(compared > 1000);
    CHECK(drawnIn({0, kWindow}).size() < 700);
}

TEST_CASE("of messages that come in bursts as many are drawn as of those that come evenly")
{
    test::ExperimentBuilder builder("run");
    const std::vector<test::Call> calls{{0, 2'000'000, "main", 0}};
    builder.process("n", calls).process("n", calls);
    const auto send = [&](TimeNs at) { builder.message(0, at, 1, at + 200, 8); };
    for (TimeNs burst : {300'000, 700'000})
        for (TimeNs number = 0; number < 384; ++number) send(burst + number * 10);
    for (TimeNs number = 0; number < 768; ++number) send(1'000'000 + number * 1300);
    const auto data = test::timelineDataOf({builder.finish()});
    const auto drawnIn = [&](TimeSpan span) {
        ViewState state;
        state.visible = span;
        return visibleMessages(*data, timelineLayout(*data, state, options(), 1500, 120, kMeasure))
            .drawn.size();
    };
    const auto bursts = drawnIn({0, 1'000'000}), even = drawnIn({1'000'000, 2'000'000});
    CHECK(bursts >= 200);
    CHECK(even <= 2 * bursts);
    CHECK(bursts <= 2 * even);
}

TEST_CASE("lines that lie upon each other are a density that what they cover is seen through")
{
    test::ExperimentBuilder builder("run");
    const std::vector<test::Call> calls{{0, 2'000'000, "main", 0}};
    builder.process("n", calls).process("n", calls);
    for (TimeNs number = 0; number < 2000; ++number)
        builder.message(0, 300'000 + number * 5, 1, 300'200 + number * 5, 8);
    builder.message(0, 900'000, 1, 900'200, 8);
    const auto data = test::timelineDataOf({builder.finish()});
    const TimelineLayout layout = timelineLayout(*data, {}, options(), 1500, 120, kMeasure);
    double alone = 0, through = 1;
    for (const PlacedMessage& line : visibleMessages(*data, layout).drawn)
        if (line.message.index == 2000) alone = line.opacity;
        else through *= 1 - line.opacity;
    CHECK(alone == 1);
    // The burst is 7 to 8 pixels wide; cells are at most 16.
    const double acrossPixels = 2000 * 5 / layout.scale.nsPerPixel();
    const double perPixel = std::pow(through, 1 / std::max(1.0, acrossPixels));
    CHECK(perPixel > 0.3);
    CHECK(perPixel < 0.75);
}

TEST_CASE("few messages between the rows that are shown are drawn though there are many between others")
{
    test::ExperimentBuilder builder("run");
    const std::vector<test::Call> calls{{0, 1'000'000, "main", 0}};
    for (int rank = 0; rank < 5; ++rank) builder.process("n", calls);
    for (TimeNs send = 0; send < 900'000; send += 30)
        builder.message(2 + static_cast<std::uint32_t>(send / 30 % 3), send,
                        2 + static_cast<std::uint32_t>((send / 30 + 1) % 3), send + 500, 8);
    for (const TimeNs send : {100'005, 300'005, 400'005, 700'005}) builder.message(0, send, 1, send + 700, 8);
    const auto data = test::timelineDataOf({builder.finish()});
    ViewState state;
    state.filters = {
        locationFilter(FilterEffect::Keep, "two ranks", {{0, LocationId(0)}, {0, LocationId(1)}})};
    const VisibleMessages shown =
        visibleMessages(*data, timelineLayout(*data, state, options(), 900, 300, kMeasure));
    CHECK(shown.drawn.size() == 4);
}

TEST_CASE("lines along the rows are thinned by what is seen of them, down to a hundred and no further")
{
    test::ExperimentBuilder builder("run");
    const std::vector<test::Call> calls{{0, 1'000'000, "main", 0}};
    builder.process("n", calls).process("n", calls);
    for (TimeNs send = 0; send < 300; ++send) builder.message(0, send * 10, 1, 900'000 + send * 10, 8);
    const auto data = test::timelineDataOf({builder.finish()});
    const auto drawnAt = [&](int width) {
        return visibleMessages(*data, timelineLayout(*data, {}, options(), width, 100, kMeasure));
    };
    const VisibleMessages narrow = drawnAt(900), wide = drawnAt(6000);
    CHECK(narrow.drawn.size() == 300);
    CHECK_FALSE(narrow.thinned);
    CHECK(wide.thinned);
    CHECK(wide.drawn.size() < 200);
    CHECK(wide.drawn.size() > 30);
}

TEST_CASE("what is selected is outlined at least three pixels wide at every zoom")
{
    const auto data =
        test::timelineDataOf({test::ExperimentBuilder("run")
                                  .process("n", {{0, 1'000'000'000, "main", 0}, {500, 510, "tiny", 1}})
                                  .finish()});
    ViewState state;
    state.selected = select(data->session, IntervalRef{0, LocationId(0), 1});
    state.brushed = TimeSpan{1000, 5'000'000};
    const TimelineLayout layout = timelineLayout(*data, state, options(), 800, 200, kMeasure);
    const DrawList list = timelineOverlay(*data, state, options(), layout, kMeasure);
    bool outlined = false;
    for (const RectItem& rect : itemsOf<RectItem>(list))
        outlined = outlined || (rect.stroke == options().theme.accent && rect.rect.width >= 3);
    CHECK(outlined);
    CHECK(shows(list, "4.999 ms"));
}

TEST_CASE("a marked span is tinted, but where it is all that is seen data keeps its colours")
{
    const auto data =
        test::timelineDataOf({test::ExperimentBuilder("run").process("n", {{0, 1000, "main", 0}}).finish()});
    ViewState state;
    state.visible = TimeSpan{200, 400};
    const auto tintedHeight = [&](TimeSpan brushed) {
        state.brushed = brushed;
        const TimelineLayout layout = timelineLayout(*data, state, options(), 800, 200, kMeasure);
        double height = 0;
        for (const RectItem& rect :
             itemsOf<RectItem>(timelineOverlay(*data, state, options(), layout, kMeasure)))
            if (rect.fill == options().theme.selectionFill)
                height = std::max(height, rect.rect.bottom() - layout.body.y);
        return height;
    };
    CHECK(tintedHeight({250, 300}) > 100);
    CHECK(tintedHeight({200, 400}) == 0);
    CHECK(tintedHeight({100, 500}) == 0);
}

TEST_CASE("a tooltip stays small where names and folders are long")
{
    ExperimentPtr experiment = twoRanks();
    auto named = std::make_shared<Experiment>(*experiment);
    for (Region& region : named->definitions.regions) {
        region.name = "solver::" + std::string(120, 'x') + "::step";
        region.sourceFile = "/scratch/solver/" + std::string(120, 'y') + "/solver.cpp";
        region.beginLine = 120;
    }
    const auto data = test::timelineDataOf({named});
    Hover hit;
    hit.interval = {0, LocationId(1), 1};
    const auto lines = timelineTooltip(*data, hit);
    REQUIRE(lines.size() == 3);
    for (const std::string& line : lines) CHECK(line.size() <= 45);
    CHECK(lines.front().starts_with("solver::"));
    CHECK(lines.front().ends_with("::step"));
    CHECK(lines.back() == "Rank 1, solver.cpp:120");
}

TEST_CASE("a point is told as time, location and call, a tooltip has three lines")
{
    const auto data = test::timelineDataOf({twoRanks()});
    const TimelineLayout layout = timelineLayout(*data, {}, options(), 800, 200, kMeasure);
    const PlacedRow& place = layout.places[1];
    const Point point{layout.scale.toX(300) + 0.1, place.y + place.height - 8};
    const Hover hit = timelineHit(*data, {}, options(), layout, {}, kMeasure, point);
    CHECK(hit.location == LocationRef{0, LocationId(1)});
    CHECK(hit.interval == IntervalRef{0, LocationId(1), 1});
    CHECK(hit.time == 300);
    const auto lines = timelineTooltip(*data, hit);
    CHECK(lines == std::vector<std::string>{"solve", "500 ns at 100 ns", "Rank 1"});
    Hover main;
    main.interval = {0, LocationId(1), 0};
    CHECK(timelineTooltip(*data, main)
          == std::vector<std::string>{"main", "1 µs at 0 ns, own 200 ns", "Rank 1"});
    CHECK(timelineTooltip(*data, {}).empty());
    CHECK_FALSE(timelineHit(*data, {}, options(), layout, {}, kMeasure, {10, 1}).location.valid());
}

TEST_CASE("rows are as high as was chosen, and what has no room can be scrolled to")
{
    const auto layoutOf = [&](const TimelineData& data, RowFit fit, int height) {
        TimelineOptions chosen = options();
        chosen.fit = fit;
        return timelineLayout(data, {}, chosen, 500, height, kMeasure);
    };
    const auto data = test::timelineDataOf({test::experimentOfRandomCalls(4, 20, 100)});
    const TimelineLayout all = layoutOf(*data, RowFit::All, 300);
    CHECK(all.maximumScroll == 0);
    CHECK(all.rowHeight < 3);
    const TimelineLayout usual = layoutOf(*data, RowFit::Usual, 300);
    CHECK(usual.rowHeight == 6);
    CHECK(usual.maximumScroll == std::round(600 - usual.body.height));
    const TimelineLayout readable = layoutOf(*data, RowFit::Readable, 300);
    CHECK(readable.rowHeight >= kMeasure.lineHeight(FontStyle::Small));
    CHECK(readable.contentHeight >= 100 * readable.rowHeight);
    CHECK(readable.maximumScroll == std::round(readable.contentHeight - readable.body.height));
    // Where there is room for more rows are higher.
    CHECK(layoutOf(*data, RowFit::Usual, 2000).rowHeight == layoutOf(*data, RowFit::All, 2000).rowHeight);
    // As many as are drawn in bundles stay in one picture, unless the user wants to read them.
    const auto many = test::timelineDataOf(
        {test::experimentOfRandomCalls(4, 2, static_cast<int>(TimelineIndex::kFewestToBundle))});
    CHECK(layoutOf(*many, RowFit::Usual, 300).maximumScroll == 0);
    CHECK(layoutOf(*many, RowFit::Readable, 300).maximumScroll > 5000);
    // A picture with all rows is as high as they are.
    TimelineOptions paper = options();
    paper.fit = RowFit::Usual;
    const int height = timelineHeight(*data, {}, paper, 500, kMeasure);
    CHECK(height > 600);
    CHECK(layoutOf(*data, RowFit::Usual, height).maximumScroll <= 12);
}

}  // namespace skein::timeline_scene_test
