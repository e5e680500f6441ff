// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/column.h"
#include "core/base/task.h"
#include "core/index/other_regions.h"
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

/// Which region *leads* at any time among several locations: the one that most of them are in, counting only
/// locations that are in a call.
///
///     location 0  [solve            ][wait ][solve          ]
///     location 1  [solve         ][wait    ][solve          ]
///     location 2  [solve           ][wait  ][solve          ]
///     leads       [solve           ][wait  ][solve          ]
///
/// If the locations work in lock step, there are far fewer leads than calls, because one change of the lead
/// takes as many enters and leaves as there are locations. A column of a picture in which one region leads
/// all the time shows that region, however narrow the column is, and no call has to be read.
///
/// A lead also ends when its region is in more than twice or less than half as many locations as earlier in
/// the same lead. So every part of a lead is described well by the mean of the whole. If n leads follow each
/// other in a column, the region with the most time by these means took at least 1 / 4n of the time of any
/// other, up to rounding.
///
/// Ties: the region that led before keeps the lead, otherwise the smaller id. A call without duration outside
/// all others leads for 1 ns if no location is in a call. 21 bytes per lead. Immutable; safe to read from
/// several threads.
class Leads {
public:
    /// One lead; it lasts until the next begins.
    struct Lead {
        TimeSpan span;  ///< the last lead does not end
        std::uint32_t callPath =
            0;  ///< the call path of the region that took most; CallPathId::kNone: no location is in a call
        double share = 0;  ///< fraction of all locations' time that the region took, in 254ths rounded down,
                           ///< at least one
        OtherRegions others;  ///< fractions of all locations' time
    };

    std::size_t size() const { return begin_.size(); }
    TimeNs begin(std::size_t lead) const { return begin_[lead]; }
    std::span<const TimeNs> begins() const { return begin_.span(); }
    std::uint32_t callPath(std::size_t lead) const { return callPath_[lead]; }
    Lead operator[](std::size_t lead) const
    {
        const TimeNs end = lead + 1 < begin_.size() ? begin_[lead + 1] : std::numeric_limits<TimeNs>::max();
        return {{begin_[lead], end}, callPath_[lead], share_[lead] * (1.0 / 254), others_[lead]};
    }
    /// Moves its columns into the storage.
    void moveTo(BlockStorage& storage);
    std::size_t bytes() const
    {
        return begin_.bytes() + callPath_.bytes() + share_.bytes() + others_.bytes();
    }

private:
    friend struct disk::Fields;
    friend class LeadFinder;

    Column<TimeNs> begin_;  ///< ascending; the first is 0
    Column<std::uint32_t> callPath_;
    Column<std::uint8_t> share_;
    Column<OtherRegions> others_;
};

/// `regionOfCallPath` is indexed by call path. nullopt if the task was stopped.
/// O(calls · (log locations + call paths at once)).
std::optional<Leads> findLeads(std::span<const CallIntervals* const> locations,
                               std::span<const std::uint32_t> regionOfCallPath, std::uint32_t regionCount,
                               const Task& task);

}  // namespace skein
