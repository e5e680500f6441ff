// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/metric_rank/metric_rank_scene.h"

#include "tests/support/catch.h"
#include "tests/support/scenes.h"

namespace skein::metric_rank_scene_test {
namespace {

/// Four ranks on a line of four nodes.
SessionCommunicationPtr lineOfFour(SessionPtr& session, const std::string& topology = "mesh:4")
{
    Experiment experiment;
    experiment.definitions.locations.resize(4);
    experiment.commMatrix = std::make_shared<const CommMatrix>(
        4, std::vector<CommMatrix::Entry>{{0, 2, 3, 100}, {2, 0, 1, 20}, {1, 3, 1, 50}, {3, 2, 5, 10}});
    auto made = std::make_shared<Session>();
    made->experiments.push_back(std::make_shared<const Experiment>(std::move(experiment)));
    session = made;
    ResultStore results;
    CommunicationRequest request;
    request.machine.topology = topology;
    return communicationOf(results, session, request, Task()).value();
}

std::vector<std::int64_t> valuesOf(const MetricRankList& list)
{
    std::vector<std::int64_t> values;
    for (const RankedValue& value : list.values) values.push_back(value.value);
    return values;
}

}  // namespace

TEST_CASE("metric rank: values stand in descending order with their share of the sum")
{
    SessionPtr session;
    const auto communication = lineOfFour(session);
    const auto pairs = makeMetricRankList(communication, RankedQuantity::PairBytes).value();
    CHECK(valuesOf(*pairs) == std::vector<std::int64_t>{100, 50, 20, 10});
    CHECK(pairs->values[1].cumulativeShare == Approx(150.0 / 180));
    CHECK(pairs->mean == 45);
    CHECK(pairs->median == 35);
    CHECK(pairs->upperQuartile == Approx(62.5));
    CHECK(pairs->lowerQuartile == Approx(17.5));
    CHECK(rankedName(*pairs, 0) == "Rank 0 to Rank 2");
    std::size_t counted = 0;
    for (const std::size_t count : pairs->histogram) counted += count;
    CHECK(counted == 4);
    const auto hops = makeMetricRankList(communication, RankedQuantity::HopBytes).value();
    CHECK(valuesOf(*hops) == std::vector<std::int64_t>{200, 100, 40, 10});
    const auto links = makeMetricRankList(communication, RankedQuantity::LinkBytes).value();
    CHECK(links->values[0].value == 150);
    const auto degrees = makeMetricRankList(communication, RankedQuantity::InMinusOut).value();
    CHECK(valuesOf(*degrees) == std::vector<std::int64_t>{7, -1, -2, -4});
    SessionPtr other;
    CHECK(makeMetricRankList(lineOfFour(other, "none"), RankedQuantity::HopBytes).error().code
          == ErrorCode::NotRecorded);
}

TEST_CASE("metric rank: a range becomes the pairs, links and ranks that it is of")
{
    SessionPtr session;
    const auto communication = lineOfFour(session);
    const auto pairs = makeMetricRankList(communication, RankedQuantity::PairBytes).value();
    CHECK(selectionOf(*session, *pairs, 0, 2).rankPairs == std::vector<RankPairRef>{{0, 0, 2}, {0, 1, 3}});
    CHECK(selectionOf(*session, *pairs, 2, 2).empty());
    CHECK(selectionOf(*session, *pairs, 3, 99).rankPairs == std::vector<RankPairRef>{{0, 3, 2}});
    const auto links = makeMetricRankList(communication, RankedQuantity::LinkBytes).value();
    const Selection link = selectionOf(*session, *links, 0, 1);
    const Topology& topology = *communication->machine->topology;
    CHECK(link.links == std::vector<LinkRef>{{topology.findLink(1, 2)}});
    CHECK(link.rankPairs == std::vector<RankPairRef>{{0, 0, 2}, {0, 1, 3}});
    const auto out = makeMetricRankList(communication, RankedQuantity::OutDegree).value();
    CHECK(out->values[0].source == 3);
    const Selection rank = selectionOf(*session, *out, 0, 1);
    CHECK(rank.locations == std::vector<LocationRef>{{0, LocationId(3)}});
    CHECK(rank.rankPairs == std::vector<RankPairRef>{{0, 3, 2}});
    const auto routes = makeMetricRankList(communication, RankedQuantity::RouteLength).value();
    CHECK(selectionOf(*session, *routes, 0, 3).rankPairs
          == std::vector<RankPairRef>{{0, 0, 2}, {0, 1, 3}, {0, 2, 0}});
    CHECK(topCount(*pairs, 0.05) == 1);
    CHECK(topCount(*pairs, 0.5) == 2);
    CHECK(topCount(*pairs, 0) == 0);
}

TEST_CASE("metric rank: the picture can be read and its bars be found")
{
    SessionPtr session;
    MetricRankPicture picture{makeMetricRankList(lineOfFour(session), RankedQuantity::PairBytes).value(), 1,
                              3, false};
    const test::PlainCanvas plain(900, 400);
    const DrawList list = metricRankScene(picture, plain.canvas, Task());
    CHECK(test::unreadable(list, plain.measure) == "");
    const MetricRankLayout layout = metricRankLayout(plain.canvas);
    const auto at = [&](double part) {
        return rankedPlaceAt(
            picture, layout,
            {layout.bars.x + part * layout.bars.width, layout.bars.y + layout.bars.height / 2});
    };
    CHECK(at(0.1) == 0u);
    CHECK(at(0.9) == 3u);
    CHECK_FALSE(rankedPlaceAt(picture, layout, {0, 0}));
    picture.logarithmic = true;
    CHECK(test::unreadable(metricRankScene(picture, plain.canvas, Task()), plain.measure) == "");
}

TEST_CASE("metric rank: bins tell which part of the values they hold, and words have room")
{
    SessionPtr session;
    const MetricRankPicture picture{
        makeMetricRankList(lineOfFour(session), RankedQuantity::PairBytes).value(), 0, 0, false};
    const test::PlainCanvas high(900, 400), low(900, 130);
    const DrawList list = metricRankScene(picture, high.canvas, Task());
    // 100, 50, 20 and 10: each in a bin of its own.
    std::size_t quarters = 0;
    for (const TextItem& item : test::itemsOf<TextItem>(list)) quarters += item.text == "25 %" ? 1 : 0;
    CHECK(quarters >= 2);
    CHECK(test::unreadable(list, high.measure) == "");
    const DrawList small = metricRankScene(picture, low.canvas, Task());
    CHECK(test::shows(small, "100 %"));
    CHECK(test::unreadable(small, low.measure) == "");
}

TEST_CASE("metric rank: bars of a low histogram are high enough to be seen, and none is lost")
{
    SessionPtr session;
    const MetricRankPicture picture{
        makeMetricRankList(lineOfFour(session), RankedQuantity::PairBytes).value(), 0, 0, false};
    for (const int height : {140, 400}) {
        const test::PlainCanvas plain(900, height);
        const MetricRankLayout layout = metricRankLayout(plain.canvas);
        std::size_t bars = 0;
        for (const RectItem& item : test::itemsOf<RectItem>(metricRankScene(picture, plain.canvas, Task()))) {
            if (item.fill != plain.canvas.theme().message || item.rect.x != layout.histogram.x) continue;
            ++bars;
            CHECK(item.rect.height >= 4);
        }
        CHECK(bars >= 2);
        CHECK(bars <= 4);
    }
}

}  // namespace skein::metric_rank_scene_test
