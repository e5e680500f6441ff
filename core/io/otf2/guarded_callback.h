// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <exception>
#include <otf2/otf2.h>

namespace skein::otf2 {

/// Turns `void handler(Target&, Args…)` into a callback of libotf2's definition or marker readers: no
/// exception passes through C, and reading is interrupted when memory runs out. Target has a flag
/// `outOfMemory`.
template <auto Handler>
struct DefinitionCallback;

template <typename Target, typename... Args, void (*Handler)(Target&, Args...)>
struct DefinitionCallback<Handler> {
    static OTF2_CallbackCode call(void* userData, Args... args)
    {
        Target& target = *static_cast<Target*>(userData);
        try {
            Handler(target, args...);
            return OTF2_CALLBACK_SUCCESS;
        } catch (const std::exception&) {
            target.outOfMemory = true;
            return OTF2_CALLBACK_INTERRUPT;
        }
    }
};

/// The same for events; `void handler(Target&, Tick now, Args…)`. Target counts the record and gives its time
/// by `record(tick)`. While `hasAttributes` it is given the record's attributes before by attach(list), and
/// asked after to keep those that belong to no call by keepAttributes(now).
template <auto Handler>
struct EventCallback;

template <typename Target, typename... Args, void (*Handler)(Target&, OTF2_TimeStamp, Args...)>
struct EventCallback<Handler> {
    static OTF2_CallbackCode call(OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t, void* userData,
                                  OTF2_AttributeList* attributes, Args... args)
    {
        Target& target = *static_cast<Target*>(userData);
        try {
            const OTF2_TimeStamp now = target.record(time);
            if (target.hasAttributes) [[unlikely]]
                target.attach(attributes);
            Handler(target, now, args...);
            if (target.hasAttributes) [[unlikely]]
                target.keepAttributes(now);
            return OTF2_CALLBACK_SUCCESS;
        } catch (const std::exception&) {
            target.outOfMemory = true;
            return OTF2_CALLBACK_INTERRUPT;
        }
    }
};

}  // namespace skein::otf2
