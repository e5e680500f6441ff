// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/comm_matrix/comm_matrix_scene.h"

#include "tests/support/catch.h"
#include "tests/support/scenes.h"
#include "views/common/scene/color/color_scale.h"

#include <cmath>
#include <random>

namespace skein::comm_matrix_scene_test {
namespace {

using Entry = CommMatrix::Entry;

/// Ranks on hosts of two each, below one machine.
SessionPtr sessionOfPairs(std::vector<Entry> entries, std::uint32_t ranks)
{
    Experiment experiment;
    experiment.name = "pairs";
    experiment.definitions.systemTree.push_back({"m", "machine", {}, {}});
    for (std::uint32_t rank = 0; rank < ranks; ++rank) {
        if (rank % 2 == 0)
            experiment.definitions.systemTree.push_back(
                {"host" + std::to_string(rank / 2), "node", SystemTreeNodeId(0), {}});
        LocationGroup group;
        group.node = SystemTreeNodeId(rank / 2 + 1);
        group.rank = rank;
        experiment.definitions.locationGroups.push_back(group);
        Location location;
        location.group = LocationGroupId(rank);
        location.rank = rank;
        experiment.definitions.locations.push_back(location);
    }
    experiment.commMatrix = std::make_shared<const CommMatrix>(ranks, std::move(entries));
    auto session = std::make_shared<Session>();
    session->experiments.push_back(std::make_shared<const Experiment>(std::move(experiment)));
    return session;
}

CommMatrixTablePtr tableOf(const SessionPtr& session, const CommMatrixOptions& options,
                           const MachineChoice& machine = {})
{
    ResultStore results;
    CommunicationRequest request;
    request.machine = machine;
    return makeCommMatrixTable(*session, communicationOf(results, session, request, Task()).value(), options,
                               Task())
        .value();
}

CommMatrixPicture pictureOf(CommMatrixTablePtr table)
{
    CommMatrixPicture picture;
    picture.endRow = picture.endColumn = static_cast<double>(table->size());
    picture.table = std::move(table);
    return picture;
}

const std::vector<Entry> kFour{{0, 1, 2, 100}, {1, 0, 4, 60}, {2, 0, 1, 8}, {3, 3, 1, 1}};

/// The colour at the middle of a cell.
std::uint32_t colorAt(const DrawList& list, const CommMatrixPicture& picture, const CommMatrixLayout& layout,
                      double row, double column)
{
    const PixelItem pixels = test::itemsOf<PixelItem>(list).front();
    const double step = layout.body.height / (picture.endRow - picture.firstRow);
    const auto y = static_cast<std::size_t>((row + 0.5) * step),
               x = static_cast<std::size_t>((column + 0.5) * step);
    return pixels.argb[y * static_cast<std::size_t>(pixels.columns) + x];
}

}  // namespace

TEST_CASE("communication matrix: senders are rows, and the greatest value has the strongest colour")
{
    const SessionPtr session = sessionOfPairs(kFour, 4);
    CommMatrixPicture picture = pictureOf(tableOf(session, {}));
    picture.logarithmic = false;
    const test::PlainCanvas plain(600, 500);
    const DrawList list = commMatrixScene(picture, plain.canvas, Task());
    const CommMatrixLayout layout = commMatrixLayout(picture, plain.canvas);
    CHECK(test::shows(list, "Senders ↓"));
    CHECK(test::shows(list, "Receivers →"));
    CHECK(test::unreadable(list, plain.measure) == "");
    const std::uint32_t background = toArgb(plain.canvas.theme().background);
    CHECK(colorAt(list, picture, layout, 0, 1) == toArgb(sequentialColor(false, 1)));
    CHECK(colorAt(list, picture, layout, 1, 0) != colorAt(list, picture, layout, 0, 1));
    CHECK(colorAt(list, picture, layout, 0, 2) == background);
    CHECK(colorAt(list, picture, layout, 3, 3) != background);
    const Point middle{layout.body.x + layout.body.width * 0.375, layout.body.y + layout.body.height * 0.125};
    CHECK(commCellAt(picture, layout, middle) == std::pair<std::size_t, std::size_t>(0, 1));
    CHECK(commCellText(*picture.table, 0, 1)[0] == "Rank 0 to Rank 1");
    CHECK(commCellText(*picture.table, 0, 3)[1] == "Nothing was sent.");
}

TEST_CASE("communication matrix: amounts that the source does not tell are not told as none")
{
    const auto told = [](std::vector<Entry> entries) {
        return commAmountText(*tableOf(sessionOfPairs(std::move(entries), 4), {})->communication);
    };
    CHECK(told(kFour) == "169 B in 8 messages");
    CHECK(told({{0, 1, 0, 100}, {2, 0, 0, 8}}) == "108 B");
    CHECK(told({{0, 1, 3, 0}}) == "3 messages");
}

TEST_CASE("communication matrix: an order near the diagonal says how near it is")
{
    const SessionPtr session = sessionOfPairs({{0, 3, 1, 100}, {3, 1, 1, 100}, {1, 2, 1, 100}}, 4);
    const CommMatrixPicture picture = pictureOf(tableOf(session, {.order = CommOrder::Bandwidth}));
    CHECK(picture.table->orderNote == "1.0 ranks from the diagonal in the mean, 2.0 by rank");
    const test::PlainCanvas plain(900, 500);
    CHECK(test::shows(commMatrixScene(picture, plain.canvas, Task()), "· " + picture.table->orderNote));
}

TEST_CASE("communication matrix: every cell keeps a pixel however many there are")
{
    std::mt19937 random(3);
    std::vector<Entry> entries;
    const auto rank = [&] { return static_cast<std::uint32_t>(random() % 5000); };
    for (int i = 0; i < 200; ++i) entries.push_back({rank(), rank(), 1, 1 + random() % 9});
    const CommMatrixPicture picture = pictureOf(tableOf(sessionOfPairs(entries, 5000), {}));
    const test::PlainCanvas plain(400, 300);
    const DrawList list = commMatrixScene(picture, plain.canvas, Task());
    const CommMatrixLayout layout = commMatrixLayout(picture, plain.canvas);
    const PixelItem pixels = test::itemsOf<PixelItem>(list).front();
    const double step = layout.body.height / 5000;
    for (const CommMatrixCell& cell : picture.table->cells) {
        const auto y = static_cast<std::size_t>(cell.row * step),
                   x = static_cast<std::size_t>(cell.column * step);
        CHECK(pixels.argb[y * static_cast<std::size_t>(pixels.columns) + x]
              != toArgb(plain.canvas.theme().background));
    }
}

TEST_CASE("communication matrix: values of a cell are what they are called")
{
    const SessionPtr session = sessionOfPairs(kFour, 4);
    const MachineChoice line{.topology = "mesh:4"};
    const auto valueOf = [&](CommValue value, std::size_t row, std::size_t column) {
        const auto table = tableOf(session, {.value = value}, line);
        return table->values[static_cast<std::size_t>(table->cellAt(row, column) - table->cells.data())];
    };
    CHECK(valueOf(CommValue::Bytes, 1, 0) == 60);
    CHECK(valueOf(CommValue::Messages, 1, 0) == 4);
    CHECK(valueOf(CommValue::MeanSize, 1, 0) == 15);
    CHECK(valueOf(CommValue::Hops, 2, 0) == 2);
    CHECK(valueOf(CommValue::Hops, 3, 3) == 0);
    CHECK(std::isnan(valueOf(CommValue::Time, 1, 0)));
    CHECK(std::isnan(tableOf(session, {.value = CommValue::Hops})->values[0]));
    CHECK(commValueText(CommValue::Time, std::nan("")) == "not known");
}

TEST_CASE("communication matrix: groups sum up what their ranks exchange, and open in place")
{
    const SessionPtr session = sessionOfPairs(kFour, 4);
    CHECK(groupingLevels(session->experiments[0]->definitions) == std::vector<std::string>{"node"});
    const auto grouped = tableOf(session, {.level = "node"});
    REQUIRE(grouped->size() == 2);
    CHECK(grouped->items[0].name == "host0");
    CHECK(grouped->cellAt(0, 0)->bytes == 160);
    CHECK(grouped->cellAt(1, 0)->bytes == 8);
    CHECK(grouped->cellAt(0, 1) == nullptr);
    CHECK(pairsOfCell(*grouped, 0, 0) == std::vector<RankPairRef>{{0, 0, 1}, {0, 1, 0}});
    const auto opened = tableOf(session, {.level = "node", .opened = {"host0"}});
    REQUIRE(opened->size() == 3);
    CHECK(opened->items[1].name == "Rank 1");
    CHECK(opened->items[2].group);
    CHECK(opened->cellAt(2, 0)->bytes == 8);
    ResultStore results;
    const auto communication = communicationOf(results, session, {}, Task()).value();
    CHECK_FALSE(makeCommMatrixTable(*session, communication, {.level = "planet"}, Task()));
}

TEST_CASE("communication matrix: orders put every rank in one place")
{
    std::vector<Entry> entries;
    for (std::uint32_t rank = 0; rank < 8; ++rank) entries.push_back({rank, rank ^ 4u, 1, 10});
    const SessionPtr session = sessionOfPairs(entries, 8);
    for (const CommOrder order : {CommOrder::Rank, CommOrder::Placement, CommOrder::SystemTree,
                                  CommOrder::Cluster, CommOrder::Bandwidth}) {
        const auto table = tableOf(session, {.order = order});
        std::vector<char> seen(8, 0);
        for (std::size_t item = 0; item < table->size(); ++item) {
            REQUIRE(table->items[item].ranks.size() == 1);
            seen[table->items[item].ranks[0]] = 1;
            CHECK(table->itemOfRank[table->items[item].ranks[0]] == item);
        }
        CHECK(std::count(seen.begin(), seen.end(), 1) == 8);
        CHECK(table->cells.size() == 8);
    }
    const auto near = tableOf(session, {.order = CommOrder::Bandwidth});
    for (const CommMatrixCell& cell : near->cells)
        CHECK(std::max(cell.row, cell.column) - std::min(cell.row, cell.column) == 1);
    const auto placed =
        tableOf(session, {.order = CommOrder::Placement}, {.topology = "mesh:8", .placement = "block"});
    CHECK(placed->items[3].ranks[0] == 3);
}

TEST_CASE("communication matrix: pairs that are not selected are dim")
{
    CommMatrixPicture picture = pictureOf(tableOf(sessionOfPairs(kFour, 4), {}));
    const test::PlainCanvas plain(600, 500);
    const CommMatrixLayout layout = commMatrixLayout(picture, plain.canvas);
    const DrawList all = commMatrixScene(picture, plain.canvas, Task());
    picture.marked = {std::uint64_t{1} << 32};
    const DrawList one = commMatrixScene(picture, plain.canvas, Task());
    CHECK(colorAt(all, picture, layout, 1, 0) == colorAt(one, picture, layout, 1, 0));
    CHECK(colorAt(all, picture, layout, 0, 1) != colorAt(one, picture, layout, 0, 1));
}

TEST_CASE("communication matrix: sizes and time as bars tell what is under the pointer")
{
    CommMatrixPicture picture = pictureOf(tableOf(sessionOfPairs(kFour, 4), {}));
    picture.shown = CommPicture::Sizes;
    picture.sizes.emplace();
    picture.sizes->messages[4] = 3;
    picture.sizes->bytes[4] = 30;
    picture.sizes->messages[6] = 1;
    picture.sizes->bytes[6] = 40;
    const test::PlainCanvas plain(500, 400);
    CHECK(test::unreadable(commMatrixScene(picture, plain.canvas, Task()), plain.measure) == "");
    CHECK(commBarAt(picture, plain.canvas, {40, 60}) == 4u);
    CHECK(commBarText(picture, 4)[1] == "3 messages");
    picture.shown = CommPicture::OverTime;
    picture.overTime = {{1, 10, 0}, {2, 50, 0}};
    picture.timeSpan = {0, 2000};
    CHECK(test::unreadable(commMatrixScene(picture, plain.canvas, Task()), plain.measure) == "");
    CHECK(commBarAt(picture, plain.canvas, {460, 60}) == 1u);
    CHECK(commBarText(picture, 1)[1] == "2 messages");
}

}  // namespace skein::comm_matrix_scene_test
