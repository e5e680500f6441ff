// SPDX-License-Identifier: GPL-3.0-or-later
// Event files that end before their contents do: what stands in them whole is shown, the same on any number
// of threads, and the loss is told.
#include "core/io/importer.h"
#include "core/io/otf2/event_file.h"
#include "tests/support/catch.h"
#include "tests/support/otf2_archive_builder.h"
#include "tests/support/paths.h"

#include <fstream>

namespace skein::cut_event_file_test {
namespace {

namespace fs = std::filesystem;

std::string bytesOf(const fs::path& file)
{
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

void write(const fs::path& file, std::string_view bytes) { std::ofstream(file, std::ios::binary) << bytes; }

ExperimentPtr open(const fs::path& archive, int threads)
{
    const auto opened = openExperiment(archive, Task().withThreads(threads));
    REQUIRE(opened);
    return *opened;
}

/// What a location's calls look like, as far as they were left.
std::vector<std::pair<TimeNs, std::uint32_t>> beginsOf(const Experiment& experiment, std::size_t location)
{
    const CallIntervals& calls = experiment.trace->locations[location].intervals;
    std::vector<std::pair<TimeNs, std::uint32_t>> begins;
    for (std::size_t call = 0; call < calls.size(); ++call)
        begins.emplace_back(calls.begin[call],
                            experiment.callTree->region(CallPathId(calls.callPath[call])).value());
    return begins;
}

/// Four ranks, of which the last has most events; their files have records of every length: single numbers,
/// attributes, times, messages.
fs::path writeArchive(const fs::path& folder, std::uint64_t rounds)
{
    test::Otf2ArchiveBuilder builder(folder, 4);
    const OTF2_StringRef word = builder.text("number");
    builder.definitions([=](OTF2_GlobalDefWriter* out) {
        OTF2_GlobalDefWriter_WriteAttribute(out, 0, word, word, OTF2_TYPE_UINT64);
    });
    const auto outer = builder.region("outer"), inner = builder.region("inner");
    for (std::uint32_t rank = 0; rank < 4; ++rank)
        builder.events(rank, [=](OTF2_EvtWriter* out) {
            const std::uint64_t own = rank == 3 ? rounds : std::min<std::uint64_t>(rounds, 20);
            for (std::uint64_t round = 0; round < own; ++round) {
                const std::uint64_t time = round * 100;
                OTF2_EvtWriter_Enter(out, nullptr, time, outer);
                OTF2_AttributeList* list = OTF2_AttributeList_New();
                OTF2_AttributeList_AddUint64(list, 0, round * 300);
                OTF2_EvtWriter_Enter(out, list, time + 10, inner);
                OTF2_AttributeList_Delete(list);
                OTF2_EvtWriter_MpiSend(out, nullptr, time + 10, (rank + 1) % 4, 0, 7, 1u << round % 20);
                OTF2_EvtWriter_MpiRecv(out, nullptr, time + 20, (rank + 3) % 4, 0, 7, 1u << round % 20);
                OTF2_EvtWriter_MpiIrecvRequest(out, nullptr, time + 30, 5);
                OTF2_EvtWriter_Leave(out, nullptr, time + 30, inner);
                OTF2_EvtWriter_Leave(out, nullptr, time + 40, outer);
            }
        });
    return builder.finish();
}

constexpr std::uint64_t kEventsOfRound = 7;

/// Where each event of a round ends is known from the format: every length between gives the events before.
void checkPrefix(const Experiment& whole, const Experiment& cut, std::uint64_t events)
{
    CHECK(cut.trace->locations[3].events == events);
    const auto all = beginsOf(whole, 3), some = beginsOf(cut, 3);
    REQUIRE(some.size() <= all.size());
    CHECK(std::equal(some.begin(), some.end(), all.begin()));
    CHECK(cut.report.count(IssueKind::Truncated) == 1);
    for (std::size_t other = 0; other < 3; ++other) {
        CHECK(cut.trace->locations[other].events == whole.trace->locations[other].events);
    }
}

}  // namespace

TEST_CASE("An event file cut anywhere shows the events that stand in it whole, on any number of threads")
{
    const test::TemporaryFolder folder;
    const fs::path anchor = writeArchive(folder.path() / "archive", 5);
    const fs::path file = folder.path() / "archive/traces/3.evt";
    const std::string bytes = bytesOf(file);
    const ExperimentPtr whole = open(anchor, 4);
    REQUIRE(whole->trace->locations[3].events == 5 * kEventsOfRound);
    std::uint64_t before = 0;
    // The last two bytes are the mark of the end and one that nobody reads.
    for (std::size_t length = 1; length + 1 < bytes.size(); ++length) {
        INFO(length << " of " << bytes.size() << " bytes");
        write(file, std::string_view(bytes).substr(0, length));
        const ExperimentPtr one = open(anchor, 1), four = open(anchor, 4);
        const std::uint64_t events = one->trace->locations[3].events;
        checkPrefix(*whole, *one, events);
        checkPrefix(*whole, *four, events);
        // A byte more never ends more than one event, and never takes one away.
        CHECK(events >= before);
        CHECK(events <= before + 1);
        before = events;
    }
    CHECK(before == 5 * kEventsOfRound);  // only the mark of the end is missing
}

TEST_CASE("A cut event file is bounded where memory holds other files of the same archive")
{
    const test::TemporaryFolder folder;
    fs::copy(test::sourcePath("examples/heatflow-16x2/trace-otf2"), folder.path() / "archive",
             fs::copy_options::recursive);
    const fs::path file = folder.path() / "archive/traces/3.evt";
    fs::permissions(file, fs::perms::owner_all, fs::perm_options::add);
    const ExperimentPtr whole = open(folder.path() / "archive", 4);
    for (const std::uintmax_t bytes : {20'000u, 6473u, 1701u, 400u}) {
        INFO(bytes << " bytes");
        fs::resize_file(file, bytes);
        const std::uint64_t events = open(folder.path() / "archive", 1)->trace->eventCount();
        CHECK(events < whole->trace->eventCount());
        for (int run = 0; run < 6; ++run) {
            const ExperimentPtr cut = open(folder.path() / "archive", 4);
            REQUIRE(cut->trace->eventCount() == events);
            REQUIRE(cut->report.count(IssueKind::Truncated) == 1);
        }
    }
}

TEST_CASE("A file of several chunks that is cut in any of them is read up to the cut")
{
    const test::TemporaryFolder folder;
    constexpr std::uint64_t rounds = 10'000;  // some 600 KB
    const fs::path anchor = writeArchive(folder.path() / "archive", rounds);
    const fs::path file = folder.path() / "archive/traces/3.evt";
    constexpr std::uint64_t chunk = test::Otf2ArchiveBuilder::kChunkBytes;
    const std::uint64_t size = fs::file_size(file);
    REQUIRE(size > 2 * chunk);
    const ExperimentPtr whole = open(anchor, 2);
    CHECK(whole->report.count(IssueKind::Truncated) == 0);
    CHECK_FALSE(otf2::eventsBeforeCut(file, size, chunk, Task()));
    std::uint64_t before = rounds * kEventsOfRound;
    for (const std::uint64_t bytes : {size - 2, 2 * chunk + 17, 2 * chunk, 2 * chunk - 1, chunk + 1, chunk,
                                      chunk - 200, std::uint64_t{100}}) {
        INFO(bytes << " bytes");
        fs::resize_file(file, bytes);
        const ExperimentPtr cut = open(anchor, 4);
        const std::uint64_t events = cut->trace->locations[3].events;
        checkPrefix(*whole, *cut, events);
        CHECK(events <= before);
        // Events take the same room everywhere but for their times and numbers.
        const double share = static_cast<double>(bytes) / static_cast<double>(size);
        CHECK(static_cast<double>(events) == Approx(share * rounds * kEventsOfRound).epsilon(0.02).margin(9));
        before = events;
    }
}

TEST_CASE("The records of a chunk are counted without being decoded")
{
    // Header; a time and an enter; attributes and a leave; an unknown record with a long length; the end.
    std::vector<std::uint8_t> bytes{3, 'B'};
    bytes.resize(18);
    const auto add = [&](std::initializer_list<std::uint8_t> more) { bytes.insert(bytes.end(), more); };
    add({5, 1, 0, 0, 0, 0, 0, 0, 0, 12, 1, 9});
    CHECK(otf2::contentOfChunk(bytes).events == 1);
    add({6, 4, 1, 0, 4, 0});
    CHECK(otf2::contentOfChunk(bytes).events == 1);
    add({13, 0xFF});
    CHECK(otf2::contentOfChunk(bytes).events == 2);
    add({200, 0xFF, 2, 0, 0, 0, 0, 0, 0, 0, 77});
    CHECK(otf2::contentOfChunk(bytes).events == 2);
    CHECK(otf2::contentOfChunk(bytes).end == otf2::ChunkEnd::Cut);
    add({78});
    CHECK(otf2::contentOfChunk(bytes).events == 3);
    std::vector<std::uint8_t> next = bytes, last = bytes;
    next.push_back(0);
    CHECK(otf2::contentOfChunk(next).end == otf2::ChunkEnd::NextChunk);
    last.push_back(2);
    CHECK(otf2::contentOfChunk(last).end == otf2::ChunkEnd::FileEnd);
    last[1] = 'X';
    CHECK(otf2::contentOfChunk(last).end == otf2::ChunkEnd::Damaged);
    CHECK(otf2::contentOfChunk({}).end == otf2::ChunkEnd::Cut);
}

}  // namespace skein::cut_event_file_test
