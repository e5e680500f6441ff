// SPDX-License-Identifier: GPL-3.0-or-later
// Views of a profile that recorded a counter and no time say so where the user looks.
#include "algorithms/profile/summarize.h"
#include "tests/gui/support/view_fixture.h"
#include "tests/support/catch.h"
#include "tests/support/small_session.h"
#include "views/call_tree/call_tree_view.h"
#include "views/common/elided_label.h"
#include "views/function_summary/function_summary_view.h"
#include "views/profile/profile_bars_scene.h"
#include "views/profile/profile_scene.h"

#include <QTreeView>

namespace skein::no_time_test {
namespace {

enum class Recorded { Time, Counter };

/// A profile of main, which calls solve, whose only metric is the time or a counter.
SessionPtr sessionOf(Recorded recorded)
{
    const ExperimentPtr trace =
        test::ExperimentBuilder("run").process("n0", {{0, 1000, "main", 0}, {0, 600, "solve", 1}}).finish();
    auto profile = std::make_shared<Profile>(*profileOf(*trace, std::nullopt, Task()).value());
    auto experiment = std::make_shared<Experiment>(*trace);
    experiment->trace = nullptr;
    if (recorded == Recorded::Counter) {
        const MetricId counter(static_cast<std::uint32_t>(experiment->definitions.metrics.size()));
        experiment->definitions.metrics.push_back({"PAPI_TOT_CYC", "", "#"});
        for (MetricCube* cube : {&profile->regions, &profile->callPaths})
            for (MetricId& metric : cube->metrics) metric = counter;
    }
    experiment->profile = profile;
    return std::make_shared<const Session>(Session{{experiment}});
}

template <typename ViewType>
QString noteOf(Recorded recorded)
{
    test::ViewFixture<ViewType> window(QSize(700, 300), sessionOf(recorded));
    auto* table = window.view.template findChild<QTreeView*>();
    auto* note = window.view.template findChild<ElidedLabel*>("table.note");
    REQUIRE(table);
    REQUIRE(note);
    window.waitUntil([&] { return table->model()->rowCount() > 0; });
    CHECK(note->isVisible() == (recorded == Recorded::Counter));
    return note->fullText();
}

}  // namespace

TEST_CASE("tables of a profile without time say which metric they show")
{
    CHECK(noteOf<CallTreeView>(Recorded::Counter) == "No time was recorded: PAPI_TOT_CYC is shown.");
    CHECK(noteOf<FunctionSummaryView>(Recorded::Counter) == "No time was recorded: PAPI_TOT_CYC is shown.");
    CHECK(noteOf<CallTreeView>(Recorded::Time).isEmpty());
    CHECK(noteOf<FunctionSummaryView>(Recorded::Time).isEmpty());
}

TEST_CASE("the bars of a profile without time have the name of the metric that they show")
{
    const auto headingOf = [](Recorded recorded) {
        return profileHeading(makeProfileBars(*sessionOf(recorded), {}, Task()).value(), ProfileShape::Bars);
    };
    CHECK(headingOf(Recorded::Counter).starts_with("PAPI_TOT_CYC, exclusive (no time was recorded)"));
    CHECK(headingOf(Recorded::Time).starts_with("Time, exclusive: "));
}

}  // namespace skein::no_time_test
