// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/metric_rank/metric_rank_view.h"

#include "tests/gui/support/window_fixture.h"
#include "views/common/selection_model.h"
#include "views/metric_rank/metric_rank_canvas.h"

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

}  // namespace skein::metric_rank_view_test
