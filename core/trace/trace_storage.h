// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/block_storage.h"
#include "core/base/column.h"
#include "core/trace/events.h"
#include "core/trace/message_matcher.h"

#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

namespace skein {

/// A call while its location is read: one place in memory an enter and its leave, not one a column.
struct CallRow {
    TimeNs begin = kNoTime;
    TimeNs end = kNoTime;
    std::uint32_t callPath = 0;
    std::uint16_t depth = 0;
};

/// The tables that grow with every location's events, while they grow.
struct LocationScratch {
    ColumnBuilder<CallRow> calls;
    ColumnBuilder<Message> sends;
    ColumnBuilder<PostedReceive> receives;
    ColumnBuilder<EventAttribute> attributes;
    void clear();
};

/// Memory that the builders of a trace share: rooms to grow in, which go from a closed location to the next
/// one, and the exactly sized arrays of closed locations. Safe to use from several threads.
class TraceStorage {
public:
    std::unique_ptr<LocationScratch> borrow();
    void giveBack(std::unique_ptr<LocationScratch> scratch);

    BlockStorage intervals;
    BlockStorage messages;
    BlockStorage partners;  ///< sends and receives of single locations, until the messages are matched

private:
    std::mutex mutex_;
    std::vector<std::unique_ptr<LocationScratch>> idle_;
};

}  // namespace skein
