// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/column.h"
#include "core/base/task.h"
#include "core/trace/trace.h"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>

namespace skein::disk {
struct Fields;
}

namespace skein {

class BlockStorage;

/// Which region leads at any time in several locations together: the one in which most of them are, of those
/// that are in a call. In lock step a change takes as many entries and exits as there are locations, so there
/// are far fewer leads than calls. However narrow a column is, the region that leads all through it took most
/// time in it.
///
/// A lead ends too where the region is in more than twice or less than half as many locations as before in
/// it, so that a part of a lead is known by its mean. Of a column in which n lead one after the other, the
/// region of most time by these means took at least 1 / 4n of the time of any other, but for rounding.
///
/// Where several regions are in as many locations the one that led goes on; otherwise it is the smaller one.
/// A call without duration outside all others leads for 1 ns where nobody is in a call. 13 bytes a lead.
/// Immutable; reading from several threads is safe.
class Leads {
public:
    /// One, up to the next one.
    struct Lead {
        TimeSpan span;  ///< the last one does not end
        std::uint32_t callPath =
            0;  ///< of the region's the one that took most; CallPathId::kNone: nobody is in a call
        double share =
            0;  ///< part of all locations' time that the region took, rounded down to 254ths, but more than 0
    };

    std::size_t size() const { return begin_.size(); }
    TimeNs begin(std::size_t lead) const { return begin_[lead]; }
    std::span<const TimeNs> begins() const { return begin_.span(); }
    std::uint32_t callPath(std::size_t lead) const { return callPath_[lead]; }
    Lead operator[](std::size_t lead) const
    {
        const TimeNs end = lead + 1 < begin_.size() ? begin_[lead + 1] : std::numeric_limits<TimeNs>::max();
        return {{begin_[lead], end}, callPath_[lead], share_[lead] * (1.0 / 254)};
    }
    /// Its columns live there then.
    void moveTo(BlockStorage& storage);
    std::size_t bytes() const { return begin_.bytes() + callPath_.bytes() + share_.bytes(); }

private:
    friend struct disk::Fields;
    friend class LeadFinder;

    Column<TimeNs> begin_;  ///< ascending; the first is 0
    Column<std::uint32_t> callPath_;
    Column<std::uint8_t> share_;
};

/// `regionOfCallPath` is indexed by call path. nullopt when it was told to stop.
/// O(calls · (log locations + call paths at once)).
std::optional<Leads> findLeads(std::span<const CallIntervals* const> locations,
                               std::span<const std::uint32_t> regionOfCallPath, std::uint32_t regionCount,
                               const Task& task);

}  // namespace skein
