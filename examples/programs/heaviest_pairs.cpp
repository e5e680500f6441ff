// SPDX-License-Identifier: GPL-3.0-or-later
// Who sent most to whom? The ten pairs of ranks with the most bytes, of a trace, a profile or a table.
//     heaviest_pairs examples/lulesh-8/profile-callpath
#include "algorithms/comm/comm_matrix_of.h"
#include "core/base/units.h"
#include "core/io/importer.h"

#include <algorithm>
#include <cstdio>
#include <fmt/format.h>

namespace {

using Entry = skein::CommMatrix::Entry;

skein::Result<std::vector<Entry>> heaviestPairs(const char* path, std::size_t count)
{
    const skein::Task task;
    const auto experiment = skein::openExperiment(path, task);
    if (!experiment) return tl::make_unexpected(experiment.error());
    const auto matrix = skein::commMatrixOf(**experiment, std::nullopt, task);
    if (!matrix) return tl::make_unexpected(matrix.error());
    const auto all = (*matrix)->entries();
    std::vector<Entry> pairs(all.begin(), all.end());
    std::ranges::stable_sort(pairs, std::ranges::greater(), &Entry::bytes);
    pairs.resize(std::min(count, pairs.size()));
    return pairs;
}

}  // namespace

int main(int argc, char** argv)
{
    if (argc != 2) {
        fmt::print(stderr, "usage: heaviest_pairs PATH\n");
        return 2;
    }
    const auto pairs = heaviestPairs(argv[1], 10);
    if (!pairs) {
        fmt::print(stderr, "heaviest_pairs: {}\n", pairs.error().text());
        return 1;
    }
    for (const Entry& pair : *pairs)
        fmt::print("{:>5} -> {:<5} {:>10} in {} messages\n", pair.sender, pair.receiver,
                   skein::formatBytes(static_cast<double>(pair.bytes)), pair.messages);
    return 0;
}
