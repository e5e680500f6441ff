// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/anomalies/critical_path_rows_scene.h"

#include "tests/support/catch.h"
#include "tests/support/random_trace.h"
#include "tests/support/small_session.h"

namespace skein::critical_path_rows_test {

namespace {

SessionCriticalPath pathsOf(const Session& session)
{
    SessionCriticalPath paths;
    for (const ExperimentPtr& experiment : session.experiments)
        paths.experiments.push_back(experiment->trace ? std::make_shared<const TraceCriticalPath>(
                                        traceCriticalPath(*experiment, Task()).value())
                                                      : nullptr);
    return paths;
}

}  // namespace

TEST_CASE("rows of the critical path are its functions, the longest first, and add up to all of it")
{
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        Session session;
        for (std::uint64_t i = 0; i < 1 + seed % 2; ++i)
            session.experiments.push_back(
                std::make_shared<const Experiment>(test::randomExperiment(seed + 100 * i)));
        const SessionCriticalPath paths = pathsOf(session);
        const auto rows = criticalPathRows(session, paths);
        double shares = 0, length = 0, before = 0;
        for (const CriticalPathRow& row : rows) {
            REQUIRE(row.cells.size() == 7);
            length += std::get<double>(row.cells[1]);
            shares += std::get<double>(row.cells[2]);
            if (!row.function.valid()) {
                CHECK(std::get<std::string>(row.cells[0]).find('(') != std::string::npos);
                continue;
            }
            const CriticalPath& path = paths.of(row.function.experiment)->path;
            const auto of =
                std::find_if(path.functions.begin(), path.functions.end(), [&](const CriticalFunction& each) {
                    return RegionId(each.function) == row.function.id;
                });
            REQUIRE(of != path.functions.end());
            CHECK(std::get<double>(row.cells[1]) == static_cast<double>(of->criticalNs));
            CHECK(std::get<double>(row.cells[5]) == of->costNs);
            CHECK(std::get<double>(row.cells[6]) == static_cast<double>(of->gainNs));
        }
        double whole = 0;
        for (const auto& each : paths.experiments) whole += static_cast<double>(each->path.lengthNs);
        CHECK(length == Approx(whole));
        CHECK(shares == Approx(static_cast<double>(session.experiments.size())));
        if (session.experiments.size() > 1) continue;
        before = length;
        for (const CriticalPathRow& row : rows) {
            CHECK(std::get<double>(row.cells[1]) <= before);
            before = std::get<double>(row.cells[1]);
        }
    }
}

TEST_CASE("a profile has no critical path, and names of several archives tell which one a function is of")
{
    test::ExperimentBuilder one("one"), other("other");
    one.process("node", {{0, 100, "solve", 0}});
    other.process("node", {{0, 70, "solve", 0}});
    Experiment profile = *other.finish();
    const Session session{{one.finish(), std::make_shared<const Experiment>(profile)}};
    const auto rows = criticalPathRows(session, pathsOf(session));
    REQUIRE(rows.size() == 2);
    CHECK(std::get<std::string>(rows[0].cells[0]) != std::get<std::string>(rows[1].cells[0]));
    profile.trace = nullptr;
    const Session half{{session.experiments[0], std::make_shared<const Experiment>(profile)}};
    CHECK(criticalPathRows(half, pathsOf(half)).size() == 1);
}

TEST_CASE("calls of what is not defined are on the critical path, and select nothing")
{
    test::ExperimentBuilder builder("odd");
    builder.process("node", {{0, 100, "solve", 0}, {100, 900, "lost", 0}});
    Experiment odd = *builder.finish();
    REQUIRE(displayName(odd.definitions.regions.back()) == "lost");
    odd.definitions.regions.pop_back();
    const Session session{{std::make_shared<const Experiment>(odd)}};
    const SessionCriticalPath paths = pathsOf(session);
    const auto rows = criticalPathRows(session, paths);
    REQUIRE(rows.size() == 2);
    CHECK(std::get<std::string>(rows[0].cells[0]) == "not defined");
    CHECK_FALSE(rows[0].function.valid());
    CHECK(rows[1].function.valid());
    CHECK(criticalPathText(*session.experiments[0], *paths.of(0)).ends_with("% in not defined"));
}

}  // namespace skein::critical_path_rows_test
