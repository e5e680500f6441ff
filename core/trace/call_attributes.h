// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/column.h"
#include "core/trace/events.h"
#include "core/trace/tick_converter.h"

#include <functional>
#include <span>
#include <vector>

namespace skein {

/// An attribute as an event brings it.
struct RecordedAttribute {
    std::uint16_t attribute = 0;
    std::uint64_t value = 0;
};

/// Keeps the attributes of one location's events while they are read, and finds by them which call a leave
/// belongs to. Usage: attach() what the record brings, then tell what the record was. Times are ticks. Not
/// thread-safe.
///
/// A leave belongs to an open call where all attributes that tell calls apart and that both the enter and the
/// leave have are equal. An attribute tells calls apart when
/// * enters of the location had at least two different values of it, and
/// * of the calls that were left under their own names so far, nine in ten had the same value when they were
///   entered and when they were left: what changes while a call lasts says nothing.
class CallAttributes {
public:
    explicit CallAttributes(ColumnBuilder<EventAttribute>& rows) : rows_(&rows) {}

    /// The attributes of the record that is told next; empty where it has none.
    void attach(std::span<const RecordedAttribute> attributes)
    {
        pending_.assign(attributes.begin(), attributes.end());
    }
    /// Whether attributes wait for what the record was.
    bool pending() const { return !pending_.empty(); }
    /// Whether any call that is open was entered with attributes.
    bool anyOpen() const { return !open_.empty(); }

    void enter(Tick now, std::uint32_t interval);
    /// A leave that ended the call under its own name.
    void leaveByName(Tick now, std::uint32_t interval);
    /// Another leave that ended it.
    void leave(Tick now, std::uint32_t interval);
    /// Any other record.
    void other(Tick now, std::uint32_t interval);
    /// The call has ended; to be told of every call, innermost first.
    void ended(std::uint32_t interval)
    {
        if (!open_.empty() && open_.back().interval == interval) open_.pop_back();
    }

    /// The open call that the pending leave belongs to: the innermost that `prefers` holds for, else the
    /// innermost; kNoInterval where no call agrees. O(kDeepest): calls further out are not looked at.
    std::uint32_t callOfLeave(const std::function<bool(std::uint32_t interval)>& prefers) const;

    static constexpr std::size_t kDeepest = 4096;

    /// Whether an attribute that tells calls apart says that the pending leave is another call's.
    bool denies(std::uint32_t interval) const;

private:
    struct OpenCall {
        std::uint32_t interval;
        std::uint32_t rows;  ///< of its enter
        std::size_t firstRow;
    };
    /// What is known about an attribute on this location.
    struct Trait {
        bool seen = false;
        bool varies = false;
        std::uint64_t firstValue = 0;
        std::uint64_t kept = 0;     ///< calls that were left with the value of their enter
        std::uint64_t changed = 0;  ///< … with another one
        bool tellsApart() const { return varies && isSteady(); }
        bool isSteady() const { return changed * 10 <= kept + changed; }
    };

    Trait& trait(std::uint16_t attribute);
    void learn(const OpenCall& call);
    enum class Verdict { Nothing, Same, Other };
    Verdict compare(const OpenCall& call) const;
    void push(Tick now, std::uint32_t interval, AttributedEvent event, RecordedAttribute attribute);
    EventAttribute* rowOf(const OpenCall& call, std::uint16_t attribute) const;
    const OpenCall* openCall(std::uint32_t interval) const;

    ColumnBuilder<EventAttribute>* rows_;
    std::vector<RecordedAttribute> pending_;
    std::vector<OpenCall> open_;  ///< innermost last; calls without attributes are left out
    std::vector<Trait> traits_;
};

}  // namespace skein
