// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/comm/message_filter.h"

#include "algorithms/comm/comm_matrix_of.h"
#include "core/base/text_pattern.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <optional>
#include <string_view>

namespace skein {

enum class MessageAttribute : std::uint8_t {
    Tag,
    Bytes,
    Communicator,
    Sender,
    Receiver,
    SentBy,
    ReceivedBy,
    Within
};

namespace {

constexpr std::array<std::string_view, 8> kMessageAttributes{"tag",      "bytes",   "communicator", "sender",
                                                             "receiver", "sent by", "received by",  "within"};

std::optional<MessageAttribute> messageAttribute(std::string_view name)
{
    for (std::size_t i = 0; i < kMessageAttributes.size(); ++i)
        if (sameInAnyCase(kMessageAttributes[i], name)) return static_cast<MessageAttribute>(i);
    return std::nullopt;
}

bool holdsOfRegion(const AttributeCondition& condition, const Definitions& definitions, RegionId id)
{
    if (!id.valid() || id.index() >= definitions.regions.size()) return condition.holds(std::nullopt);
    const std::string name = displayName(definitions.region(id));
    std::string_view plain = name;
    if (plain.ends_with("()")) plain.remove_suffix(2);
    const bool hides = condition.relation == AttributeCondition::Relation::IsNot;
    return hides ? condition.holds(name) && condition.holds(plain)
                 : condition.holds(name) || condition.holds(plain);
}

std::vector<char> marksOfPaths(const AttributeCondition& condition, const Experiment& experiment)
{
    std::vector<char> marks;
    for (const std::uint32_t region : experiment.callTree->regions().span())
        marks.push_back(holdsOfRegion(condition, experiment.definitions, RegionId(region)) ? 1 : 0);
    return marks;
}

/// Of each call path whether it holds of one of the calls on it; what is not wanted must be none of them.
std::vector<char> marksWithin(const AttributeCondition& condition, const Experiment& experiment)
{
    const bool hides = condition.relation == AttributeCondition::Relation::IsNot;
    std::vector<char> marks = marksOfPaths(condition, experiment);
    for (std::uint32_t path = 0; path < marks.size(); ++path) {
        const CallPathId parent = experiment.callTree->parent(CallPathId(path));
        if (!parent.valid()) continue;
        const char around = marks[parent.index()];
        marks[path] = hides ? marks[path] && around : marks[path] || around;
    }
    return marks;
}

std::vector<char> marksOfEnds(const AttributeCondition& condition, const Experiment& experiment)
{
    std::vector<char> marks;
    for (const std::int64_t rank : ranksOfLocations(experiment.definitions))
        marks.push_back(rank < 0 ? condition.holds(std::nullopt)
                                 : condition.holdsOf(static_cast<std::uint64_t>(rank)));
    return marks;
}

std::vector<char> marksOfCommunicators(const AttributeCondition& condition, const Experiment& experiment)
{
    std::vector<char> marks;
    for (const Communicator& known : experiment.definitions.communicators)
        marks.push_back(
            condition.holds(known.name.empty() ? fmt::format("{}", known.originalId) : known.name));
    return marks;
}

std::vector<char> messageMarks(MessageAttribute attribute, const AttributeCondition& condition,
                               const Experiment& experiment)
{
    switch (attribute) {
    case MessageAttribute::Tag:
    case MessageAttribute::Bytes: return {};
    case MessageAttribute::Communicator: return marksOfCommunicators(condition, experiment);
    case MessageAttribute::Sender:
    case MessageAttribute::Receiver: return marksOfEnds(condition, experiment);
    case MessageAttribute::SentBy:
    case MessageAttribute::ReceivedBy: return marksOfPaths(condition, experiment);
    case MessageAttribute::Within: return marksWithin(condition, experiment);
    }
    return {};
}

}  // namespace

/// A condition, and where it holds of what is numbered.
struct MessageTest {
    std::optional<MessageAttribute> attribute;  ///< nullopt: messages have none of this name
    AttributeCondition condition;
    std::vector<char> marks;

    bool marked(std::size_t place) const
    {
        return place < marks.size() ? marks[place] != 0 : condition.holds(std::nullopt);
    }
};

struct MessageFilter::Rules {
    struct Rule {
        MessageRuleEffect effect;
        std::vector<MessageTest> tests;
    };
    std::shared_ptr<const Trace> trace;
    std::vector<Rule> rules;

    bool holds(const MessageTest& test, const Message& message) const;
    std::uint32_t callPathOf(LocationId location, std::uint32_t interval) const;
};

Result<void> checkMessageConditions(const AttributeConditions& conditions)
{
    for (const AttributeCondition& condition : conditions)
        if (!messageAttribute(condition.name))
            return fail(ErrorCode::NotRecorded,
                        fmt::format("Messages have no attribute \"{}\"; there are {}.", condition.name,
                                    messageAttributesText()));
    return {};
}

std::string messageAttributesText() { return fmt::format("{}", fmt::join(kMessageAttributes, ", ")); }

MessageFilter::MessageFilter(const Experiment& experiment, const MessageRules& rules)
{
    if (rules.empty()) return;
    auto made = std::make_shared<Rules>();
    made->trace = experiment.trace;
    for (const MessageRule& rule : rules) {
        Rules::Rule& own = made->rules.emplace_back(Rules::Rule{rule.effect, {}});
        for (const AttributeCondition& condition : rule.conditions) {
            const auto attribute = messageAttribute(condition.name);
            own.tests.push_back(
                {attribute, condition,
                 attribute ? messageMarks(*attribute, condition, experiment) : std::vector<char>()});
        }
    }
    rules_ = std::move(made);
}

std::uint32_t MessageFilter::Rules::callPathOf(LocationId location, std::uint32_t interval) const
{
    if (interval == kNoInterval || !location.valid() || location.index() >= trace->locations.size())
        return CallPathId::kNone;
    const auto& paths = trace->locations[location.index()].intervals.callPath;
    return interval < paths.size() ? paths[interval] : CallPathId::kNone;
}

bool MessageFilter::Rules::holds(const MessageTest& test, const Message& message) const
{
    if (!test.attribute) return test.condition.holds(std::nullopt);
    switch (*test.attribute) {
    case MessageAttribute::Tag: return test.condition.holdsOf(message.tag);
    case MessageAttribute::Bytes: return test.condition.holdsOf(message.bytes);
    case MessageAttribute::Communicator: return test.marked(message.communicator.index());
    case MessageAttribute::Sender: return test.marked(message.sender.index());
    case MessageAttribute::Receiver: return test.marked(message.receiver.index());
    case MessageAttribute::SentBy:
    case MessageAttribute::Within: return test.marked(callPathOf(message.sender, message.sendInterval));
    case MessageAttribute::ReceivedBy:
        return test.marked(callPathOf(message.receiver, message.receiveInterval));
    }
    return false;
}

bool MessageFilter::passes(const Message& message) const
{
    return !rules_ || std::ranges::all_of(rules_->rules, [&](const Rules::Rule& rule) {
        const bool so = std::ranges::all_of(
            rule.tests, [&](const MessageTest& test) { return rules_->holds(test, message); });
        return so == (rule.effect == MessageRuleEffect::Keep);
    });
}

}  // namespace skein
