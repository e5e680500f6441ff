// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/otf2/event_handlers.h"

#include <array>
#include <bit>

namespace skein::otf2 {
namespace {

using Events = LocationEvents;

double asDouble(OTF2_Type type, const OTF2_MetricValue& value)
{
    if (type == OTF2_TYPE_INT64) return static_cast<double>(value.signed_int);
    return type == OTF2_TYPE_UINT64 ? static_cast<double>(value.unsigned_int) : value.floating_point;
}

/// The bits of the value in the type that its metric declares, which an event may differ from.
std::uint64_t bitsAs(MetricValueType wanted, OTF2_Type type, const OTF2_MetricValue& value)
{
    const bool isDouble = type == OTF2_TYPE_DOUBLE;
    if (isDouble == (wanted == MetricValueType::Double)) return value.unsigned_int;
    if (wanted == MetricValueType::Double) return std::bit_cast<std::uint64_t>(asDouble(type, value));
    // Outside ±2⁶² the conversion to an integer would not be defined.
    const double clamped = std::min(std::max(value.floating_point, -4.6e18), 4.6e18);
    return clamped == clamped ? static_cast<std::uint64_t>(static_cast<std::int64_t>(clamped)) : 0;
}

void onMetric(Events& events, Tick now, OTF2_MetricRef metric, std::uint8_t count, const OTF2_Type* types,
              const OTF2_MetricValue* values)
{
    const std::uint32_t stream = events.stream(metric);
    if (stream == IdIndex::kNone)
        return events.note(IssueKind::CorruptRecord, "samples of a metric that is not defined");
    const std::vector<MetricValueType>& wanted = events.source(metric)->types;
    if (count != wanted.size())
        return events.note(IssueKind::CorruptRecord, "samples with too few or too many values");
    std::array<std::uint64_t, 256> row;
    for (std::size_t column = 0; column < count; ++column)
        row[column] = bitsAs(wanted[column], types[column], values[column]);
    events.builder().sample(stream, now, std::span(row.data(), count));
}

const std::uint8_t* decodeMetric(const std::uint8_t* at, LocationReading& reading, Tick time)
{
    RecordFields fields(at);
    const RecordEnd end(fields);
    const OTF2_MetricRef metric = reading.ids.global(OTF2_MAPPING_METRIC, fields.number<OTF2_MetricRef>());
    const std::uint8_t count = fields.byte();
    std::array<OTF2_Type, 256> types;
    std::array<OTF2_MetricValue, 256> values;
    for (std::size_t column = 0; column < count; ++column) types[column] = fields.byte();
    for (std::size_t column = 0; column < count && fields.valid(); ++column)
        values[column].unsigned_int = fields.number<std::uint64_t>();
    if (!fields.valid() || !end.isAt(fields)) return nullptr;
    onMetric(reading.events, reading.events.record(time), metric, count, types.data(), values.data());
    return fields.position();
}

void addParameterValue(Events& events, Tick now, OTF2_ParameterRef ref, std::uint64_t value)
{
    const std::uint32_t parameter = events.tables().parameters.find(ref);
    if (parameter == IdIndex::kNone)
        return events.note(IssueKind::CorruptRecord, "values of a parameter that is not defined");
    events.builder().tables().parameterEvents.push({static_cast<TimeNs>(now), value, events.location(),
                                                    ParameterId(parameter),
                                                    events.builder().currentInterval()});
}

void onParameterInt(Events& events, Tick now, OTF2_ParameterRef ref, std::int64_t value)
{
    addParameterValue(events, now, ref, static_cast<std::uint64_t>(value));
}

void onParameterUnsigned(Events& events, Tick now, OTF2_ParameterRef ref, std::uint64_t value)
{
    addParameterValue(events, now, ref, value);
}

void onParameterString(Events& events, Tick now, OTF2_ParameterRef ref, OTF2_StringRef text)
{
    const std::uint32_t string = events.string(text);
    if (string != IdIndex::kNone) addParameterValue(events, now, ref, string);
}

}  // namespace

void addMetricHandlers(EventHandlers& all)
{
    all.addDecoded<onMetric>(OTF2_EvtReaderCallbacks_SetMetricCallback, 31, &decodeMetric);
    all.add<33, onParameterInt, OTF2_MAPPING_PARAMETER>(OTF2_EvtReaderCallbacks_SetParameterIntCallback);
    all.add<34, onParameterUnsigned, OTF2_MAPPING_PARAMETER>(
        OTF2_EvtReaderCallbacks_SetParameterUnsignedIntCallback);
    all.add<32, onParameterString, OTF2_MAPPING_PARAMETER, OTF2_MAPPING_STRING>(
        OTF2_EvtReaderCallbacks_SetParameterStringCallback);
}

}  // namespace skein::otf2
