// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/scene/data/message_filters.h"

namespace skein {

MessageRules messageRules(const std::vector<Filter>& filters)
{
    MessageRules rules;
    for (const Filter& filter : filters)
        if (!filter.messages.empty())
            rules.push_back(
                {filter.effect == FilterEffect::Keep ? MessageRuleEffect::Keep : MessageRuleEffect::Hide,
                 filter.messages});
    return rules;
}

std::shared_ptr<const MessageFilters> messageFiltersOf(MessageFiltersMemo& memo, const Session& session,
                                                       const std::vector<Filter>& filters)
{
    const MessageRules rules = messageRules(filters);
    return memo.get(rules, [&] {
        MessageFilters made;
        for (const ExperimentPtr& experiment : session.experiments) made.emplace_back(*experiment, rules);
        return made;
    });
}

}  // namespace skein
