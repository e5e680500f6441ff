// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/otf2/location_events.h"

#include "core/io/otf2/enum_map.h"

#include <bit>
#include <fmt/format.h>

namespace skein::otf2 {

RegionId LocationEvents::undefinedRegion(OTF2_RegionRef ref)
{
    note(IssueKind::UndefinedReference, "region", ref);
    const auto number = tables_.regionCount + static_cast<std::uint32_t>(undefinedRegions_.size());
    const auto [entry, isNew] = undefinedNumbers_.emplace(ref, number);
    if (isNew) undefinedRegions_.push_back(ref);
    return RegionId(entry->second);
}

CommunicatorId LocationEvents::communicator(OTF2_CommRef ref)
{
    const std::uint32_t index = tables_.communicators.find(ref);
    if (index != IdIndex::kNone) return CommunicatorId(index);
    note(IssueKind::UndefinedReference, "communicator", ref);
    return {};
}

CommunicatorId LocationEvents::windowCommunicator(OTF2_RmaWinRef ref)
{
    const std::uint32_t index = tables_.rmaWindows.find(ref);
    if (index != IdIndex::kNone) return tables_.windowCommunicators[index];
    note(IssueKind::UndefinedReference, "RMA window", ref);
    return {};
}

LocationId LocationEvents::partner(CommunicatorId communicator, std::uint32_t rank)
{
    if (!communicator.valid()) return {};
    const LocationId found = tables_.ranks[communicator.index()].partner(rank, location_, process_);
    if (!found.valid()) note(IssueKind::UndefinedReference, "rank", rank);
    return found;
}

LocationId LocationEvents::root(CommunicatorId communicator, std::uint32_t root)
{
    if (root == OTF2_COLLECTIVE_ROOT_NONE || root == OTF2_COLLECTIVE_ROOT_THIS_GROUP || !communicator.valid())
        return {};
    if (root == OTF2_COLLECTIVE_ROOT_SELF) return location_;
    const Ranks& ranks = tables_.ranks[communicator.index()];
    return ranks.remote.empty() ? ranks.own(root, location_, process_)
                                : ranks.partner(root, location_, process_);
}

IoHandleId LocationEvents::ioHandle(OTF2_IoHandleRef ref)
{
    const std::uint32_t index = tables_.ioHandles.find(ref);
    if (index != IdIndex::kNone) return IoHandleId(index);
    note(IssueKind::UndefinedReference, "I/O handle", ref);
    return {};
}

IoFileId LocationEvents::fileOf(IoHandleId handle) const
{
    return handle.valid() ? tables_.handleFiles[handle.index()] : IoFileId();
}

std::uint32_t LocationEvents::string(OTF2_StringRef ref)
{
    const std::uint32_t index = tables_.strings.find(ref);
    if (index == IdIndex::kNone) note(IssueKind::UndefinedReference, "string", ref);
    return index;
}

const MetricSource* LocationEvents::source(OTF2_MetricRef ref) const
{
    if (const std::uint32_t index = tables_.metricClasses.find(ref); index != IdIndex::kNone)
        return &tables_.classSources[index];
    const std::uint32_t index = tables_.metricInstances.find(ref);
    return index == IdIndex::kNone ? nullptr : &tables_.instanceSources[index];
}

std::uint32_t LocationEvents::stream(OTF2_MetricRef ref)
{
    if (ref == lastMetric_) return lastStream_;
    const auto known = streams_.find(ref);
    if (known != streams_.end()) {
        lastMetric_ = ref;
        return lastStream_ = known->second;
    }
    const MetricSource* found = source(ref);
    if (!found || found->types.empty()) return IdIndex::kNone;
    MetricStream description = found->stream;
    description.recorder = location_;
    if (found->ofRecorder) description.scopeLocation = location_;
    if (found->recorder.valid() && found->recorder != location_)
        note(IssueKind::ContradictoryRecord,
             "a metric instance is recorded by another location than its recorder");
    lastMetric_ = ref;
    lastStream_ = builder_.addStream(std::move(description));
    streams_.emplace(ref, lastStream_);
    return lastStream_;
}

std::uint32_t LocationEvents::takeOpenCollective(Tick now)
{
    if (openCollectives_.empty()) return builder_.beginCollective(now);
    const std::uint32_t row = openCollectives_.back();
    openCollectives_.pop_back();
    return row;
}

/// References become indices, whole numbers 64 bits wide, other numbers doubles.
std::uint64_t LocationEvents::bitsOf(OTF2_Type type, const OTF2_AttributeValue& value)
{
    const auto reference = [&](const IdIndex& table, const char* what, std::uint64_t ref) {
        const std::uint32_t index = table.find(ref);
        if (index == IdIndex::kNone) note(IssueKind::UndefinedReference, what, ref);
        return index == IdIndex::kNone ? kNoReference : std::uint64_t{index};
    };
    const auto extended = [](std::int64_t number) { return static_cast<std::uint64_t>(number); };
    switch (type) {
    case OTF2_TYPE_UINT8: return value.uint8;
    case OTF2_TYPE_UINT16: return value.uint16;
    case OTF2_TYPE_INT8: return extended(value.int8);
    case OTF2_TYPE_INT16: return extended(value.int16);
    case OTF2_TYPE_INT32: return extended(value.int32);
    case OTF2_TYPE_FLOAT: return std::bit_cast<std::uint64_t>(static_cast<double>(value.float32));
    case OTF2_TYPE_DOUBLE: return std::bit_cast<std::uint64_t>(value.float64);
    case OTF2_TYPE_STRING: return reference(tables_.strings, "string", value.stringRef);
    case OTF2_TYPE_REGION: return reference(tables_.regions, "region", value.regionRef);
    case OTF2_TYPE_LOCATION: return reference(tables_.locations, "location", value.locationRef);
    case OTF2_TYPE_COMM: return reference(tables_.communicators, "communicator", value.commRef);
    case OTF2_TYPE_UINT64:
    case OTF2_TYPE_INT64: return value.uint64;
    default: return type > OTF2_TYPE_LOCATION_GROUP ? value.uint64 : value.uint32;
    }
}

void LocationEvents::attach(const OTF2_AttributeList* attributes)
{
    constexpr std::uint32_t kMost = std::uint32_t{1} << 16;
    attributes_.clear();
    const std::uint32_t count = attributes ? OTF2_AttributeList_GetNumberOfElements(attributes) : 0;
    for (std::uint32_t at = 0; at < count; ++at) {
        OTF2_AttributeRef ref = OTF2_UNDEFINED_ATTRIBUTE;
        OTF2_Type type = OTF2_TYPE_NONE;
        OTF2_AttributeValue value{};
        if (OTF2_AttributeList_GetAttributeByIndex(attributes, at, &ref, &type, &value) != OTF2_SUCCESS)
            continue;
        const std::uint32_t index = tables_.attributes.find(ref);
        if (index == IdIndex::kNone) note(IssueKind::UndefinedReference, "attribute", ref);
        else if (index >= kMost)
            noteUnsupported("attributes of events beyond the first 65536 that are defined");
        else if (tables_.attributeTypes[index] != attributeType(type))
            note(IssueKind::ContradictoryRecord,
                 "an attribute of an event has another type than its definition; it is not shown");
        else attributes_.push_back({static_cast<std::uint16_t>(index), bitsOf(type, value)});
    }
    builder_.attach(attributes_);
}

void LocationEvents::note(IssueKind kind, const char* what, std::uint64_t id, std::uint64_t count)
{
    for (Note& known : notes_) {
        if (known.kind != kind || known.what != what) continue;
        known.count += count;
        return;
    }
    notes_.push_back({kind, what, id, count});
}

void LocationEvents::reportTo(ImportReport& report, const std::string& file,
                              const std::string& location) const
{
    for (const Note& seen : notes_) {
        const bool undefined = seen.kind == IssueKind::UndefinedReference;
        // What is merely not shown is told once an archive.
        if (seen.kind == IssueKind::UnsupportedRecord) {
            report.add(seen.kind, {}, {}, seen.what, -1, seen.count);
            continue;
        }
        report.add(seen.kind, file, location,
                   undefined ? fmt::format("{} {}", seen.what, seen.firstId) : std::string(seen.what), -1,
                   seen.count);
    }
}

}  // namespace skein::otf2
