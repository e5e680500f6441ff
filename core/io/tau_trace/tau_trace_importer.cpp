// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/tau_trace/tau_trace_importer.h"

#include "core/base/unfinished.h"
#include "core/base/utf8.h"
#include "core/io/tau_trace/trace_assembly.h"

#include <map>
#include <optional>

namespace skein::tau {
namespace {

namespace fs = std::filesystem;

using EventTablePtr = std::shared_ptr<const EventTable>;

/// Opens the files of a trace; the threads of a node share their event file, which is read once.
class Opener {
public:
    explicit Opener(ImportReport report) : report_(std::move(report)) {}

    void open(TraceFile file)
    {
        TraceInput input;
        input.events = eventsOf(file);
        auto records = openFileBytes(file.records);
        if (!records) return noteUnreadable(file.name, records.error());
        input.records = std::move(*records);
        input.file = std::move(file);
        inputs_.push_back(std::move(input));
    }

    /// Why nothing at all could be opened; nullopt when something was.
    std::optional<Error> failure() const { return inputs_.empty() ? failure_ : std::nullopt; }
    std::vector<TraceInput> takeInputs() { return std::move(inputs_); }
    TraceNames takeNames() { return std::move(names_); }
    ImportReport takeReport() { return std::move(report_); }

private:
    EventTablePtr eventsOf(const TraceFile& file)
    {
        // TAU's own ids are the same in every file that is not merged.
        if (file.events.empty()) return file.key ? numbered(fixedEvents(), file) : nullptr;
        const auto [known, fresh] = known_.try_emplace(file.events);
        if (!fresh) return known->second;
        const auto text = openFileBytes(file.events);
        if (!text) {
            noteUnreadable(file.eventsName, text.error());
            return nullptr;
        }
        known->second = numbered(parseEventFile(text->text(), file.eventsName, report_), file);
        if (const auto whole = stillWhole(*text, file.events.string()); !whole)
            report_.add(IssueKind::Truncated, file.eventsName, "", whole.error().message);
        return known->second;
    }

    EventTablePtr numbered(const std::vector<EventDefinition>& definitions, const TraceFile& file)
    {
        return std::make_shared<const EventTable>(names_.number(definitions, file.eventsName, report_));
    }

    void noteUnreadable(std::string_view file, const Error& error)
    {
        if (!failure_) failure_ = error;
        report_.add(IssueKind::Unreadable, file, "", error.message);
    }

    std::map<fs::path, EventTablePtr> known_;
    std::vector<TraceInput> inputs_;
    std::optional<Error> failure_;
    TraceNames names_;
    ImportReport report_;
};

struct OpenedFiles {
    std::vector<TraceInput> inputs;
    TraceNames names;
    ImportReport report;
};

Result<OpenedFiles> openFiles(TraceFiles files, const Task& task)
{
    const Unfinished<Opener> opener(task, std::move(files.report));
    for (TraceFile& file : files.files) {
        if (task.stopRequested()) return cancelled();
        opener->open(std::move(file));
    }
    if (const auto failure = opener->failure()) return tl::make_unexpected(*failure);
    return OpenedFiles{opener->takeInputs(), opener->takeNames(), opener->takeReport()};
}

}  // namespace

std::optional<fs::path> sniffTrace(const fs::path& path, const Task& task)
{
    return traceArchiveOf(path, task);
}

Result<Experiment> readTrace(const fs::path& path, const Task& task)
{
    auto files = findTraceFiles(path, task);
    if (!files) return tl::make_unexpected(files.error());
    auto opened = openFiles(std::move(*files), task);
    if (!opened) return tl::make_unexpected(std::move(opened.error()));
    auto experiment =
        assembleTrace(std::move(opened->inputs), std::move(opened->names), std::move(opened->report), task);
    if (!experiment) return experiment;
    experiment->path = path;
    experiment->name = toValidUtf8(path.filename().string());
    return experiment;
}

const Importer kTraceImporter{"tau-trace", "TAU trace",        sniffTrace,
                              readTrace,   ArchiveKind::Trace, isNamelessBesideProfile};

}  // namespace skein::tau
