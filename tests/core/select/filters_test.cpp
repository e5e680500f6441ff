// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/select/filters.h"

#include "core/select/edit_history.h"
#include "core/select/metric_choice.h"
#include "tests/support/catch.h"
#include "tests/support/random_calls.h"

namespace skein::select_filters_test {

namespace {

Session sessionOf(std::vector<ExperimentPtr> experiments) { return {std::move(experiments)}; }

ExperimentPtr run(const std::string& name)
{
    return test::ExperimentBuilder(name)
        .process("n0", {{0, 100, "main", 0}, {10, 30, "MPI_Send", 1}})
        .process("n0", {{0, 100, "main", 0}, {10, 30, "MPI_Recv", 1}})
        .process("n1", {{0, 100, "main", 0}})
        .finish();
}

}  // namespace

TEST_CASE("patterns match parts of names, or whole names where they have wildcards, in any case")
{
    CHECK(matchesPattern("MPI_Isend", "send"));
    CHECK(matchesPattern("MPI_Isend", "mpi_*"));
    CHECK(matchesPattern("MPI_Isend", "*I?end"));
    CHECK(matchesPattern("aXbXc", "a*X?"));
    CHECK(matchesPattern("anything", ""));
    CHECK_FALSE(matchesPattern("MPI_Isend",
                               "mpi"
                               " *"));
    CHECK_FALSE(matchesPattern("MPI_Isend", "Isend*x"));
    CHECK_FALSE(matchesPattern("MPI_Isend", "?"));
}

TEST_CASE("regions of one name are filtered in every archive at once")
{
    const Session session = sessionOf({run("a"), run("b")});
    const auto sends = regionsMatching(session, "mpi_s*");
    REQUIRE(sends.size() == 2);
    CHECK(namesakes(session, {sends[1]}) == sends);
    const Filter hide = regionFilter(FilterEffect::Hide, "MPI_Send", sends);
    CHECK(hide.label == "MPI_Send hidden");
    CHECK_FALSE(passes({hide}, sends[0]));
    CHECK(passes({hide}, regionsMatching(session, "main")[0]));
    CHECK_FALSE(
        passes({regionFilter(FilterEffect::Keep, "MPI_Send", sends)}, regionsMatching(session, "main")[0]));
}

TEST_CASE("locations are found by their names, and by that of their archive before it where several are open")
{
    const Session one = sessionOf({run("a")});
    CHECK(locationsMatching(one, "rank 1") == std::vector<LocationRef>{{0, LocationId(1)}});
    CHECK(locationsMatching(one, "Rank ?").size() == 3);
    CHECK(locationsMatching(one, "a").size() == 3);
    CHECK(locationsMatching(one, "a rank").empty());
    const Session both = sessionOf({run("a"), run("b")});
    CHECK(locationsMatching(both, "rank 1")
          == std::vector<LocationRef>{{0, LocationId(1)}, {1, LocationId(1)}});
    CHECK(locationsMatching(both, "b rank*")
          == std::vector<LocationRef>{{1, LocationId(0)}, {1, LocationId(1)}, {1, LocationId(2)}});
}

TEST_CASE("the locations below a node, a process or an experiment are found")
{
    const Session session = sessionOf({run("a"), run("b")});
    const Definitions& definitions = session.experiments[1]->definitions;
    CHECK(locationsOf(session, {1, RowGroupKind::Experiment, 0}).size() == 3);
    for (std::uint32_t id = 0; id < definitions.locations.size(); ++id) {
        const LocationGroupId group = definitions.locations[id].group;
        const auto ofProcess = locationsOf(session, {1, RowGroupKind::Process, group.value()});
        CHECK(ofProcess == std::vector<LocationRef>{{1, LocationId(id)}});
    }
    const auto node = definitions.locationGroups[definitions.locations[0].group.index()].node;
    CHECK(locationsOf(session, {1, RowGroupKind::Node, node.value()}).size() == 2);
    CHECK(locationsOf(session, {7, RowGroupKind::Experiment, 0}).empty());
    const Filter hide =
        locationFilter(FilterEffect::Hide, "n0", locationsOf(session, {1, RowGroupKind::Node, node.value()}));
    CHECK_FALSE(keptLocations(session, 0, {hide}).has_value());
    CHECK(keptLocations(session, 1, {hide}).value().size() == 1);
}

TEST_CASE("spans that filters keep are intersected, and a filter is not stacked twice")
{
    std::vector<Filter> filters = withFilter({}, spanFilter({10, 50}));
    filters = withFilter(filters, spanFilter({30, 90}));
    CHECK(withFilter(filters, spanFilter({30, 90})).size() == 2);
    CHECK(withFilter(filters, regionFilter(FilterEffect::Hide, "nothing", {})).size() == 2);
    CHECK(keptSpan(filters) == TimeSpan{30, 50});
    CHECK(keptSpan(withFilter(filters, spanFilter({80, 90})))->empty());
    CHECK_FALSE(keptSpan({}).has_value());
}

TEST_CASE("edits are undone and made again, and a new one forgets those ahead")
{
    EditHistory history;
    Edits first;
    first.marks = {{{5, 5}, "start"}};
    Edits second = first;
    second.filters = {spanFilter({1, 2})};
    history.record(first);
    history.record(first);
    history.record(second);
    CHECK(history.undo() == first);
    CHECK(history.undo() == Edits{});
    CHECK_FALSE(history.canUndo());
    CHECK(history.redo() == first);
    history.record(Edits{});
    CHECK_FALSE(history.canRedo());
    CHECK(history.undo() == first);
}

TEST_CASE("the machine, the tree and verdicts are edits, in one history with filters")
{
    ViewState state;
    state.machine.topology = "torus:4x4";
    state.tree.collapsed = {{0, CallPathId(3)}};
    state.verdicts = {{{0, LocationId(1), 7}, CallVerdict::Kind::Normal}};
    state.colors = ColorMode::Depth;
    state.colorScaling = ColorScaling::Logarithmic;
    state.grouping = RegionGrouping::Recorded;
    state.waitMarks = WaitMarks::Shown;
    state.messageLines = MessageLines::Hidden;
    CHECK(differingParts(state, {})
          == (ViewParts::kMachine | ViewParts::kTree | ViewParts::kVerdicts | ViewParts::kColors
              | ViewParts::kOverlays));
    ViewState restored;
    apply(editsOf(state), restored);
    CHECK(restored == state);
}

TEST_CASE("a session without profiles offers time and calls")
{
    const auto choices = metricChoices(sessionOf({run("a")}));
    REQUIRE(choices.size() == 2);
    CHECK(choices[0].name == "Time");
    CHECK(choices[1].metric == kCallsMetric);
    CHECK(profileMetricName(sessionOf({run("a")}), kCallsMetric).empty());
}

TEST_CASE("where no time was recorded its place has the name of what was, once")
{
    Experiment experiment;
    experiment.definitions.metrics = {{"samples", "", {}}, {"faults", "", {}}};
    Profile profile;
    profile.callPaths.metrics = {MetricId(0), MetricId(1)};
    experiment.profile = std::make_shared<const Profile>(profile);
    const auto session = [&] { return Session{{std::make_shared<const Experiment>(experiment)}}; };
    const auto choices = metricChoices(session());
    REQUIRE(choices.size() == 3);
    CHECK(choices[0].name == "samples");
    CHECK_FALSE(choices[0].metric.valid());
    CHECK(choices[2].name == "faults");
    experiment.definitions.metrics[1].unit = "ns";
    CHECK(nameOfTime(session()) == "Time");
    CHECK(metricChoices(session()).size() == 3);
}

TEST_CASE("locations of all archives are chosen by their attributes, and an attribute that none has is named")
{
    const Session session = sessionOf({run("a"), run("b")});
    const auto found = locationsLike(session, *parseAttributeConditions("rank=0|2"));
    REQUIRE(found);
    CHECK(*found
          == std::vector<LocationRef>{
              {0, LocationId(0)}, {0, LocationId(2)}, {1, LocationId(0)}, {1, LocationId(2)}});
    CHECK(locationsLike(session, *parseAttributeConditions("rank>7"))->empty());
    const auto none = locationsLike(session, *parseAttributeConditions("galaxy=m31"));
    REQUIRE_FALSE(none);
    CHECK(none.error().text().find("No location has an attribute \"galaxy\"; there are name, kind, rank")
          != std::string::npos);
}

}  // namespace skein::select_filters_test
