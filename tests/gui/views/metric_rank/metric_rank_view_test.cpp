// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/metric_rank/metric_rank_view.h"

#include "tests/gui/support/window_fixture.h"
#include "views/common/selection_model.h"
#include "views/common/table/table_text.h"
#include "views/common/table/table_tree.h"
#include "views/metric_rank/metric_rank_canvas.h"
#include "views/metric_rank/metric_rank_model.h"

#include <QComboBox>
#include <QDockWidget>
#include <QDoubleSpinBox>

#include <algorithm>
#include <vector>

namespace skein::metric_rank_view_test {
namespace {

struct Opened : test::WindowFixture {
    MetricRankCanvas* canvas = nullptr;
    QDoubleSpinBox* top = nullptr;

    Opened()
    {
        open({test::example("lulesh-8/trace-otf2")});
        const auto* found = window->docks().find("metric_rank");
        found->dock->show();
        found->dock->raise();
        settleAll();
        canvas = child<MetricRankCanvas>("metric_rank.canvas");
        top = child<QDoubleSpinBox>("metric_rank.top");
        REQUIRE(canvas->picture().list);
    }
    void settleAll()
    {
        QTest::qWait(200);  // a list that changes is waited for a moment
        settle();
    }
    void choose(const char* name, int index)
    {
        auto* box = child<QComboBox>(name);
        box->setCurrentIndex(index);
        Q_EMIT box->activated(index);
        settleAll();
    }
    /// In which as many messages were sent, to more than one receiver.
    TimeSpan spanOfFirstMessages(std::size_t count) const
    {
        std::vector<TimeNs> sent;
        for (const Message& message : window->loader().session()->experiments[0]->trace->messages)
            sent.push_back(message.sendTime);
        std::ranges::sort(sent);
        REQUIRE(sent.size() > count);
        return {sent.front(), sent[count]};
    }
    /// The selected pairs are the first of the list that is shown.
    bool selectsTop(std::size_t count) const
    {
        const MetricRankList& list = *canvas->picture().list;
        const auto wanted = selectionOf(*window->loader().session(), list, 0, count);
        return window->selection().state().selected.rankPairs == wanted.rankPairs
            && canvas->picture().first == 0 && canvas->picture().end == count;
    }
};

}  // namespace

TEST_CASE("metric rank view: the top percent is that of what is shown, until something else is chosen")
{
    Opened opened;
    opened.top->setValue(10);
    opened.settleAll();
    const MetricRankListPtr whole = opened.canvas->picture().list;
    REQUIRE(whole->size() == 56);
    CHECK(opened.selectsTop(6));
    // Another scale shows the same list.
    opened.choose("metric_rank.scale", 1);
    CHECK(opened.canvas->picture().list == whole);
    CHECK(opened.selectsTop(6));
    // Another metric, and another span: the top of those.
    opened.choose("metric_rank.quantity", static_cast<int>(RankedQuantity::PairMessages));
    REQUIRE(opened.canvas->picture().list != whole);
    CHECK(opened.selectsTop(6));
    opened.window->selection().setBrushed(opened.spanOfFirstMessages(30), nullptr);
    opened.settleAll();
    REQUIRE(opened.canvas->picture().list);
    const std::size_t fewer = opened.canvas->picture().list->size();
    REQUIRE(fewer > 10);
    REQUIRE(fewer < 56);
    CHECK(opened.top->value() == 10);
    CHECK(opened.selectsTop((fewer + 9) / 10));
    // Whoever selects something else takes it away.
    opened.window->selection().setSelected({.rankPairs = {{0, 0, 1}}}, nullptr);
    opened.settleAll();
    CHECK(opened.top->value() == 0);
    CHECK(opened.canvas->picture().end == 0);
    opened.window->selection().setBrushed(std::nullopt, nullptr);
    opened.settleAll();
    CHECK(opened.window->selection().state().selected.rankPairs == std::vector<RankPairRef>{{0, 0, 1}});
}

TEST_CASE("metric rank view: the table goes by either end, and rows that stand apart select no others")
{
    Opened opened;
    opened.choose("metric_rank.shown", 1);
    auto* table = opened.child<TableTree>("metric_rank.table");
    QAbstractItemModel& model = *table->model();
    const MetricRankList& list = *opened.canvas->picture().list;
    const auto clickTitle = [&](int column) {
        QHeaderView& header = *table->header();
        QTest::mouseClick(header.viewport(), Qt::LeftButton, {},
                          {header.sectionViewportPosition(column) + header.sectionSize(column) / 2, 8});
    };
    const auto shown = [&](int row, int column) { return model.index(row, column).data().toString(); };
    CHECK(shown(0, MetricRankModel::kPlace) == "1");
    for (const int column : {MetricRankModel::kFrom, MetricRankModel::kTo}) {
        clickTitle(column);
        CHECK(shown(0, column) == "Rank 0");
        CHECK(shown(model.rowCount() - 1, column) == "Rank 7");
    }
    // The rows with the greatest and the least amount, wherever they stand.
    const int last = static_cast<int>(list.size());
    table->clearSelection();
    for (int row = 0; row < last; ++row) {
        const int place = shown(row, MetricRankModel::kPlace).toInt();
        if (place == 1 || place == last)
            table->selectionModel()->select(model.index(row, 0),
                                            QItemSelectionModel::Select | QItemSelectionModel::Rows);
    }
    const SessionPtr session = opened.window->loader().session();
    CHECK(opened.window->selection().state().selected.rankPairs
          == selectionOf(*session, list, std::vector<std::size_t>{0, list.size() - 1}).rankPairs);
    CHECK(opened.window->selection().state().selected.rankPairs.size() == 2);
    clickTitle(MetricRankModel::kValue);
    CHECK(shown(0, MetricRankModel::kPlace) == "1");
    CHECK(exactHeader(model, MetricRankModel::kValue) == "Amount [bytes]");
    CHECK(exactText(model.index(0, MetricRankModel::kValue)).toLongLong() == list.values[0].value);
    CHECK(exactText(model.index(last - 1, MetricRankModel::kShare)) == "100");
}

TEST_CASE("metric rank view: ranks alone have no second end, and one that is hidden stays so")
{
    Opened opened;
    opened.choose("metric_rank.shown", 1);
    auto* table = opened.child<TableTree>("metric_rank.table");
    const auto quantity = [&](RankedQuantity wanted) {
        opened.choose("metric_rank.quantity", static_cast<int>(wanted));
        return table->isColumnHidden(MetricRankModel::kTo);
    };
    CHECK_FALSE(quantity(RankedQuantity::PairMessages));
    CHECK(quantity(RankedQuantity::OutDegree));
    CHECK(table->model()->headerData(MetricRankModel::kFrom, Qt::Horizontal).toString() == "Rank");
    CHECK_FALSE(quantity(RankedQuantity::PairBytes));
    table->setColumnHidden(MetricRankModel::kTo, true);
    CHECK(quantity(RankedQuantity::PairMessages));
    CHECK(quantity(RankedQuantity::InDegree));
    CHECK(quantity(RankedQuantity::PairBytes));
}

}  // namespace skein::metric_rank_view_test
