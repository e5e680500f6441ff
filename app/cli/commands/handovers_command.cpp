// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands/handovers_command.h"

#include "app/cli/arguments.h"
#include "app/cli/experiment_cells.h"
#include "app/cli/open_session.h"
#include "core/io/coupling/coupling_file.h"
#include "core/session/session_clock.h"

#include <fmt/format.h>

namespace skein::cli {
namespace {

struct HandOverOptions {
    std::vector<std::string> paths;
    std::string coupling;
    Format format = Format::Table;
};

const std::vector<Field> kHandOverFields{
    {"output", "Output", FieldKind::Id},
    {"producer", "Producer", FieldKind::Text},
    {"producer_rank", "Rank", FieldKind::Id},
    {"consumer", "Consumer", FieldKind::Text},
    {"consumer_rank", "Rank", FieldKind::Id},
    {"bytes", "Size", FieldKind::Bytes},
    {"write_begin_ns", "Written", FieldKind::Time},
    {"write_ns", "In", FieldKind::Duration},
    {"wait_begin_ns", "Wanted", FieldKind::Time},
    {"wait_ns", "Waited", FieldKind::Duration},
    {"read_ns", "Read in", FieldKind::Duration},
};

Result<std::filesystem::path> fileOf(const HandOverOptions& options, const Session& session)
{
    if (!options.coupling.empty()) return std::filesystem::path(options.coupling);
    if (auto found = findCouplingFile(session)) return *found;
    return fail(ErrorCode::NotFound,
                "No coupling.csv lies beside the archives; name the table of hand-overs with --coupling.");
}

void tellLeftOut(const CouplingTable& table, const PlacedHandOvers& placed, Sink& err)
{
    std::uint64_t unreadable = 0;
    for (const Issue& issue : table.report.issues()) unreadable += issue.count;
    const auto tell = [&](std::uint64_t count, std::string_view what) {
        if (count > 0) err.write(fmt::format("skein-cli: {} {}.\n", count, what));
    };
    tell(unreadable, "lines of the table could not be read");
    tell(placed.unread, "pieces were written and never read");
    tell(placed.unwritten, "pieces were read and never written");
    tell(placed.misplaced, "hand-overs lie outside of the traces");
}

Result<ExitCode> handOvers(const HandOverOptions& options, const Invocation& invocation)
{
    const auto opened = openSession(options.paths, invocation);
    if (!opened) return tl::make_unexpected(opened.error());
    const auto file = fileOf(options, opened->session);
    if (!file) return tl::make_unexpected(file.error());
    const auto table = readCoupling(*file, invocation.task);
    if (!table) return tl::make_unexpected(table.error());
    const auto placed = placeCoupling(opened->session, *table);
    if (!placed) return tl::make_unexpected(placed.error());
    tellLeftOut(*table, *placed, invocation.err);
    const SessionClock clock = sessionClock(opened->session);
    RecordWriter writer(invocation.out, options.format, kHandOverFields);
    for (const HandOver& handOver : placed->handOvers) {
        const TimeSpan written = clock.toSession(handOver.producer, handOver.written);
        const TimeSpan waited = clock.toSession(handOver.consumer, handOver.waited);
        const bool more =
            writer.row({std::uint64_t{handOver.output}, opened->labels[handOver.producer],
                        rankCell(*opened->session.experiments[handOver.producer], handOver.from),
                        opened->labels[handOver.consumer],
                        rankCell(*opened->session.experiments[handOver.consumer], handOver.to),
                        handOver.bytes, timeCell(written.begin), written.lengthNs(), timeCell(waited.begin),
                        waited.lengthNs(), handOver.readEnd - handOver.waited.end});
        if (!more) return opened->exitCode();
    }
    writer.finish();
    return opened->exitCode();
}

Action defineHandOvers(CommandLine& line)
{
    auto options = std::make_shared<HandOverOptions>();
    addPaths(line, options->paths);
    line.option("--coupling", options->coupling,
                "The table of hand-overs; without it coupling.csv beside the archives")
        .valueName("FILE");
    addFormat(line, options->format);
    return [options](const Invocation& invocation) { return handOvers(*options, invocation); };
}

}  // namespace

Command handoversCommand()
{
    return {"handovers", "What the components of a workflow handed over to each other, on their common clock",
            "  skein-cli handovers sim/traces.otf2 ana/traces.otf2\n"
            "  skein-cli handovers sim/traces.otf2 ana/traces.otf2 --coupling coupling.csv --format csv\n",
            defineHandOvers};
}

}  // namespace skein::cli
