// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/definitions/definitions.h"

#include <fmt/format.h>
#include <string_view>
#include <unordered_map>

namespace skein {

std::string displayName(const Region& region)
{
    std::string_view name = region.name;
    if (const auto source = name.find(" [{"); source != std::string_view::npos && name.ends_with("}]"))
        name = name.substr(0, source);
    const auto last = name.find_last_not_of(' ');
    return std::string(last == std::string_view::npos ? name : name.substr(0, last + 1));
}

std::string displayName(const Definitions& definitions, LocationId location)
{
    if (!location.valid() || location.index() >= definitions.locations.size()) return "unknown location";
    const Location& found = definitions.location(location);
    if (found.rank < 0 || found.kind != LocationKind::CpuThread)
        return found.name.empty() ? fmt::format("Location {}", found.originalId) : found.name;
    if (found.thread == 0) return fmt::format("Rank {}", found.rank);
    return fmt::format("Rank {} Thread {}", found.rank, found.thread);
}

bool isMpi(const Region& region)
{
    return region.paradigm == Paradigm::Mpi || region.name.starts_with("MPI_");
}

std::vector<std::uint32_t> firstOfName(const Definitions& definitions)
{
    std::vector<std::uint32_t> first;
    std::unordered_map<std::string_view, std::uint32_t> known;
    for (const Region& region : definitions.regions) {
        const auto own = static_cast<std::uint32_t>(first.size());
        first.push_back(region.name.empty() ? own : known.try_emplace(region.name, own).first->second);
    }
    return first;
}

}  // namespace skein
