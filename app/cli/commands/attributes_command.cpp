// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/arguments.h"
#include "app/cli/commands.h"
#include "app/cli/experiment_cells.h"
#include "app/cli/open_session.h"
#include "core/trace/event_attributes.h"

#include <algorithm>
#include <fmt/format.h>

namespace skein::cli {
namespace {

struct AttributesOptions {
    std::vector<std::string> paths;
    Format format = Format::Table;
    std::string window;
    std::string attribute;
    std::string value;
};

const std::vector<Field> kAttributeFields{
    {"location", "Location", FieldKind::Text},   {"region", "Call of", FieldKind::Text},
    {"begin_ns", "Begin", FieldKind::Time},      {"end_ns", "End", FieldKind::Time},
    {"event", "Event", FieldKind::Text},         {"time_ns", "Time", FieldKind::Time},
    {"attribute", "Attribute", FieldKind::Text}, {"value", "Value", FieldKind::Text},
};

/// Prints the attributes of one trace, by location and call.
class AttributePrinter {
public:
    AttributePrinter(const Experiment& experiment, const AttributesOptions& options,
                     const std::optional<TimeSpan>& window, const Emit& emit)
        : experiment_(experiment), options_(options), window_(window), emit_(emit)
    {
        for (const Attribute& attribute : experiment.definitions.attributes)
            wanted_.push_back(options.attribute.empty() || attribute.name == options.attribute);
    }

    /// False when the reader has gone or the user interrupted.
    bool print(const Task& task) const
    {
        for (std::size_t index = 0; index < experiment_.trace->locations.size(); ++index)
            if (!printLocation(LocationId(index), task)) return false;
        return true;
    }

private:
    bool printLocation(LocationId location, const Task& task) const
    {
        const LocationTrace& recorded = experiment_.trace->locations[location.index()];
        if (recorded.attributes.empty()) return true;
        const std::string name = displayName(experiment_.definitions, location);
        for (const EventAttribute& row : recorded.attributes) {
            if (task.stopRequested()) return false;
            if (!isWanted(row)) continue;
            std::string value = valueText(experiment_.definitions, row);
            if (!options_.value.empty() && value != options_.value) continue;
            if (!emit_(cellsOf(recorded.intervals, row, name, std::move(value)))) return false;
        }
        return true;
    }

    bool isWanted(const EventAttribute& row) const
    {
        return row.attribute < wanted_.size() && wanted_[row.attribute]
            && (!window_ || window_->contains(row.time));
    }

    std::vector<Cell> cellsOf(const CallIntervals& calls, const EventAttribute& row,
                              const std::string& location, std::string value) const
    {
        std::vector<Cell> cells{location, Cell(), Cell(), Cell()};
        if (row.interval < calls.size()) {
            const CallPathId path(calls.callPath[row.interval]);
            cells[1] = displayName(experiment_.definitions.region(experiment_.callTree->region(path)));
            cells[2] = timeCell(calls.begin[row.interval]);
            cells[3] = timeCell(calls.end[row.interval]);
        }
        cells.insert(cells.end(),
                     {std::string(name(row.event)), timeCell(row.time), nameOf(experiment_.definitions, row),
                      std::move(value)});
        return cells;
    }

    const Experiment& experiment_;
    const AttributesOptions& options_;
    const std::optional<TimeSpan>& window_;
    const Emit& emit_;
    std::vector<bool> wanted_;
};

/// A name that no archive has is a slip, and not a table without rows.
Result<ExitCode> checkAttributeName(const OpenSession& opened, const AttributesOptions& options)
{
    if (options.attribute.empty()) return ExitCode::Fine;
    std::string names;
    for (const ExperimentPtr& experiment : opened.session.experiments)
        for (const Attribute& attribute : experiment->definitions.attributes) {
            if (attribute.name == options.attribute) return ExitCode::Fine;
            names += (names.empty() ? "" : ", ") + attribute.name;
        }
    return fail(ErrorCode::InvalidArgument,
                fmt::format("There is no attribute \"{}\"; {}.", options.attribute,
                            names.empty() ? "none is defined" : "there are " + names));
}

Result<ExitCode> printAttributes(const AttributesOptions& options, const Invocation& invocation)
{
    const auto opened = openSession(options.paths, invocation);
    if (!opened) return tl::make_unexpected(opened.error());
    if (const auto known = checkAttributeName(*opened, options); !known) return known;
    const auto traces = windowsOfTraces(*opened, "attributes of events", options.window, invocation.err);
    if (!traces) return tl::make_unexpected(traces.error());
    RecordWriter writer(invocation.out, options.format, opened->withExperiment(kAttributeFields));
    for (const auto& [index, window] : *traces) {
        const Emit emit = [&, at = index](std::vector<Cell> cells) {
            return writer.row(opened->withLabel(at, std::move(cells)));
        };
        const AttributePrinter printer(*opened->session.experiments[index], options, window, emit);
        if (!printer.print(invocation.task)) return cancelled();
    }
    writer.finish();
    return opened->exitCode();
}

Action defineAttributes(CommandLine& line)
{
    auto options = std::make_shared<AttributesOptions>();
    addPaths(line, options->paths);
    addFormat(line, options->format);
    addWindow(line, options->window);
    line.option("--attribute", options->attribute, "Only attributes of this name").valueName("NAME");
    line.option("--value", options->value, "Only those of this value, as it is printed").valueName("VALUE");
    return [options](const Invocation& invocation) { return printAttributes(*options, invocation); };
}

}  // namespace

Command attributesCommand()
{
    return {
        "attributes", "What was recorded beside events: numbers of tasks, of their parents …",
        "  skein-cli attributes trace.otf2 | head                            by location and call\n"
        "  skein-cli attributes trace.otf2 --attribute \"Parent GUID\"         one attribute of all events\n"
        "  skein-cli attributes trace.otf2 --attribute GUID --value 4711     the calls of one task\n"
        "  skein-cli attributes trace.otf2 --window 12.5ms:20ms              events in between\n",
        defineAttributes};
}

}  // namespace skein::cli
