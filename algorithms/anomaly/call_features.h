// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "algorithms/anomaly/functions_of_calls.h"
#include "algorithms/timeline/wait_states.h"
#include "core/base/result.h"
#include "core/base/task.h"
#include "core/trace/trace.h"

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

namespace skein {

/// What can be counted or measured of one call.
enum class CallFeature : std::uint8_t {
    Duration,   ///< ns
    Exclusive,  ///< ns without the calls in it
    Begin,      ///< ns, the experiment's time
    End,        ///< ns
    Messages,   ///< sent or received in it, at any depth
    Bytes,      ///< of these messages
    Children,   ///< calls directly in it
    Mpi,        ///< ns in operations of MPI in it, at any depth; all of one that is itself such an operation
    Waiting     ///< ns that calls in it waited for others, at any depth, see docs/WAIT_STATES.md
};
inline constexpr std::size_t kCallFeatures = 9;
/// "duration", "exclusive", "begin", "end", "messages", "bytes", "children", "mpi", "waiting".
std::string_view name(CallFeature feature);
/// Whether its values are nanoseconds.
bool isTime(CallFeature feature);
/// Whether what calls in a call have of it counts for the call as well.
bool addsUp(CallFeature feature);

/// A list such as "bytes,waiting", each at most once, in the order of CallFeature. Errors: InvalidArgument
/// with all names.
Result<std::vector<CallFeature>> callFeaturesOf(std::string_view list);

using CallFeatureValues = std::array<std::int64_t, kCallFeatures>;

/// The features of any call. What lies in a call is a contiguous slice of its location, so each location
/// keeps sums over its messages, calls of MPI and waits by call: memory for those, O(log) a value but for
/// Exclusive and Children, which go over the calls inside. Immutable; what it is made of must outlive it.
class CallFeatureIndex {
public:
    /// O(calls + messages log + waits log). Errors: Cancelled.
    static Result<CallFeatureIndex> build(const Trace& trace, const FunctionsOfCalls& functions,
                                          const WaitStates& waits, const Task& task);

    std::int64_t value(LocationId location, std::uint32_t call, CallFeature feature) const;
    CallFeatureValues values(LocationId location, std::uint32_t call) const;

private:
    /// Amounts of events by the calls that they happened in, summed up.
    class SumsByCall {
    public:
        void add(std::uint32_t call, std::int64_t amount) { rows_.push_back({call, amount}); }
        void finish();
        std::int64_t between(std::uint32_t first, std::uint32_t end) const;
        /// The last call before this one that something was added for; kNoInterval without any.
        std::uint32_t lastBefore(std::uint32_t call) const;

    private:
        std::int64_t before(std::uint32_t call) const;

        struct Row {
            std::uint32_t call;
            std::int64_t amount;  ///< and those before it, once finished
        };
        std::vector<Row> rows_;
    };
    struct OfLocation {
        SumsByCall messages, bytes, mpi, waits;
    };

    void addMessages();
    TimeNs mpiNs(LocationId location, std::uint32_t call) const;

    const Trace* trace_ = nullptr;
    const FunctionsOfCalls* functions_ = nullptr;
    std::vector<OfLocation> locations_;
};

}  // namespace skein
