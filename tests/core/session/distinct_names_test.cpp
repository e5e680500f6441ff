// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/session/distinct_names.h"

#include "tests/support/catch.h"

using namespace skein;

namespace {

ExperimentPtr named(const std::string& name, const std::string& path)
{
    Experiment experiment;
    experiment.name = name;
    experiment.path = path;
    return std::make_shared<const Experiment>(std::move(experiment));
}

std::vector<std::string> namesOf(const Session& session)
{
    std::vector<std::string> names;
    for (const ExperimentPtr& experiment : session.experiments) names.push_back(experiment->name);
    return names;
}

}  // namespace

TEST_CASE("experiments that share a name are told apart by as many folders as it takes")
{
    const Session session{{named("trace", "/run/sim/trace/a.otf2"), named("trace", "/run/ana/trace/a.otf2"),
                           named("other", "/run/other")}};
    CHECK(namesOf(withDistinctNames(session)) == std::vector<std::string>{"sim/trace", "ana/trace", "other"});
    const Session deep{{named("t", "/x/run/t"), named("t", "/y/run/t")}};
    CHECK(namesOf(withDistinctNames(deep)) == std::vector<std::string>{"x/run/t", "y/run/t"});
}

TEST_CASE("the same archive opened twice is numbered, and distinct names stay")
{
    const Session twice{{named("t", "/run/t"), named("t", "/run/t")}};
    CHECK(namesOf(withDistinctNames(twice)) == std::vector<std::string>{"t (1)", "t (2)"});
    const Session distinct{{named("a", "/run/a"), named("b", "/run/b")}};
    CHECK(withDistinctNames(distinct).experiments == distinct.experiments);
}
