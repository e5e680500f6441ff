// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/details/detail_counters.h"

#include "core/select/translate.h"
#include "tests/gui/support/view_fixture.h"
#include "views/details/details_view.h"

#include <QTextBrowser>

namespace skein::detail_counters_test {
namespace {

/// Samples at every enter and leave: a counter "INS" that grows by 1 a nanosecond in main and by 3 in work,
/// and a state "memory" in bytes.
MetricStream samplesOf(std::uint32_t location, const std::vector<TimeNs>& times,
                       const std::vector<std::uint64_t>& counted, const std::vector<std::uint64_t>& memory)
{
    MetricStream stream;
    stream.recorder = stream.scopeLocation = LocationId(location);
    stream.occurrence = MetricOccurrence::SynchronousStrict;
    stream.metrics = {MetricId(0), MetricId(1)};
    stream.times = Column<TimeNs>(times);
    std::vector<std::uint64_t> values;
    for (std::size_t sample = 0; sample < times.size(); ++sample)
        values.insert(values.end(), {counted[sample], memory[sample]});
    stream.values = Column<std::uint64_t>(values);
    return stream;
}

SessionPtr countingSession()
{
    test::ExperimentBuilder builder("run");
    builder.process("node", {{0, 1000, "main", 0}, {200, 600, "work", 1}});
    builder.process("node", {{0, 1000, "main", 0}});
    Experiment experiment = *builder.finish();
    experiment.definitions.metrics = {
        {"INS", "", "#", MetricKind::Other, MetricMode::AccumulatedStart, MetricValueType::Uint64, false, 0},
        {"memory", "", "B", MetricKind::Other, MetricMode::AbsolutePoint, MetricValueType::Uint64, false, 0}};
    auto trace = std::make_shared<Trace>(*experiment.trace);
    trace->metricStreams.push_back(
        samplesOf(0, {0, 200, 600, 1000}, {0, 200, 1400, 1800}, {1024, 4096, 2048, 1024}));
    trace->metricStreams.push_back(samplesOf(1, {0, 1000}, {0, 1000}, {512, 512}));
    experiment.trace = trace;
    return std::make_shared<const Session>(
        Session{{std::make_shared<const Experiment>(std::move(experiment))}});
}

const DetailTable* tableOf(const std::vector<DetailTable>& tables, const std::string& title)
{
    for (const DetailTable& table : tables)
        if (table.title.starts_with(title)) return &table;
    return nullptr;
}

using Row = std::vector<std::string>;

}  // namespace

TEST_CASE("details of a call tell what was counted while it ran")
{
    const SessionPtr session = countingSession();
    DetailRequest request{session, {}, std::make_shared<ResultStore>()};
    request.state.selected = select(*session, IntervalRef{0, LocationId(0), 1});
    const auto tables = counterDetails(request, Task());
    const DetailTable* calls = tableOf(tables, "Counters during the calls");
    REQUIRE(calls);
    REQUIRE(calls->rows.size() == 2);
    // 1200 in 400 ns.
    CHECK(calls->rows[0] == Row{"INS", "work on Rank 0", "1200", "3 G/s", "3 G/s", "3 G/s"});
    CHECK(calls->rows[1][0] == "memory");
    CHECK(calls->rows[1][2] == "–");
    CHECK(calls->rows[1][3] == "4 KiB");
    const DetailTable* regions = tableOf(tables, "Counters of regions");
    REQUIRE(regions);
    CHECK(regions->rows[0][1] == "work");
    CHECK(regions->rows[0][2] == "1200");
    CHECK(regions->rows[0][3] == "1200");
}

TEST_CASE("details of locations tell what was counted in the scope")
{
    const SessionPtr session = countingSession();
    DetailRequest request{session, {}, std::make_shared<ResultStore>()};
    request.state.selected =
        select(*session, std::vector<LocationRef>{{0, LocationId(0)}, {0, LocationId(1)}});
    const auto whole = counterDetails(request, Task());
    REQUIRE(whole.size() == 1);
    REQUIRE(whole[0].rows.size() == 4);
    CHECK(whole[0].rows[0][2] == "1800");
    CHECK(whole[0].rows[2] == Row{"INS", "Rank 1", "1000", "1 G/s", "1 G/s", "1 G/s"});
    request.state.brushed = TimeSpan{0, 400};
    const auto part = counterDetails(request, Task());
    // 200 in main, and half of what work counted.
    CHECK(part[0].rows[0][2] == "800");
    CHECK(part[0].rows[0][4] == "1 G/s");
    CHECK(part[0].rows[0][5] == "3 G/s");
    CHECK(part[0].rows[1][5] == "4 KiB");
}

TEST_CASE("a trace without metrics has no counters in its details, the window shows those there are")
{
    test::ExperimentBuilder builder("plain");
    const SessionPtr plain = test::sessionOf(builder.process("node", {{0, 1000, "main", 0}}));
    DetailRequest request{plain, {}, std::make_shared<ResultStore>()};
    request.state.selected = select(*plain, LocationRef{0, LocationId(0)});
    CHECK(counterDetails(request, Task()).empty());

    struct Fixture {
        QApplication& application = test::guiApplication();
        SelectionModel selection;
        TaskRunner tasks;
        DetailsView view{ViewContext{selection, tasks}, nullptr};
    } fixture;
    const SessionPtr session = countingSession();
    fixture.view.resize(300, 120);
    fixture.view.show();
    fixture.view.setSession(session);
    fixture.selection.setSelected(select(*session, LocationRef{0, LocationId(0)}), nullptr);
    const auto* text = fixture.view.findChild<QTextBrowser*>();
    REQUIRE(test::waitFor([&] { return text->toPlainText().contains("1800"); }, 30000));
    // A picture of it has all lines, though the panel shows a part of them.
    const auto height = fixture.view.pictureHeight(300);
    REQUIRE(height);
    CHECK(*height > 300);
}

}  // namespace skein::detail_counters_test
