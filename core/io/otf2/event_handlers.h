// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/io/otf2/guarded_callback.h"
#include "core/io/otf2/location_corrections.h"
#include "core/io/otf2/location_events.h"
#include "core/io/otf2/record_format.h"

#include <array>
#include <cstdint>
#include <memory>
#include <otf2/otf2.h>
#include <tuple>
#include <utility>

namespace skein::otf2 {

/// A location while its records are decoded here and not by libotf2.
struct LocationReading {
    LocationEvents& events;
    const LocalIds& ids;
    ClockCorrection clock;
};

/// Decodes the fields of a record, which begin at `at`, and hands them to the record's handler. Gives the
/// place behind the record; null where it is not as libotf2 3.0 writes it. May have handed something over
/// then. May look at kLongestFields bytes.
using RecordDecoder = const std::uint8_t* (*)(const std::uint8_t* at, LocationReading& reading, Tick now);

/// What a field of a record names, where the location may have ids of its own for it.
using FieldIds = OTF2_MappingType;
constexpr FieldIds kNoIds = OTF2_MAPPING_MAX;

/// The decoder of a record whose fields are the arguments of its handler, one after the other.
template <std::uint8_t Type, auto Handler, FieldIds... Ids>
struct FieldwiseDecoder;

template <std::uint8_t Type, typename... Args, void (*Handler)(LocationEvents&, Tick, Args...),
          FieldIds... Ids>
struct FieldwiseDecoder<Type, Handler, Ids...> {
    static const std::uint8_t* decode(const std::uint8_t* at, LocationReading& reading, Tick time)
    {
        RecordFields fields(at);
        if constexpr (isSingleNumber(Type)) return handOver(fields, reading, time);
        else {
            const RecordEnd end(fields);
            const std::uint8_t* behind = handOver(fields, reading, time);
            return end.isAt(fields) ? behind : nullptr;
        }
    }

private:
    static const std::uint8_t* handOver(RecordFields& fields, LocationReading& reading, Tick time)
    {
        std::tuple<Args...> values{fields.number<Args>()...};
        if (!reading.ids.empty()) [[unlikely]]
            makeGlobal(values, reading.ids, std::make_index_sequence<sizeof...(Ids)>());
        const Tick now = reading.events.record(time);
        std::apply([&](Args... each) { Handler(reading.events, now, each...); }, values);
        return fields.valid() ? fields.position() : nullptr;
    }

    template <std::size_t... Field>
    static void makeGlobal(std::tuple<Args...>& values, const LocalIds& ids, std::index_sequence<Field...>)
    {
        [[maybe_unused]] const auto map = [&ids](FieldIds kind, auto& value) {
            if (kind != kNoIds) value = ids.global(kind, static_cast<std::uint32_t>(value));
        };
        (map(Ids, std::get<Field>(values)), ...);
    }
};

struct DeleteEventCallbacks {
    void operator()(OTF2_EvtReaderCallbacks* set) const { OTF2_EvtReaderCallbacks_Delete(set); }
};

/// What is done with every kind of record that libotf2 3.0 knows, for both ways to read them: as callbacks of
/// libotf2, whose user data is a LocationEvents, and as decoders by the record's type.
struct EventHandlers {
    std::unique_ptr<OTF2_EvtReaderCallbacks, DeleteEventCallbacks> callbacks;
    std::array<RecordDecoder, 256> decoders{};

    template <std::uint8_t Type, auto Handler, FieldIds... Ids, typename Callback>
    void add(OTF2_ErrorCode (*set)(OTF2_EvtReaderCallbacks*, Callback))
    {
        addDecoded<Handler>(set, Type, &FieldwiseDecoder<Type, Handler, Ids...>::decode);
    }
    /// For records with fields of any number.
    template <auto Handler, typename Callback>
    void addDecoded(OTF2_ErrorCode (*set)(OTF2_EvtReaderCallbacks*, Callback), std::uint8_t type,
                    RecordDecoder decoder)
    {
        set(callbacks.get(), &EventCallback<Handler>::call);
        decoders[type] = decoder;
    }
};

/// All handlers; without callbacks when out of memory.
EventHandlers eventHandlers();

// Parts of eventHandlers(), by subject.
void addCallHandlers(EventHandlers& all);
void addMessageHandlers(EventHandlers& all);
void addMetricHandlers(EventHandlers& all);
void addIoHandlers(EventHandlers& all);
void addRmaHandlers(EventHandlers& all);
void addThreadHandlers(EventHandlers& all);

}  // namespace skein::otf2
