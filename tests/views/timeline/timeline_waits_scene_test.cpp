// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/timeline/timeline_waits_scene.h"

#include "core/select/filters.h"
#include "tests/support/catch.h"
#include "tests/support/random_trace.h"
#include "tests/support/scenes.h"
#include "views/timeline/timeline_bars_scene.h"
#include "views/timeline/timeline_scene.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <fmt/format.h>
#include <numbers>

namespace skein::timeline_waits_scene_test {

namespace {

const ApproximateTextMeasure kMeasure(12);

struct Picture {
    TimelineDataPtr data;
    TimelineOptions options;
    TimelineLayout layout;
    DrawList list;
};

Picture pictureOf(const Experiment& experiment, const ViewState& state, int height)
{
    Picture picture;
    auto pointer = std::make_shared<const Experiment>(experiment);
    auto index = std::make_shared<const TimelineIndex>(
        *buildTimelineIndex(*experiment.trace, *experiment.callTree, Task()));
    picture.data = makeTimelineData({{pointer}}, {index});
    picture.options.theme = lightTheme();
    SessionWaits waits;
    waits.experiments.push_back(
        std::make_shared<const WaitIndex>(findWaitStates(experiment, Task()).value()));
    picture.options.waits = std::make_shared<const SessionWaits>(waits);
    picture.layout = timelineLayout(*picture.data, state, picture.options, 600, height, kMeasure);
    drawWaits(picture.list, *picture.data,
              *waitsPassing(picture.data->session, picture.options.waits, state.filters), picture.options,
              picture.layout);
    return picture;
}

/// The band in which a row's waits are; null where none is drawn.
const PixelItem* bandOf(const Picture& picture, const PlacedRow& place)
{
    for (const DrawItem& item : picture.list.items)
        if (const auto* pixels = std::get_if<PixelItem>(&item))
            if (pixels->y >= std::round(place.y)
                && pixels->y < std::max(std::round(place.y + place.height), std::round(place.y) + 1))
                return pixels;
    return nullptr;
}

}  // namespace

TEST_CASE("every wait state of the window has its pixels, and nothing else has")
{
    std::size_t seen = 0, collapsed = 0;
    for (std::uint64_t seed = 0; seed < 25; ++seed) {
        const Experiment experiment =
            test::randomExperiment(seed, {.processes = 5, .messages = 200, .collectives = 12});
        for (const std::optional<TimeSpan> window :
             {std::optional<TimeSpan>(), std::optional(TimeSpan{300, 420})}) {
            ViewState state;
            state.visible = window;
            if (seed % 3 == 0) state.rows.collapsed = {{0, RowGroupKind::Node, 1}};
            const Picture picture = pictureOf(experiment, state, seed % 2 ? 300 : 40);
            const WaitStates& waits = picture.options.waits->experiments[0]->found();
            const TimeScale& scale = picture.layout.scale;
            for (const PlacedRow& place : picture.layout.places) {
                const TimelineRow& row = picture.layout.rows[place.row];
                if (isHeader(row)) continue;
                collapsed += !row.folded.empty();
                std::vector<int> expected(static_cast<std::size_t>(picture.layout.body.width),
                                          0);  // 1: may be, 2: must be
                for (const WaitState& wait : waits.states) {
                    bool inRow = false;
                    forEachLocation(row,
                                    [&](LocationRef location) { inRow |= location.id == wait.location; });
                    if (!inRow) continue;
                    const double from = scale.toX(wait.begin) - scale.left,
                                 to = scale.toX(wait.end) - scale.left;
                    for (int column = 0; column < static_cast<int>(expected.size()); ++column) {
                        auto& at = expected[static_cast<std::size_t>(column)];
                        if (from < column + 2 && to > column - 1) at = std::max(at, 1);
                        // The column in which it begins, and those that it fills.
                        if ((column <= from && from < column + 1) || (from <= column && column + 1 <= to))
                            at = 2;
                    }
                    if (wait.end > scale.span.begin && wait.begin < scale.span.end) ++seen;
                }
                const PixelItem* band = bandOf(picture, place);
                for (std::size_t column = 0; column < expected.size(); ++column) {
                    // Bands rise from the bottom of their row.
                    const bool drawn = band && band->argb[band->argb.size() - expected.size() + column] != 0;
                    INFO("seed " << seed << " column " << column);
                    if (expected[column] == 2) REQUIRE(drawn);
                    if (expected[column] == 0) REQUIRE_FALSE(drawn);
                }
            }
        }
    }
    CHECK(seen > 100);
    CHECK(collapsed > 5);
}

TEST_CASE("a mark of waits is as high as the share of the column that was waited")
{
    std::size_t compared = 0;
    for (std::uint64_t seed = 0; seed < 12; ++seed) {
        const Experiment experiment =
            test::randomExperiment(seed, {.processes = 4, .messages = 200, .collectives = 12});
        ViewState state;
        if (seed % 3 == 0) state.rows.collapsed = {{0, RowGroupKind::Node, 1}};
        const Picture picture = pictureOf(experiment, state, 240);
        const WaitStates& waits = picture.options.waits->experiments[0]->found();
        const TimeScale& scale = picture.layout.scale;
        for (const PlacedRow& place : picture.layout.places) {
            const TimelineRow& row = picture.layout.rows[place.row];
            const PixelItem* band = isHeader(row) ? nullptr : bandOf(picture, place);
            if (!band) continue;
            const auto columns = static_cast<std::size_t>(band->columns);
            std::vector<double> waited(columns);
            double locations = 0;
            forEachLocation(row, [&](LocationRef location) {
                ++locations;
                for (const WaitState& wait : waits.states)
                    for (std::size_t column = 0; wait.location == location.id && column < columns; ++column) {
                        const double left =
                            std::max(scale.toX(wait.begin) - scale.left, static_cast<double>(column));
                        const double right =
                            std::min(scale.toX(wait.end) - scale.left, static_cast<double>(column) + 1);
                        waited[column] += std::max(0.0, right - left);
                    }
            });
            const auto height = static_cast<double>(band->heights.size());
            for (std::size_t column = 0; column < columns; ++column) {
                double high = 0;
                for (std::size_t line = 0; line < band->heights.size(); ++line)
                    high += band->argb[line * columns + column] != 0;
                const double wanted = height * std::min(1.0, waited[column] / locations);
                INFO("seed " << seed << " column " << column);
                REQUIRE(std::abs(high - wanted) <= 1.01);
                compared += wanted > 1;
            }
        }
    }
    CHECK(compared > 100);
}

TEST_CASE("a call that waited says for whom, and leads to what it waited for")
{
    std::size_t led = 0;
    for (std::uint64_t seed = 0; seed < 10; ++seed) {
        const Experiment experiment =
            test::randomExperiment(seed, {.processes = 5, .messages = 200, .collectives = 12});
        const Picture picture = pictureOf(experiment, {}, 300);
        for (const WaitState& wait : picture.options.waits->experiments[0]->found().states) {
            const IntervalRef call{0, wait.location, wait.interval};
            const WaitState* longest = waitOf(picture.data->session, *picture.options.waits, call);
            REQUIRE(longest);
            REQUIRE(longest->lengthNs() >= wait.lengthNs());
            const std::string text = waitText(picture.data->session, *picture.options.waits, call);
            REQUIRE(text.starts_with(waitSummary(picture.data->session, *picture.options.waits, call)));
            REQUIRE(text.find("for " + displayName(experiment.definitions, longest->cause))
                    != std::string::npos);
            const Selection cause = selectCauseOf(picture.data->session, *picture.options.waits, call);
            if (longest->causeInterval == kNoInterval)
                REQUIRE(cause.locations == std::vector{LocationRef{0, longest->cause}});
            else
                REQUIRE(cause.intervals
                        == std::vector{IntervalRef{0, longest->cause, longest->causeInterval}});
            ++led;
        }
        CHECK(waitText(picture.data->session, *picture.options.waits, {}).empty());
    }
    CHECK(led > 20);
}

TEST_CASE("of a single call the filters leave its wait as they do among all")
{
    std::size_t left = 0, hidden = 0;
    for (std::uint64_t seed = 0; seed < 5; ++seed) {
        const Experiment experiment =
            test::randomExperiment(seed, {.processes = 5, .messages = 200, .collectives = 12});
        const Picture picture = pictureOf(experiment, {}, 300);
        const SessionWaitsPtr& waits = picture.options.waits;
        const Session& session = picture.data->session;
        const WaitStates& all = waits->experiments[0]->found();
        REQUIRE_FALSE(all.states.empty());
        const std::vector<std::vector<Filter>> choices{
            {},
            {messageFilter(FilterEffect::Keep, *parseAttributeConditions("bytes>=500"))},
            {locationFilter(FilterEffect::Hide, "", {{0, all.states[0].location}})},
            {{"", FilterEffect::Hide, {{0, waitRegion(experiment, all.states[0])}}, {}},
             messageFilter(FilterEffect::Hide, *parseAttributeConditions("tag=1"))}};
        for (const std::vector<Filter>& filters : choices) {
            const SessionWaitsPtr passing = waitsPassing(session, waits, filters);
            for (std::uint32_t location = 0; location < experiment.trace->locations.size(); ++location)
                for (std::size_t call = 0; call < experiment.trace->locations[location].intervals.size();
                     ++call) {
                    const IntervalRef reference{0, LocationId(location), static_cast<std::uint32_t>(call)};
                    const bool expected = waitOf(session, *passing, reference) != nullptr;
                    CHECK(waitPasses(session, *waits, reference, filters, *picture.data->messageFilters)
                          == expected);
                    left += expected;
                    hidden += !expected && waitOf(session, *waits, reference);
                }
        }
    }
    CHECK(left > 100);
    CHECK(hidden > 100);
}

TEST_CASE("a call that waited for a message that a filter hides has no line to what it waited for")
{
    std::size_t led = 0;
    for (std::uint64_t seed = 0; seed < 10; ++seed) {
        const Experiment experiment = test::randomExperiment(seed, {.processes = 5, .messages = 200});
        const Picture picture = pictureOf(experiment, {}, 300);
        for (const WaitState& wait : picture.options.waits->experiments[0]->found().states) {
            if (wait.message == kNoMessage || wait.causeInterval == kNoInterval) continue;
            ViewState state;
            state.selected.intervals = {{0, wait.location, wait.interval}};
            const auto lines = [&] {
                return test::itemsOf<LineItem>(
                           timelineOverlay(*picture.data, state, picture.options, picture.layout, kMeasure))
                    .size();
            };
            const std::size_t all = lines();
            const std::string tag = fmt::format("tag={}", experiment.trace->messages[wait.message].tag);
            state.filters = {messageFilter(FilterEffect::Keep, *parseAttributeConditions(tag))};
            CHECK(lines() == all);
            state.filters = {messageFilter(FilterEffect::Hide, *parseAttributeConditions(tag))};
            CHECK(lines() + 1 == all);
            ++led;
        }
    }
    CHECK(led > 20);
}

TEST_CASE("colours of wait states are told apart")
{
    const auto distance = [](Color a, Color b) {
        const Lch left = toLch(a), right = toLch(b);
        const auto turned = [](const Lch& of) {
            return std::polar(of.chroma, of.hueDegrees * std::numbers::pi / 180);
        };
        return std::hypot(left.lightness - right.lightness, std::abs(turned(left) - turned(right)));
    };
    for (const bool dark : {false, true})
        for (std::size_t first = 0; first < kWaitKinds; ++first) {
            const Color color = waitColor(static_cast<WaitKind>(first), dark);
            const Theme theme = dark ? darkTheme() : lightTheme();
            INFO(name(static_cast<WaitKind>(first)) << (dark ? ", dark" : ", light"));
            CHECK(distance(color, groupColor(PaletteGroup::Mpi, theme)) > 35);
            for (std::size_t second = 0; second < first; ++second) {
                INFO("and " << name(static_cast<WaitKind>(second)));
                CHECK(distance(color, waitColor(static_cast<WaitKind>(second), dark)) > 35);
            }
        }
}

TEST_CASE("waits of what filters hide are not marked")
{
    std::size_t hidden = 0;
    for (std::uint64_t seed = 0; seed < 10; ++seed) {
        const Experiment experiment =
            test::randomExperiment(seed, {.processes = 5, .messages = 200, .collectives = 12});
        const Picture whole = pictureOf(experiment, {}, 300);
        const WaitStates& all = whole.options.waits->experiments[0]->found();
        if (all.states.empty()) continue;
        const RegionId region = waitRegion(experiment, all.states[0]);
        ViewState state;
        state.filters = {{"", FilterEffect::Hide, {{0, region}}, {}}};
        const Picture filtered = pictureOf(experiment, state, 300);
        const SessionWaitsPtr shown =
            waitsPassing(filtered.data->session, filtered.options.waits, state.filters);
        CHECK(shown == waitsPassing(filtered.data->session, filtered.options.waits, state.filters));
        CHECK(whole.options.waits == waitsPassing(whole.data->session, whole.options.waits, {}));
        std::size_t kept = 0;
        for (const WaitState& wait : all.states) kept += waitRegion(experiment, wait) != region;
        CHECK(shown->experiments[0]->found().states.size() == kept);
        hidden += all.states.size() - kept;
        const auto marked = [](const Picture& picture) {
            std::size_t pixels = 0;
            for (const DrawItem& item : picture.list.items)
                if (const auto* band = std::get_if<PixelItem>(&item))
                    pixels += static_cast<std::size_t>(std::count_if(
                        band->argb.begin(), band->argb.end(), [](std::uint32_t argb) { return argb != 0; }));
            return pixels;
        };
        CHECK(marked(filtered) < marked(whole));
        if (kept == 0) CHECK(marked(filtered) == 0);
    }
    CHECK(hidden > 20);
}

}  // namespace skein::timeline_waits_scene_test
