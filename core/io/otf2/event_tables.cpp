// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/otf2/event_tables.h"

#include <algorithm>

namespace skein::otf2 {
namespace {

LocationId at(const std::vector<LocationId>& members, std::uint32_t rank)
{
    return rank < members.size() ? members[rank] : LocationId();
}

}  // namespace

bool Ranks::onLocalSide(std::uint32_t process) const
{
    return remote.empty() || std::binary_search(localProcesses.begin(), localProcesses.end(), process);
}

LocationId Ranks::partner(std::uint32_t rank, LocationId caller, std::uint32_t process) const
{
    if (self) return rank == 0 ? caller : LocationId();
    if (remote.empty()) return at(local, rank);
    return at(onLocalSide(process) ? remote : local, rank);
}

LocationId Ranks::own(std::uint32_t rank, LocationId caller, std::uint32_t process) const
{
    if (self) return rank == 0 ? caller : LocationId();
    return at(onLocalSide(process) ? local : remote, rank);
}

}  // namespace skein::otf2
