// SPDX-License-Identifier: GPL-3.0-or-later
// Definitions of one location that the importer decodes itself, beside what libotf2 makes of the same files.
#include "core/io/otf2/local_definitions.h"
#include "tests/core/io/otf2/decodings.h"
#include "tests/support/otf2_archive_builder.h"
#include "tests/support/paths.h"

#include <algorithm>
#include <fstream>

namespace skein::local_definitions_test {
namespace {

namespace fs = std::filesystem;
using Builder = test::Otf2ArchiveBuilder;

/// An archive of one location, whose events are in its own ids and at its own time.
class Archive {
public:
    Archive()
    {
        Builder builder(folder_.path() / "archive", 1);
        for (int region = 0; region < 8; ++region) builder.region("region " + std::to_string(region));
        builder.mapping(0, OTF2_MAPPING_REGION, OTF2_ID_MAP_SPARSE, {{0, 3}, {2, 0}, {3, 7}, {300, 5}});
        builder.mapping(0, OTF2_MAPPING_COMM, OTF2_ID_MAP_DENSE, {{0, 0}, {1, 0}, {2, 70'000}});
        builder.mapping(0, OTF2_MAPPING_LOCATION, OTF2_ID_MAP_DENSE, {{0, std::uint64_t{1} << 40}});
        builder.clockOffset(0, 0, -5);
        builder.clockOffset(0, 1000, 70'000);
        builder.events(0, [](OTF2_EvtWriter* out) {
            std::uint64_t time = 10;
            for (const OTF2_RegionRef region : {0u, 2u, 3u, 300u, 1u}) {
                OTF2_EvtWriter_Enter(out, nullptr, time += 100, region);
                OTF2_EvtWriter_MpiSend(out, nullptr, time += 7, 0, region % 3, 1, 64);
                OTF2_EvtWriter_Leave(out, nullptr, time += 100, region);
            }
        });
        anchor_ = builder.finish();
        std::ifstream in(file(), std::ios::binary);
        whole_.assign(std::istreambuf_iterator<char>(in), {});
    }

    const fs::path& anchor() const { return anchor_; }
    const std::string& whole() const { return whole_; }
    fs::path file() const { return folder_.path() / "archive/traces/0.def"; }
    void write(std::string_view bytes) const { std::ofstream(file(), std::ios::binary) << bytes; }
    std::optional<otf2::LocalDefinitions> decoded() const
    {
        return otf2::decodeLocalDefinitions({file(), LocationId(0), 0, "rank 0", Builder::kChunkBytes});
    }
    bool isDecoded(std::string_view bytes) const
    {
        write(bytes);
        return decoded().has_value();
    }

private:
    test::TemporaryFolder folder_;
    fs::path anchor_;
    std::string whole_;
};

constexpr std::size_t kFirstRecord = 18;

}  // namespace

TEST_CASE("Ids and clock offsets of a location's own are decoded as they were written")
{
    const Archive archive;
    const auto local = archive.decoded();
    REQUIRE(local);
    CHECK(local->hasMappings);
    CHECK_FALSE(local->onlyLibrary);
    const auto region = [&](std::uint32_t own) { return local->ids.global(OTF2_MAPPING_REGION, own); };
    CHECK(region(0) == 3);
    CHECK(region(1) == 1);  // has no entry
    CHECK(region(2) == 0);
    CHECK(region(300) == 5);
    CHECK(region(301) == 301);
    CHECK(local->ids.global(OTF2_MAPPING_COMM, 2) == 70'000);
    CHECK(local->ids.global(OTF2_MAPPING_STRING, 2) == 2);
    REQUIRE(local->clockOffsets.size() == 2);
    CHECK(local->clockOffsets[0].timeTicks == 0);
    CHECK(local->clockOffsets[0].offsetTicks == -5);
    CHECK(local->clockOffsets[1].timeTicks == 1000);
    CHECK(local->clockOffsets[1].offsetTicks == 70'000);
    test::checkDecodings(archive.anchor());
}

TEST_CASE("Local definitions that libotf2 does not write are left to libotf2")
{
    const Archive archive;
    const std::string& whole = archive.whole();
    const auto with = [&](std::size_t at, unsigned char byte) {
        std::string bytes = whole;
        bytes[at] = static_cast<char>(byte);
        return bytes;
    };
    REQUIRE(archive.isDecoded(whole));
    std::size_t table = kFirstRecord;  // behind the clock offsets
    while (whole[table] == 6) table += 2 + static_cast<std::size_t>(whole[table + 1]);
    REQUIRE(whole[table] == 5);
    CHECK_FALSE(archive.isDecoded(with(0, 4)));           // no chunk
    CHECK_FALSE(archive.isDecoded(with(1, 0x23)));        // the other byte order
    CHECK_FALSE(archive.isDecoded(with(table, 200)));     // a record of a later version
    CHECK_FALSE(archive.isDecoded(with(table + 1, 3)));   // a length that is not that of the fields
    CHECK_FALSE(archive.isDecoded(with(table + 2, 99)));  // ids of what there is not
    CHECK_FALSE(archive.isDecoded(with(table + 5, 2)));   // neither dense nor sparse
    for (std::size_t bytes = 0; bytes + 1 < whole.size(); ++bytes) {
        INFO(bytes << " bytes");
        CHECK_FALSE(archive.isDecoded(std::string_view(whole).substr(0, bytes)));
    }
    const auto withTwice = [&](std::size_t record) {
        const std::size_t bytes = 2 + static_cast<std::size_t>(whole[record + 1]);
        return whole.substr(0, record + bytes) + whole.substr(record);
    };
    CHECK_FALSE(archive.isDecoded(withTwice(kFirstRecord)));  // an offset at the time of the one before
    CHECK_FALSE(archive.isDecoded(withTwice(table)));         // two tables of one kind
    std::string huge = whole.substr(0, kFirstRecord);
    huge += {5, 11, 3, 8, -1, -1, -1, -1, -1, -1, -1, 127, 0, 2, 1};
    CHECK_FALSE(archive.isDecoded(huge));
    archive.write(whole + std::string(1 << 20, '\0'));
    CHECK_FALSE(archive.decoded());
}

TEST_CASE("Damaged local definitions are the same whoever decodes them")
{
    const Archive archive;
    const std::string& whole = archive.whole();
    for (std::size_t at = 0; at < whole.size(); ++at) {
        for (int bit = 0; bit < 8; ++bit) {
            INFO("bit " << bit << " of byte " << at);
            std::string bytes = whole;
            bytes[at] = static_cast<char>(bytes[at] ^ 1 << bit);
            archive.write(bytes);
            test::checkDecodings(archive.anchor());
        }
        INFO(at << " bytes");
        archive.write(std::string_view(whole).substr(0, at));
        test::checkDecodings(archive.anchor());
    }
}

TEST_CASE("Local definitions that libotf2 is not to be trusted with are told and left out")
{
    const Archive archive;
    const std::string header = archive.whole().substr(0, kFirstRecord);
    const std::string end{2, 1};
    const std::string million{5, 7, 3, 4, 0, 0, 0, 16, 1};  // 268 million ids
    std::string swapped = header + std::string{5, 7, 3, 4, 16, 0, 0, 0, 1} + end;
    swapped[1] = 0x23;
    std::string second = header + '\0';
    second.resize(Builder::kChunkBytes);
    std::string zeros = header + std::string{5, 10, 3, 3, 32, -95, 7, 0};  // 500,000 ids that are 0
    zeros.resize(600'000);
    const std::vector<std::pair<std::string, IssueKind>> files{
        {header + million + end, IssueKind::CorruptRecord},
        {header + million + end + std::string(4 << 20, '\0'), IssueKind::CorruptRecord},
        {swapped, IssueKind::CorruptRecord},
        {second + header + million + end, IssueKind::CorruptRecord},
        {zeros, IssueKind::CorruptRecord},
        {header + std::string{5, 11, 3, 8, -1, -1, -1, -1, -1, -1, -1, 127, 0} + end,
         IssueKind::CorruptRecord},
        {header + std::string{5, 4, 3, 1, 9, 0} + end, IssueKind::CorruptRecord},  // nine ids
        {header + std::string{6, 0} + million + end, IssueKind::CorruptRecord},    // behind nothing
        {header + std::string{18, 8, 0, 0, 0, 4, 0, 0, 0, 16} + end, IssueKind::CorruptRecord},  // a group
        {header + std::string{5, 12, 3, 1, 2, 1, 1, 9, 1, 1, 1, 8, 1, 1} + end,
         IssueKind::CorruptRecord},  // ids that fall
        {archive.whole().substr(0, archive.whole().size() - 2), IssueKind::Truncated},
        {header, IssueKind::Truncated},
        {header.substr(0, 9), IssueKind::Truncated},
    };
    for (std::size_t number = 0; number < 2 * files.size(); ++number) {
        const auto& [damaged, kind] = files[number / 2];
        INFO("file " << number / 2);
        archive.write(damaged);
        const auto decoding =
            number % 2 == 0 ? otf2::EventDecoding::OwnWherePossible : otf2::EventDecoding::Library;
        const auto opened = otf2::readOtf2(archive.anchor(), decoding, Task());
        REQUIRE(opened);
        CHECK(opened->trace->intervalCount() == 5);
        CHECK(opened->definitions.clockOffsets.empty());
        const auto& issues = opened->report.issues();
        const auto told = std::find_if(issues.begin(), issues.end(), [](const Issue& one) {
            return one.detail == "none of the definitions of this location are used";
        });
        REQUIRE(told != issues.end());
        CHECK(told->kind == kind);
        CHECK_THAT(told->file, Catch::Matchers::EndsWith("0.def"));
    }
}

TEST_CASE("Local definitions of the other byte order and of several chunks are left to libotf2")
{
    const Archive archive;
    const std::string header = archive.whole().substr(0, kFirstRecord);
    std::string swapped = header + std::string{5, 7, 3, 1, 1, 1, 1, 0, 0, 2, 1};  // region 0 is region 0
    swapped[1] = 0x23;
    std::string second = header + '\0';
    second.resize(Builder::kChunkBytes);
    for (const std::string& bytes : {swapped, second + archive.whole()}) {
        CHECK_FALSE(archive.isDecoded(bytes));
        const auto opened = otf2::readOtf2(archive.anchor(), otf2::EventDecoding::OwnWherePossible, Task());
        REQUIRE(opened);
        CHECK(opened->report.count(IssueKind::CorruptRecord) == 0);
        CHECK(opened->report.count(IssueKind::Truncated) == 0);
        CHECK(opened->definitions.clockOffsets.size() == (bytes == swapped ? 0 : 2));
        test::checkDecodings(archive.anchor());
    }
}

TEST_CASE("libotf2 is told of local definitions while other locations are read")
{
    const test::TemporaryFolder folder;
    constexpr std::uint32_t ranks = 8;
    Builder builder(folder.path() / "archive", ranks);
    for (int region = 0; region < 8; ++region) builder.region("region " + std::to_string(region));
    for (std::uint32_t rank = 0; rank < ranks; ++rank) {
        builder.mapping(rank, OTF2_MAPPING_REGION, OTF2_ID_MAP_SPARSE, {{0, rank}, {7, (rank + 3) % 8}});
        builder.clockOffset(rank, 0, rank * 10);
        builder.clockOffset(rank, 1'000'000, rank * 20);
        builder.events(rank, [](OTF2_EvtWriter* out) {
            for (std::uint64_t time = 0; time < 20'000; time += 2) {
                OTF2_EvtWriter_Enter(out, nullptr, time, static_cast<OTF2_RegionRef>(time % 14 / 2));
                OTF2_EvtWriter_Leave(out, nullptr, time + 1, static_cast<OTF2_RegionRef>(time % 14 / 2));
            }
        });
    }
    const fs::path anchor = builder.finish();
    for (std::uint32_t rank = 0; rank < ranks; ++rank)
        if (rank % 3 != 2) {
            const fs::path events = folder.path() / "archive/traces" / (std::to_string(rank) + ".evt");
            fs::resize_file(events, fs::file_size(events) - 100);
        }
    test::checkDecodings(anchor);
}

}  // namespace skein::local_definitions_test
