// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/task.h"
#include "core/io/otf2/event_handlers.h"

#include <cstdint>
#include <filesystem>
#include <functional>

namespace skein::otf2 {

enum class RecordsRead {
    All,      ///< up to the mark of a complete file, or until memory ran out
    Refused,  ///< some may have been handed over: the location has to be read again, by libotf2
    Stopped,
};

/// An event file, as the archive describes it.
struct EventFile {
    std::filesystem::path path;
    std::uint64_t bytes = 0;
    std::uint64_t chunkBytes = 0;  ///< of the archive
};

/// Decodes the records of an event file and hands them to their handlers, in a third of the time that libotf2
/// needs for its calls of functions: that is half of an import. What differs in any way from what libotf2 3.0
/// writes on machines of this byte order (damaged or cut files, attributes, records of later versions) is
/// refused and left to libotf2, which knows what to make of it. `progress` is told bytes now and then.
RecordsRead readRecords(const EventFile& file, const EventHandlers& handlers, LocationReading& reading,
                        const Task& task, const std::function<void(std::uint64_t)>& progress);

}  // namespace skein::otf2
