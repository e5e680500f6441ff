// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/tau_trace/tau_trace_importer.h"

#include "core/base/utf8.h"
#include "core/io/tau_trace/trace_assembly.h"

#include <map>
#include <optional>

namespace skein::tau {
namespace {

namespace fs = std::filesystem;

using Events = std::shared_ptr<const std::vector<EventDefinition>>;

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
    ImportReport takeReport() { return std::move(report_); }

private:
    Events eventsOf(const TraceFile& file)
    {
        // TAU's own ids are the same in every file that is not merged.
        if (file.events.empty()) return file.key ? std::make_shared<const std::vector<EventDefinition>>(fixedEvents()) : nullptr;
        const auto [known, fresh] = known_.try_emplace(file.events);
        if (!fresh) return known->second;
        const auto text = openFileBytes(file.events);
        if (text) known->second = std::make_shared<const std::vector<EventDefinition>>(parseEventFile(text->text(), file.eventsName, report_));
        else noteUnreadable(file.eventsName, text.error());
        return known->second;
    }

    void noteUnreadable(std::string_view file, const Error& error)
    {
        if (!failure_) failure_ = error;
        report_.add(IssueKind::Unreadable, file, "", error.message);
    }

    std::map<fs::path, Events> known_;
    std::vector<TraceInput> inputs_;
    std::optional<Error> failure_;
    ImportReport report_;
};

}  // namespace

std::optional<fs::path> sniffTrace(const fs::path& path) { return traceArchiveOf(path); }

Result<Experiment> readTrace(const fs::path& path, const Task& task)
{
    auto files = findTraceFiles(path, task);
    if (!files) return tl::make_unexpected(files.error());
    Opener opener(std::move(files->report));
    for (TraceFile& file : files->files) {
        if (task.stopRequested()) return cancelled();
        opener.open(std::move(file));
    }
    if (const auto failure = opener.failure()) return tl::make_unexpected(*failure);
    auto experiment = assembleTrace(opener.takeInputs(), opener.takeReport(), task);
    if (!experiment) return experiment;
    experiment->path = path;
    experiment->name = toValidUtf8(path.filename().string());
    return experiment;
}

const Importer kTraceImporter{"tau-trace", "TAU trace", sniffTrace, readTrace};

}  // namespace skein::tau
