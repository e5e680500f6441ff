// SPDX-License-Identifier: GPL-3.0-or-later
// Chains of causes over the pictures of other panels.
#include "app/gui/window/dock_host.h"
#include "core/select/translate.h"
#include "tests/gui/support/window_fixture.h"
#include "views/anomalies/anomalies_canvas.h"
#include "views/common/selection_model.h"
#include "views/common/theme.h"

#include <QImage>

namespace skein::cause_arrows_test {
namespace {

struct Opened : test::WindowFixture {
    AnomaliesCanvas* canvas = nullptr;

    Opened()
    {
        open({test::example("heatflow-16x2/trace-otf2")});
        window->resize(1600, 1000);
        window->docks().focusView("anomalies");
        canvas = child<AnomaliesCanvas>("anomalies.scatter");
        REQUIRE(
            test::waitFor([&] { return canvas->anomalies() && canvas->anomalies()->complete(); }, 30'000));
    }
    /// A call that waited for another rank and is long because of that alone.
    IntervalRef waited() const
    {
        const SessionAnomalies& anomalies = *canvas->anomalies();
        for (const AnomalyPoint& point : anomalies.points)
            if (point.label == AnomalyLabel::Consequence && point.reason == AnomalyReason::Wait
                && !causeLinksOf(anomalies, point.call, CauseDirection::Back).links.empty())
                return point.call;
        return {};
    }
    QImage imageOf(const char* view)
    {
        settle();
        QTest::qWait(200);
        settle();
        return window->docks().find(view)->view->grab().toImage();
    }
    /// Pixels of the colour of the arrows' labels that are there only with them.
    std::size_t pixelsOfArrows(const QImage& with, const QImage& without) const
    {
        REQUIRE(with.size() == without.size());
        const QRgb color = toQColor(themeFor(window->palette()).error).rgb();
        std::size_t count = 0;
        for (int y = 0; y < with.height(); ++y)
            for (int x = 0; x < with.width(); ++x)
                count += with.pixel(x, y) == color && without.pixel(x, y) != color;
        return count;
    }
};

}  // namespace

TEST_CASE("chains of causes are drawn on the timeline, the call graph and the "
          "communication view")
{
    Opened opened;
    const IntervalRef call = opened.waited();
    REQUIRE(call.valid());
    opened.window->selection().setSelected(select(*opened.window->loader().session(), call), nullptr);
    REQUIRE(test::waitFor([&] { return opened.window->selection().state().causes.about == call; }, 30'000));
    const CauseLinks causes = opened.window->selection().state().causes;
    for (const char* view : {"timeline", "tree_graph", "communication"}) {
        INFO(view);
        opened.window->docks().focusView(view);
        opened.trigger("view.maximise");
        const QImage with = opened.imageOf(view);
        opened.window->selection().setCauses({}, nullptr);
        const QImage without = opened.imageOf(view);
        CHECK(opened.pixelsOfArrows(with, without) > 100);
        opened.window->selection().setCauses(causes, nullptr);
        opened.trigger("view.maximise");
    }
}

}  // namespace skein::cause_arrows_test
