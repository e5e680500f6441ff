// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/otf2/location_corrections.h"

#include "core/io/otf2/library.h"

#include <algorithm>
#include <cmath>

namespace skein::otf2 {

bool LocalIds::add(OTF2_MappingType kind, const OTF2_IdMap* map)
{
    constexpr std::uint64_t kMostIds = std::uint64_t{1} << 20;
    if (kind >= OTF2_MAPPING_MAX) return true;
    std::uint64_t count = 0;
    const auto noteId = [](std::uint64_t local, std::uint64_t, void* most) {
        auto& ids = *static_cast<std::uint64_t*>(most);
        ids = std::max(ids, local == ~std::uint64_t{0} ? local : local + 1);
    };
    if (OTF2_IdMap_Traverse(map, noteId, &count) != OTF2_SUCCESS || count > kMostIds) return false;
    const ErrorCapture idsWithoutEntry;
    std::vector<std::uint32_t>& table = tables_[kind];
    table.resize(static_cast<std::size_t>(count));
    for (std::uint32_t local = 0; local < count; ++local) {
        std::uint64_t global = 0;
        const bool known = OTF2_IdMap_GetGlobalId(map, local, &global) == OTF2_SUCCESS;
        table[local] = known ? static_cast<std::uint32_t>(global) : local;
    }
    empty_ = false;
    return true;
}

ClockCorrection::ClockCorrection(std::span<const RecordedClockOffset> offsets)
{
    for (std::size_t at = 1; at < offsets.size(); ++at) {
        const RecordedClockOffset& from = offsets[at - 1];
        const RecordedClockOffset& to = offsets[at];
        lines_.push_back({from.timeTicks, to.timeTicks, from.offsetTicks,
                          static_cast<double>(to.offsetTicks - from.offsetTicks)
                              / static_cast<double>(to.timeTicks - from.timeTicks)});
    }
}

std::uint64_t ClockCorrection::corrected(std::uint64_t time)
{
    if (lines_.empty()) return time;
    while (current_ + 1 < lines_.size() && time > lines_[current_].end) ++current_;
    const Line& line = lines_[current_];
    const double since =
        time >= line.begin ? static_cast<double>(time - line.begin) : -static_cast<double>(line.begin - time);
    const std::int64_t offset = line.offset + static_cast<std::int64_t>(std::rint(line.slope * since));
    return time + static_cast<std::uint64_t>(offset);
}

}  // namespace skein::otf2
