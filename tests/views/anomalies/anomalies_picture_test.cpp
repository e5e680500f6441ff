// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/anomalies/anomalies_picture_scene.h"

#include "algorithms/anomaly/anomaly_ranking.h"
#include "core/select/filters.h"
#include "core/session/session_clock.h"
#include "tests/support/catch.h"
#include "tests/support/heatflow_anomalies.h"
#include "tests/support/scenes.h"
#include "views/anomalies/anomaly_radar_scene.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>

namespace skein::anomalies_picture_test {
namespace {

const SessionAnomalies& heatflow() { return *test::heatflowAnomalies(); }

const SceneStyle kStyle;
const ApproximateTextMeasure kMeasure;
const Canvas kCanvas{1200, 800, kStyle, kMeasure};

struct Drawn {
    std::size_t thick = 0;                 ///< anomalies within the scatter
    std::set<std::pair<int, int>> blocks;  ///< column and row of coloured ones
};

Drawn drawnOf(const DrawList& list, const Rect& plot)
{
    Drawn drawn;
    for (const DrawItem& item : list.items) {
        if (const auto* dot = std::get_if<RectItem>(&item); dot && dot->radius > 0 && dot->strokeWidth > 2)
            drawn.thick += plot.contains({dot->rect.x + dot->radius, dot->rect.y + dot->radius});
        const auto* pixels = std::get_if<PixelItem>(&item);
        if (!pixels || pixels->heights.empty()) continue;
        const int block = pixels->heights[0];
        for (std::size_t row = 0; row < pixels->heights.size(); ++row)
            for (int column = 0; column < pixels->columns; ++column)
                if (pixels->argb[row * static_cast<std::size_t>(pixels->columns)
                                 + static_cast<std::size_t>(column)]
                    != 0)
                    drawn.blocks.emplace(column / block, static_cast<int>(row));
    }
    return drawn;
}

}  // namespace

TEST_CASE("every part of the scatter shows the calls that are there, at rest and while it moves")
{
    const SessionAnomalies& anomalies = heatflow();
    const AnomaliesPicture picture(anomalies, {}, {}, kStyle.theme);
    for (const AnomalyZoom& zoom :
         {AnomalyZoom{}, AnomalyZoom{0.2, 0.45, 0.3, 0.8}, AnomalyZoom{0.61, 0.64, 0.5, 0.53},
          AnomalyZoom{-0.5, 1.5, -0.2, 1.4}, AnomalyZoom{2, 3, 2, 3}}) {
        const AnomaliesLayout layout = picture.layout(zoom, kCanvas);
        for (const AnomaliesDetail detail : {AnomaliesDetail::AtRest, AnomaliesDetail::Moving}) {
            const Drawn drawn = drawnOf(picture.draw(zoom, detail, kCanvas, Task()), layout.scatter);
            // Brute force: each point by the axes of the layout.
            std::set<std::pair<int, int>> blocks;
            std::size_t thick = 0, near = 0;
            for (const AnomalyPoint& point : anomalies.points) {
                const Point at{layout.x.at(static_cast<double>(point.begin)),
                               layout.y.at(static_cast<double>(point.durationNs))};
                if (!layout.scatter.contains(at)) continue;
                thick += point.label == AnomalyLabel::Anomaly;
                if (point.label != AnomalyLabel::Normal) continue;
                blocks.emplace(static_cast<int>((at.x - layout.scatter.x) / 2),
                               static_cast<int>((at.y - layout.scatter.y) / 2));
            }
            CHECK(drawn.thick == thick);
            // What lies on an edge may be in the block beside it.
            for (const auto& [column, row] : drawn.blocks)
                for (const auto& [x, y] : {std::pair{0, 0}, {1, 0}, {-1, 0}, {0, 1}, {0, -1}})
                    if (blocks.contains({column + x, row + y})) {
                        ++near;
                        break;
                    }
            CHECK(near == drawn.blocks.size());
            CHECK(std::abs(static_cast<double>(drawn.blocks.size()) - static_cast<double>(blocks.size()))
                  <= 0.01 * static_cast<double>(blocks.size()) + 1);
        }
    }
    const Drawn all = drawnOf(picture.draw({}, AnomaliesDetail::Moving, kCanvas, Task()),
                              picture.layout({}, kCanvas).scatter);
    CHECK(all.thick == anomalies.found[0]->anomalies);
    const Drawn none = drawnOf(picture.draw({2, 3, 2, 3}, AnomaliesDetail::Moving, kCanvas, Task()),
                               picture.layout({2, 3, 2, 3}, kCanvas).scatter);
    CHECK(none.blocks.empty());
}

TEST_CASE("selected calls have a ring over all others, whatever they are")
{
    const SessionAnomalies& anomalies = heatflow();
    const SceneStyle style{lightTheme(), 1, {}};
    const Canvas canvas{1200, 800, style, kMeasure};
    for (const AnomalyLabel label :
         {AnomalyLabel::Anomaly, AnomalyLabel::Consequence, AnomalyLabel::Normal}) {
        ViewState state;
        std::set<std::pair<double, double>> expected;
        const AnomaliesLayout layout = AnomaliesPicture(anomalies, {}, {}, style.theme).layout({}, canvas);
        for (const AnomalyPoint& point : anomalies.points) {
            if (point.label != label || state.selected.intervals.size() == 3) continue;
            state.selected.intervals.push_back(point.call);
            expected.emplace(std::round(layout.x.at(static_cast<double>(point.begin))),
                             std::round(layout.y.at(static_cast<double>(point.durationNs))));
        }
        REQUIRE(state.selected.intervals.size() == 3);
        std::sort(state.selected.intervals.begin(), state.selected.intervals.end());
        const DrawList list = AnomaliesPicture(anomalies, state, {}, style.theme)
                                  .draw({}, AnomaliesDetail::AtRest, canvas, Task());
        std::set<std::pair<double, double>> rings;
        std::size_t behind = 0;  // marks that lie over the first ring
        for (const RectItem& item : test::itemsOf<RectItem>(list)) {
            const Point at{item.rect.x + item.radius, item.rect.y + item.radius};
            if (item.radius <= 0 || !layout.scatter.contains(at)) continue;
            if (item.stroke == style.theme.accent) {
                CHECK(item.fill.alpha == 0);
                rings.emplace(std::round(at.x), std::round(at.y));
            } else behind += rings.empty() ? 0 : 1;
        }
        CHECK(rings == expected);
        CHECK(behind < 3);  // those of what is selected itself
    }
}

TEST_CASE("consequences beyond what is drawn as circles are dots of the density")
{
    const SessionAnomalies& some = heatflow();
    SessionAnomalies many;
    many.session = some.session;
    many.found = some.found;
    many.points = some.points;
    std::size_t follows = 0;
    for (AnomalyPoint& point : many.points) {
        if (point.label == AnomalyLabel::Normal && follows < 30'000) point.label = AnomalyLabel::Consequence;
        follows += point.label == AnomalyLabel::Consequence;
    }
    AnomalyChoices choices;
    choices.normalShare = 0;
    const AnomaliesPicture picture(many, {}, choices, kStyle.theme);
    const AnomaliesLayout layout = picture.layout({}, kCanvas);
    const DrawList list = picture.draw({}, AnomaliesDetail::AtRest, kCanvas, Task());
    const Drawn drawn = drawnOf(list, layout.scatter);
    std::vector<Rect> circles;
    for (const RectItem& item : test::itemsOf<RectItem>(list))
        if (item.radius > 0) circles.push_back(item.rect);
    CHECK(circles.size() < 21'000);
    CHECK_FALSE(drawn.blocks.empty());
    // The least severe are those that are no circles: everyone of them has a block, or a neighbour's.
    std::vector<const AnomalyPoint*> order;
    for (const AnomalyPoint& point : many.points)
        if (point.label == AnomalyLabel::Consequence) order.push_back(&point);
    std::stable_sort(order.begin(), order.end(), [](const AnomalyPoint* a, const AnomalyPoint* b) {
        return a->severityNs < b->severityNs;
    });
    std::size_t there = 0;
    const std::size_t rest = follows - 20'000;
    for (std::size_t i = 0; i < rest; ++i) {
        const int column =
            static_cast<int>((layout.x.at(static_cast<double>(order[i]->begin)) - layout.scatter.x) / 2);
        const int row =
            static_cast<int>((layout.y.at(static_cast<double>(order[i]->durationNs)) - layout.scatter.y) / 2);
        bool near = false;
        for (const auto& [x, y] : {std::pair{0, 0}, {1, 0}, {-1, 0}, {0, 1}, {0, -1}})
            near = near || drawn.blocks.contains({column + x, row + y});
        there += near;
    }
    CHECK(there >= rest - 2);  // edges of the scatter
}

TEST_CASE("the map of ranks over time tells which calls it counts, all of them once")
{
    const SessionAnomalies& anomalies = heatflow();
    for (const AnomalyHeat heat : {AnomalyHeat::Anomalies, AnomalyHeat::Severity, AnomalyHeat::Calls})
        for (const AnomalyAxis across : {AnomalyAxis::Entry, AnomalyAxis::Score})
            for (const int height : {800, 420}) {
                AnomalyChoices choices;
                choices.heat = heat;
                choices.x = across;
                choices.normalShare = 0.05;
                const Canvas canvas{1200, height, kStyle, kMeasure};
                const AnomaliesPicture picture(anomalies, {}, choices, kStyle.theme);
                const Rect area = picture.layout({}, canvas).heat;
                REQUIRE(area.height > 8);
                std::map<std::uint32_t, int> told;
                double sum = 0;
                const double columns = std::floor(area.width / 6);
                // Rows are two pixels high at least.
                std::set<std::pair<std::int64_t, TimeNs>> seen;
                for (double y = area.y + 0.5; y < area.bottom(); y += 1)
                    for (double column = 0; column < columns; ++column) {
                        const auto cell = picture.heat().cellAt(
                            area, {}, canvas, {area.x + (column + 0.5) * area.width / columns, y});
                        if (!cell || !seen.emplace(cell->first.rank, cell->span.begin).second) continue;
                        sum += cell->value;
                        REQUIRE(cell->text.size() == 3);
                        CHECK(cell->text[2].ends_with("of those that are drawn")
                              == (heat == AnomalyHeat::Calls));
                        for (const std::uint32_t i : cell->points) {
                            ++told[i];
                            const AnomalyPoint& point = anomalies.points[i];
                            const std::int64_t rank =
                                anomalies.found[0]->places[point.call.location.index()].rank;
                            CHECK(cell->first.rank <= rank);
                            CHECK(rank <= cell->last.rank);
                            // Times of a map are floats.
                            CHECK(point.begin >= cell->span.begin - 1000);
                            CHECK(point.begin <= cell->span.end + 1000);
                        }
                    }
                double expected = 0;
                std::size_t counted = 0;
                for (const std::uint32_t i : picture.shown()) {
                    const AnomalyPoint& point = anomalies.points[i];
                    if (heat != AnomalyHeat::Calls && point.label != AnomalyLabel::Anomaly) continue;
                    // What lost nothing is not in a map of time lost.
                    if (heat == AnomalyHeat::Severity && point.severityNs == 0) continue;
                    ++counted;
                    expected += heat == AnomalyHeat::Severity ? static_cast<double>(point.severityNs) : 1.0;
                    const auto times = told.find(i);
                    CHECK((times != told.end() && times->second == 1));
                }
                CHECK(sum == Approx(expected));
                CHECK(told.size() == counted);
            }
}

TEST_CASE("ranks of one number in two programs have a row and a line each")
{
    const ExperimentPtr one = heatflow().session->experiments[0];
    Experiment other = *one;
    other.name = "other";
    other.path = "/elsewhere/other/traces.otf2";
    const auto two = makeSessionAnomalies(
        std::make_shared<const Session>(Session{{one, std::make_shared<const Experiment>(other)}}), {},
        Task());
    REQUIRE(two.has_value());
    const AnomaliesPicture picture(**two, {}, {}, kStyle.theme);
    const Rect area = picture.layout({}, kCanvas).heat;
    std::set<AnomalyHeatRank> ranks;
    for (double y = area.y + 1; y < area.bottom(); y += 2)
        for (double x = area.x + 1; x < area.right(); x += 3)
            if (const auto cell = picture.heat().cellAt(area, {}, kCanvas, {x, y})) {
                CHECK(cell->first == cell->last);
                ranks.insert(cell->first);
            }
    std::set<AnomalyHeatRank> expected;
    for (const AnomalyPoint& point : (*two)->points)
        if (point.label == AnomalyLabel::Anomaly)
            expected.insert({point.call.experiment,
                             (*two)->found[point.call.experiment]->places[point.call.location.index()].rank});
    CHECK(ranks == expected);
    std::set<std::string> names;
    for (const AnomalyLine& line : rankLines(**two, picture.shown(), {}, {})) names.insert(line.name);
    CHECK(names.size() == AnomalyChoices().listed);
}

TEST_CASE("a zoomed axis has ticks within what it shows")
{
    const SessionAnomalies& anomalies = heatflow();
    const AnomaliesPicture picture(anomalies, {}, {}, kStyle.theme);
    for (double width = 1.0; width > 0.004; width /= 2) {
        const AnomaliesLayout layout =
            picture.layout({0.6 - width / 2, 0.6 + width / 2, 0.6 - width / 2, 0.6 + width / 2}, kCanvas);
        std::size_t seen = 0;
        for (const double tick : ticksOf(layout.y, "ns", 12)) {
            const double y = layout.y.at(tick);
            seen += y >= layout.scatter.y && y <= layout.scatter.bottom();
        }
        CHECK(seen >= 2);
        CHECK(seen <= 24);
    }
}

TEST_CASE("a window of fixed length shows the calls that touch it, and the map of ranks all of them")
{
    const SessionAnomalies& anomalies = heatflow();
    const TimeNs end = anomalies.session->experiments[0]->trace->extent.end;
    AnomalyChoices choices;
    choices.window.lengthNs = end / 10;
    std::set<std::uint32_t> together;
    for (std::int64_t back = 0; back < 11; ++back) {
        choices.window.back = back;
        const TimeSpan span = choices.window.span(end);
        const auto shown = shownPoints(anomalies, {}, choices);
        for (const std::uint32_t i : shown) {
            const AnomalyPoint& point = anomalies.points[i];
            CHECK(point.begin < span.end);
            CHECK(point.begin + point.durationNs >= span.begin);
        }
        together.insert(shown.begin(), shown.end());
    }
    CHECK(together.size() == anomalies.points.size());
    choices.window.back = 3;
    CHECK(shownPoints(anomalies, {}, choices).size() < anomalies.points.size());
    CHECK(pointsOfAllTimes(anomalies, {}, choices).size() == anomalies.points.size());
    const auto cellsOfMap = [&](const AnomalyChoices& of) {
        const AnomaliesPicture picture(anomalies, {}, of, kStyle.theme);
        const AnomaliesLayout layout = picture.layout({}, kCanvas);
        std::set<double> rows;
        for (const DrawItem& item : picture.draw({}, AnomaliesDetail::AtRest, kCanvas, Task()).items)
            if (const auto* cell = std::get_if<RectItem>(&item); cell && cell->fill.alpha > 0
                && cell->rect.y >= layout.heat.y && cell->rect.x >= layout.heat.x
                && cell->rect.right() <= layout.heat.right() + 8)
                rows.insert(cell->rect.y);
        return rows;
    };
    AnomalyChoices all;
    CHECK(cellsOfMap(choices) == cellsOfMap(all));
}

TEST_CASE("the map of a window is of the session's time, however clocks are shifted")
{
    const SessionAnomalies& anomalies = heatflow();
    const TimeSpan run = anomalies.session->experiments[0]->trace->extent;
    for (const TimeNs shift : {TimeNs{0}, run.end / 3, -run.end / 3}) {
        ViewState state;
        state.clockShiftsNs = {shift};
        AnomalyChoices choices;
        choices.window = {run.end / 5, 1};
        const AnomaliesPicture picture(anomalies, state, choices, kStyle.theme);
        const Rect map = picture.layout({}, kCanvas).heat;
        std::vector<Rect> cells;
        std::optional<Rect> frame;
        for (const DrawItem& item :
             picture.draw({2, 3, 2, 3}, AnomaliesDetail::AtRest, kCanvas, Task()).items) {
            const auto* rect = std::get_if<RectItem>(&item);
            if (!rect || rect->rect.y < map.y || rect->rect.x < map.x - 1 || rect->rect.x >= map.right())
                continue;
            if (rect->fill.alpha > 0) cells.push_back(rect->rect);
            else if (!frame && rect->rect.width < map.width) frame = rect->rect;
        }
        REQUIRE(frame.has_value());
        const TimeSpan extent = sessionClock(*anomalies.session, state.clockShiftsNs).extent;
        const TimeSpan window = choices.window.span(extent.end);
        CHECK(std::abs(frame->x
                       - (map.x
                          + map.width * static_cast<double>(window.begin - extent.begin)
                              / static_cast<double>(extent.lengthNs())))
              < 1.5);
        std::size_t marked = 0;
        for (const AnomalyPoint& point : anomalies.points) {
            if (point.label != AnomalyLabel::Anomaly) continue;
            const double x = map.x
                + map.width * static_cast<double>(point.begin + shift - extent.begin)
                    / static_cast<double>(extent.lengthNs());
            marked += std::any_of(cells.begin(), cells.end(),
                                  [&](const Rect& cell) { return cell.x <= x + 1 && cell.right() >= x - 1; });
        }
        CHECK(marked == anomalies.found[0]->anomalies);
        CHECK(cells.size() <= anomalies.found[0]->anomalies);
    }
}

TEST_CASE("a query is read as it is written, and finds what a loop finds")
{
    for (const char* text : {"ranks 2..5", "lost 1ms..; label anomaly", "scores ..3.5; begins 1s..2500ms",
                             "programs 0; ranks 7; function Solve; lost 10us..20us; label normal", ""}) {
        const auto query = parseAnomalyQuery(text);
        INFO(text);
        REQUIRE(query.has_value());
        CHECK(parseAnomalyQuery(textOf(*query)).value() == *query);
        CHECK(query->empty() == std::string_view(text).empty());
    }
    CHECK(parseAnomalyQuery(" LOST 2ms.. ;; Label Anomaly ").value()
          == parseAnomalyQuery("label anomaly; lost 2000us..").value());
    for (const char* text : {"ranks", "ranks x", "ranks 5..2", "ranks 1; ranks 2", "lost 1 fortnight",
                             "label strange", "nothing 3", "scores nan", "ranks ..", "function"})
        CHECK_FALSE(parseAnomalyQuery(text).has_value());
    const SessionAnomalies& anomalies = heatflow();
    AnomalyChoices choices;
    const std::string function =
        displayName(anomalies.session->experiments[0]->definitions.regions[anomalies.points[0].function]);
    choices.query =
        parseAnomalyQuery("ranks 2..9; lost 100us..; scores 1..; begins 100ms..; label anomaly").value();
    const auto wanted = [&](const AnomalyPoint& point) {
        const std::int64_t rank = anomalies.found[0]->places[point.call.location.index()].rank;
        return rank >= 2 && rank <= 9 && point.severityNs >= 100'000 && point.score >= 1
            && point.begin >= 100'000'000 && point.label == AnomalyLabel::Anomaly;
    };
    std::vector<std::uint32_t> expected;
    for (std::uint32_t i = 0; i < anomalies.points.size(); ++i)
        if (wanted(anomalies.points[i])) expected.push_back(i);
    REQUIRE_FALSE(expected.empty());
    auto shown = shownPoints(anomalies, {}, choices);
    std::sort(shown.begin(), shown.end());
    CHECK(shown == expected);
    choices.query = {};
    choices.query.function = function;
    const auto& regions = anomalies.session->experiments[0]->definitions.regions;
    expected.clear();
    for (std::uint32_t i = 0; i < anomalies.points.size(); ++i)
        if (displayName(regions[anomalies.points[i].function]).find(function) != std::string::npos)
            expected.push_back(i);
    REQUIRE_FALSE(expected.empty());
    shown = shownPoints(anomalies, {}, choices);
    std::sort(shown.begin(), shown.end());
    CHECK(shown == expected);
}

TEST_CASE("the radar has a spoke a function, and its lines are parts of the greatest")
{
    const SessionAnomalies& anomalies = heatflow();
    AnomalyChoices choices;
    const auto shown = shownPoints(anomalies, {}, choices);
    const auto lines = functionLines(anomalies, shown, {}, choices);
    std::map<std::uint32_t, double> highest;
    for (const AnomalyPoint& point : anomalies.points)
        if (point.label == AnomalyLabel::Anomaly)
            highest[point.function] = std::max(highest[point.function], point.score);
    for (const AnomalyLine& line : lines)
        CHECK(line.highestScore == (highest.contains(line.item) ? highest[line.item] : 0.0));
    const auto shapes = radarShapes(lines);
    for (const RadarShape& shape : shapes) {
        REQUIRE(shape.size() == std::min(lines.size(), kMostSpokes));
        CHECK(*std::max_element(shape.begin(), shape.end()) == 1.0);
        CHECK(*std::min_element(shape.begin(), shape.end()) >= 0.0);
    }
    CHECK(shapes[0][1] * static_cast<double>(lines[0].ranked.anomalies)
          == static_cast<double>(lines[1].ranked.anomalies));
    choices.functionsAs = FunctionsAs::Radar;
    const DrawList list = anomaliesScene(anomalies, {}, choices, Canvas{1400, 900, kStyle, kMeasure}, Task());
    const auto polygons = std::count_if(list.items.begin(), list.items.end(), [](const DrawItem& item) {
        const auto* polygon = std::get_if<PolygonItem>(&item);
        return polygon && polygon->fill.alpha > 0;
    });
    CHECK(polygons == 3);
    DrawList few;
    drawAnomalyRadar(few, {0, 0, 300, 300}, {lines[0], lines[1]}, kCanvas);
    REQUIRE(few.items.size() == 1);
    CHECK(std::get<TextItem>(few.items[0]).text.find("three") != std::string::npos);
}

TEST_CASE("of a part of the run windows divide that part, and what is of the whole run says so")
{
    const SessionAnomalies& anomalies = heatflow();
    const Trace& trace = *anomalies.session->experiments[0]->trace;
    ViewState state;
    const TimeSpan span{1'000'000'000, 2'000'000'000};
    state.filters = {spanFilter(span)};
    AnomalyChoices choices;
    choices.listed = 1000;
    const auto shown = shownPoints(anomalies, state, choices);
    std::vector<CountedAnomaly> counted;
    for (const std::uint32_t i : shown)
        if (const AnomalyPoint& point = anomalies.points[i]; point.label == AnomalyLabel::Anomaly)
            counted.push_back({point.call.location.value(), point.begin, point.severityNs});
    REQUIRE(counted.size() > 10);
    const auto locations = static_cast<std::uint32_t>(trace.locations.size());
    const auto ofPart = rankAnomalies(counted, locations, span, anomalyWindows(span));
    const auto ofRun = rankAnomalies(counted, locations, trace.extent, anomalyWindows(trace.extent));
    std::size_t different = 0;
    for (const AnomalyLine& line : rankLines(anomalies, shown, state, choices))
        for (std::size_t i = 0; i < kAnomalyStatistics; ++i) {
            CHECK(line.ranked.values[i] == ofPart[line.item].values[i]);
            different += ofPart[line.item].values[i] != ofRun[line.item].values[i];
        }
    CHECK(different > 0);
    const auto isSaid = [&](const ViewState& of, std::string_view wanted) {
        const AnomaliesPicture picture(anomalies, of, choices, kStyle.theme);
        const DrawList list = picture.draw({}, AnomaliesDetail::AtRest, kCanvas, Task());
        const auto texts = test::itemsOf<TextItem>(list);
        return std::any_of(texts.begin(), texts.end(),
                           [&](const TextItem& item) { return item.text.find(wanted) != std::string::npos; });
    };
    for (const char* said : {"normal calls in the whole run", "Run's mean"}) {
        CHECK(isSaid(state, said));
        CHECK_FALSE(isSaid({}, said));
    }
}

}  // namespace skein::anomalies_picture_test
