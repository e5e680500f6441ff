// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/comm/message_totals.h"

#include <algorithm>
#include <cmath>

namespace skein {
namespace {

constexpr std::string_view kSentToAll = "Message size sent to all nodes";
/// Sums beyond this come from garbled numbers; they stay what an unsigned number can hold.
constexpr double kLargestSum = 1.8e19;

std::uint64_t whole(double sum)
{
    return sum > 0.0 ? static_cast<std::uint64_t>(std::min(std::round(sum), kLargestSum)) : 0;
}

MessageTotals totalsOfUserEvents(const Experiment& experiment)
{
    double messages = 0.0, bytes = 0.0;
    for (const EventStatistic& statistic : experiment.profile->statistics) {
        if (statistic.context.valid() || experiment.definitions.metric(statistic.metric).name != kSentToAll)
            continue;
        messages += statistic.count;
        bytes += statistic.count * statistic.mean;
    }
    if (!(messages > 0.0)) return {};
    return {whole(messages), whole(bytes), MessageSource::UserEvents};
}

}  // namespace

std::string_view name(MessageSource source)
{
    switch (source) {
    case MessageSource::None: return {};
    case MessageSource::Trace: return "trace";
    case MessageSource::CommMatrix: return "communication matrix";
    case MessageSource::UserEvents: return "user events without partners";
    }
    return {};
}

MessageTotals messageTotals(const Experiment& experiment)
{
    if (experiment.trace) {
        MessageTotals totals{experiment.trace->messages.size(), 0, MessageSource::Trace};
        for (const Message& message : experiment.trace->messages) totals.bytes += message.bytes;
        return totals;
    }
    if (experiment.commMatrix)
        return {experiment.commMatrix->totalMessages(), experiment.commMatrix->totalBytes(),
                MessageSource::CommMatrix};
    return experiment.profile ? totalsOfUserEvents(experiment) : MessageTotals{};
}

}  // namespace skein
