// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/profile/profile_scene.h"

#include "core/io/importer.h"
#include "core/select/metric_choice.h"
#include "core/select/translate.h"
#include "tests/support/catch.h"
#include "tests/support/cli.h"
#include "tests/support/paths.h"
#include "tests/support/scenes.h"
#include "tests/support/small_session.h"
#include "views/common/scene/axes/value_axis.h"
#include "views/common/scene/regions/region_groups.h"
#include "views/profile/treemap_scene.h"

#include <nlohmann/json.hpp>

#include <map>
#include <random>
#include <set>

namespace skein::profile_scene_test {

namespace {

const ApproximateTextMeasure kMeasure(12);

SceneStyle lightStyle()
{
    SceneStyle style;
    style.theme = lightTheme();
    return style;
}

/// main on two ranks of 1000 ns: solve 600 and MPI_Wait 300 on the first, 200 and 700 on the second.
Session twoRanks()
{
    return {{test::ExperimentBuilder("run")
                 .process("n0", {{0, 1000, "main", 0}, {0, 600, "solve", 1}, {600, 900, "MPI_Wait", 1}})
                 .process("n1", {{0, 1000, "main", 0}, {0, 200, "solve", 1}, {200, 900, "MPI_Wait", 1}})
                 .paradigm("MPI_Wait", Paradigm::Mpi)
                 .finish()}};
}

ProfileRequest requestOf(ProfileQuantity quantity = ProfileQuantity::Exclusive,
                         ProfileGrouping grouping = ProfileGrouping::Location)
{
    ProfileRequest request;
    request.quantity = quantity;
    request.grouping = grouping;
    if (quantity == ProfileQuantity::Calls) request.metric = kCallsMetric;
    return request;
}

std::map<std::string, double> amountsOf(const ProfileBars& bars, std::size_t bar)
{
    std::map<std::string, double> amounts;
    for (const ProfileSegment& segment : bars.bars[bar].segments)
        amounts[bars.series[segment.series].name] = segment.amount;
    return amounts;
}

struct Drawn {
    std::uint32_t bar, series;
    Rect rect;
};

/// The outermost rectangle of every segment.
std::vector<Drawn> segmentsOf(const DrawList& list)
{
    std::map<std::pair<std::uint32_t, std::uint32_t>, Rect> found;
    for (const DrawItem& item : list.items)
        if (const auto* rect = std::get_if<RectItem>(&item))
            if (rect->id.kind == static_cast<std::uint32_t>(ProfileHit::Segment))
                found.try_emplace({rect->id.item, rect->id.part}, rect->rect);
    std::vector<Drawn> drawn;
    for (const auto& [key, rect] : found) drawn.push_back({key.first, key.second, rect});
    return drawn;
}

}  // namespace

TEST_CASE("a profile's bars hold exclusive and inclusive time and calls of each location")
{
    const Session session = twoRanks();
    const ProfileBars exclusive = makeProfileBars(session, requestOf(), Task()).value();
    REQUIRE(exclusive.bars.size() == 2);
    CHECK(exclusive.bars[0].label == "Rank 0");
    CHECK(amountsOf(exclusive, 0)
          == std::map<std::string, double>{{"main", 100}, {"solve", 600}, {"MPI_Wait", 300}});
    CHECK(amountsOf(exclusive, 1)
          == std::map<std::string, double>{{"main", 100}, {"solve", 200}, {"MPI_Wait", 700}});
    CHECK(exclusive.total == 2000);
    CHECK(exclusive.series[0].name == "MPI_Wait");
    CHECK(exclusive.addsUp);
    const ProfileBars inclusive =
        makeProfileBars(session, requestOf(ProfileQuantity::Inclusive), Task()).value();
    CHECK(amountsOf(inclusive, 0).at("main") == 1000);
    CHECK_FALSE(inclusive.addsUp);
    CHECK(
        amountsOf(makeProfileBars(session, requestOf(ProfileQuantity::Calls), Task()).value(), 1).at("solve")
        == 1);
    ProfileRequest window = requestOf();
    window.span = TimeSpan{500, 700};
    CHECK(amountsOf(makeProfileBars(session, window, Task()).value(), 0)
          == std::map<std::string, double>{{"main", 0}, {"solve", 100}, {"MPI_Wait", 100}});
}

TEST_CASE("a profile's bars can stand for processes, nodes and components")
{
    const Session one = twoRanks();
    CHECK(makeProfileBars(one, requestOf(ProfileQuantity::Exclusive, ProfileGrouping::Node), Task())
              .value()
              .bars[1]
              .label
          == "n1");
    Session two = twoRanks();
    two.experiments.push_back(test::ExperimentBuilder("other").process("n0", {{0, 50, "main", 0}}).finish());
    const ProfileBars bars =
        makeProfileBars(two, requestOf(ProfileQuantity::Exclusive, ProfileGrouping::Component), Task())
            .value();
    REQUIRE(bars.bars.size() == 2);
    CHECK(bars.bars[0].total == 2000);
    CHECK(bars.bars[0].locations.size() == 2);
    CHECK(amountsOf(bars, 1) == std::map<std::string, double>{{"main", 50}});
    CHECK(makeProfileBars(two, requestOf(ProfileQuantity::Exclusive, ProfileGrouping::Process), Task())
              .value()
              .bars.size()
          == 3);
}

TEST_CASE("filters take regions and locations out of a profile's bars")
{
    const Session session = twoRanks();
    ProfileRequest request = requestOf();
    const auto region = [&](const char* name) {
        for (std::uint32_t id = 0; id < 3; ++id)
            if (session.experiments[0]->definitions.regions[id].name == name)
                return RegionRef{0, RegionId(id)};
        return RegionRef{};
    };
    request.filters = {{"", FilterEffect::Hide, {region("solve")}, {}},
                       {"", FilterEffect::Keep, {}, {{0, LocationId(1)}}}};
    const ProfileBars bars = makeProfileBars(session, request, Task()).value();
    REQUIRE(bars.bars.size() == 1);
    CHECK(amountsOf(bars, 0) == std::map<std::string, double>{{"main", 100}, {"MPI_Wait", 700}});
    CHECK(bars.hidden == 1);
}

TEST_CASE("the bars of real archives sum up to skein-cli profile")
{
    for (const char* path : {"lulesh-8/trace-otf2", "lulesh-8/profile-multi", "heatflow-16x2/trace-otf2"}) {
        const std::string archive = test::sourcePath(std::string("examples/") + path).string();
        const Session session{{openExperiment(archive, Task()).value()}};
        const auto rows = nlohmann::json::parse(
            test::runCli({"profile", archive, "--by", "region", "--format", "json"}).out);
        for (const auto& [quantity, key] : {std::pair{ProfileQuantity::Exclusive, "exclusive_ns"},
                                            {ProfileQuantity::Inclusive, "inclusive_ns"},
                                            {ProfileQuantity::Calls, "calls"}}) {
            const ProfileBars bars = makeProfileBars(session, requestOf(quantity), Task()).value();
            std::map<std::string, double> totals;
            for (const ProfileBar& bar : bars.bars)
                for (const ProfileSegment& segment : bar.segments)
                    totals[bars.series[segment.series].name] += segment.amount;
            REQUIRE(totals.size() == rows.size());
            for (const auto& row : rows)
                CHECK(totals.at(row.at("name")) == Approx(row.at(key).get<double>()));
        }
    }
}

TEST_CASE("user events have bars of their sums, numbers, means and extremes")
{
    const Session session{
        {openExperiment(test::sourcePath("examples/lulesh-8/profile-flat"), Task()).value()}};
    ProfileRequest request = requestOf(ProfileQuantity::Events);
    request.sampled = "Message size for all-reduce";
    const ProfileBars events = makeProfileBars(session, request, Task()).value();
    REQUIRE(events.bars.size() == 8);
    request.quantity = ProfileQuantity::Sum;
    const ProfileBars sums = makeProfileBars(session, request, Task()).value();
    request.quantity = ProfileQuantity::Mean;
    const ProfileBars means = makeProfileBars(session, request, Task()).value();
    CHECK_FALSE(means.addsUp);
    for (std::size_t bar = 0; bar < 8; ++bar)
        CHECK(means.bars[bar].total == Approx(sums.bars[bar].total / events.bars[bar].total));
}

TEST_CASE("segments are as long as their amounts, and the smallest regions are one segment")
{
    const Session session = twoRanks();
    const auto picture = makeProfilePicture(session, makeProfileBars(session, requestOf(), Task()).value(),
                                            RegionGrouping::Role);
    const SceneStyle style = lightStyle();
    const Canvas canvas{900, 300, style, kMeasure};
    ProfileOptions options;
    const ProfileLayout layout = profileLayout(*picture, {}, options, canvas);
    CHECK(layout.maximum == 1000);
    for (const Drawn& drawn : segmentsOf(profileScene(*picture, {}, options, canvas))) {
        const auto& series = picture->bars.series[drawn.series].name;
        const double amount = amountsOf(picture->bars, drawn.bar).at(series);
        CHECK(drawn.rect.width == Approx(amount / 1000 * layout.body.width).margin(1));
    }
    options.largest = 1;
    const auto few = segmentsOf(profileScene(*picture, {}, options, canvas));
    REQUIRE(few.size() == 4);
    for (const Drawn& drawn : few) CHECK((drawn.series == 0 || drawn.series == kRestSeries));
    options.scale = ProfileScale::Shares;
    double right[2] = {0, 0};
    for (const Drawn& drawn : segmentsOf(profileScene(*picture, {}, options, canvas)))
        right[drawn.bar] = std::max(right[drawn.bar], drawn.rect.right());
    CHECK(right[0] == Approx(layout.body.right()).margin(1));
    CHECK(right[1] == Approx(layout.body.right()).margin(1));
}

TEST_CASE("bars are ordered by rank, amount, the selected regions or name")
{
    const Session session{{test::ExperimentBuilder("run")
                               .process("n", {{0, 500, "a", 0}, {0, 100, "b", 1}})
                               .process("n", {{0, 900, "a", 0}, {0, 300, "b", 1}})
                               .process("n", {{0, 700, "a", 0}, {0, 600, "b", 1}})
                               .finish()}};
    const auto picture = makeProfilePicture(session, makeProfileBars(session, requestOf(), Task()).value(),
                                            RegionGrouping::Role);
    const SceneStyle style = lightStyle();
    const Canvas canvas{900, 300, style, kMeasure};
    Selection selected;
    for (std::uint32_t id = 0; id < 2; ++id)
        if (session.experiments[0]->definitions.regions[id].name == "b")
            selected = select(session, RegionRef{0, RegionId(id)});
    const auto order = [&](ProfileOrder by) {
        ProfileOptions options;
        options.order = by;
        return profileLayout(*picture, selected, options, canvas).order;
    };
    CHECK(order(ProfileOrder::Rank) == std::vector<std::uint32_t>{0, 1, 2});
    CHECK(order(ProfileOrder::Amount) == std::vector<std::uint32_t>{1, 2, 0});
    CHECK(order(ProfileOrder::SelectedRegions) == std::vector<std::uint32_t>{2, 1, 0});
    CHECK(order(ProfileOrder::Name) == std::vector<std::uint32_t>{0, 1, 2});
}

TEST_CASE("bars can be aligned at the selected region")
{
    const Session session = twoRanks();
    const auto picture = makeProfilePicture(session, makeProfileBars(session, requestOf(), Task()).value(),
                                            RegionGrouping::Role);
    const SceneStyle style = lightStyle();
    const Canvas canvas{800, 200, style, kMeasure};
    Selection selected;
    for (const ProfileSeries& series : picture->bars.series)
        if (series.name == "solve") selected.regions = series.regions;
    ProfileOptions options;
    options.alignment = ProfileAlignment::SelectedRegion;
    const auto leftOf = [&](const Selection& of) {
        std::map<std::uint32_t, double> lefts;
        for (const Drawn& drawn : segmentsOf(profileScene(*picture, of, options, canvas)))
            if (picture->bars.series[drawn.series].name == "solve") lefts[drawn.bar] = drawn.rect.x;
        REQUIRE(lefts.size() == 2);
        return lefts;
    };
    const auto aligned = leftOf(selected);
    CHECK(aligned.at(0) == aligned.at(1));
    // MPI_Wait comes before it: 300 ns on the first, 700 ns on the second.
    const auto plain = leftOf({});
    const ProfileLayout layout = profileLayout(*picture, {}, options, canvas);
    CHECK(plain.at(1) - plain.at(0) == Approx(400 / layout.maximum * layout.body.width).margin(2));
    const ProfileLayout shifted = profileLayout(*picture, selected, options, canvas);
    CHECK(shifted.zero == 700);
    CHECK(shifted.starts == std::vector<double>{400, 0});
}

TEST_CASE("areas of a treemap are proportional, do not overlap and fill it")
{
    std::mt19937 random(5);
    for (int round = 0; round < 50; ++round) {
        std::vector<double> weights(1 + random() % 40);
        for (double& weight : weights) weight = 1 + random() % 1000;
        std::sort(weights.rbegin(), weights.rend());
        double sum = 0;
        for (const double weight : weights) sum += weight;
        const Rect area{10, 20, 300, 200};
        const auto boxes = squarify(weights, area);
        REQUIRE(boxes.size() == weights.size());
        for (std::size_t i = 0; i < boxes.size(); ++i) {
            REQUIRE(boxes[i].width * boxes[i].height == Approx(weights[i] / sum * 60000));
            REQUIRE(boxes[i].x >= area.x - 1e-6);
            REQUIRE(boxes[i].bottom() <= area.bottom() + 1e-6);
            for (std::size_t j = 0; j < i; ++j)
                REQUIRE_FALSE(boxes[i].inset(1e-6).overlaps(boxes[j].inset(1e-6)));
        }
    }
}

TEST_CASE("a treemap shows the sum of all bars, and what is hit is selected")
{
    const Session session = twoRanks();
    const auto picture = makeProfilePicture(session, makeProfileBars(session, requestOf(), Task()).value(),
                                            RegionGrouping::Role);
    const SceneStyle style = lightStyle();
    const Canvas canvas{900, 400, style, kMeasure};
    ProfileOptions options;
    options.shape = ProfileShape::Treemap;
    const DrawList list = profileScene(*picture, {}, options, canvas);
    const auto drawn = segmentsOf(list);
    REQUIRE(drawn.size() == 3);
    CHECK(drawn[0].rect.width * drawn[0].rect.height > 4 * drawn[2].rect.width * drawn[2].rect.height);
    const Rect& first = drawn[0].rect;
    const HitId hit = hitTest(list, {first.x + first.width / 2, first.y + first.height / 2});
    const ProfileLayout layout = profileLayout(*picture, {}, options, canvas);
    const Selection selected = profileSelection(session, *picture, layout, hit);
    REQUIRE(selected.regions.size() == 1);
    CHECK(session.experiments[0]->definitions.region(selected.regions[0].id).name == "MPI_Wait");
    CHECK(selected.locations.empty());
    CHECK(profileTooltip(*picture, layout, hit)
          == std::vector<std::string>{"MPI_Wait", "all bars: 1 µs, 50.0 %"});
}

TEST_CASE("the heading counts bars where there are some, and areas have none")
{
    ProfileBars bars;
    bars.title = "Time";
    bars.bars.resize(8);
    CHECK(profileHeading(bars, ProfileShape::Bars).find("8 bars") != std::string::npos);
    CHECK(profileHeading(bars, ProfileShape::Treemap).find("bar") == std::string::npos);
}

TEST_CASE("groups of a treemap are named as far as there is room")
{
    const Session session = twoRanks();
    const auto picture = makeProfilePicture(session, makeProfileBars(session, requestOf(), Task()).value(),
                                            RegionGrouping::Role);
    const SceneStyle style = lightStyle();
    ProfileOptions options;
    options.shape = ProfileShape::Treemap;
    const auto groups = [&](int width) {
        std::vector<std::string> names;
        const Canvas canvas{width, 400, style, kMeasure};
        for (const TextItem& item : test::itemsOf<TextItem>(profileScene(*picture, {}, options, canvas)))
            if (item.style == FontStyle::Bold && item.text.starts_with("MPI")) names.push_back(item.text);
        return names;
    };
    CHECK(groups(900) == std::vector<std::string>{"MPI · 1 µs · 50.0 %"});
    std::set<std::string> narrower;
    for (int width = 900; width > 120; width -= 10)
        for (const std::string& name : groups(width)) narrower.insert(name);
    CHECK(narrower == std::set<std::string>{"MPI · 1 µs · 50.0 %", "MPI · 50.0 %"});
}

TEST_CASE("a treemap has the groups that are chosen, and regions have shades of their colours")
{
    const Session session{
        {test::ExperimentBuilder("run")
             .process(
                 "n0",
                 {{0, 1000, "main", 0}, {0, 600, "solve [{solve.c} {3,1}]", 1}, {600, 900, "MPI_Wait", 1}})
             .group("main", "TAU_USER")
             .group("solve [{solve.c} {3,1}]", "TAU_DEFAULT")
             .finish()}};
    const auto picture = makeProfilePicture(session, makeProfileBars(session, requestOf(), Task()).value(),
                                            RegionGrouping::Recorded);
    const SceneStyle style = lightStyle();
    const Canvas canvas{900, 400, style, kMeasure};
    ProfileOptions options;
    options.shape = ProfileShape::Treemap;
    const DrawList list = profileScene(*picture, {}, options, canvas);
    std::set<std::string> titles;
    for (const TextItem& item : test::itemsOf<TextItem>(list))
        if (item.style == FontStyle::Bold) titles.insert(item.text.substr(0, item.text.find(' ')));
    for (const char* group : {"TAU_DEFAULT", "Others", "TAU_USER"}) CHECK(titles.contains(group));
    const RegionPalette palette =
        regionPalette(RegionGroups(session, RegionGrouping::Recorded), 0, style.theme);
    std::set<std::uint32_t> drawn;
    for (const RectItem& item : test::itemsOf<RectItem>(list))
        if (item.id.kind == static_cast<std::uint32_t>(ProfileHit::Segment)) drawn.insert(toArgb(item.fill));
    CHECK(drawn == std::set<std::uint32_t>(palette.argb.begin(), palette.argb.end()));
}

TEST_CASE("axes have round values")
{
    CHECK(roundValues(0, 100, 5) == std::vector<double>{0, 20, 40, 60, 80, 100});
    CHECK(roundValues(-3, 4, 4) == std::vector<double>{-2, 0, 2, 4});
    CHECK(roundValues(0, 3 * 1024 * 1024, 3, "B")
          == std::vector<double>{0, 1048576, 2 * 1048576, 3 * 1048576});
    CHECK(roundValues(5, 5, 4).empty());
    CHECK(formatAmount(12'500'000, "ns") == "12.5 ms");
    CHECK(formatAmount(2048, "B") == "2 KiB");
}

TEST_CASE("where the legend has no room for all series, its last line says how many are missing")
{
    test::ExperimentBuilder builder("many");
    std::vector<test::Call> calls{{0, 100'000, "main", 0}};
    for (int region = 0; region < 11; ++region)
        calls.push_back(
            {region * 5'000, region * 5'000 + 1'000 + 200 * region, "region " + std::to_string(region), 1});
    const Session session{{builder.process("node", calls).finish()}};
    ProfilePicture picture{makeProfileBars(session, requestOf(), Task()).value(),
                           RegionGrouping::Role,
                           {shownGroup(PaletteGroup::User)},
                           {}};
    picture.groupOf.assign(picture.bars.series.size(), 0);
    for (const int height : {140, 200, 1200}) {
        const test::PlainCanvas plain(1400, height);
        ProfileOptions options;
        options.largest = 12;
        const DrawList list = profileScene(picture, {}, options, plain.canvas);
        CHECK(test::unreadable(list, plain.measure).empty());
        bool more = false;
        for (const TextItem& item : test::itemsOf<TextItem>(list))
            more = more || item.text.find("more; point at a bar") != std::string::npos;
        INFO(height);
        CHECK(more == (height < 1200));
    }
}

}  // namespace skein::profile_scene_test
