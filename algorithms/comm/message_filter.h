// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/attribute_condition.h"
#include "core/base/result.h"
#include "core/session/experiment.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

/// Messages of one type among those of a trace.
namespace skein {

enum class MessageRuleEffect : std::uint8_t { Keep, Hide };

/// Messages for which all of these hold count, or all others do. Attributes are "tag", "bytes",
/// "communicator", "sender" and "receiver" (ranks), "sent by" and "received by" (the call: MPI_Isend), and
/// "within": each call around the one that sent it, and that one.
struct MessageRule {
    MessageRuleEffect effect = MessageRuleEffect::Keep;
    AttributeConditions conditions;

    bool operator==(const MessageRule&) const = default;
};

using MessageRules = std::vector<MessageRule>;

/// Errors: NotRecorded where messages have no such attribute, naming those that they have.
Result<void> checkMessageConditions(const AttributeConditions& conditions);

/// The attributes of messages, for questions: "tag, bytes, communicator …".
std::string messageAttributesText();

/// Which messages count: those that obey all rules. A call's name also counts without "()" behind it. Keeps
/// the trace. Immutable; reading from several threads is safe.
class MessageFilter {
public:
    /// All count.
    MessageFilter() = default;
    /// Names that no message has hold nowhere, but in what is hidden. O(rules · (call paths + locations)).
    MessageFilter(const Experiment& experiment, const MessageRules& rules);

    bool all() const { return !rules_; }
    /// O(conditions).
    bool passes(const Message& message) const;

private:
    struct Rules;
    std::shared_ptr<const Rules> rules_;  ///< null: all count
};

}  // namespace skein
