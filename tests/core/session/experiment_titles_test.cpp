// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/session/experiment_titles.h"

#include "tests/support/catch.h"

namespace skein::experiment_titles_test {

namespace {

ExperimentPtr at(const std::string& path, const std::string& name)
{
    Experiment experiment;
    experiment.path = path;
    experiment.name = name;
    return std::make_shared<const Experiment>(std::move(experiment));
}

}  // namespace

TEST_CASE("an experiment is titled by its name, and by its folder where the name says only what it is")
{
    CHECK(experimentTitles({{at("/data/scorep-run/traces.otf2", "scorep-run")}})
          == std::vector<std::string>{"scorep-run"});
    CHECK(experimentTitles({{at("/data/lulesh/trace-otf2/traces.otf2", "trace-otf2")}})
          == std::vector<std::string>{"lulesh/trace-otf2"});
    CHECK(experimentTitles({{at("", "trace")}}) == std::vector<std::string>{"trace"});
}

TEST_CASE("experiments of equal names are told apart by their folders")
{
    CHECK(experimentTitles({{at("/w/sim/otf2/a.otf2", "otf2"), at("/w/ana/otf2/a.otf2", "otf2")}})
          == std::vector<std::string>{"sim/otf2", "ana/otf2"});
    CHECK(experimentTitles({{at("/x/a", "a"), at("/x/a", "a")}}).size() == 2);
}

}  // namespace skein::experiment_titles_test
