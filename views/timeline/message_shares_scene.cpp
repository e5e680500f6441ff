// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/timeline/message_shares_scene.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

namespace skein {
namespace {

constexpr double kMessagesAlwaysKept = 100;     ///< of a window, however long they are
constexpr double kFewMessageLines = 150;        ///< of a window
constexpr double kMostMessageLength = 60'000;   ///< device pixels of all lines of a window
constexpr std::uint32_t kMessageSamples = 128;  ///< of a stretch

TimeNs messageStretchFor(TimeNs window, TimeNs cell)
{
    return static_cast<TimeNs>(
        std::bit_ceil(static_cast<std::uint64_t>(std::max({window, cell, TimeNs{1}}))));
}

/// Sessions share what can be drawn between those of their experiments that have messages.
double messageSharersOf(const Session& session)
{
    const auto sharing =
        std::count_if(session.experiments.begin(), session.experiments.end(), [](const auto& experiment) {
            return experiment->trace && !experiment->trace->messages.empty();
        });
    return std::max(1.0, static_cast<double>(sharing));
}

}  // namespace

std::uint32_t scattered(std::uint32_t index)
{
    index = (index ^ index >> 16) * 0x7FEB352Du;
    index = (index ^ index >> 15) * 0x846CA68Bu;
    return index ^ index >> 16;
}

MessageShares::MessageShares(const TimelineData& data, std::uint32_t experiment, const TimelineLayout& layout,
                             TimeNs cell, Cost cost)
    : messages_(data.session.experiments[experiment]->trace->messages),
      skip_(data.indexes[experiment]->messages),
      cellNs_(cell),
      stretchNs_(messageStretchFor(layout.scale.span.lengthNs(), cell)),
      windowNs_(std::max<TimeNs>(1, layout.scale.span.lengthNs())),
      extent_(data.session.experiments[experiment]->trace->extent),
      lengthOfAll_(kMostMessageLength / messageSharersOf(data.session)),
      cost_(std::move(cost))
{
}

const MessageShare& MessageShares::at(TimeNs sent)
{
    const TimeNs stretch = sent / stretchNs_ - (sent % stretchNs_ < 0 ? 1 : 0);
    const auto found = std::find_if(known_.begin(), known_.end(),
                                    [stretch](const Known& known) { return known.stretch == stretch; });
    if (found != known_.end()) return found->share;
    known_.push_back({stretch, find(stretch)});
    return known_.back().share;
}

/// Windows that would fill the part of a stretch in which the run was.
double MessageShares::windowsOf(TimeNs stretch) const
{
    const TimeNs begin = std::max(extent_.begin, stretch * stretchNs_);
    const TimeNs end = std::min(extent_.end, (stretch + 1) * stretchNs_);
    return static_cast<double>(std::max<TimeNs>(1, end - begin)) / static_cast<double>(windowNs_);
}

MessageShare MessageShares::find(TimeNs stretch) const
{
    const std::uint32_t first = skip_.firstSentAt(messages_, stretch * stretchNs_);
    const std::uint32_t last = skip_.firstSentAt(messages_, (stretch + 1) * stretchNs_);
    MessageShare share;
    if (first >= last) return share;
    const double count = last - first;
    const double windows = windowsOf(stretch);
    share.part = std::min(1.0, kFewMessages * windows / count);
    share.all = share.part >= 1;
    const double lines = share.all ? count : linesOf(first, last, share.part);
    const double length = lines * meanCost(first, last);
    share.kept = std::min(
        1.0, std::max(lengthOfAll_ * windows / std::max(length, 1.0), kMessagesAlwaysKept * windows / lines));
    share.faint = std::min(1.0, std::sqrt(kFewMessageLines * windows / (lines * share.kept)));
    return share;
}

/// About how many are chosen, told from messages that lie evenly in the stretch: those between two of them
/// are in no more cells than lie between.
double MessageShares::linesOf(std::uint32_t first, std::uint32_t last, double part) const
{
    const std::uint32_t samples = std::min(kMessageSamples, last - first);
    double lines = 0;
    for (std::uint32_t sample = 0; sample < samples; ++sample) {
        const auto place = [&](std::uint32_t which) {
            return first + static_cast<std::uint32_t>(std::uint64_t{last - first} * which / samples);
        };
        const std::uint32_t begin = place(sample), end = place(sample + 1);
        const double between = end - begin;
        const auto cells =
            static_cast<double>(messages_[end - 1].sendTime / cellNs_ - messages_[begin].sendTime / cellNs_)
            + 1;
        lines += std::clamp(kLinesPerCell * cells, std::min(part * between, between), between);
    }
    return lines;
}

double MessageShares::meanCost(std::uint32_t first, std::uint32_t last) const
{
    const std::uint32_t samples = std::min(kMessageSamples, last - first);
    const std::uint32_t stride = (last - first) / samples;
    double sum = 0, drawn = 0;
    for (std::uint32_t sample = 0; sample < samples; ++sample) {
        const std::uint32_t group = first + sample * stride;
        const double cost = cost_(messages_[group + scattered(group) % stride]);
        sum += cost;
        if (cost > 0) ++drawn;
    }
    return drawn > 0 ? sum / drawn : 0;
}

}  // namespace skein
