// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/timeline/timeline_clusters_scene.h"

#include "tests/support/catch.h"
#include "tests/support/scenes.h"
#include "views/common/scene/color/cluster_colors.h"

#include <algorithm>

namespace skein::timeline_clusters_test {

namespace {

/// Rows of 20 pixels at the body's top; behaviours of one location a column.
struct Clustered {
    SessionBehavior behavior;
    ViewState state;
    TimelineLayout layout;
    SceneStyle style{lightTheme(), 1, {}};
    ApproximateTextMeasure measure{12};
    Canvas canvas{1000, 220, style, measure};

    explicit Clustered(std::vector<std::uint32_t> labels)
    {
        behavior.request.metric = "exclusive";
        behavior.clusterSizes.resize(*std::max_element(labels.begin(), labels.end()) + 1);
        for (const std::uint32_t label : labels) ++behavior.clusterSizes[label];
        for (std::uint32_t id = 0; id < labels.size(); ++id) behavior.locations.push_back({LocationId(id)});
        behavior.clusters.labels = std::move(labels);
        layout.corner = {0, 0, 100, 20};
        layout.ruler = {100, 0, 900, 20};
        layout.labels = {0, 20, 100, 200};
        layout.body = {100, 20, 900, 200};
        layout.scale = {{0, 1000}, 100, 900};
        layout.rowHeight = 20;
    }
    void addRow(std::vector<std::uint32_t> ids, std::uint32_t experiment = 0)
    {
        TimelineRow row;
        row.location = {experiment, LocationId(ids.front())};
        if (ids.size() > 1) {
            row.kind = TimelineRowKind::Node;
            for (const std::uint32_t id : ids) row.folded.push_back({experiment, LocationId(id)});
        }
        const auto number = static_cast<std::uint32_t>(layout.rows.size());
        layout.rows.push_back(row);
        layout.places.push_back({number, 20 + layout.rowHeight * number, layout.rowHeight});
    }
    std::vector<PlacedCluster> placed() const { return placedClusters(behavior, layout, canvas); }
    std::vector<std::uint32_t> shown() const
    {
        std::vector<std::uint32_t> clusters;
        for (const PlacedCluster& one : placed()) clusters.push_back(one.cluster);
        return clusters;
    }
    double heightOf(std::uint32_t cluster) const
    {
        double height = 0;
        for (const PlacedCluster& one : placed())
            if (one.cluster == cluster) height += one.mark.height;
        return height;
    }
    void draw(DrawList& list) const
    {
        drawTimelineClusters(list, layOutClusters(behavior, layout, canvas), behavior, state, layout, canvas);
    }
    std::optional<std::uint32_t> at(double x, double y) const
    {
        return timelineClusterAt(layOutClusters(behavior, layout, canvas), layout, canvas, {x, y});
    }
};

}  // namespace

TEST_CASE("every row has the mark of its cluster at the left of its name")
{
    Clustered rows({0, 1, 1});
    for (const std::uint32_t id : {2u, 0u, 1u}) rows.addRow({id});
    CHECK(rows.shown() == std::vector<std::uint32_t>{1, 0, 1});
    const auto placed = rows.placed();
    CHECK(placed[1].mark.x == 0);
    CHECK(placed[1].mark.y == 40);
    CHECK(placed[1].mark.bottom() <= 60);
    CHECK(rows.at(2, 45) == 0u);
    CHECK(rows.at(2, 65) == 1u);
    CHECK_FALSE(rows.at(40, 45));
}

TEST_CASE("rows of other archives, and of what was not looked at, have no mark")
{
    Clustered rows({0, 1});
    rows.addRow({0}, 1);
    rows.addRow({7});
    rows.addRow({1});
    CHECK(rows.shown() == std::vector<std::uint32_t>{1});
}

TEST_CASE("nothing is marked where all behave alike, or of a stream")
{
    Clustered same({0, 0});
    same.addRow({0});
    CHECK(same.placed().empty());
    CHECK(clusterKey(same.behavior, same.layout, same.canvas).empty());
    Clustered streamed({0, 1});
    streamed.addRow({0});
    streamed.behavior.streamed = true;
    CHECK(streamed.placed().empty());
}

TEST_CASE("a row that stands for several locations is divided between their clusters")
{
    Clustered rows({0, 1, 0, 0});
    rows.layout.rowHeight = 100;
    rows.addRow({0, 1, 2, 3});
    CHECK(rows.shown() == std::vector<std::uint32_t>{0, 1});
    CHECK(rows.heightOf(0) == Approx(3 * rows.heightOf(1)).margin(4));
}

TEST_CASE("rows lower than a pixel have no more marks than there are pixels")
{
    constexpr std::uint32_t kMany = 4000;
    std::vector<std::uint32_t> labels;
    for (std::uint32_t id = 0; id < kMany; ++id) labels.push_back(id % 2);
    Clustered rows(labels);
    rows.layout.rowHeight = 200.0 / kMany;
    for (std::uint32_t id = 0; id < kMany; ++id) rows.addRow({id});
    const auto placed = rows.placed();
    CHECK(placed.size() <= 200);
    CHECK(placed.back().mark.bottom() <= rows.layout.labels.bottom());
    for (std::size_t i = 1; i < placed.size(); ++i) CHECK(placed[i].mark.y >= placed[i - 1].mark.bottom());

    // Neighbours of one cluster are one mark.
    Clustered halves(std::vector<std::uint32_t>{0, 1});
    halves.behavior.locations.assign(2, {});
    for (std::uint32_t id = 0; id < kMany; ++id)
        halves.behavior.locations[id * 2 / kMany].push_back(LocationId(id));
    halves.layout.rowHeight = 200.0 / kMany;
    for (std::uint32_t id = 0; id < kMany; ++id) halves.addRow({id});
    CHECK(halves.placed().size() == 2);
}

TEST_CASE("marks of rows that are scrolled below pinned ones are cut there")
{
    Clustered rows({0, 1});
    rows.addRow({0});
    rows.addRow({1});
    rows.layout.pinnedRows = 1;
    rows.layout.pinnedHeight = 20;
    rows.layout.places[1].y = 30;
    const auto placed = rows.placed();
    REQUIRE(placed.size() == 2);
    CHECK(placed[1].mark.y == 40);
    CHECK(rows.at(2, 35) == 0u);
}

TEST_CASE("the key has a number for each cluster beside the words of the ruler, in the colours of Behaviour")
{
    Clustered rows({0, 1, 2});
    rows.addRow({0});
    const auto key = clusterKey(rows.behavior, rows.layout, rows.canvas);
    REQUIRE(key.size() == 3);
    CHECK(key.back().mark.right() < 100 - rows.measure.width("Time", FontStyle::Small));
    CHECK(rows.at(key[2].mark.x + 2, key[2].mark.y + 2) == 2u);
    DrawList list;
    rows.draw(list);
    const auto fills = [&](std::uint32_t cluster) {
        return std::count_if(list.items.begin(), list.items.end(), [&](const DrawItem& item) {
            const auto* rect = std::get_if<RectItem>(&item);
            return rect && rect->fill == clusterColor(cluster, false);
        });
    };
    CHECK(fills(0) == 2);
    CHECK(fills(2) == 1);

    // The word "Time" gives way where there is no room for both, what times are counted from does not.
    rows.layout.corner.width = 60;
    CHECK(clusterKey(rows.behavior, rows.layout, rows.canvas).size() == 3);
    rows.layout.scale.span = {123'456'789'012, 123'456'789'512};
    CHECK(clusterKey(rows.behavior, rows.layout, rows.canvas).size() < 3);
    rows.layout.corner.width = 10;
    CHECK(clusterKey(rows.behavior, rows.layout, rows.canvas).empty());
}

TEST_CASE("a selected cluster has wider marks, and its words say how many there are")
{
    Clustered rows({0, 1, 1});
    for (const std::uint32_t id : {0u, 1u}) rows.addRow({id});
    const auto widest = [&] {
        DrawList list;
        rows.draw(list);
        return std::get<RectItem>(list.items[1]).rect.width;
    };
    const double before = widest();
    rows.state.selected.clusters = {{0, 1}};
    CHECK(widest() > before);
    CHECK(clusterText(rows.behavior, 1).front() == "Cluster 2: 2 of 3 behave alike");
}

}  // namespace skein::timeline_clusters_test
