// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/timeline/timeline_layout_scene.h"

#include <functional>
#include <vector>

namespace skein {

/// How much is drawn of the messages that are sent in a stretch of time.
struct MessageShare {
    double part = 1;   ///< of the messages of a crowded cell, which are chosen evenly
    double kept = 1;   ///< of these lines, where they are long
    double faint = 1;  ///< of the usual opacity
    bool all = true;   ///< they are few: nothing is left out for their number
};

/// Shares of stretches that begin at multiples of their length, which is the power of two of nanoseconds from
/// the length of the window on. What is drawn of a message depends on its stretch and not on the window, so
/// that a window that is moved draws again what it drew.
class MessageShares {
public:
    /// What is seen of a message's line, in pixels; 0: it has none.
    using Cost = std::function<double(const Message&)>;

    /// `data` lives longer. Messages of one experiment; `cell`: nanoseconds of the stretches of which a few
    /// lines are drawn always, a power of two.
    MessageShares(const TimelineData& data, std::uint32_t experiment, const TimelineLayout& layout,
                  TimeNs cell, Cost cost);

    /// That of messages sent at a time. The first time for a stretch: looks at no more than 128 messages.
    const MessageShare& at(TimeNs sent);

private:
    struct Known {
        TimeNs stretch;
        MessageShare share;
    };

    MessageShare find(TimeNs stretch) const;
    double windowsOf(TimeNs stretch) const;
    double linesOf(std::uint32_t first, std::uint32_t last, double part) const;
    double meanCost(std::uint32_t first, std::uint32_t last) const;

    const Column<Message>& messages_;
    const MessageSkip& skip_;
    TimeNs cellNs_;
    TimeNs stretchNs_;
    TimeNs windowNs_;
    TimeSpan extent_;
    double lengthOfAll_;  ///< pixels of all lines of a window
    Cost cost_;
    std::vector<Known> known_;
};

/// Lines of a cell that are drawn however crowded others are.
inline constexpr std::uint32_t kLinesPerCell = 3;
/// Messages of a window that are few.
inline constexpr std::uint32_t kFewMessages = 400;

/// A number that has nothing to do with its neighbours'.
std::uint32_t scattered(std::uint32_t index);

}  // namespace skein
