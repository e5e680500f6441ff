// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <otf2/otf2.h>
#include <string>
#include <utility>
#include <vector>

namespace skein::test {

/// Writes an OTF2 archive through libotf2 for tests: locations are filled with events by libotf2's own calls,
/// and definitions with what is common ready-made. Everything is written by finish(). Any failure throws.
///
///     Otf2ArchiveBuilder archive(folder, 2);                 // two ranks, MPI_COMM_WORLD is communicator 0
///     const auto main = archive.region("main");
///     archive.events(0, [&](OTF2_EvtWriter* out) { OTF2_EvtWriter_Enter(out, nullptr, 10, main); });
///     archive.finish();
class Otf2ArchiveBuilder {
public:
    using Events = std::function<void(OTF2_EvtWriter*)>;
    using Definitions = std::function<void(OTF2_GlobalDefWriter*)>;

    /// Of all its files; libotf2 clears as much for each file that it reads.
    static constexpr std::uint64_t kChunkBytes = OTF2_CHUNK_SIZE_MIN;

    /// `ranks` processes with one thread each, location id = rank; ticks of 1 ns unless changed.
    Otf2ArchiveBuilder(std::filesystem::path folder, std::uint32_t ranks);
    ~Otf2ArchiveBuilder();
    Otf2ArchiveBuilder(const Otf2ArchiveBuilder&) = delete;
    Otf2ArchiveBuilder& operator=(const Otf2ArchiveBuilder&) = delete;

    /// A string's number.
    OTF2_StringRef text(const std::string& text);
    OTF2_RegionRef region(const std::string& name, OTF2_RegionRole role = OTF2_REGION_ROLE_FUNCTION,
                          OTF2_Paradigm paradigm = OTF2_PARADIGM_USER);
    /// Another location of a process.
    void addLocation(std::uint64_t id, const std::string& name, OTF2_LocationType type,
                     OTF2_LocationGroupRef process);
    void setClock(std::uint64_t ticksPerSecond, std::uint64_t offset, std::uint64_t length);
    void clearClock() { hasClock_ = false; }

    /// Writes events of a location; may be called again to go on.
    void events(std::uint64_t location, const Events& write);
    /// Writes further global definitions, after the ready-made ones.
    void definitions(Definitions write) { furtherDefinitions_.push_back(std::move(write)); }
    /// A clock correction in the location's local definitions.
    void clockOffset(std::uint64_t location, std::uint64_t time, std::int64_t offset);
    /// A mapping in the location's local definitions: pairs of its own id and the archive's.
    void mapping(std::uint64_t location, OTF2_MappingType kind, OTF2_IdMapMode mode,
                 std::vector<std::pair<std::uint64_t, std::uint64_t>> ids);
    /// Numbers that the anchor file tells; the files themselves are not written.
    void setSnapshots(std::uint32_t snapshots);
    /// An empty thumbnail.
    void addThumbnail(const std::string& name);
    /// A marker of the whole archive.
    void marker(std::uint64_t time, const std::string& category, const std::string& text);

    /// Closes the archive; gives the path of its anchor file.
    std::filesystem::path finish();

private:
    struct Place {
        std::string name;
        OTF2_LocationType type = OTF2_LOCATION_TYPE_CPU_THREAD;
        OTF2_LocationGroupRef process = 0;
    };
    struct Offset {
        std::uint64_t location, time;
        std::int64_t offset;
    };
    struct Mapping {
        std::uint64_t location;
        OTF2_MappingType kind;
        OTF2_IdMapMode mode;
        std::vector<std::pair<std::uint64_t, std::uint64_t>> ids;
    };
    void writeLocalDefinitions();
    void writeGlobalDefinitions();
    void writeMarkers();

    std::filesystem::path folder_;
    std::uint32_t ranks_;
    OTF2_Archive* archive_ = nullptr;
    std::map<std::uint64_t, Place> places_;
    std::map<std::uint64_t, OTF2_EvtWriter*> writers_;
    std::map<std::uint64_t, std::uint64_t> counts_;
    std::vector<std::string> texts_;
    std::vector<Definitions> regions_;
    std::vector<Definitions> furtherDefinitions_;
    std::vector<Offset> offsets_;
    std::vector<Mapping> mappings_;
    struct MarkerText {
        std::uint64_t time;
        std::string category, text;
    };
    std::vector<MarkerText> markers_;
    std::uint64_t ticksPerSecond_ = 1'000'000'000, clockOffset_ = 0, clockLength_ = 1'000'000;
    bool hasClock_ = true;
};

}  // namespace skein::test
