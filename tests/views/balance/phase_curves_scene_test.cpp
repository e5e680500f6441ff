// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/balance/phase_curves_scene.h"

#include "tests/support/catch.h"
#include "tests/support/small_session.h"
#include "views/common/scene/color/cluster_colors.h"

#include <algorithm>
#include <cmath>

namespace skein::phase_curves_scene_test {

namespace {

/// Two steps on two processes. Outside MPI: 60 and 70 ns of the first, which lasts 100 at most; 80 and 110
/// of the second, 110 at most.
Session twoSteps()
{
    test::ExperimentBuilder builder("steps");
    builder.process(
        "node",
        {{0, 100, "step", 0}, {60, 100, "MPI_Send", 1}, {100, 200, "step", 0}, {180, 200, "MPI_Send", 1}});
    builder.process("node", {{0, 80, "step", 0}, {70, 80, "MPI_Send", 1}, {90, 200, "step", 0}});
    return {{builder.finish()}};
}

BalancePhases phasesOf(const Session& session, const PhaseRequest& request)
{
    auto phases = makeBalancePhases(session, request, Task());
    REQUIRE(phases);
    return std::move(*phases);
}

/// A run whose processes compute `useful[i]` parts of phase i + 1, evenly.
BalancePhases evenRun(const std::vector<double>& useful)
{
    PhaseRun run{twoSteps().experiments[0], "run", {}, {}};
    for (std::size_t i = 0; i < useful.size(); ++i) {
        const auto begin = static_cast<TimeNs>(1000 * i);
        BalancePhase phase;
        phase.efficiency.phase = i + 1;
        phase.efficiency.processes = 2;
        phase.efficiency.runtimeNs = 1000;
        phase.efficiency.usefulNs = phase.efficiency.mostUsefulNs = 1000 * useful[i];
        phase.efficiency.most = LocationId(0);
        phase.span = {begin, begin + 1000};
        run.phases.push_back(phase);
    }
    return {"calls of step", {run}};
}

struct Drawn {
    SceneStyle style{lightTheme(), 1, {}};
    ApproximateTextMeasure measure{12};
    Canvas canvas{640, 320, style, measure};
    PhaseLayout layout;
    DrawList list;

    explicit Drawn(const BalancePhases& phases)
        : layout(phaseLayout(phases, canvas)), list(phaseCurvesScene(phases, canvas, Task()))
    {
    }
    /// Of the parallel efficiency.
    std::vector<LineItem> lines() const
    {
        std::vector<LineItem> found;
        for (const DrawItem& item : list.items)
            if (const auto* line = std::get_if<LineItem>(&item);
                line && line->color == clusterColor(0, false))
                found.push_back(*line);
        return found;
    }
};

}  // namespace

TEST_CASE("phases have the efficiencies that are worked out by hand")
{
    const Session session = twoSteps();
    const BalancePhases calls = phasesOf(session, {"step", {}, {}, {}, {7}});
    REQUIRE(calls.runs.size() == 1);
    REQUIRE(calls.runs[0].phases.size() == 2);
    CHECK(calls.what == "calls of step");
    const Efficiency& first = calls.runs[0].phases[0].efficiency;
    CHECK(first.parallelEfficiency() == Approx(0.65));
    CHECK(first.loadBalance() == Approx(65.0 / 70));
    CHECK(first.communicationEfficiency() == Approx(0.7));
    CHECK(calls.runs[0].phases[0].span == TimeSpan{7, 107});
    const Efficiency& second = calls.runs[0].phases[1].efficiency;
    CHECK(second.parallelEfficiency() == Approx(95.0 / 110));
    CHECK(second.loadBalance() == Approx(95.0 / 110));
    CHECK(second.communicationEfficiency() == 1.0);
    CHECK(calls.runs[0].phases[1].span == TimeSpan{97, 207});
    CHECK(phaseRunText(calls.runs[0]) == "2 phases · parallel efficiency 65.0 % to 86.4 %, least in phase 1");
}

TEST_CASE("regions that repeat are proposed, those of MPI are not")
{
    test::ExperimentBuilder builder("steps");
    std::vector<test::Call> calls;
    for (TimeNs step = 0; step < 30; ++step) {
        calls.push_back({100 * step, 100 * step + 100, "step", 0});
        calls.push_back({100 * step + 60, 100 * step + 100, "MPI_Send", 1});
    }
    calls.push_back({3000, 9000, "end", 0});
    builder.process("node", calls);
    const ExperimentPtr steps = builder.finish();
    CHECK(proposedPhaseRegions({{steps, twoSteps().experiments[0], steps}}, Task())
          == std::vector<std::string>{"step"});
}

TEST_CASE("marked spans are phases, moments and spans before the scope are not")
{
    const Session session = twoSteps();
    const std::vector<Mark> marks{{{0, 100}, "begin"}, {{50, 50}, "moment"}, {{100, 200}, "end"}};
    const BalancePhases all = phasesOf(session, {{}, marks, {}, {}, {}});
    REQUIRE(all.runs[0].phases.size() == 2);
    CHECK(all.runs[0].phases[0].note == "begin");
    // Between its calls the second process computes too: 60 and 90 ns.
    CHECK(all.runs[0].phases[0].efficiency.parallelEfficiency() == Approx(0.75));
    CHECK(all.runs[0].phases[1].efficiency.parallelEfficiency() == Approx(0.9));
    const BalancePhases late = phasesOf(session, {{}, marks, TimeSpan{60, 300}, {}, {}});
    REQUIRE(late.runs[0].phases.size() == 1);
    CHECK(late.runs[0].phases[0].note == "end");
    const BalancePhases none = phasesOf(session, {{}, {}, {}, {}, {}});
    CHECK(none.count() == 0);
    CHECK(none.runs[0].message.starts_with("No span is marked"));
}

TEST_CASE("of some of the processes, and of regions that are not called, phases say why there are none")
{
    const Session session = twoSteps();
    const Filter one{"one", FilterEffect::Keep, {}, {{0, LocationId(1)}}};
    const BalancePhases some = phasesOf(session, {"step", {}, {}, {one}, {}});
    CHECK(some.count() == 0);
    CHECK(some.runs[0].message.starts_with("Efficiencies are of all processes"));
    const BalancePhases other = phasesOf(session, {"leap", {}, {}, {}, {}});
    CHECK(phaseRunText(other.runs[0]) == "No process called leap in the scope.");
}

TEST_CASE("curves go through the phases, which are found where they are drawn")
{
    const BalancePhases phases = evenRun({0.8, 0.65, 0.9});
    const Drawn drawn(phases);
    CHECK(drawn.layout.low == Approx(0.6));
    REQUIRE(drawn.layout.panes.size() == 1);
    const Rect& plot = drawn.layout.panes[0].plot;
    const auto lines = drawn.lines();
    REQUIRE(lines.size() == 2);
    const std::vector<double> values{0.8, 0.65, 0.9};
    for (std::size_t i = 0; i < values.size(); ++i) {
        const Point at{drawn.layout.toX(plot, static_cast<double>(i + 1)), drawn.layout.toY(plot, values[i])};
        const Point drawnAt = i < 2 ? lines[i].from : lines[1].to;
        CHECK(drawnAt.x == Approx(at.x));
        CHECK(drawnAt.y == Approx(at.y));
        CHECK(phaseAt(phases, drawn.layout, at) == PhasePlace{0, i});
    }
    CHECK(plot.y == Approx(drawn.layout.toY(plot, 1)));
    CHECK_FALSE(phaseAt(phases, drawn.layout, {plot.x - 1, plot.y + 1}));
    const DrawList over = phaseCurvesOverlay(phases, TimeSpan{1000, 2000}, drawn.layout, drawn.canvas);
    REQUIRE(over.items.size() == 1);
    CHECK(std::get<RectItem>(over.items[0])
              .rect.contains({drawn.layout.toX(plot, 2), plot.y + plot.height / 2}));
    CHECK(phaseCurvesOverlay(phases, TimeSpan{0, 2000}, drawn.layout, drawn.canvas).items.empty());
    CHECK(phaseTooltip(phases, {0, 1})[1]
          == "Parallel efficiency 65.0 % = load balance 100.0 % × communication efficiency 65.0 %");
}

TEST_CASE("a curve ends where phases are missing, and the axis begins at 0 where one is low")
{
    BalancePhases phases = evenRun({0.8, 0.7, 0.9, 0.2});
    phases.runs[0].phases.erase(phases.runs[0].phases.begin() + 1);
    const Drawn drawn(phases);
    CHECK(drawn.layout.count == 4);
    CHECK(drawn.layout.low == 0);
    const auto lines = drawn.lines();
    REQUIRE(lines.size() == 1);
    CHECK(lines[0].from.x == Approx(drawn.layout.toX(drawn.layout.panes[0].plot, 3)));
    const Rect& plot = drawn.layout.panes[0].plot;
    CHECK_FALSE(phaseAt(phases, drawn.layout, {drawn.layout.toX(plot, 2), plot.y + 1}));
}

TEST_CASE("one phase of ten thousand that is worse is drawn, and found in its pixel")
{
    std::vector<double> useful(10'000, 0.8);
    useful[7'777] = 0.1;
    const BalancePhases phases = evenRun(useful);
    const Drawn drawn(phases);
    const Rect& plot = drawn.layout.panes[0].plot;
    const double depth = drawn.layout.toY(plot, 0.1);
    double lowest = 0;
    for (const LineItem& line : drawn.lines()) lowest = std::max({lowest, line.from.y, line.to.y});
    CHECK(lowest == Approx(depth));
    CHECK(drawn.lines().size() < 2 * static_cast<std::size_t>(plot.width) + 2);
    CHECK(phaseAt(phases, drawn.layout, {std::floor(drawn.layout.toX(plot, 7'778)), plot.y + 5})
          == PhasePlace{0, 7'777});
    // What is in a pixel is what was drawn in it.
    for (const std::size_t number : {1, 17, 5'000, 9'999, 10'000}) {
        const double pixel = std::floor(drawn.layout.toX(plot, static_cast<double>(number)));
        const auto found = phaseAt(phases, drawn.layout, {pixel, plot.y + 5});
        REQUIRE(found);
        CHECK(std::floor(drawn.layout.toX(plot, static_cast<double>(found->phase + 1))) == pixel);
    }
}

TEST_CASE("runs have a pane each, as far as there is room, and the table has all of them")
{
    BalancePhases phases = evenRun({0.8, 0.65});
    for (int copy = 0; copy < 9; ++copy) phases.runs.push_back(phases.runs[0]);
    phases.runs[1].phases.resize(1);
    const Drawn drawn(phases);
    CHECK(drawn.layout.panes.size() == 2);
    const std::string text = toText(drawn.list);
    CHECK(text.find("8 more runs have no room") != std::string::npos);
    // Words need less room than curves.
    BalancePhases few = evenRun({0.8, 0.65});
    few.runs.insert(few.runs.begin(), {few.runs[0].experiment, "none", {}, "Only traces have phases."});
    const Drawn told(few);
    REQUIRE(told.layout.panes.size() == 2);
    CHECK(told.layout.panes[0].plot.empty());
    CHECK(told.layout.panes[1].plot.height > 150);
    CHECK(toText(told.list).find("none: Only traces have phases.") != std::string::npos);
    CHECK(phaseAt(few, told.layout, {told.layout.toX(told.layout.panes[1].plot, 2), 200})
          == PhasePlace{1, 1});
    const PhaseTable table = phaseTable(phases);
    REQUIRE(table.rows.size() == 19);
    CHECK(table.places[2] == PhasePlace{1, 0});
    CHECK(std::get<double>(table.rows[1][2]) == Approx(0.65));
    CHECK(std::get<std::string>(table.rows[1].back()) == "run");
}

}  // namespace skein::phase_curves_scene_test
