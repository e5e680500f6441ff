// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/id.h"
#include "core/base/time_span.h"

#include <cstdint>
#include <vector>

namespace skein {

/// A file or other piece of data that one component of a workflow wrote and another one read. Times are those
/// of the component they happened in, so that they move with it when its clock is shifted.
struct HandOver {
    std::uint32_t producer = 0;  ///< index into Session::experiments
    std::uint32_t consumer = 0;
    LocationId from;     ///< of the producer: who wrote
    LocationId to;       ///< of the consumer: who read
    TimeSpan written;    ///< producer's time
    TimeSpan waited;     ///< consumer's time: from the wish for it to when it was there
    TimeNs readEnd = 0;  ///< consumer's time
    std::uint64_t bytes = 0;
    std::uint32_t output = 0;  ///< number of the output it is a part of
    std::uint32_t part = 0;    ///< rank that the output says it is of
};

/// Hand-overs placed into the traces of the session, by output and part.
struct PlacedHandOvers {
    std::vector<HandOver> handOvers;
    std::uint64_t unread = 0;     ///< puts without a get
    std::uint64_t unwritten = 0;  ///< gets without a put
    std::uint64_t misplaced = 0;  ///< pairs whose ranks or times the traces do not have
};

}  // namespace skein
