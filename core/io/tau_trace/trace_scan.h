// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/file_bytes.h"
#include "core/io/tau_trace/event_table.h"
#include "core/io/tau_trace/trace_files.h"

#include <map>
#include <vector>

namespace skein::tau {

/// More threads than this in one file are taken for damage.
inline constexpr std::size_t kMaximumThreads = std::size_t{1} << 16;
/// So many records are read between two looks at the task.
inline constexpr std::size_t kRecordsPerLook = std::size_t{1} << 14;

/// The node and thread of a record as one number.
inline std::uint32_t threadNumber(const TraceRecord& record)
{
    return std::uint32_t{record.node} << 16 | record.thread;
}

/// A file of records that is open, and what its ids mean.
struct OpenTraceFile {
    TraceFile file;
    FileBytes bytes;
    EventTable events;

    std::size_t records() const { return bytes.size() / file.layout.recordBytes(); }
    TraceRecord record(std::size_t index) const
    {
        return decodeRecord(bytes.text().data() + index * file.layout.recordBytes(), file.layout);
    }
};

/// What the records of a user event held: metadata ("name | value") only ever hold 0 and 1.
enum class ValueUse : std::uint8_t { Unused, ZeroOrOne, Other };

/// What the records of an event held whose kind nothing tells.
struct UndefinedUse {
    std::uint64_t records = 0;
    bool entered = false;      ///< 1 among its values
    bool left = false;         ///< −1 among its values
    bool otherValues = false;  ///< anything else among them

    /// Entries and exits of a region are 1 and −1 and nothing else.
    bool isRegion() const { return entered && left && !otherValues; }
};

/// What one look at all records of a file tells before they are read.
struct TraceScan {
    std::vector<std::uint32_t> threads;                      ///< threadNumber(), sorted
    std::map<std::int64_t, UndefinedUse> undefined;          ///< events whose kind nothing tells
    std::vector<std::pair<std::uint32_t, ValueUse>> values;  ///< those that records use, by number
    bool tooManyThreads = false;
};

/// `values` is how many values are named. Linear; false after a stop request.
bool scanTrace(const OpenTraceFile& trace, std::size_t values, TraceScan& scan, const Task& task);

}  // namespace skein::tau
