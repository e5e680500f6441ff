// SPDX-License-Identifier: GPL-3.0-or-later
// What was each rank doing at one moment? The innermost call of every location at a time in nanoseconds.
//     calls_at examples/lulesh-8/trace-otf2 600000000
#include "core/base/units.h"
#include "core/io/importer.h"
#include "core/select/translate.h"

#include <cstdio>
#include <cstdlib>
#include <fmt/format.h>

namespace {

void printCallAt(const skein::Session& session, skein::LocationRef location, skein::TimeNs time)
{
    const skein::Experiment& experiment = *session.experiments[location.experiment];
    const std::string& who = experiment.definitions.locations[location.id.index()].name;
    const skein::IntervalRef call = skein::innermostAt(session, location, time);
    if (!call.valid()) {
        fmt::print("{:<20} nothing\n", who);
        return;
    }
    const skein::RegionRef region = skein::regionOf(session, skein::callPathOf(session, call));
    const auto& intervals = experiment.trace->locations[location.id.index()].intervals;
    const auto lengthNs = static_cast<double>(intervals.span(call.index).lengthNs());
    fmt::print("{:<20} {:>10}  {}\n", who, skein::formatDuration(lengthNs),
               experiment.definitions.regions[region.id.index()].name);
}

}  // namespace

int main(int argc, char** argv)
{
    if (argc != 3) {
        fmt::print(stderr, "usage: calls_at PATH NANOSECONDS\n");
        return 2;
    }
    auto experiment = skein::openExperiment(argv[1], skein::Task());
    if (!experiment || !(*experiment)->trace) {
        fmt::print(stderr, "calls_at: {}\n",
                   experiment ? "A profile does not tell what happened when." : experiment.error().text());
        return 1;
    }
    const skein::Session session{{*experiment}};
    for (std::uint32_t i = 0; i < (*experiment)->trace->locations.size(); ++i)
        printCallAt(session, {0, skein::LocationId(i)}, std::atoll(argv[2]));
    return 0;
}
