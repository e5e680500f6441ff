// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/utf8.h"
#include "core/io/otf2/enum_map.h"
#include "core/io/otf2/event_reading.h"
#include "core/io/otf2/guarded_callback.h"
#include "core/io/otf2/library.h"

#include <fmt/format.h>

namespace skein::otf2 {
namespace {

struct RawMarkerKind {
    std::uint32_t category = 0;
    OTF2_MarkerSeverity severity = OTF2_SEVERITY_NONE;
};

struct MarkerReading {
    ResolvedDefinitions& resolved;
    TraceBuilder& builder;
    IdIndex locations;
    RefTable<RawMarkerKind> kinds;
    bool outOfMemory = false;
};

std::uint32_t addText(MarkerReading& reading, const char* text)
{
    auto& strings = reading.resolved.definitions.strings;
    strings.push_back(toValidUtf8(text ? text : ""));
    return static_cast<std::uint32_t>(strings.size() - 1);
}

void onKind(MarkerReading& reading, OTF2_MarkerRef self, const char* group, const char* category,
            OTF2_MarkerSeverity severity)
{
    const std::string name =
        fmt::format("{}{}{}", group ? group : "", group && *group ? ": " : "", category ? category : "");
    if (!reading.kinds.add(self, {addText(reading, name.c_str()), severity}))
        reading.resolved.report.add(IssueKind::DuplicateDefinition, {}, {}, fmt::format("marker {}", self));
}

/// Location groups are shown at their first location; other scopes count as the whole archive.
LocationId markerLocation(const MarkerReading& reading, OTF2_MarkerScope scope, std::uint64_t id)
{
    if (scope != OTF2_MARKER_SCOPE_LOCATION) return {};
    const std::uint32_t index = reading.locations.find(id);
    return index == IdIndex::kNone ? LocationId() : LocationId(index);
}

void onMarker(MarkerReading& reading, OTF2_TimeStamp time, OTF2_TimeStamp duration, OTF2_MarkerRef ref,
              OTF2_MarkerScope scope, std::uint64_t scopeId, const char* text)
{
    const RawMarkerKind* kind = reading.kinds.find(ref);
    if (!kind)
        reading.resolved.report.add(IssueKind::UndefinedReference, {}, {}, fmt::format("marker {}", ref));
    Marker marker;
    marker.time = static_cast<TimeNs>(time);
    marker.durationNs = TickConverter(reading.resolved.definitions.clock.ticksPerSecond, 0).toNs(duration);
    marker.location = markerLocation(reading, scope, scopeId);
    marker.text = addText(reading, text);
    marker.category = kind ? kind->category : marker.text;
    marker.severity = kind ? markerSeverity(kind->severity) : MarkerSeverity::None;
    reading.builder.markers.push(marker);
}

void onUnknownMarker(MarkerReading& reading)
{
    reading.resolved.report.add(IssueKind::UnsupportedRecord, {}, {},
                                "markers unknown to this version of libotf2");
}

}  // namespace

void readMarkers(OTF2_Reader* reader, const ArchiveFiles& files, ResolvedDefinitions& resolved,
                 TraceBuilder& builder)
{
    if (stateOf(files.markers()) != FileState::Readable) return;
    const std::string file = files.markers().string();
    ErrorCapture errors;
    MarkerReading reading{resolved, builder, {}, {}};
    for (std::size_t index = 0; index < resolved.definitions.locations.size(); ++index)
        reading.locations.insert(resolved.definitions.locations[index].originalId,
                                 static_cast<std::uint32_t>(index));
    OTF2_MarkerReader* markers = OTF2_Reader_GetMarkerReader(reader);
    OTF2_MarkerReaderCallbacks* callbacks = OTF2_MarkerReaderCallbacks_New();
    if (markers && callbacks) {
        OTF2_MarkerReaderCallbacks_SetDefMarkerCallback(callbacks, &DefinitionCallback<onKind>::call);
        OTF2_MarkerReaderCallbacks_SetMarkerCallback(callbacks, &DefinitionCallback<onMarker>::call);
        OTF2_MarkerReaderCallbacks_SetUnknownCallback(callbacks, &DefinitionCallback<onUnknownMarker>::call);
        OTF2_Reader_RegisterMarkerCallbacks(reader, markers, callbacks, &reading);
        std::uint64_t read = 0;
        const OTF2_ErrorCode status = OTF2_Reader_ReadAllMarkers(reader, markers, &read);
        if (status != OTF2_SUCCESS)
            resolved.report.add(IssueKind::CorruptRecord, file, {}, OTF2_Error_GetDescription(status));
    }
    if (callbacks) OTF2_MarkerReaderCallbacks_Delete(callbacks);
    if (markers) OTF2_Reader_CloseMarkerReader(reader, markers);
    errors.moveTo(resolved.report, file, {});
}

}  // namespace skein::otf2
