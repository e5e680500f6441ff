// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/time_span.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace skein {

/// Where the user has been: the visible spans, with back and forward as in a web browser. The steps of one
/// gesture (a turn of the wheel, a drag) count as one visit, so that going back undoes what the user would
/// call one zoom. Keeps the last 200 visits. Not thread-safe.
class ViewHistory {
public:
    using Visit = std::optional<TimeSpan>;  ///< nullopt: everything

    /// Visits that follow each other within this time are one.
    static constexpr std::int64_t kGestureMs = 400;

    /// The user now sees `span`; `nowMs` is any clock that does not run backwards. Forgets the visits ahead.
    void visit(const Visit& span, std::int64_t nowMs);

    bool canGoBack() const { return current_ > 0; }
    bool canGoForward() const { return current_ + 1 < visits_.size(); }
    /// Steps and gives what is to be seen; stays where there is nothing to go to.
    const Visit& goBack();
    const Visit& goForward();
    const Visit& current() const { return visits_[current_]; }
    void clear();

private:
    std::vector<Visit> visits_{Visit{}};
    std::size_t current_ = 0;
    std::optional<std::int64_t> gestureMs_;  ///< time of the last visit while its gesture may go on
};

}  // namespace skein
