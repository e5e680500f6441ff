// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/comm_text/comm_experiment.h"

#include <algorithm>
#include <fmt/format.h>

namespace skein::comm_text {
namespace {

constexpr std::uint32_t kMaximumDefinedRanks = 1u << 18;

void defineRanks(Definitions& definitions, std::uint32_t ranks, std::span<const std::uint32_t> nodeNumbers)
{
    for (std::uint32_t rank = 0; rank < ranks; ++rank) {
        LocationGroup group;
        group.name = fmt::format("Rank {}", rank);
        group.kind = LocationGroupKind::Process;
        group.rank = rank;
        if (rank < nodeNumbers.size()) {
            group.node = SystemTreeNodeId(definitions.systemTree.size());
            definitions.systemTree.push_back({fmt::format("nid{:05}", nodeNumbers[rank]), "node", {}, {}});
        }
        Location location;
        location.name = group.name;
        location.kind = LocationKind::CpuThread;
        location.group = LocationGroupId(definitions.locationGroups.size());
        location.rank = rank;
        location.originalId = rank;
        definitions.locationGroups.push_back(std::move(group));
        definitions.locations.push_back(std::move(location));
    }
}

}  // namespace

Experiment makeCommExperiment(const std::filesystem::path& path, std::string format, CommMatrix matrix,
                              std::span<const std::uint32_t> nodeNumbers, ImportReport report)
{
    Experiment experiment;
    experiment.name = path.stem().string();
    experiment.path = path;
    experiment.format = std::move(format);
    if (matrix.ranks() <= kMaximumDefinedRanks)
        defineRanks(experiment.definitions, matrix.ranks(), nodeNumbers);
    experiment.commMatrix = std::make_shared<const CommMatrix>(std::move(matrix));
    experiment.report = std::move(report);
    return experiment;
}

std::vector<std::uint32_t> distinctNumbers(std::vector<std::uint32_t> numbers)
{
    std::sort(numbers.begin(), numbers.end());
    numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
    return numbers;
}

std::uint32_t positionOf(std::span<const std::uint32_t> numbers, std::uint32_t number)
{
    return static_cast<std::uint32_t>(std::lower_bound(numbers.begin(), numbers.end(), number)
                                      - numbers.begin());
}

}  // namespace skein::comm_text
