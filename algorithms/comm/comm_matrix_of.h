// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "algorithms/comm/counted_messages.h"
#include "core/base/result.h"
#include "core/base/task.h"
#include "core/session/experiment.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace skein {

/// The rank of each location as communication names it: that of its process, or the location's own number
/// where the archive has no ranks at all; -1 for a location without a rank among others that have one.
std::vector<std::int64_t> ranksOfLocations(const Definitions& definitions);

/// Whether the archive tells at all who sent to whom: a trace (perhaps without any message), or recorded
/// sums.
bool tellsCommunication(const Experiment& experiment);

/// Who sent how much to whom: as the measurement recorded it (TAU's user events, a hop-byte file), or by the
/// sends of a trace whose time lies in the window. Sends that nobody received count, receives without a send
/// do not. Errors: NotRecorded where there is neither, InvalidArgument for a window on sums; Cancelled.
/// O(messages + pairs log pairs).
Result<std::shared_ptr<const CommMatrix>> commMatrixOf(const Experiment& experiment,
                                                       const std::optional<TimeSpan>& window,
                                                       const Task& task);

/// The same of those messages that the filter, one of this experiment, lets pass. Errors: as above;
/// InvalidArgument where there are sums alone, which tell no messages apart.
Result<std::shared_ptr<const CommMatrix>> commMatrixOf(const Experiment& experiment,
                                                       const std::optional<TimeSpan>& window,
                                                       const MessageFilter& filter, const Task& task);

/// The same for `bins` parts of a span: part i is [begin + i·length/bins, begin + (i+1)·length/bins), rounded
/// down. Errors: NotRecorded without a trace, InvalidArgument for no bins or an empty span; Cancelled.
/// O(messages + bins·pairs log pairs).
Result<std::vector<CommMatrix>> commMatrixBins(const Experiment& experiment, TimeSpan span, std::size_t bins,
                                               const Task& task);

/// Calls use(index, matrix) for the sends of each of these spans, which follow each other without gaps, as
/// far as they count. Only pairs are kept for all spans at once. Errors: NotRecorded without a
/// trace; Cancelled; those of `use`. O(messages · log spans + pairs of all spans · log).
Result<void> forEachPhase(const Experiment& experiment, const std::vector<TimeSpan>& phases,
                          const CountedMessages& counted,
                          const std::function<Result<void>(std::size_t, const CommMatrix&)>& use,
                          const Task& task);

}  // namespace skein
