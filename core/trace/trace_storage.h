// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/block_storage.h"
#include "core/base/column.h"
#include "core/trace/message_matcher.h"
#include "core/trace/trace.h"

#include <memory>
#include <mutex>
#include <vector>

/// Where the events of an archive are kept while they are read.
namespace skein {

/// The tables that grow with every location's events, while they grow.
struct LocationScratch {
    ColumnBuilder<TimeNs> begin, end;
    ColumnBuilder<std::uint32_t> callPath;
    ColumnBuilder<std::uint16_t> depth;
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
