// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/balance/balance_scene.h"

#include "algorithms/profile/summarize.h"
#include "tests/support/catch.h"
#include "tests/support/racks.h"
#include "tests/support/random_trace.h"
#include "tests/support/small_session.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

namespace skein::balance_scene_test {

namespace {

Session sessionOf(std::uint64_t seed)
{
    return {{std::make_shared<const Experiment>(
        test::randomExperiment(seed, {.threadsPerProcess = 2, .regionsPerProcess = seed % 2 == 0}))}};
}

/// One region, `values[i]` ns on location i.
BalanceMatrix matrixOf(const std::vector<double>& values)
{
    BalanceMatrix matrix;
    BalanceRow row;
    row.name = "work";
    row.regions = {{0, RegionId(0)}};
    row.values = values;
    row.total = std::accumulate(values.begin(), values.end(), 0.0);
    row.mean = row.total / static_cast<double>(values.size());
    row.maximum = *std::max_element(values.begin(), values.end());
    for (std::uint32_t location = 0; location < values.size(); ++location)
        matrix.columns.push_back({0, "Rank " + std::to_string(location), {LocationId(location)}});
    matrix.columnTotals = values;
    matrix.rows = {row};
    matrix.efficiencies.resize(1);
    return matrix;
}

std::set<std::uint32_t> coloursOfRow(const DrawList& list)
{
    for (const DrawItem& item : list.items)
        if (const auto* pixels = std::get_if<PixelItem>(&item))
            return {pixels->argb.begin(), pixels->argb.end()};
    return {};
}

}  // namespace

TEST_CASE("the balance's columns sum up to the regions, whatever a column stands for")
{
    for (std::uint64_t seed = 0; seed < 6; ++seed) {
        const Session session = sessionOf(seed);
        const Experiment& experiment = *session.experiments[0];
        const Profile profile = summarizeTrace(experiment, {}, Task()).value();
        std::map<std::string, RegionRow> regions;
        for (const RegionRow& row : profileByRegion(experiment, profile, 0)) regions[row.name] = row;
        for (const SeriesEntity columns :
             {SeriesEntity::Location, SeriesEntity::Process, SeriesEntity::Node, SeriesEntity::Component}) {
            const BalanceMatrix matrix =
                makeBalanceMatrix(session, {{}, BalanceQuantity::Inclusive, columns}, Task()).value();
            std::size_t locations = 0;
            for (const BalanceColumn& column : matrix.columns) locations += column.locations.size();
            CHECK(locations == experiment.trace->locations.size());
            if (columns == SeriesEntity::Component) CHECK(matrix.columns.size() == 1);
            if (columns == SeriesEntity::Process) CHECK(matrix.columns.size() * 2 == locations);
            for (const BalanceRow& row : matrix.rows) {
                CHECK(row.total == Approx(regions[row.name].values.inclusive));
                CHECK(row.values[row.worst] == row.maximum);
                if (columns != SeriesEntity::Location) continue;
                CHECK(row.lost() == Approx(regions[row.name].balance.lost()).margin(1e-6));
                CHECK(matrix.columns[row.worst].locations.front() == regions[row.name].balance.worst);
            }
            CHECK(std::is_sorted(matrix.rows.begin(), matrix.rows.end(),
                                 [](const auto& a, const auto& b) { return a.total > b.total; }));
        }
    }
}

TEST_CASE("columns of the balance are any level of the system tree, and sums, means and maxima agree with it")
{
    Experiment experiment = test::randomExperiment(11, {.processes = 6, .threadsPerProcess = 2});
    test::putIntoRacks(experiment.definitions);
    const Session session{{std::make_shared<const Experiment>(std::move(experiment))}};
    const auto choices = balanceColumns(session);
    for (const char* level : {"rack", "socket"})
        CHECK(std::find(choices.begin(), choices.end(), BalanceColumns(SeriesEntity::Level, level))
              != choices.end());
    const auto matrixBy = [&](const BalanceColumns& columns) {
        return makeBalanceMatrix(session, {{}, BalanceQuantity::Exclusive, columns}, Task()).value();
    };
    const BalanceMatrix locations = matrixBy(SeriesEntity::Location);
    for (const auto& [level, names] :
         {std::pair{"rack", std::vector<std::string>{"west", "east"}}, {"socket", {"s0", "s1", "s2"}}}) {
        const BalanceMatrix grouped = matrixBy({SeriesEntity::Level, level});
        REQUIRE(grouped.columns.size() == names.size());
        CHECK(balanceByText(grouped.columnsAre) == std::string("by ") + level);
        REQUIRE(grouped.rows.size() == locations.rows.size());
        std::map<std::string, const BalanceRow*> before;
        for (const BalanceRow& row : locations.rows) before[row.name] = &row;
        for (const BalanceRow& row : grouped.rows) {
            std::vector<double> expected(names.size(), 0);
            for (std::size_t at = 0; at < locations.columns.size(); ++at) {
                const LocationId id = locations.columns[at].locations.front();
                const std::size_t socket = session.experiments[0]->definitions.location(id).group.index() / 2;
                expected[names.size() == 3 ? socket : socket / 2] += before[row.name]->values[at];
            }
            for (std::size_t at = 0; at < names.size(); ++at) {
                CHECK(grouped.columns[at].name == names[at]);
                CHECK(row.values[at] == Approx(expected[at]));
            }
            CHECK(row.total == Approx(before[row.name]->total));
            CHECK(row.mean == Approx(row.total / static_cast<double>(names.size())));
            CHECK(row.maximum == Approx(*std::max_element(expected.begin(), expected.end())));
        }
    }
}

TEST_CASE("a level that one of two archives lacks leaves the processes of that one alone")
{
    Experiment with = test::randomExperiment(5, {});
    const std::size_t processes = with.definitions.locationGroups.size();
    with.definitions.systemTree.clear();
    for (const char* name : {"a", "b"}) {
        SystemTreeNode cabinet;
        cabinet.className = "cabinet";
        cabinet.name = name;
        with.definitions.systemTree.push_back(cabinet);
    }
    for (std::size_t process = 0; process < processes; ++process)
        with.definitions.locationGroups[process].node = SystemTreeNodeId(process % 2);
    const Session session{{std::make_shared<const Experiment>(std::move(with)),
                           std::make_shared<const Experiment>(test::randomExperiment(6, {}))}};
    const BalanceMatrix matrix =
        makeBalanceMatrix(session, {{}, BalanceQuantity::Exclusive, {SeriesEntity::Level, "cabinet"}}, Task())
            .value();
    CHECK(matrix.columns.size() == 2 + session.experiments[1]->definitions.locationGroups.size());
}

TEST_CASE("the balance keeps to the scope's locations and leaves hidden regions out")
{
    const Session session = sessionOf(3);
    const LocationRef kept{0, LocationId(2)};
    const RegionRef hidden{0, RegionId(1)};
    ProfileQuery query;
    query.filters = {{"scope", FilterEffect::Keep, {}, {kept}}, {"hidden", FilterEffect::Hide, {hidden}, {}}};
    const BalanceMatrix matrix =
        makeBalanceMatrix(session, {query, BalanceQuantity::Exclusive, SeriesEntity::Location}, Task())
            .value();
    REQUIRE(matrix.columns.size() == 1);
    CHECK(matrix.columns[0].locations == std::vector{kept.id});
    for (const BalanceRow& row : matrix.rows) {
        CHECK(std::find(row.regions.begin(), row.regions.end(), hidden) == row.regions.end());
        CHECK(row.imbalance() == 1.0);
    }
    // Of some of the processes efficiencies would mislead.
    CHECK_FALSE(matrix.efficiencies[0]);
}

TEST_CASE("one of ten thousand locations that differs is seen, though a pixel stands for many")
{
    const Session session = sessionOf(1);
    std::vector<double> values(10'000, 100.0);
    const ApproximateTextMeasure measure{12};
    const SceneStyle style{lightTheme(), 1, {}};
    const Canvas canvas{800, 200, style, measure};
    const auto even = arrangeBalance(session, matrixOf(values), {}, {});
    CHECK(coloursOfRow(balanceScene(*even, canvas, Task())).size() == 1);
    values[7'777] = 190.0;
    const auto odd = arrangeBalance(session, matrixOf(values), {}, {});
    CHECK(coloursOfRow(balanceScene(*odd, canvas, Task())).size() == 2);
    BalanceOptions byValue;
    byValue.shading = BalanceShading::Value;
    CHECK(coloursOfRow(balanceScene(*arrangeBalance(session, matrixOf(values), byValue, {}), canvas, Task()))
              .size()
          == 2);
}

TEST_CASE("columns are sorted by the selected region, and cells are found where they are drawn")
{
    const Session session = sessionOf(1);
    BalanceOptions options;
    options.columns = BalanceColumnOrder::SelectedRegion;
    const auto picture = arrangeBalance(session, matrixOf({10, 40, 20, 30}), options, {{0, RegionId(0)}});
    CHECK(picture->columnOrder == std::vector<std::uint32_t>{1, 3, 2, 0});
    const ApproximateTextMeasure measure{12};
    const SceneStyle style{darkTheme(), 1, {}};
    const Canvas canvas{600, 200, style, measure};
    const BalanceLayout layout = balanceLayout(*picture, canvas);
    REQUIRE(layout.rowsInSight > 1);
    const double y = layout.body.y + layout.rowHeight / 2;
    for (std::size_t column = 0; column < 4; ++column) {
        const Point middle{layout.body.x + (static_cast<double>(column) + 0.5) * layout.body.width / 4, y};
        CHECK(balanceCellAt(*picture, layout, middle) == BalanceCell{0, column});
    }
    CHECK(balanceCellAt(*picture, layout, {layout.labels.x + 1, y}) == BalanceCell{0, std::nullopt});
    CHECK_FALSE(balanceCellAt(*picture, layout, {layout.body.x + 1, y + layout.rowHeight}));
    const auto lines = balanceTooltip(*picture, {0, std::size_t{0}});
    REQUIRE(lines.size() == 5);
    CHECK(lines[1] == "Rank 1: 40 ns");
    CHECK(lines[2] == "+60.0 % against the mean of 25 ns");
    CHECK(lines[4] == "by location: max/mean 1.600, 15 ns lost, most on Rank 0");
}

TEST_CASE("regions and locations that are alike stand together")
{
    // Two kinds of locations in turns; of the regions two go along with them, one against, one with neither.
    BalanceMatrix matrix = matrixOf({9, 1, 9.5, 1.5, 9.2, 1.2});
    const auto add = [&](const char* name, std::vector<double> values) {
        BalanceRow row = matrixOf(values).rows[0];
        row.name = name;
        row.regions = {{0, RegionId(0)}};
        matrix.rows.push_back(row);
    };
    add("against", {1, 5, 1.2, 5.5, 1.1, 5.2});
    add("neither", {2, 2, 2.1, 2.1, 2, 2});
    add("along", {7, 3, 7.1, 3, 7, 3.1});
    const Session session = sessionOf(1);
    BalanceOptions options;
    options.rows = BalanceRowOrder::Similar;
    options.columns = BalanceColumnOrder::Similar;
    const BalancePicturePtr picture = arrangeBalance(session, matrix, options, {});
    REQUIRE(picture->columnOrder.size() == 6);
    for (std::size_t at = 0; at < 6; ++at) CHECK(picture->columnOrder[at] % 2 == (at < 3 ? 0u : 1u));
    REQUIRE(picture->rowOrder.size() == 4);
    CHECK(picture->matrix.rows[picture->rowOrder.front()].name != "against");
    CHECK(picture->matrix.rows[picture->rowOrder[2]].name == "neither");
    CHECK(picture->matrix.rows[picture->rowOrder.back()].name == "against");
}

TEST_CASE("the table of a balance has the picture's numbers in its order")
{
    const Session session = sessionOf(2);
    BalanceMatrix matrix =
        makeBalanceMatrix(session, {{}, BalanceQuantity::Exclusive, SeriesEntity::Process}, Task()).value();
    REQUIRE(matrix.columns.size() > 1);
    for (const auto shading : {BalanceShading::Difference, BalanceShading::Value, BalanceShading::Share}) {
        BalanceOptions options;
        options.shading = shading;
        options.rows = BalanceRowOrder::Lost;
        const BalancePicturePtr picture = arrangeBalance(session, matrix, options, {});
        const BalanceTable table = balanceTable(*picture);
        CHECK(table.left == 0);
        REQUIRE(table.columns.size() == matrix.columns.size());
        REQUIRE(table.rows.size() == matrix.rows.size());
        double all = 0;
        for (std::size_t line = 0; line < table.rows.size(); ++line) {
            const BalanceRow& row = picture->matrix.rows[picture->rowOrder[line]];
            CHECK(std::get<double>(table.rows[line][2]) == row.lost());
            double sum = 0;
            for (std::size_t column = 0; column < table.columns.size(); ++column)
                sum += std::get<double>(table.rows[line][5 + column]);
            if (shading == BalanceShading::Difference) CHECK(sum == Approx(0).margin(1e-9));
            if (shading == BalanceShading::Value) CHECK(sum == Approx(row.total));
            all += sum;
        }
        // Exclusive amounts of a column are all of its time.
        if (shading == BalanceShading::Share) CHECK(all == Approx(static_cast<double>(table.columns.size())));
    }
}

TEST_CASE("regions of the balance are spelled as in tables: they lose arguments before letters")
{
    test::ExperimentBuilder builder("run");
    const std::string name =
        "CommSend(Domain&, int, int, double& (Domain::**)(int), int, int, int, bool, bool)";
    for (TimeNs rank = 0; rank < 2; ++rank) builder.process("node", {{0, 100 + rank, name, 0}});
    const Session session{{builder.finish()}};
    const SceneStyle style{lightTheme(), 1, {}};
    const ApproximateTextMeasure measure(12);
    const Canvas canvas{600, 200, style, measure};
    const auto matrix = makeBalanceMatrix(session, {}, Task()).value();
    std::vector<std::string> texts;
    for (const DrawItem& item : balanceScene(*arrangeBalance(session, matrix, {}, {}), canvas, Task()).items)
        if (const auto* text = std::get_if<TextItem>(&item)) texts.push_back(text->text);
    CHECK(std::count(texts.begin(), texts.end(), "CommSend(…)") == 1);
}

}  // namespace skein::balance_scene_test
