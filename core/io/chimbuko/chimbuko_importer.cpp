// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/chimbuko/chimbuko_importer.h"

#include "core/base/file_bytes.h"
#include "core/base/utf8.h"
#include "core/trace/trace_builder.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <map>
#include <nlohmann/json.hpp>
#include <tuple>

namespace skein::chimbuko {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

constexpr std::size_t kExecutionsHead = 2048;
constexpr std::size_t kMostWindowBytes = std::size_t{1} << 29;
constexpr std::size_t kMostWindows = 100'000;
constexpr std::int64_t kMostNumber = std::int64_t{1} << 31;
constexpr Tick kExecutionTicksPerSecond = 1'000'000;

bool holdsExecutions(const fs::path& file)
{
    std::error_code ignored;
    if (file.extension() != ".json" || !fs::is_regular_file(file, ignored)) return false;
    const std::string head = fileHead(file, kExecutionsHead);
    return head.find('{') != std::string::npos && head.find("\"executions\"") != std::string::npos
        && (head.find("\"anomaly_score\"") != std::string::npos
            || head.find("\"findex\"") != std::string::npos || head.find("\"entry\"") != std::string::npos);
}

/// Files of windows in a folder, by name.
std::vector<fs::path> windowFiles(const fs::path& folder, const Task& task)
{
    std::vector<fs::path> files;
    std::error_code error;
    for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
        if (task.stopRequested() || files.size() >= kMostWindows) break;
        if (holdsExecutions(entry->path())) files.push_back(entry->path());
    }
    std::sort(files.begin(), files.end());
    return files;
}

/// Rows of single events, as Chimbuko's older visualization got them. They are known to say what they are.
bool holdsEventRows(const fs::path& file)
{
    std::error_code ignored;
    if (file.extension() != ".json" || !fs::is_regular_file(file, ignored)) return false;
    const std::string head = fileHead(file, kExecutionsHead);
    return head.find("\"foi\"") != std::string::npos && head.find("\"labels\"") != std::string::npos
        && head.find("\"events\"") != std::string::npos;
}

bool folderHoldsEventRows(const fs::path& folder)
{
    std::error_code error;
    std::size_t looked = 0;
    for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
        if (++looked > kMostWindows) return false;
        if (holdsEventRows(entry->path())) return true;
    }
    return false;
}

std::optional<fs::path> sniffExecutions(const fs::path& path, const Task& task)
{
    if (holdsExecutions(path) || holdsEventRows(path)) return path;
    std::error_code ignored;
    if (!fs::is_directory(path, ignored)) return std::nullopt;
    const bool known = !windowFiles(path, task).empty() || folderHoldsEventRows(path);
    return known ? std::optional(path) : std::nullopt;
}

/// A whole number ≥ 0, as a number or as text; nullopt for anything else.
std::optional<std::int64_t> wholeOf(const Json& object, const char* name)
{
    const auto found = object.find(name);
    if (found == object.end()) return std::nullopt;
    std::int64_t value = -1;
    if (found->is_number_integer()) value = found->get<std::int64_t>();
    else if (found->is_string()) {
        const auto& text = found->get_ref<const std::string&>();
        const auto parsed = std::from_chars(text.data(), text.data() + text.size(), value);
        if (parsed.ec != std::errc() || parsed.ptr != text.data() + text.size()) return std::nullopt;
    }
    return value < 0 ? std::nullopt : std::optional(value);
}

/// Program, rank, thread.
using ExecutionPlace = std::tuple<std::int64_t, std::int64_t, std::int64_t>;

struct RecordedMessage {
    Tick time = 0;
    std::int64_t partner = 0;
    std::uint64_t bytes = 0;
    std::uint32_t tag = 0;
    bool sent = false;
};

struct RecordedExecution {
    Tick entry = 0;
    Tick exit = 0;
    std::string name;
};

struct RecordedPlace {
    std::vector<RecordedExecution> executions;
    std::vector<RecordedMessage> messages;
};

class ExecutionsReader {
public:
    Result<bool> read(const fs::path& file, const Task& task)
    {
        const auto bytes = openFileBytes(file);
        if (!bytes) return Unexpected(bytes.error());
        const std::string name = toValidUtf8(file.filename().string());
        if (bytes->size() > kMostWindowBytes)
            return fail(ErrorCode::Unsupported, name + " is too large for a window of executions.");
        const Json window = Json::parse(bytes->text(), nullptr, false);
        if (const auto whole = stillWhole(*bytes, name); !whole) return Unexpected(whole.error());
        const auto executions = window.is_object() ? window.find("executions") : window.end();
        if (window.is_discarded() || executions == window.end() || !executions->is_object()) {
            report_.add(IssueKind::CorruptRecord, name, "", "no JSON with executions");
            return true;
        }
        for (const auto& [key, execution] : executions->items()) {
            if (task.stopRequested()) return cancelled();
            if (!seen_.emplace(key, true).second) continue;  // windows may overlap
            if (!add(execution))
                report_.add(IssueKind::CorruptRecord, name, "", "execution " + toValidUtf8(key));
        }
        return true;
    }

    Result<Experiment> finish(const fs::path& path, const Task& task)
    {
        Experiment experiment;
        Definitions& definitions = experiment.definitions;
        definitions.clock.present = true;
        definitions.clock.ticksPerSecond = kExecutionTicksPerSecond;
        define(definitions);
        TraceBuilder builder(places_.size(), kExecutionTicksPerSecond);
        std::size_t location = 0;
        for (auto& [place, recorded] : places_) fill(builder[LocationId(location++)], place, recorded);
        auto finished = finishTrace(std::move(builder), definitions, report_, task);
        if (!finished) return Unexpected(finished.error());
        definitions.clock.globalOffsetTicks = definitions.clock.originTicks;
        definitions.clock.realtimeNs = static_cast<std::int64_t>(definitions.clock.originTicks) * 1000;
        std::error_code failure;
        const fs::path whole = fs::absolute(path, failure).lexically_normal();
        const fs::path named = whole.has_filename() ? whole : whole.parent_path();
        experiment.path = path;
        experiment.name =
            toValidUtf8((fs::is_directory(path, failure) ? named.filename() : named.stem()).string());
        experiment.format = "Chimbuko executions";
        experiment.callTree = finished->callTree;
        experiment.trace = finished->trace;
        experiment.report = std::move(report_);
        return experiment;
    }

    bool empty() const { return places_.empty(); }

private:
    bool add(const Json& execution)
    {
        if (!execution.is_object()) return false;
        const auto entry = wholeOf(execution, "entry"), exit = wholeOf(execution, "exit");
        const auto rank = wholeOf(execution, "comm ranks"), thread = wholeOf(execution, "threads");
        const auto name = execution.find("name");
        if (!entry || !exit || !rank || !thread || *exit < *entry || name == execution.end()
            || !name->is_string())
            return false;
        constexpr std::int64_t kLatest = std::int64_t{9'000'000'000'000'000};  // that is ns in 63 bits
        if (*rank >= kMostNumber || *thread >= kMostNumber || *exit > kLatest) return false;
        const std::int64_t program = wholeOf(execution, "prog names").value_or(0);
        RecordedPlace& place = places_[{program, *rank, *thread}];
        place.executions.push_back(
            {static_cast<Tick>(*entry), static_cast<Tick>(*exit), toValidUtf8(name->get<std::string>())});
        regions_.try_emplace(place.executions.back().name, 0);
        const auto messages = execution.find("messages");
        if (messages == execution.end() || !messages->is_array()) return true;
        for (const Json& message : *messages)
            if (!addMessage(place, message, kLatest)) return false;
        return true;
    }

    static bool addMessage(RecordedPlace& place, const Json& message, std::int64_t latest)
    {
        if (!message.is_object()) return false;
        const auto kind = message.find("event-type");
        const auto time = wholeOf(message, "time");
        if (kind == message.end() || !kind->is_string() || !time || *time > latest) return false;
        const bool sent = *kind == "send";
        if (!sent && *kind != "receive") return false;
        const auto partner = wholeOf(message, sent ? "destination-node-id" : "source-node-id");
        if (!partner) return false;
        place.messages.push_back({static_cast<Tick>(*time), *partner,
                                  static_cast<std::uint64_t>(wholeOf(message, "message_size").value_or(0)),
                                  static_cast<std::uint32_t>(wholeOf(message, "message_tag").value_or(0)),
                                  sent});
        return true;
    }

    void define(Definitions& definitions)
    {
        std::uint32_t next = 0;
        for (auto& [name, id] : regions_) {
            id = next++;
            Region region;
            region.name = name;
            region.role = RegionRole::Function;
            if (name.starts_with("MPI_")) region.paradigm = Paradigm::Mpi;
            definitions.regions.push_back(std::move(region));
        }
        std::map<std::pair<std::int64_t, std::int64_t>, LocationGroupId> groups;
        for (const auto& [place, recorded] : places_) {
            const auto& [program, rank, thread] = place;
            const auto [group, isNew] =
                groups.try_emplace({program, rank}, LocationGroupId(definitions.locationGroups.size()));
            if (isNew) {
                LocationGroup made;
                made.name = fmt::format("Rank {}", rank);
                made.kind = LocationGroupKind::Process;
                made.rank = rank;
                definitions.locationGroups.push_back(std::move(made));
            }
            Location made;
            made.name = fmt::format("Rank {} Thread {}", rank, thread);
            made.kind = LocationKind::CpuThread;
            made.group = group->second;
            made.rank = rank;
            made.thread = static_cast<std::int32_t>(thread);
            made.originalId = definitions.locations.size();
            firstOf_.try_emplace({program, rank}, LocationId(definitions.locations.size()));
            definitions.locations.push_back(std::move(made));
        }
    }

    /// Calls by their times, each within its caller; messages in the calls of their times.
    void fill(LocationTraceBuilder& builder, const ExecutionPlace& place, RecordedPlace& recorded)
    {
        std::stable_sort(recorded.executions.begin(), recorded.executions.end(),
                         [](const RecordedExecution& a, const RecordedExecution& b) {
                             return std::pair(a.entry, ~a.exit) < std::pair(b.entry, ~b.exit);
                         });
        std::stable_sort(recorded.messages.begin(), recorded.messages.end(),
                         [](const RecordedMessage& a, const RecordedMessage& b) { return a.time < b.time; });
        std::size_t message = 0;
        const auto tellMessages = [&](Tick until, bool with) {
            for (; message < recorded.messages.size()
                 && (recorded.messages[message].time < until
                     || (with && recorded.messages[message].time == until));
                 ++message)
                tell(builder, std::get<0>(place), recorded.messages[message]);
        };
        std::vector<const RecordedExecution*> open;
        const auto leave = [&] {
            tellMessages(open.back()->exit, true);
            builder.leave(builder.record(open.back()->exit), RegionId(regions_.at(open.back()->name)));
            open.pop_back();
        };
        for (RecordedExecution& execution : recorded.executions) {
            while (!open.empty() && open.back()->exit <= execution.entry) leave();
            if (!open.empty() && execution.exit > open.back()->exit) {
                report_.add(IssueKind::LeaveOutOfOrder, "", "", "an execution of " + execution.name);
                execution.exit = open.back()->exit;
            }
            tellMessages(execution.entry, false);
            builder.enter(builder.record(execution.entry), RegionId(regions_.at(execution.name)));
            open.push_back(&execution);
        }
        while (!open.empty()) leave();
        tellMessages(~Tick{0}, true);
    }

    void tell(LocationTraceBuilder& builder, std::int64_t program, const RecordedMessage& message) const
    {
        const auto partner = firstOf_.find({program, message.partner});
        const LocationId other = partner == firstOf_.end() ? LocationId() : partner->second;
        const Tick now = builder.record(message.time);
        if (message.sent) builder.send(now, other, CommunicatorId(), message.tag, message.bytes);
        else builder.receive(now, other, CommunicatorId(), message.tag, message.bytes);
    }

    std::map<ExecutionPlace, RecordedPlace> places_;
    std::map<std::string, std::uint32_t> regions_;
    std::map<std::string, bool> seen_;  ///< by key
    std::map<std::pair<std::int64_t, std::int64_t>, LocationId> firstOf_;
    ImportReport report_;
};

Result<Experiment> readExecutions(const fs::path& path, const Task& task)
{
    std::error_code ignored;
    const std::vector<fs::path> files =
        fs::is_directory(path, ignored) ? windowFiles(path, task) : std::vector<fs::path>{path};
    if (holdsEventRows(path) || files.empty())
        return fail(ErrorCode::Unsupported,
                    toValidUtf8(path.string())
                        + " holds Chimbuko's rows of single events (\"foi\", \"labels\", \"events\"), not "
                          "executions: open the files of executions of the same run, or its trace.");
    ExecutionsReader reader;
    for (std::size_t i = 0; i < files.size(); ++i) {
        task.report(0.7 * static_cast<double>(i) / static_cast<double>(files.size()), "Reading windows");
        if (const auto read = reader.read(files[i], task); !read) return Unexpected(read.error());
    }
    if (reader.empty())
        return fail(ErrorCode::NotRecognized,
                    toValidUtf8(path.string())
                        + " has no execution with name, entry, exit, rank and thread.");
    return reader.finish(path, task.part(0.7, 1.0));
}

}  // namespace

const Importer kExecutionsImporter{
    "chimbuko", "Chimbuko executions", sniffExecutions, readExecutions, ArchiveKind::Trace, nullptr, false,
    false,
};

}  // namespace skein::chimbuko
