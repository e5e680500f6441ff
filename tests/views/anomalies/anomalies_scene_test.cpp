// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/session/session_clock.h"
#include "tests/support/catch.h"
#include "tests/support/heatflow_anomalies.h"
#include "tests/support/small_session.h"
#include "views/anomalies/anomalies_scene.h"

#include <algorithm>

namespace skein::anomalies_scene_test {

namespace {

std::size_t countOf(const SessionAnomalies& anomalies, const std::vector<std::uint32_t>& shown,
                    AnomalyLabel label)
{
    return static_cast<std::size_t>(std::count_if(
        shown.begin(), shown.end(), [&](std::uint32_t i) { return anomalies.points[i].label == label; }));
}

}  // namespace

TEST_CASE("anomalies are shown at every sampling rate, and fewer normal calls are a part of more")
{
    const SessionAnomalies& anomalies = *test::heatflowAnomalies();
    const std::size_t odd = anomalies.found[0]->anomalies;
    std::vector<std::uint32_t> before;
    for (const double share : {0.0, 0.013, 0.1, 0.37, 1.0}) {
        AnomalyChoices choices;
        choices.normalShare = share;
        std::vector<std::uint32_t> shown = shownPoints(anomalies, {}, choices);
        CHECK(countOf(anomalies, shown, AnomalyLabel::Anomaly) == odd);
        const auto normal = static_cast<double>(countOf(anomalies, shown, AnomalyLabel::Normal));
        CHECK(std::abs(normal - share * static_cast<double>(anomalies.normalCalls))
              <= 0.02 * static_cast<double>(anomalies.normalCalls));
        std::sort(shown.begin(), shown.end());
        CHECK(std::includes(shown.begin(), shown.end(), before.begin(), before.end()));
        before = shown;
    }
    AnomalyChoices none;
    none.normalShare = 0.0;
    none.consequences = false;
    CHECK(shownPoints(anomalies, {}, none).size() == odd);
}

TEST_CASE("every anomaly has a dot with a thick border where its values are, and is found there")
{
    const SessionAnomalies& anomalies = *test::heatflowAnomalies();
    const SceneStyle style;
    const ApproximateTextMeasure measure;
    const Canvas canvas{1200, 800, style, measure};
    for (std::size_t axis = 0; axis < kAnomalyAxes; ++axis) {
        AnomalyChoices choices;
        choices.y = static_cast<AnomalyAxis>(axis);
        const DrawList list = anomaliesScene(anomalies, {}, choices, canvas, Task());
        const Rect plot =
            anomaliesLayout(anomalies, shownPoints(anomalies, {}, choices), choices, canvas).scatter;
        std::size_t thick = 0, inKey = 0;
        for (const DrawItem& item : list.items)
            if (const auto* dot = std::get_if<RectItem>(&item);
                dot && dot->radius > 0 && dot->strokeWidth > 2)
                ++(dot->rect.y + dot->radius < plot.bottom() ? thick : inKey);
        CHECK(thick == anomalies.found[0]->anomalies);
        CHECK(inKey == 1);
    }
    const AnomalyChoices choices;
    const auto shown = shownPoints(anomalies, {}, choices);
    const AnomaliesLayout layout = anomaliesLayout(anomalies, shown, choices, canvas);
    const AnomalyPoint& worst = anomalies.points[0];
    const Point at{layout.x.at(static_cast<double>(worst.begin)),
                   layout.y.at(static_cast<double>(worst.durationNs))};
    const auto found = anomalyPointAt(anomalies, shown, layout, choices, {}, at, 1.0);
    REQUIRE(found.has_value());
    CHECK(anomalies.points[*found].label == AnomalyLabel::Anomaly);
    const auto within = anomaliesWithin(
        anomalies, shown, layout, choices,
        {{at.x - 2, at.y - 2}, {at.x + 2, at.y - 2}, {at.x + 2, at.y + 2}, {at.x - 2, at.y + 2}});
    CHECK(std::find(within.begin(), within.end(), 0U) != within.end());
    CHECK(anomalyTooltip(anomalies, worst).size() >= 4);
}

TEST_CASE("a line around everything takes the calls in sight alone while the axes are enlarged")
{
    const SessionAnomalies& anomalies = *test::heatflowAnomalies();
    const SceneStyle style;
    const ApproximateTextMeasure measure;
    const Canvas canvas{1200, 800, style, measure};
    AnomalyChoices choices;
    const auto shown = shownPoints(anomalies, {}, choices);
    const std::vector<Point> around{{-1e7, -1e7}, {1e7, -1e7}, {1e7, 1e7}, {-1e7, 1e7}};
    const AnomaliesLayout whole = anomaliesLayout(anomalies, shown, choices, canvas);
    CHECK(anomaliesWithin(anomalies, shown, whole, choices, around).size() == shown.size());
    choices.zoom = {0.5, 0.75, 0.25, 0.75};
    const AnomaliesLayout part = anomaliesLayout(anomalies, shown, choices, canvas);
    std::size_t inSight = 0;
    for (const std::uint32_t i : shown) {
        const AnomalyPoint& point = anomalies.points[i];
        inSight += part.scatter.contains(
            {part.x.at(static_cast<double>(point.begin)), part.y.at(static_cast<double>(point.durationNs))});
    }
    REQUIRE(inSight > 0);
    REQUIRE(inSight < shown.size());
    CHECK(anomaliesWithin(anomalies, shown, part, choices, around).size() == inSight);
}

TEST_CASE("calls of no length stand below all others, and their tick says 0")
{
    const SessionAnomalies& anomalies = *test::heatflowAnomalies();
    const SceneStyle style;
    const ApproximateTextMeasure measure;
    const Canvas canvas{1200, 800, style, measure};
    const AnomalyChoices choices;
    const auto shown = shownPoints(anomalies, {}, choices);
    double least = 1e300;
    bool none = false;
    for (const std::uint32_t i : shown) {
        const auto duration = static_cast<double>(anomalies.points[i].durationNs);
        none = none || duration == 0;
        if (duration > 0) least = std::min(least, duration);
    }
    REQUIRE(none);
    const AnomalyScale scale = anomaliesLayout(anomalies, shown, choices, canvas).y;
    const double decade = scale.at(1e3) - scale.at(1e4);
    CHECK(scale.at(0) - scale.at(least) >= decade - 1e-6);
    CHECK(scale.at(0) - scale.at(least) < 2 * decade);
    const DrawList list = anomaliesScene(anomalies, {}, choices, canvas, Task());
    const auto shows = [&](const char* text) {
        return std::any_of(list.items.begin(), list.items.end(), [&](const DrawItem& item) {
            const auto* found = std::get_if<TextItem>(&item);
            return found && found->text == text && found->align == Align::Right;
        });
    };
    CHECK(shows("0 ns"));
    CHECK_FALSE(shows("1 ns"));
}

TEST_CASE("what the user says of a call goes before the detector")
{
    const SessionAnomalies& anomalies = *test::heatflowAnomalies();
    const AnomalyPoint& worst = anomalies.points[0];
    REQUIRE(worst.label == AnomalyLabel::Anomaly);
    CHECK(labelOf(worst, {{worst.call, CallVerdict::Kind::Normal}}) == AnomalyLabel::Normal);
    const AnomalyPoint& usual = anomalies.points.back();
    REQUIRE(usual.label == AnomalyLabel::Normal);
    CHECK(labelOf(usual, {{usual.call, CallVerdict::Kind::Anomaly}}) == AnomalyLabel::Anomaly);
    ViewState state;
    state.verdicts = {{usual.call, CallVerdict::Kind::Anomaly}};
    AnomalyChoices choices;
    choices.normalShare = 0.0;
    const auto shown = shownPoints(anomalies, state, choices);
    CHECK(std::find(shown.begin(), shown.end(), anomalies.points.size() - 1) != shown.end());
}

TEST_CASE("choices take away what lost less, scored less, or is of no interest, and nothing else")
{
    const SessionAnomalies& anomalies = *test::heatflowAnomalies();
    AnomalyChoices choices;
    choices.normalShare = 0.0;
    const auto all = shownPoints(anomalies, {}, choices);
    const AnomalyPoint& some = anomalies.points[anomalies.found[0]->anomalies / 2];
    AnomalyChoices severe = choices, scored = choices, ofInterest = choices;
    severe.leastSeverityNs = some.severityNs;
    scored.leastScore = some.score;
    const std::string function =
        displayName(anomalies.session->experiments[0]->definitions.regions[some.function]);
    ofInterest.functions = "no such function | " + function;
    for (const std::uint32_t i : all) {
        const AnomalyPoint& point = anomalies.points[i];
        const auto shownBy = [&](const AnomalyChoices& by) {
            const auto shown = shownPoints(anomalies, {}, by);
            return std::find(shown.begin(), shown.end(), i) != shown.end();
        };
        CHECK(shownBy(severe) == (point.severityNs >= some.severityNs));
        CHECK(shownBy(scored) == (point.score >= some.score));
        if (point.function == some.function) CHECK(shownBy(ofInterest));
    }
    CHECK(shownPoints(anomalies, {}, ofInterest).size() < all.size());
    CHECK(functionsOfInterest(anomalies, " | ").empty());
    CHECK_FALSE(proposedNames(anomalies).empty());
    Filter span;
    span.effect = FilterEffect::Keep;
    span.span = TimeSpan{some.begin, some.begin + some.durationNs};
    ViewState state;
    state.filters = {span};
    for (const std::uint32_t i : shownPoints(anomalies, state, choices)) {
        CHECK(anomalies.points[i].begin < span.span->end);
        CHECK(anomalies.points[i].begin + anomalies.points[i].durationNs >= span.span->begin);
    }
}

TEST_CASE("functions and ranks are listed by the anomalies that are shown, and found where they stand")
{
    const SessionAnomalies& anomalies = *test::heatflowAnomalies();
    const AnomalyChoices choices;
    const auto shown = shownPoints(anomalies, {}, choices);
    AnomalyChoices every = choices;
    every.listed = 10'000;
    std::uint64_t ofFunctions = 0, ofRanks = 0;
    for (const AnomalyLine& line : functionLines(anomalies, shown, {}, every))
        ofFunctions += line.ranked.anomalies;
    for (const AnomalyLine& line : rankLines(anomalies, shown, {}, every)) ofRanks += line.ranked.anomalies;
    CHECK(ofFunctions == anomalies.found[0]->anomalies);
    CHECK(ofRanks == anomalies.found[0]->anomalies);
    const auto top = rankLines(anomalies, shown, {}, choices);
    REQUIRE(top.size() == 10);
    for (std::size_t i = 1; i < top.size(); ++i)
        CHECK(top[i - 1].ranked.anomalies >= top[i].ranked.anomalies);
    const SceneStyle style;
    const ApproximateTextMeasure measure;
    const Canvas canvas{1400, 900, style, measure};
    const AnomaliesLayout layout = anomaliesLayout(anomalies, shown, choices, canvas);
    bool function = false, rank = false;
    for (double y = layout.list.y; y < layout.list.bottom(); y += 4) {
        const auto hit = anomalyListAt(anomalies, shown, layout, {}, choices, canvas, {layout.list.x + 5, y});
        if (hit) (hit->isFunction ? function : rank) = true;
    }
    CHECK(function);
    CHECK(rank);
}

TEST_CASE("chains of causes of consequences have links that add up to what was lost")
{
    const SessionAnomalies& anomalies = *test::heatflowAnomalies();
    std::size_t links = 0;
    for (const AnomalyPoint& point : anomalies.points) {
        if (point.label == AnomalyLabel::Normal) continue;
        const CauseLinks causes = causeLinksOf(anomalies, point.call, CauseDirection::Back);
        CHECK(causes.links.size() <= kMostCauseLinks);
        TimeNs sum = causes.restNs;
        for (const CauseLink& link : causes.links) sum += link.attributedNs;
        CHECK(sum == causes.lostNs);
        links += causes.links.size();
        ViewState state;
        state.causes = causes;
        CHECK(shownCauses(state) == nullptr);
        state.selected.intervals = {point.call};
        CHECK((shownCauses(state) != nullptr) == !causes.links.empty());
    }
    CHECK(links > 0);
    CHECK(causeLinksOf(anomalies, {7, LocationId(0), 0}, CauseDirection::Back) == CauseLinks());
}

TEST_CASE("a profile has no anomalous calls")
{
    const auto session = std::make_shared<const Session>(Session{{std::make_shared<const Experiment>()}});
    CHECK_FALSE(makeSessionAnomalies(session, {}, Task()).has_value());
}

TEST_CASE("what is known early says how much of the work it is of, and shows no normal call")
{
    SessionAnomaliesPtr early;
    const auto made = makeSessionAnomalies(test::heatflowAnomalies()->session, {}, Task(),
                                           [&](const SessionAnomaliesPtr& known) { early = known; });
    REQUIRE(made.has_value());
    REQUIRE(early);
    CHECK_FALSE(early->complete());
    const SceneStyle style;
    const ApproximateTextMeasure measure;
    const Canvas canvas{1200, 800, style, measure};
    const auto textsOf = [&](const SessionAnomalies& anomalies) {
        std::string all;
        for (const DrawItem& item : anomaliesScene(anomalies, {}, {}, canvas, Task()).items)
            if (const auto* text = std::get_if<TextItem>(&item)) all += text->text + "\n";
        return all;
    };
    const auto shown = shownPoints(*early, {}, {});
    CHECK(countOf(*early, shown, AnomalyLabel::Normal) == 0);
    CHECK(countOf(*early, shown, AnomalyLabel::Anomaly) == (*made)->found[0]->anomalies);
    CHECK(textsOf(*early).find("anomalies so far, from 50 % of the work") != std::string::npos);
    CHECK(textsOf(**made).find("of the work") == std::string::npos);
    for (const std::uint32_t i : shown) CHECK(anomalyTooltip(*early, early->points[i]).size() >= 4);
}

TEST_CASE("the key of the marks names anomalies first, and what density means where there is room")
{
    const SessionAnomaliesPtr anomalies = test::heatflowAnomalies();
    const SceneStyle style;
    const ApproximateTextMeasure measure;
    std::size_t fewest = 3;
    for (const int width : {420, 700, 900, 1200, 2400}) {
        const Canvas canvas{width, 700, style, measure};
        std::vector<std::string> key;
        for (const DrawItem& item : anomaliesScene(*anomalies, {}, {}, canvas, Task()).items)
            if (const auto* text = std::get_if<TextItem>(&item))
                for (const char* mark : {"anomaly", "consequence of an anomaly", "normal calls",
                                         "normal calls, stronger where many are"})
                    if (text->text == mark) key.emplace_back(mark);
        INFO("width " << width);
        REQUIRE_FALSE(key.empty());
        CHECK(key.back() == "anomaly");
        fewest = std::min(fewest, key.size());
        if (width == 2400) CHECK(key.front() == "normal calls, stronger where many are");
    }
    CHECK(fewest < 3);
}

TEST_CASE("entries are told in the time of the session: on the axis, in queries, windows and tooltips")
{
    const SessionAnomalies& anomalies = *test::heatflowAnomalies();
    const std::vector<TimeNs> shifts{5'000'000'000};
    ViewState shifted;
    shifted.clockShiftsNs = shifts;
    const SceneStyle style;
    const ApproximateTextMeasure measure;
    const Canvas canvas{1200, 800, style, measure};
    AnomalyChoices choices;
    choices.normalShare = 0.0;
    const auto shown = shownPoints(anomalies, shifted, choices);
    REQUIRE_FALSE(shown.empty());
    const AnomaliesLayout before = anomaliesLayout(anomalies, shown, choices, canvas),
                          after = anomaliesLayout(anomalies, shown, choices, canvas, shifts);
    const double offset = static_cast<double>(sessionClock(*anomalies.session, shifts).offsetsNs[0]);
    CHECK(after.x.from - before.x.from == Approx(5e9));
    const AnomalyPoint& worst = anomalies.points[shown.back()];
    const double inSession = static_cast<double>(worst.begin) + offset;
    const Point place{after.x.at(inSession), after.y.at(static_cast<double>(worst.durationNs))};
    CHECK(anomalyPointAt(anomalies, shown, after, choices, shifted, place, 1.0).has_value());
    const std::vector<Point> around{{place.x - 3, place.y - 3},
                                    {place.x + 3, place.y - 3},
                                    {place.x + 3, place.y + 3},
                                    {place.x - 3, place.y + 3}};
    CHECK_FALSE(anomaliesWithin(anomalies, shown, after, choices, around, shifts).empty());
    CHECK(anomalyTooltip(anomalies, worst, shifts)[1] != anomalyTooltip(anomalies, worst)[1]);
    const auto begun = [&](const ViewState& state) {
        AnomalyChoices asked = choices;
        asked.query.begins =
            QueriedRange<TimeNs>{static_cast<TimeNs>(inSession), static_cast<TimeNs>(inSession)};
        return shownPoints(anomalies, state, asked).size();
    };
    CHECK(begun(shifted) >= 1);
    CHECK(begun({}) == 0);
}

}  // namespace skein::anomalies_scene_test
