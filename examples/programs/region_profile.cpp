// SPDX-License-Identifier: GPL-3.0-or-later
// Where did the time go? The ten regions with the most time of their own.
//     region_profile examples/lulesh-8/trace-otf2
#include "algorithms/profile/aggregate.h"
#include "algorithms/profile/summarize.h"
#include "core/base/units.h"
#include "core/io/importer.h"

#include <algorithm>
#include <cstdio>
#include <fmt/format.h>

namespace {

skein::Result<std::vector<skein::RegionRow>> regionRows(const char* path)
{
    const skein::Task task;  // never stops, reports nowhere, uses every core
    const auto experiment = skein::openExperiment(path, task);
    if (!experiment) return tl::make_unexpected(experiment.error());
    // The profile that was recorded, or the one that the trace adds up to.
    const auto profile = skein::profileOf(**experiment, std::nullopt, task);
    if (!profile) return tl::make_unexpected(profile.error());
    const auto time = skein::metricColumn(**experiment, **profile, "time");
    if (!time) return tl::make_unexpected(time.error());
    return skein::profileByRegion(**experiment, **profile, *time);
}

}  // namespace

int main(int argc, char** argv)
{
    if (argc != 2) {
        fmt::print(stderr, "usage: region_profile PATH\n");
        return 2;
    }
    const auto rows = regionRows(argv[1]);
    if (!rows) {
        fmt::print(stderr, "region_profile: {}\n", rows.error().text());
        return 1;
    }
    for (std::size_t i = 0; i < std::min<std::size_t>(10, rows->size()); ++i) {
        const skein::RegionRow& row = (*rows)[i];
        fmt::print("{:>10} {:>8} calls  {}\n", skein::formatDuration(row.values.exclusive),
                   skein::formatCount(row.values.calls), row.name);
    }
    return 0;
}
