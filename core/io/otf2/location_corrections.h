// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/definitions/definitions.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <otf2/otf2.h>
#include <span>
#include <vector>

/// What a location's local definitions say of its records, applied as libotf2 applies it.
namespace skein::otf2 {

/// The archive's ids for those that a location gave on its own. Immutable once filled.
class LocalIds {
public:
    /// Copies a mapping table. False where its ids are too large to be looked up in an array.
    bool add(OTF2_MappingType kind, const OTF2_IdMap* map);

    bool empty() const { return empty_; }
    std::uint32_t global(OTF2_MappingType kind, std::uint32_t local) const
    {
        const std::vector<std::uint32_t>& table = tables_[kind];
        return local < table.size() ? table[local] : local;
    }

private:
    std::array<std::vector<std::uint32_t>, OTF2_MAPPING_MAX> tables_;
    bool empty_ = true;
};

/// Corrects the times of a location's records, in their order: between two offsets that were measured it
/// takes the straight line through them, outside of them the nearest line.
class ClockCorrection {
public:
    explicit ClockCorrection(std::span<const RecordedClockOffset> offsets);

    bool empty() const { return lines_.empty(); }
    std::uint64_t corrected(std::uint64_t time);

private:
    struct Line {
        std::uint64_t begin, end;
        std::int64_t offset;  ///< at the begin
        double slope;
    };
    std::vector<Line> lines_;
    std::size_t current_ = 0;
};

}  // namespace skein::otf2
