// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trace/call_attributes.h"

#include <algorithm>

namespace skein {

CallAttributes::Trait& CallAttributes::trait(std::uint16_t attribute)
{
    if (attribute >= traits_.size()) traits_.resize(attribute + std::size_t{1});
    return traits_[attribute];
}

void CallAttributes::push(Tick now, std::uint32_t interval, AttributedEvent event,
                          RecordedAttribute attribute)
{
    rows_->push({static_cast<TimeNs>(now), attribute.value, interval, attribute.attribute, event});
}

EventAttribute* CallAttributes::rowOf(const OpenCall& call, std::uint16_t attribute) const
{
    const auto rows = rows_->span().subspan(call.firstRow, call.rows);
    const auto found = std::find_if(rows.begin(), rows.end(),
                                    [&](const EventAttribute& row) { return row.attribute == attribute; });
    return found == rows.end() ? nullptr : &*found;
}

const CallAttributes::OpenCall* CallAttributes::openCall(std::uint32_t interval) const
{
    const auto found = std::find_if(open_.rbegin(), open_.rend(),
                                    [&](const OpenCall& call) { return call.interval <= interval; });
    return found != open_.rend() && found->interval == interval ? &*found : nullptr;
}

void CallAttributes::enter(Tick now, std::uint32_t interval)
{
    open_.push_back({interval, static_cast<std::uint32_t>(pending_.size()), rows_->size()});
    for (const RecordedAttribute& attribute : pending_) {
        push(now, interval, AttributedEvent::Enter, attribute);
        Trait& known = trait(attribute.attribute);
        if (!known.seen) known.firstValue = attribute.value;
        known.seen = true;
        known.varies = known.varies || known.firstValue != attribute.value;
    }
    pending_.clear();
}

void CallAttributes::learn(const OpenCall& call)
{
    for (const RecordedAttribute& attribute : pending_)
        if (const EventAttribute* entered = rowOf(call, attribute.attribute)) {
            Trait& known = trait(attribute.attribute);
            ++(entered->value == attribute.value ? known.kept : known.changed);
        }
}

void CallAttributes::leaveByName(Tick now, std::uint32_t interval)
{
    if (const OpenCall* call = openCall(interval)) learn(*call);
    leave(now, interval);
}

void CallAttributes::leave(Tick now, std::uint32_t interval)
{
    const OpenCall* call = openCall(interval);
    for (const RecordedAttribute& attribute : pending_) {
        EventAttribute* entered = call ? rowOf(*call, attribute.attribute) : nullptr;
        if (entered && entered->value == attribute.value) entered->event = AttributedEvent::EnterAndLeave;
        else push(now, interval, AttributedEvent::Leave, attribute);
    }
    pending_.clear();
}

void CallAttributes::other(Tick now, std::uint32_t interval)
{
    for (const RecordedAttribute& attribute : pending_)
        push(now, interval, AttributedEvent::Other, attribute);
    pending_.clear();
}

CallAttributes::Verdict CallAttributes::compare(const OpenCall& call) const
{
    Verdict verdict = Verdict::Nothing;
    for (const RecordedAttribute& attribute : pending_) {
        if (attribute.attribute >= traits_.size() || !traits_[attribute.attribute].tellsApart()) continue;
        const EventAttribute* entered = rowOf(call, attribute.attribute);
        if (!entered) continue;
        if (entered->value != attribute.value) return Verdict::Other;
        verdict = Verdict::Same;
    }
    return verdict;
}

bool CallAttributes::denies(std::uint32_t interval) const
{
    const OpenCall* call = openCall(interval);
    return call && compare(*call) == Verdict::Other;
}

std::uint32_t CallAttributes::callOfLeave(const std::function<bool(std::uint32_t interval)>& prefers) const
{
    std::uint32_t innermost = kNoInterval;
    const auto last = open_.rbegin() + static_cast<std::ptrdiff_t>(std::min(open_.size(), kDeepest));
    for (auto call = open_.rbegin(); call != last; ++call) {
        if (compare(*call) != Verdict::Same) continue;
        if (prefers(call->interval)) return call->interval;
        if (innermost == kNoInterval) innermost = call->interval;
    }
    return innermost;
}

}  // namespace skein
