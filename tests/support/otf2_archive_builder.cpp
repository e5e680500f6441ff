// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/otf2_archive_builder.h"

#include <algorithm>
#include <numeric>
#include <otf2/OTF2_Thumbnail.h>
#include <stdexcept>
#include <utility>

namespace skein::test {
namespace {

void check(OTF2_ErrorCode code, const char* what)
{
    if (code != OTF2_SUCCESS)
        throw std::runtime_error(std::string(what) + ": " + OTF2_Error_GetDescription(code));
}

OTF2_FlushType flushAlways(void*, OTF2_FileType, OTF2_LocationRef, void*, bool) { return OTF2_FLUSH; }

constexpr OTF2_FlushCallbacks kFlush{flushAlways, nullptr};

}  // namespace

Otf2ArchiveBuilder::Otf2ArchiveBuilder(std::filesystem::path folder, std::uint32_t ranks)
    : folder_(std::move(folder)), ranks_(ranks)
{
    archive_ = OTF2_Archive_Open(folder_.c_str(), "traces", OTF2_FILEMODE_WRITE, kChunkBytes, kChunkBytes,
                                 OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE);
    if (!archive_) throw std::runtime_error("the archive cannot be opened for writing");
    check(OTF2_Archive_SetFlushCallbacks(archive_, &kFlush, nullptr), "flush callbacks");
    check(OTF2_Archive_SetSerialCollectiveCallbacks(archive_), "collective callbacks");
    check(OTF2_Archive_OpenEvtFiles(archive_), "event files");
    text("");
    for (std::uint32_t rank = 0; rank < ranks; ++rank)
        places_[rank] = {"Master thread", OTF2_LOCATION_TYPE_CPU_THREAD, rank};
}

Otf2ArchiveBuilder::~Otf2ArchiveBuilder()
{
    if (archive_) OTF2_Archive_Close(archive_);
}

OTF2_StringRef Otf2ArchiveBuilder::text(const std::string& text)
{
    const auto found = std::find(texts_.begin(), texts_.end(), text);
    const auto number = static_cast<OTF2_StringRef>(found - texts_.begin());
    if (found == texts_.end()) texts_.push_back(text);
    return number;
}

OTF2_RegionRef Otf2ArchiveBuilder::region(const std::string& name, OTF2_RegionRole role,
                                          OTF2_Paradigm paradigm)
{
    const auto number = static_cast<OTF2_RegionRef>(regions_.size());
    const OTF2_StringRef string = text(name);
    regions_.push_back([=](OTF2_GlobalDefWriter* out) {
        check(OTF2_GlobalDefWriter_WriteRegion(out, number, string, string, 0, role, paradigm,
                                               OTF2_REGION_FLAG_NONE, 0, 0, 0),
              "region");
    });
    return number;
}

void Otf2ArchiveBuilder::addLocation(std::uint64_t id, const std::string& name, OTF2_LocationType type,
                                     OTF2_LocationGroupRef process)
{
    places_[id] = {name, type, process};
}

void Otf2ArchiveBuilder::setClock(std::uint64_t ticksPerSecond, std::uint64_t offset, std::uint64_t length)
{
    ticksPerSecond_ = ticksPerSecond;
    clockOffset_ = offset;
    clockLength_ = length;
}

void Otf2ArchiveBuilder::events(std::uint64_t location, const Events& write)
{
    OTF2_EvtWriter*& writer = writers_[location];
    if (!writer) writer = OTF2_Archive_GetEvtWriter(archive_, location);
    if (!writer) throw std::runtime_error("no event writer");
    write(writer);
    check(OTF2_EvtWriter_GetNumberOfEvents(writer, &counts_[location]), "number of events");
}

void Otf2ArchiveBuilder::clockOffset(std::uint64_t location, std::uint64_t time, std::int64_t offset)
{
    offsets_.push_back({location, time, offset});
}

void Otf2ArchiveBuilder::mapping(std::uint64_t location, OTF2_MappingType kind, OTF2_IdMapMode mode,
                                 std::vector<std::pair<std::uint64_t, std::uint64_t>> ids)
{
    mappings_.push_back({location, kind, mode, std::move(ids)});
}

void Otf2ArchiveBuilder::marker(std::uint64_t time, const std::string& category, const std::string& text)
{
    markers_.push_back({time, category, text});
}

void Otf2ArchiveBuilder::setSnapshots(std::uint32_t snapshots)
{
    check(OTF2_Archive_SetNumberOfSnapshots(archive_, snapshots), "snapshots");
}

void Otf2ArchiveBuilder::addThumbnail(const std::string& name)
{
    const std::uint64_t region = 0;
    OTF2_ThumbWriter* out =
        OTF2_Archive_GetThumbWriter(archive_, name.c_str(), "", OTF2_THUMBNAIL_TYPE_REGION, 1, 1, &region);
    check(out ? OTF2_SUCCESS : OTF2_ERROR_INVALID, "thumbnail");
    const std::uint64_t value = 1;
    check(OTF2_ThumbWriter_WriteSample(out, 1, 1, &value), "sample of a thumbnail");
}

std::filesystem::path Otf2ArchiveBuilder::finish()
{
    for (const auto& [location, place] : places_) events(location, [](OTF2_EvtWriter*) {});
    for (const auto& [location, writer] : writers_)
        check(OTF2_Archive_CloseEvtWriter(archive_, writer), "close events");
    check(OTF2_Archive_CloseEvtFiles(archive_), "close event files");
    writeLocalDefinitions();
    writeGlobalDefinitions();
    check(OTF2_Archive_Close(std::exchange(archive_, nullptr)), "close archive");
    if (!markers_.empty()) writeMarkers();
    return folder_ / "traces.otf2";
}

void Otf2ArchiveBuilder::writeLocalDefinitions()
{
    check(OTF2_Archive_OpenDefFiles(archive_), "definition files");
    for (const auto& [location, place] : places_) {
        OTF2_DefWriter* out = OTF2_Archive_GetDefWriter(archive_, location);
        for (const Offset& offset : offsets_)
            if (offset.location == location)
                check(OTF2_DefWriter_WriteClockOffset(out, offset.time, offset.offset, 0.0), "offset");
        for (const Mapping& mapping : mappings_) {
            if (mapping.location != location) continue;
            OTF2_IdMap* map = OTF2_IdMap_Create(mapping.mode, mapping.ids.size());
            for (const auto& [own, global] : mapping.ids) check(OTF2_IdMap_AddIdPair(map, own, global), "id");
            check(OTF2_DefWriter_WriteMappingTable(out, mapping.kind, map), "mapping");
            OTF2_IdMap_Free(map);
        }
        check(OTF2_Archive_CloseDefWriter(archive_, out), "close definitions");
    }
    check(OTF2_Archive_CloseDefFiles(archive_), "close definition files");
}

void Otf2ArchiveBuilder::writeGlobalDefinitions()
{
    OTF2_GlobalDefWriter* out = OTF2_Archive_GetGlobalDefWriter(archive_);
    if (hasClock_)
        check(OTF2_GlobalDefWriter_WriteClockProperties(out, ticksPerSecond_, clockOffset_, clockLength_,
                                                        OTF2_UNDEFINED_TIMESTAMP),
              "clock");
    const OTF2_StringRef node = text("node"), process = text("process"), world = text("MPI_COMM_WORLD");
    for (const auto& [location, place] : places_) text(place.name);
    for (std::size_t index = 0; index < texts_.size(); ++index)
        check(
            OTF2_GlobalDefWriter_WriteString(out, static_cast<OTF2_StringRef>(index), texts_[index].c_str()),
            "string");
    check(OTF2_GlobalDefWriter_WriteSystemTreeNode(out, 0, node, node, OTF2_UNDEFINED_SYSTEM_TREE_NODE),
          "node");
    for (std::uint32_t rank = 0; rank < ranks_; ++rank)
        check(OTF2_GlobalDefWriter_WriteLocationGroup(out, rank, process, OTF2_LOCATION_GROUP_TYPE_PROCESS, 0,
                                                      OTF2_UNDEFINED_LOCATION_GROUP),
              "process");
    for (const auto& [id, place] : places_)
        check(OTF2_GlobalDefWriter_WriteLocation(out, id, text(place.name), place.type, counts_[id],
                                                 place.process),
              "location");
    for (const Definitions& write : regions_) write(out);
    std::vector<std::uint64_t> ranks(ranks_);
    std::iota(ranks.begin(), ranks.end(), std::uint64_t{0});
    check(OTF2_GlobalDefWriter_WriteGroup(out, 0, 0, OTF2_GROUP_TYPE_COMM_LOCATIONS, OTF2_PARADIGM_MPI,
                                          OTF2_GROUP_FLAG_NONE, ranks_, ranks.data()),
          "ranks");
    check(OTF2_GlobalDefWriter_WriteGroup(out, 1, 0, OTF2_GROUP_TYPE_COMM_GROUP, OTF2_PARADIGM_MPI,
                                          OTF2_GROUP_FLAG_NONE, ranks_, ranks.data()),
          "world");
    check(OTF2_GlobalDefWriter_WriteComm(out, 0, world, 1, OTF2_UNDEFINED_COMM, OTF2_COMM_FLAG_NONE),
          "communicator");
    for (const Definitions& write : furtherDefinitions_) write(out);
}

void Otf2ArchiveBuilder::writeMarkers()
{
    OTF2_Reader* reader = OTF2_Reader_Open((folder_ / "traces.otf2").c_str());
    check(OTF2_Reader_SetSerialCollectiveCallbacks(reader), "collective callbacks");
    OTF2_MarkerWriter* out = OTF2_Reader_GetMarkerWriter(reader);
    for (std::size_t index = 0; index < markers_.size(); ++index) {
        const auto self = static_cast<OTF2_MarkerRef>(index);
        check(OTF2_MarkerWriter_WriteDefMarker(out, self, "test", markers_[index].category.c_str(),
                                               OTF2_SEVERITY_HIGH),
              "marker");
        check(OTF2_MarkerWriter_WriteMarker(out, markers_[index].time, 5, self, OTF2_MARKER_SCOPE_GLOBAL, 0,
                                            markers_[index].text.c_str()),
              "marker");
    }
    check(OTF2_Reader_CloseMarkerWriter(reader, out), "close markers");
    check(OTF2_Reader_Close(reader), "close reader");
}

}  // namespace skein::test
