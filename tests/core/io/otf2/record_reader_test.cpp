// SPDX-License-Identifier: GPL-3.0-or-later
// Events that the importer decodes itself, beside what libotf2 makes of the same files.
#include "core/io/otf2/record_reader.h"
#include "tests/core/io/otf2/decodings.h"
#include "tests/support/otf2_archive_builder.h"
#include "tests/support/paths.h"

#include <fstream>
#include <random>

namespace skein::record_reader_test {
namespace {

namespace fs = std::filesystem;
using Builder = test::Otf2ArchiveBuilder;

void checkArchivesBelow(const fs::path& folder)
{
    std::size_t archives = 0;
    for (const auto& entry : fs::recursive_directory_iterator(folder)) {
        if (entry.path().extension() != ".otf2" || !entry.is_regular_file()) continue;
        ++archives;
        test::checkDecodings(entry.path());
    }
    CHECK(archives > 2);
}

/// Numbers of all lengths, "undefined" among them.
class Numbers {
public:
    explicit Numbers(unsigned seed) : random_(seed) {}

    std::uint64_t below(std::uint64_t bound) { return random_() % bound; }
    std::uint64_t wide()
    {
        const std::uint64_t bits = below(66);
        return bits == 65 ? ~std::uint64_t{0} : bits == 64 ? 0 : random_() >> bits;
    }
    std::uint32_t narrow() { return static_cast<std::uint32_t>(wide() >> 32); }
    /// Mostly an id that is defined.
    std::uint32_t id() { return below(20) == 0 ? narrow() : static_cast<std::uint32_t>(below(8)); }

private:
    std::mt19937_64 random_;
};

void writeCall(OTF2_EvtWriter* out, std::uint64_t time, Numbers& some)
{
    switch (some.below(5)) {
    case 0: OTF2_EvtWriter_CallingContextEnter(out, nullptr, time, some.id(), some.narrow()); break;
    case 1: OTF2_EvtWriter_CallingContextLeave(out, nullptr, time, some.id()); break;
    case 2: OTF2_EvtWriter_CallingContextSample(out, nullptr, time, some.id(), 2, 0); break;
    case 3: OTF2_EvtWriter_Enter(out, nullptr, time, some.id()); break;
    default: OTF2_EvtWriter_Leave(out, nullptr, time, some.id()); break;
    }
}

void writeMessage(OTF2_EvtWriter* out, std::uint64_t time, Numbers& some)
{
    const auto partner = static_cast<std::uint32_t>(some.below(3));
    const std::uint64_t request = some.below(50);
    const std::uint32_t comm = some.below(2) == 0 ? 0 : some.id(), tag = some.id();
    switch (some.below(11)) {
    case 0: OTF2_EvtWriter_MpiSend(out, nullptr, time, partner, comm, tag, some.wide()); break;
    case 1: OTF2_EvtWriter_MpiIsend(out, nullptr, time, partner, comm, tag, some.wide(), request); break;
    case 2: OTF2_EvtWriter_MpiIsendComplete(out, nullptr, time, request); break;
    case 3: OTF2_EvtWriter_MpiIrecvRequest(out, nullptr, time, request); break;
    case 4: OTF2_EvtWriter_MpiRecv(out, nullptr, time, partner, comm, tag, some.wide()); break;
    case 5: OTF2_EvtWriter_MpiIrecv(out, nullptr, time, partner, comm, tag, some.wide(), request); break;
    case 6: OTF2_EvtWriter_MpiRequestTest(out, nullptr, time, request); break;
    case 7: OTF2_EvtWriter_MpiRequestCancelled(out, nullptr, time, request); break;
    case 8: OTF2_EvtWriter_MpiCollectiveBegin(out, nullptr, time); break;
    case 9:
        OTF2_EvtWriter_MpiCollectiveEnd(out, nullptr, time, OTF2_COLLECTIVE_OP_BCAST, comm, partner,
                                        some.wide(), some.wide());
        break;
    default: OTF2_EvtWriter_NonBlockingCollectiveRequest(out, nullptr, time, request); break;
    }
}

void writeOther(OTF2_EvtWriter* out, std::uint64_t time, Numbers& some)
{
    OTF2_Type types[3] = {OTF2_TYPE_UINT64, OTF2_TYPE_DOUBLE, OTF2_TYPE_INT64};
    OTF2_MetricValue values[3];
    for (OTF2_MetricValue& value : values) value.unsigned_int = some.wide();
    const OTF2_StringRef arguments[] = {some.id(), some.id(), some.id()};
    switch (some.below(14)) {
    case 0: OTF2_EvtWriter_BufferFlush(out, nullptr, time, time + some.below(1000)); break;
    case 1: OTF2_EvtWriter_Metric(out, nullptr, time, some.id(), 1, types + some.below(3), values); break;
    case 2: OTF2_EvtWriter_Metric(out, nullptr, time, some.id(), 3, types, values); break;
    case 3: OTF2_EvtWriter_ParameterString(out, nullptr, time, some.id(), some.id()); break;
    case 4:
        OTF2_EvtWriter_ParameterInt(out, nullptr, time, some.id(), static_cast<std::int64_t>(some.wide()));
        break;
    case 5: OTF2_EvtWriter_ParameterUnsignedInt(out, nullptr, time, some.id(), some.wide()); break;
    case 6: OTF2_EvtWriter_ThreadTaskCreate(out, nullptr, time, some.id(), some.narrow(), 3); break;
    case 7: OTF2_EvtWriter_ProgramBegin(out, nullptr, time, some.id(), 3, arguments); break;
    case 8: OTF2_EvtWriter_ProgramEnd(out, nullptr, time, static_cast<std::int64_t>(some.wide())); break;
    case 9: OTF2_EvtWriter_RmaPut(out, nullptr, time, some.id(), 1, some.wide(), some.below(9)); break;
    case 10: OTF2_EvtWriter_RmaOpCompleteRemote(out, nullptr, time, some.id(), some.below(9)); break;
    case 11:
        OTF2_EvtWriter_IoOperationBegin(out, nullptr, time, some.id(), OTF2_IO_OPERATION_MODE_READ, 0,
                                        some.wide(), some.below(9));
        break;
    case 12: OTF2_EvtWriter_IoOperationComplete(out, nullptr, time, some.id(), 4, some.below(9)); break;
    default: OTF2_EvtWriter_IoDeleteFile(out, nullptr, time, 3, some.id()); break;
    }
}

/// Every second record at the time of the one before.
void writeRandomRecords(Builder& builder, std::uint32_t rank, std::size_t count, unsigned seed)
{
    builder.events(rank, [=](OTF2_EvtWriter* out) {
        Numbers some(seed);
        std::uint64_t time = 1000;
        for (std::size_t at = 0; at < count; ++at) {
            time += some.below(2) * some.below(300);
            switch (some.below(4)) {
            case 0: writeOther(out, time, some); break;
            case 1: writeMessage(out, time, some); break;
            default: writeCall(out, time, some); break;
            }
        }
    });
}

void defineMetrics(Builder& builder)
{
    const OTF2_StringRef name = builder.text("metric");
    builder.definitions([=](OTF2_GlobalDefWriter* out) {
        OTF2_GlobalDefWriter_WriteMetricMember(out, 0, name, name, OTF2_METRIC_TYPE_USER,
                                               OTF2_METRIC_ACCUMULATED_START, OTF2_TYPE_UINT64,
                                               OTF2_BASE_DECIMAL, 0, name);
        const OTF2_MetricMemberRef members[] = {0, 0, 0};
        OTF2_GlobalDefWriter_WriteMetricClass(out, 0, 1, members, OTF2_METRIC_SYNCHRONOUS,
                                              OTF2_RECORDER_KIND_CPU);
        OTF2_GlobalDefWriter_WriteMetricClass(out, 1, 3, members, OTF2_METRIC_SYNCHRONOUS,
                                              OTF2_RECORDER_KIND_CPU);
    });
}

/// A location of its own, of which nothing is defined.
struct Reading {
    TraceStorage storage;
    LocationTraceBuilder builder{LocationId(0), storage};
    otf2::EventTables tables;
    otf2::LocalIds ids;

    otf2::RecordsRead read(const fs::path& file)
    {
        tables.processes = {0};
        otf2::LocationEvents events(tables, builder);
        otf2::LocationReading reading{events, ids, otf2::ClockCorrection({})};
        const otf2::EventFile description{file, fs::file_size(file), Builder::kChunkBytes};
        return otf2::readRecords(description, otf2::eventHandlers(), reading, Task(), {});
    }
};

fs::path smallFile(const test::TemporaryFolder& folder)
{
    Builder builder(folder.path() / "archive", 1);
    builder.events(0, [](OTF2_EvtWriter* out) {
        OTF2_EvtWriter_Enter(out, nullptr, 10, 300);
        OTF2_EvtWriter_MpiSend(out, nullptr, 20, 1, 0, 3, 70'000);
        OTF2_EvtWriter_Leave(out, nullptr, 20, 300);
    });
    builder.finish();
    return folder.path() / "archive/traces/0.evt";
}

std::string bytesIn(const fs::path& file)
{
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

void writeBytes(const fs::path& file, std::string_view bytes)
{
    std::ofstream(file, std::ios::binary) << bytes;
}

}  // namespace

TEST_CASE("OTF2 archives of the examples are the same whoever decodes their events")
{
    checkArchivesBelow(test::sourcePath("examples"));
}

TEST_CASE("OTF2 archives of other tools are the same whoever decodes their events")
{
    SKEIN_SHARED_OR_SKIP(data, "data");
    checkArchivesBelow(data);
}

TEST_CASE("Records with numbers of all lengths are the same whoever decodes them, over several chunks")
{
    const test::TemporaryFolder folder;
    Builder builder(folder.path() / "archive", 3);
    for (int region = 0; region < 6; ++region) builder.region("region " + std::to_string(region));
    defineMetrics(builder);
    for (std::uint32_t rank = 0; rank < 3; ++rank) writeRandomRecords(builder, rank, 120'000, rank + 1);
    const fs::path anchor = builder.finish();
    REQUIRE(fs::file_size(folder.path() / "archive/traces/0.evt") > 4 * Builder::kChunkBytes);
    test::checkDecodings(anchor);
}

TEST_CASE("Ids and clocks of locations' own are the same whoever decodes the records")
{
    const test::TemporaryFolder folder;
    Builder builder(folder.path() / "archive", 3);
    for (int region = 0; region < 8; ++region) builder.region("region " + std::to_string(region));
    defineMetrics(builder);
    Numbers some(5);
    for (std::uint32_t rank = 0; rank < 3; ++rank) {
        writeRandomRecords(builder, rank, 5000, rank + 10);
        for (int kind = 0; kind < OTF2_MAPPING_MAX; ++kind) {
            if (some.below(3) == 0) continue;
            std::vector<std::pair<std::uint64_t, std::uint64_t>> ids;
            for (std::uint64_t own = 0; own < 7; ++own)
                if (rank == 0 || some.below(2) == 0) ids.emplace_back(own, some.below(9));
            const OTF2_IdMapMode mode = rank == 0 ? OTF2_ID_MAP_DENSE : OTF2_ID_MAP_SPARSE;
            builder.mapping(rank, static_cast<OTF2_MappingType>(kind), mode, ids);
        }
        std::uint64_t time = some.below(3000);
        for (std::uint32_t offset = 0; offset <= 2 * rank + 1; ++offset, time += 1 + some.below(90'000))
            builder.clockOffset(rank, time, static_cast<std::int64_t>(some.below(4000)) - 500);
    }
    test::checkDecodings(builder.finish());
}

TEST_CASE("Event files with a flipped bit are the same whoever decodes them")
{
    const test::TemporaryFolder folder;
    const fs::path archive = folder.path() / "archive";
    int rounds = 60;
    SECTION("calls and messages that were measured")
    {
        fs::copy(test::sourcePath("examples/lulesh-8/trace-otf2"), archive, fs::copy_options::recursive);
        fs::permissions(archive / "traces/0.evt", fs::perms::owner_all, fs::perm_options::add);
    }
    SECTION("records of all kinds")
    {
        Builder builder(archive, 1);
        for (int region = 0; region < 6; ++region) builder.region("region " + std::to_string(region));
        defineMetrics(builder);
        writeRandomRecords(builder, 0, 300, 20);
        builder.mapping(0, OTF2_MAPPING_REGION, OTF2_ID_MAP_SPARSE, {{1, 4}, {2, 1}, {5, 5}});
        builder.clockOffset(0, 0, -300);
        builder.clockOffset(0, 40'000, 900);
        builder.finish();
        rounds = 1000;
    }
    const fs::path file = archive / "traces/0.evt";
    const std::string whole = bytesIn(file);
    Numbers some(9);
    for (int round = 0; round < rounds; ++round) {
        std::string bytes = whole;
        // Half of them where the first records are.
        const std::size_t at = some.below(round % 2 == 0 ? 400 : bytes.size());
        bytes[at] = static_cast<char>(bytes[at] ^ 1u << some.below(8));
        INFO("byte " << at);
        writeBytes(file, bytes);
        test::checkDecodings(archive / "traces.otf2");
    }
}

TEST_CASE("A whole event file is decoded to its end")
{
    const test::TemporaryFolder folder;
    Reading reading;
    CHECK(reading.read(smallFile(folder)) == otf2::RecordsRead::All);
    CHECK(reading.builder.events() == 3);
    CHECK(reading.builder.stackDepth() == 0);
}

TEST_CASE("What libotf2 does not write is left to libotf2")
{
    const test::TemporaryFolder folder;
    const fs::path file = smallFile(folder);
    const std::string whole = bytesIn(file);
    const std::size_t enter = 18 + 9, send = enter + 4 + 9;  // behind header and time stamps
    REQUIRE(whole[enter] == 12);
    REQUIRE(whole[send] == 14);
    const auto refusesWith = [&](std::size_t at, unsigned char byte) {
        INFO("byte " << at);
        std::string bytes = whole;
        bytes[at] = static_cast<char>(byte);
        writeBytes(file, bytes);
        CHECK(Reading().read(file) == otf2::RecordsRead::Refused);
    };
    refusesWith(0, 4);          // no chunk
    refusesWith(1, 0x23);       // the other byte order
    refusesWith(enter, 200);    // a record of a later version
    refusesWith(enter, 6);      // attributes
    refusesWith(enter + 1, 5);  // a number of five bytes where four have room
    refusesWith(send + 1, 11);  // longer than its fields
    refusesWith(whole.size() - 2, 200);
    for (std::size_t bytes = 0; bytes + 1 < whole.size(); ++bytes) {
        INFO(bytes << " bytes");
        writeBytes(file, std::string_view(whole).substr(0, bytes));
        CHECK(Reading().read(file) == otf2::RecordsRead::Refused);
    }
}

}  // namespace skein::record_reader_test
