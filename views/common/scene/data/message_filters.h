// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "algorithms/comm/message_filter.h"
#include "core/select/view_state.h"
#include "views/common/scene/data/memo.h"

#include <vector>

/// Which messages the filters of a window leave, by what messages are like.
namespace skein {

/// Those of the filters that are of messages. O(filters).
MessageRules messageRules(const std::vector<Filter>& filters);

/// One an experiment.
using MessageFilters = std::vector<MessageFilter>;
using MessageFiltersMemo = Memo<MessageRules, MessageFilters>;

/// O(rules · (call paths + locations)); the last one that `memo` remembers at once.
std::shared_ptr<const MessageFilters> messageFiltersOf(MessageFiltersMemo& memo, const Session& session,
                                                       const std::vector<Filter>& filters);

}  // namespace skein
