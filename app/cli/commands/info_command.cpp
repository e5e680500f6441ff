// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/comm/message_totals.h"
#include "app/cli/arguments.h"
#include "app/cli/commands.h"
#include "app/cli/experiment_cells.h"
#include "app/cli/open_session.h"
#include "core/index/trace_summary.h"
#include "core/session/measurement_facts.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace skein::cli {
namespace {

struct InfoOptions {
    std::vector<std::string> paths;
    Format format = Format::Table;
};

/// Fields and cells of one experiment, filled side by side.
class Facts {
public:
    /// `totals` are those of the trace, where there is one.
    Facts(const Experiment& experiment, const TraceTotals& totals, const std::optional<ClockOffsets>& clocks,
          bool corrected, Format format)
        : experiment_(experiment), totals_(totals), format_(format)
    {
        addNames();
        addDefinitions();
        addEvents();
        addMessages();
        addCollectives();
        addTimes(corrected);
        addClocks(clocks, corrected);
        addFindings();
        addMeasurement();
    }

    const std::vector<Field>& fields() const { return fields_; }
    const std::vector<Cell>& cells() const { return cells_; }

private:
    void add(std::string key, std::string title, FieldKind kind, Cell cell)
    {
        fields_.push_back({std::move(key), std::move(title), kind});
        cells_.push_back(std::move(cell));
    }
    void count(std::string key, std::string title, std::uint64_t value)
    {
        add(std::move(key), std::move(title), FieldKind::Count, value);
    }

    void addNames()
    {
        add("name", "Name", FieldKind::Text, experiment_.name);
        add("path", "Path", FieldKind::Text, experiment_.path.string());
        add("format", "Format", FieldKind::Text, experiment_.format);
        add("importer", "Importer", FieldKind::Text, experiment_.importer);
    }

    void addDefinitions()
    {
        const Definitions& definitions = experiment_.definitions;
        std::set<std::int64_t> ranks;
        for (const Location& location : definitions.locations)
            if (location.rank >= 0) ranks.insert(location.rank);
        count("locations", "Locations", definitions.locations.size());
        count("location_groups", "Location groups", definitions.locationGroups.size());
        count("ranks", "Ranks", ranks.size());
        count("system_tree_nodes", "System tree nodes", definitions.systemTree.size());
        count("regions", "Regions", definitions.regions.size());
        count("call_paths", "Call paths", experiment_.callTree->size());
        count("communicators", "Communicators", definitions.communicators.size());
        count("metrics", "Metrics", definitions.metrics.size());
    }

    void addEvents()
    {
        const Trace empty;
        const Trace& trace = experiment_.trace ? *experiment_.trace : empty;
        count("events", "Events", trace.eventCount());
        count("intervals", "Calls", trace.intervalCount());
        count("maximum_depth", "Deepest stack", totals_.maximumDepth);
    }

    /// Only a trace can tell that an end of a message is missing.
    void addMessages()
    {
        const Trace* const trace = experiment_.trace.get();
        const MessageTotals totals = trace
            ? MessageTotals{trace->messages.size(), totals_.messageBytes, MessageSource::Trace}
            : messageTotals(experiment_);
        const auto source = name(totals.source);
        count("messages", "Messages", totals.messages);
        add("message_bytes", "Message bytes", FieldKind::Bytes, totals.bytes);
        add("messages_source", "Messages from", FieldKind::Text,
            source.empty() ? Cell() : Cell(std::string(source)));
        count("unmatched_sends", "Unmatched sends", totals_.unmatchedSends);
        count("unmatched_receives", "Unmatched receives", trace ? trace->unmatchedReceives.size() : 0);
    }

    void addCollectives()
    {
        const Trace empty;
        const Trace& trace = experiment_.trace ? *experiment_.trace : empty;
        std::uint64_t samples = 0;
        for (const MetricStream& stream : trace.metricStreams)
            samples += stream.samples() * stream.metrics.size();
        count("collectives", "Collectives", trace.collectives.size());
        count("collective_members", "Collective members", trace.collectiveMembers.size());
        count("rma_operations", "RMA operations", trace.rmaOperations.size());
        count("io_operations", "I/O operations", trace.ioOperations.size());
        count("thread_events", "Thread events", trace.threadEvents.size());
        count("metric_samples", "Metric samples", samples);
        count("stack_samples", "Stack samples", trace.samples.size());
        count("markers", "Markers", trace.markers.size());
    }

    void addTimes(bool corrected)
    {
        const ClockProperties& clock = experiment_.definitions.clock;
        const Trace* const trace = experiment_.trace.get();
        add("begin_ns", "Begin", FieldKind::Time, trace ? Cell(trace->extent.begin) : Cell());
        add("end_ns", "End", FieldKind::Time, trace ? Cell(trace->extent.end) : Cell());
        add("clock_resolution", "Clock ticks per second", FieldKind::Count,
            trace && clock.present ? Cell(clock.ticksPerSecond) : Cell());
        // A clock that is ahead of the first event puts the corrected time 0 before tick 0.
        const Cell origin =
            corrected ? Cell(static_cast<std::int64_t>(clock.originTicks)) : Cell(clock.originTicks);
        add("origin_ticks", "Time 0 in ticks", FieldKind::Id, trace ? origin : Cell());
    }

    void addClocks(const std::optional<ClockOffsets>& clocks, bool corrected)
    {
        std::vector<double> offsets, errors;
        double greatest = 0.0;
        if (clocks) {
            for (const ClockOffset& clock : clocks->groups) {
                offsets.push_back(clock.offsetNs);
                errors.push_back(clock.errorNs);
                greatest = std::max(greatest, std::fabs(clock.offsetNs));
            }
        }
        add("clock_violations", "Impossible orders", FieldKind::Count,
            clocks ? Cell(clocks->violations) : Cell());
        add("clock_largest_offset_ns", "Clocks differ by", FieldKind::Duration,
            clocks ? Cell(greatest) : Cell());
        add("clocks_corrected", "Clocks corrected", FieldKind::Text, corrected);
        if (format_ == Format::Table) return;
        add("clock_offsets_ns", "Clock offsets", FieldKind::Duration, clocks ? Cell(offsets) : Cell());
        add("clock_offset_errors_ns", "Clock offset errors", FieldKind::Duration,
            clocks ? Cell(errors) : Cell());
        add("clock_inferred_collectives", "Collectives found by name", FieldKind::Count,
            clocks ? Cell(clocks->inferredCollectives) : Cell());
    }

    void addFindings()
    {
        std::uint64_t findings[3] = {0, 0, 0};
        for (const Issue& issue : experiment_.report.issues())
            findings[static_cast<std::size_t>(describe(issue.kind).severity)] += issue.count;
        count("findings_information", "Findings to know", findings[0]);
        count("findings_data_loss", "Findings of data loss", findings[1]);
        count("findings_error", "Errors inside", findings[2]);
    }

    void addMeasurement()
    {
        const MeasurementFacts facts = measurementFacts(experiment_);
        const auto text = [&](const char* key, const char* title, const std::string& value) {
            add(key, title, FieldKind::Text, value.empty() ? Cell() : Cell(value));
        };
        text("measured_by", "Measured by", facts.tool);
        text("command_line", "Command line", facts.commandLine);
        text("started", "Started", facts.start);
        text("hosts", "Hosts", facts.hosts);
        text("cpu", "CPU", facts.cpu);
    }

    const Experiment& experiment_;
    TraceTotals totals_;
    Format format_;
    std::vector<Field> fields_;
    std::vector<Cell> cells_;
};

void printFacts(const OpenSession& opened, const std::vector<Facts>& facts, Format format, Sink& out)
{
    const std::vector<Field> fields = opened.withExperiment(facts.front().fields());
    if (opened.single() || format == Format::Table) {
        for (std::size_t i = 0; i < facts.size(); ++i) {
            if (i > 0) out.write("\n");
            writeRecord(out, format, fields, opened.withLabel(i, facts[i].cells()));
        }
        return;
    }
    RecordWriter writer(out, format, fields);
    for (std::size_t i = 0; i < facts.size(); ++i) writer.row(opened.withLabel(i, facts[i].cells()));
    writer.finish();
}

Result<ExitCode> info(const InfoOptions& options, const Invocation& invocation)
{
    const auto opened = openSession(options.paths, invocation);
    if (!opened) return tl::make_unexpected(opened.error());
    std::vector<Facts> facts;
    for (std::size_t i = 0; i < opened->labels.size(); ++i) {
        const auto clocks = clockOffsetsOf(*opened, i, invocation.task);
        if (!clocks) return tl::make_unexpected(clocks.error());
        const Experiment& experiment = *opened->session.experiments[i];
        const auto totals = experiment.trace ? traceTotalsOf(experiment, invocation.task)
                                             : Result<TraceTotals>(TraceTotals());
        if (!totals) return tl::make_unexpected(totals.error());
        const bool corrected = opened->corrections[i] && opened->corrections[i]->needed();
        facts.emplace_back(experiment, *totals, *clocks, corrected, options.format);
    }
    printFacts(*opened, facts, options.format, invocation.out);
    return opened->exitCode();
}

Action defineInfo(CommandLine& line)
{
    auto options = std::make_shared<InfoOptions>();
    addPaths(line, options->paths);
    addFormat(line, options->format);
    return [options](const Invocation& invocation) { return info(*options, invocation); };
}

}  // namespace

Command infoCommand()
{
    return {"info", "What an archive holds: locations, regions, events, messages, times",
            "  skein-cli info trace.otf2                      any member of an archive leads to it\n"
            "  skein-cli info run/ --format json              one object; of several PATHs an array\n"
            "  skein-cli info simulation/ analysis/           several archives, one session\n"
            "\n"
            "Times are ns since the archive's first event. Profiles have no events, calls or times:\n"
            "their counts are 0 and their times unknown; \"Messages from\" says what tells their messages:\n"
            "the communication matrix, or TAU's sums without partners.\n"
            "Impossible orders are messages that arrive before they were sent, and members that leave\n"
            "a collective operation before the last has entered: --correct-clocks puts that right.\n",
            defineInfo};
}

}  // namespace skein::cli
