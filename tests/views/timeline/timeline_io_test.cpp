// SPDX-License-Identifier: GPL-3.0-or-later
// I/O operations from an OTF2 archive through the importer to the marks in the timeline, for two components.
#include "tests/support/catch.h"
#include "tests/support/cli.h"
#include "tests/support/otf2_test_archive.h"
#include "tests/support/scenes.h"
#include "views/timeline/timeline_scene.h"
#include "views/timeline/timeline_workflow_scene.h"

#include <cmath>
#include <map>

namespace skein::timeline_io_test {

namespace {

constexpr TimeNs kEnd = 1'000'000;
constexpr OTF2_IoHandleRef kInput = 3;
constexpr OTF2_IoHandleRef kOutput = 8;

void begin(OTF2_EvtWriter* out, TimeNs time, OTF2_IoHandleRef handle, OTF2_IoOperationMode mode,
           OTF2_IoOperationFlag flag, std::uint64_t bytes, std::uint64_t id)
{
    OTF2_EvtWriter_IoOperationBegin(out, nullptr, static_cast<OTF2_TimeStamp>(time), handle, mode, flag,
                                    bytes, id);
}

void complete(OTF2_EvtWriter* out, TimeNs time, OTF2_IoHandleRef handle, std::uint64_t bytes,
              std::uint64_t id)
{
    OTF2_EvtWriter_IoOperationComplete(out, nullptr, static_cast<OTF2_TimeStamp>(time), handle, bytes, id);
}

void create(OTF2_EvtWriter* out, TimeNs time, OTF2_IoHandleRef handle)
{
    OTF2_EvtWriter_IoCreateHandle(out, nullptr, static_cast<OTF2_TimeStamp>(time), handle,
                                  OTF2_IO_ACCESS_MODE_READ_WRITE, OTF2_IO_CREATION_FLAG_CREATE,
                                  OTF2_IO_STATUS_FLAG_NONE);
}

/// Two ranks with a file each for reading and for writing. Rank 0 reads and writes one after the other, rank
/// 1 writes twice at once without blocking; what begins last there ends first.
struct Component : test::Otf2TestArchive {
    std::filesystem::path anchor;

    explicit Component(const std::string& name, std::uint64_t bytes) : Otf2TestArchive(2)
    {
        const OTF2_RegionRef main = builder.region("main");
        const OTF2_StringRef posix = builder.text("POSIX"), input = builder.text("/data/" + name + ".in"),
                             output = builder.text("/data/" + name + ".out");
        builder.definitions([=](OTF2_GlobalDefWriter* out) {
            OTF2_GlobalDefWriter_WriteIoParadigm(out, 0, posix, posix, OTF2_IO_PARADIGM_CLASS_SERIAL,
                                                 OTF2_IO_PARADIGM_FLAG_OS, 0, nullptr, nullptr, nullptr);
            OTF2_GlobalDefWriter_WriteIoRegularFile(out, 1, input, 0);
            OTF2_GlobalDefWriter_WriteIoRegularFile(out, 2, output, 0);
            OTF2_GlobalDefWriter_WriteIoHandle(out, kInput, input, 1, 0, OTF2_IO_HANDLE_FLAG_NONE,
                                               OTF2_UNDEFINED_COMM, OTF2_UNDEFINED_IO_HANDLE);
            OTF2_GlobalDefWriter_WriteIoHandle(out, kOutput, output, 2, 0, OTF2_IO_HANDLE_FLAG_NONE,
                                               OTF2_UNDEFINED_COMM, OTF2_UNDEFINED_IO_HANDLE);
        });
        builder.events(0, [=](OTF2_EvtWriter* out) {
            OTF2_EvtWriter_Enter(out, nullptr, 0, main);
            create(out, 50'000, kInput);
            begin(out, 100'000, kInput, OTF2_IO_OPERATION_MODE_READ, OTF2_IO_OPERATION_FLAG_NONE, 2 * bytes,
                  1);
            complete(out, 200'000, kInput, bytes, 1);
            OTF2_EvtWriter_IoSeek(out, nullptr, 250'000, kInput, 0, OTF2_IO_SEEK_FROM_START, 0);
            create(out, 300'000, kOutput);
            begin(out, 350'000, kOutput, OTF2_IO_OPERATION_MODE_WRITE, OTF2_IO_OPERATION_FLAG_NONE, bytes, 2);
            complete(out, 450'000, kOutput, bytes, 2);
            begin(out, 500'000, kOutput, OTF2_IO_OPERATION_MODE_FLUSH, OTF2_IO_OPERATION_FLAG_NONE,
                  OTF2_UNDEFINED_UINT64, 3);
            complete(out, 550'000, kOutput, OTF2_UNDEFINED_UINT64, 3);
            OTF2_EvtWriter_IoDestroyHandle(out, nullptr, 600'000, kInput);
            OTF2_EvtWriter_IoDestroyHandle(out, nullptr, 650'000, kOutput);
            OTF2_EvtWriter_IoDeleteFile(out, nullptr, 700'000, 0, 1);
            OTF2_EvtWriter_Leave(out, nullptr, kEnd, main);
        });
        builder.events(1, [=](OTF2_EvtWriter* out) {
            OTF2_EvtWriter_Enter(out, nullptr, 0, main);
            begin(out, 100'000, kOutput, OTF2_IO_OPERATION_MODE_WRITE, OTF2_IO_OPERATION_FLAG_NON_BLOCKING,
                  3 * bytes, 7);
            OTF2_EvtWriter_IoOperationIssued(out, nullptr, 110'000, kOutput, 7);
            begin(out, 200'000, kInput, OTF2_IO_OPERATION_MODE_READ, OTF2_IO_OPERATION_FLAG_NON_BLOCKING,
                  5 * bytes, 8);
            OTF2_EvtWriter_IoOperationIssued(out, nullptr, 210'000, kInput, 8);
            complete(out, 300'000, kInput, 4 * bytes, 8);
            OTF2_EvtWriter_IoOperationTest(out, nullptr, 350'000, kOutput, 7);
            complete(out, 400'000, kOutput, 3 * bytes, 7);
            begin(out, 800'000, kOutput, OTF2_IO_OPERATION_MODE_WRITE, OTF2_IO_OPERATION_FLAG_NON_BLOCKING,
                  bytes, 9);
            OTF2_EvtWriter_IoOperationCancelled(out, nullptr, 900'000, kOutput, 9);
            OTF2_EvtWriter_Leave(out, nullptr, kEnd, main);
        });
        anchor = builder.finish();
    }
    ExperimentPtr read() const
    {
        const auto opened = openExperiment(anchor, Task());
        REQUIRE(opened);
        return *opened;
    }
};

struct Sums {
    std::size_t operations = 0;
    std::uint64_t requested = 0, transferred = 0;
    bool operator==(const Sums&) const = default;
};

std::map<IoKind, Sums> sumsOf(const Experiment& experiment)
{
    std::map<IoKind, Sums> sums;
    for (const IoOperation& operation : experiment.trace->ioOperations) {
        Sums& kind = sums[operation.kind];
        ++kind.operations;
        kind.requested += operation.bytesRequested;
        kind.transferred += operation.bytesTransferred;
    }
    return sums;
}

/// Two components in a timeline of 2 µs a column.
struct Drawn {
    Component sim{"sim", 1024}, ana{"ana", 4096};
    TimelineDataPtr data = test::timelineDataOf({sim.read(), ana.read()});
    test::PlainCanvas canvas{700, 400};
    TimelineOptions options;
    TimelineLayout layout;

    Drawn()
    {
        options.theme = lightTheme();
        options.io = makeSessionIo(data->session);
        REQUIRE(options.io);
        layout =
            timelineLayout(*data, {}, options, canvas.canvas.width, canvas.canvas.height, canvas.measure);
    }
    /// The band of a row; empty where none is drawn.
    std::vector<std::uint32_t> bandOf(LocationRef location) const
    {
        DrawList list;
        drawIo(list, *data, options, layout);
        const PlacedRow* place = layout.placeOf(location);
        REQUIRE(place);
        for (const PixelItem& band : test::itemsOf<PixelItem>(list))
            if (band.y == static_cast<int>(std::round(place->y))) return band.argb;
        return {};
    }
    /// Colours along the time, each once: 0 where nothing is drawn.
    std::uint32_t colorAt(const std::vector<std::uint32_t>& band, LocationRef location, TimeNs time) const
    {
        const double x = layout.scale.toX(data->clock.toSession(location.experiment, time)) - layout.body.x;
        return band.at(static_cast<std::size_t>(std::floor(x)));
    }
    std::string told(LocationRef location, TimeNs time) const
    {
        return ioTooltip(*data, *options.io, location, data->clock.toSession(location.experiment, time));
    }
};

}  // namespace

TEST_CASE("I/O of two components: counts, bytes, handles and the report are those of the archive")
{
    const Component sim("sim", 1024), ana("ana", 4096);
    for (const auto& [component, bytes, name] :
         {std::tuple(&sim, std::uint64_t{1024}, "sim"), std::tuple(&ana, std::uint64_t{4096}, "ana")}) {
        const ExperimentPtr experiment = component->read();
        const auto sums = sumsOf(*experiment);
        CHECK(sums.at(IoKind::Open) == Sums{2, 0, 0});
        CHECK(sums.at(IoKind::Close) == Sums{2, 0, 0});
        CHECK(sums.at(IoKind::Seek) == Sums{1, 0, 0});
        CHECK(sums.at(IoKind::Delete) == Sums{1, 0, 0});
        CHECK(sums.at(IoKind::Sync) == Sums{1, 0, 0});
        CHECK(sums.at(IoKind::Read) == Sums{2, 7 * bytes, 5 * bytes});
        // What was cancelled moved nothing.
        CHECK(sums.at(IoKind::Write) == Sums{3, 5 * bytes, 4 * bytes});
        for (const IoOperation& operation : experiment->trace->ioOperations) {
            REQUIRE(operation.file.valid());
            CHECK(operation.end >= operation.begin);
            CHECK(experiment->trace->locations[operation.location.index()].intervals.size() == 1);
            CHECK(operation.interval == 0);
            const bool reads = operation.kind == IoKind::Read || operation.kind == IoKind::Seek
                || operation.kind == IoKind::Delete;
            const bool writes = operation.kind == IoKind::Write || operation.kind == IoKind::Sync;
            const std::string& file = experiment->definitions.ioFiles[operation.file.index()].name;
            if (reads) CHECK(file == std::string("/data/") + name + ".in");
            if (writes) CHECK(file == std::string("/data/") + name + ".out");
        }
        CHECK_FALSE(experiment->report.lostData());
        const test::CliResult info = test::runCli({"info", component->anchor.string(), "--format", "json"});
        CHECK(info.exitCode == 0);
        CHECK(info.out.find("\"io_operations\": 12") != std::string::npos);
    }
}

TEST_CASE("I/O of two components is marked on its own row, while it ran, in the colour of its kind")
{
    const Drawn drawn;
    for (const std::uint32_t component : {0u, 1u}) {
        const LocationRef first{component, LocationId(0)}, second{component, LocationId(1)};
        const auto one = drawn.bandOf(first), two = drawn.bandOf(second);
        const auto at = [&](TimeNs time) { return drawn.colorAt(one, first, time); };
        const auto beside = [&](TimeNs time) { return drawn.colorAt(two, second, time); };
        // Moments have a pixel, spans all of theirs, and what lies between has none.
        for (const TimeNs moment : {50'000, 250'000, 300'000, 600'000, 650'000, 700'000})
            CHECK(at(moment) != 0);
        for (const TimeNs inside : {100'000, 150'000, 199'000, 350'000, 400'000, 449'000, 500'000, 549'000})
            CHECK(at(inside) != 0);
        for (const TimeNs outside :
             {20'000, 80'000, 220'000, 280'000, 320'000, 475'000, 575'000, 800'000, 950'000})
            CHECK(at(outside) == 0);
        for (const TimeNs inside : {100'000, 250'000, 350'000, 399'000, 850'000}) CHECK(beside(inside) != 0);
        for (const TimeNs outside : {50'000, 450'000, 600'000, 700'000, 950'000}) CHECK(beside(outside) == 0);
        CHECK(at(150'000) != at(400'000));
        CHECK(at(400'000) == beside(150'000));
        CHECK(at(150'000) == drawn.colorAt(drawn.bandOf({0, LocationId(0)}), {0, LocationId(0)}, 150'000));
    }
}

TEST_CASE("the pointer over an I/O operation tells its kind, bytes, file and length")
{
    const Drawn drawn;
    const LocationRef simOne{0, LocationId(0)}, simTwo{0, LocationId(1)}, anaOne{1, LocationId(0)};
    CHECK(drawn.told(simOne, 150'000) == "read 1 KiB, /data/sim.in, 100 µs");
    CHECK(drawn.told(simOne, 400'000) == "write 1 KiB, /data/sim.out, 100 µs");
    CHECK(drawn.told(anaOne, 400'000) == "write 4 KiB, /data/ana.out, 100 µs");
    CHECK(drawn.told(simTwo, 150'000) == "write 3 KiB, /data/sim.out, 300 µs");
    CHECK(drawn.told(simTwo, 350'000) == "write 3 KiB, /data/sim.out, 300 µs");
    CHECK(drawn.told(simOne, 475'000).empty());
    CHECK(drawn.told({0, LocationId(9)}, 475'000).empty());
}

}  // namespace skein::timeline_io_test
