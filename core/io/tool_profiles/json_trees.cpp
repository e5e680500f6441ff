// SPDX-License-Identifier: GPL-3.0-or-later
// Tools that write their call tree as nested JSON: pyinstrument and timemory.
#include "core/base/file_bytes.h"
#include "core/base/parse_number.h"
#include "core/base/utf8.h"
#include "core/io/tool_profiles/tool_profiles.h"
#include "core/io/tree_profile/tree_profile.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <optional>

namespace skein::json_trees {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr std::size_t kTreeHeadBytes = 4096;
constexpr double kNsInSecond = 1e9;

std::optional<fs::path> jsonWith(const fs::path& path, std::string_view key)
{
    std::error_code ignored;
    if (!fs::is_regular_file(path, ignored)) return std::nullopt;
    const std::string head = fileHead(path, kTreeHeadBytes);
    const std::size_t first = head.find_first_not_of(" \t\r\n");
    if (first == std::string::npos || head[first] != '{' || head.find(key) == std::string::npos)
        return std::nullopt;
    return path;
}

std::optional<fs::path> sniffPyinstrument(const fs::path& path, const Task&)
{
    return jsonWith(path, "\"root_frame\"");
}

std::optional<fs::path> sniffTimemory(const fs::path& path, const Task&)
{
    const auto found = jsonWith(path, "\"timemory\"");
    return found && !jsonWith(path, "\"dataframe\"") ? found : std::nullopt;
}

Result<json> readJson(const fs::path& path)
{
    const auto bytes = openFileBytes(path);
    if (!bytes) return Unexpected(bytes.error());
    json document = json::parse(bytes->text(), nullptr, false);
    if (const auto whole = stillWhole(*bytes, path.string()); !whole) return Unexpected(whole.error());
    if (document.is_discarded())
        return fail(ErrorCode::Malformed,
                    fmt::format("{} is no valid JSON: {}.", path.string(), whyNoJson(bytes->text())));
    return document;
}

const json& memberOf(const json& object, const char* key)
{
    static const json nothing;
    if (!object.is_object()) return nothing;
    const auto found = object.find(key);
    return found == object.end() ? nothing : *found;
}

std::string textOf(const json& value) { return value.is_string() ? value.get<std::string>() : std::string(); }

/// Children that wait to be visited below a node; an own stack, as trees may be deep.
struct Waiting {
    const json* children;
    CallPathId parent;
};

Result<Experiment> readPyinstrumentTree(const fs::path& path, const Task& task)
{
    auto document = readJson(path);
    if (!document) return Unexpected(document.error());
    TreeProfileBuilder builder;
    ImportReport report;
    const std::string file = toValidUtf8(path.filename().string());
    const std::uint32_t location = builder.location(-1), metric = builder.metric("time", "ns");
    json roots = json::array({nullptr});
    // Moved: copies of deep trees need a deep stack.
    if (document->is_object() && document->contains("root_frame"))
        roots[0] = std::move((*document)["root_frame"]);
    std::vector<Waiting> waiting{{&roots, {}}};
    while (!waiting.empty()) {
        if (task.stopRequested()) return cancelled();
        const Waiting next = waiting.back();
        waiting.pop_back();
        if (!next.children->is_array()) continue;
        for (const json& one : *next.children) {
            if (!memberOf(one, "function").is_string() || !memberOf(one, "time").is_number()) {
                report.add(IssueKind::CorruptRecord, file, "", "a frame without a function or a time");
                continue;
            }
            TreeFrame frame;
            frame.name = textOf(one["function"]);
            frame.file = textOf(memberOf(one, "file_path"));
            const json& line = memberOf(one, "line_no");
            if (line.is_number_unsigned()) frame.line = line.get<std::uint32_t>();
            const CallPathId node = builder.child(next.parent, frame);
            builder.add(node, location, metric, TreeRowAmount::Inclusive,
                        kNsInSecond * one["time"].get<double>());
            waiting.push_back({&memberOf(one, "children"), node});
        }
    }
    return std::move(builder).finish(path, "pyinstrument profile", std::move(report), task);
}

/// A component of timemory: what it measures, in which unit.
struct Component {
    std::string name;
    std::string unit;
    double scale = 1.0;
};

Component componentOf(const std::string& key, const json& component)
{
    const std::string type = textOf(memberOf(component, "type")),
                      unit = textOf(memberOf(component, "unit_repr"));
    Component made{type.empty() ? key : type, unit, 1.0};
    constexpr std::array<std::pair<std::string_view, double>, 4> kUnits{
        {{"sec", 1e9}, {"msec", 1e6}, {"usec", 1e3}, {"nsec", 1.0}}};
    for (const auto& [word, scale] : kUnits)
        if (unit == word) {
            made.scale = scale;
            made.unit = "ns";
        }
    if (key == "WALL_CLOCK" || type == "wall") made.name = "time";
    return made;
}

class TimemoryReader {
public:
    TimemoryReader(const fs::path& path, const Task& task)
        : path_(path), file_(toValidUtf8(path.filename().string())), task_(task)
    {
    }

    Result<Experiment> run()
    {
        const auto document = readJson(path_);
        if (!document) return Unexpected(document.error());
        const json& components = memberOf(*document, "timemory");
        if (components.is_object())
            for (const auto& [key, component] : components.items())
                if (!readComponent(componentOf(key, component), component)) return cancelled();
        return std::move(builder_).finish(path_, "timemory profile", std::move(report_), task_);
    }

private:
    /// One tree a process, or one for all.
    bool readComponent(const Component& component, const json& from)
    {
        for (const char* const key : {"mpi", "upcxx"}) {
            const json& processes = memberOf(from, key);
            if (!processes.is_array()) continue;
            for (std::size_t rank = 0; rank < processes.size(); ++rank)
                if (!readTree(component, processes[rank], builder_.location(static_cast<std::int64_t>(rank))))
                    return false;
        }
        const json& graph = memberOf(from, "graph");
        return !graph.is_array() || readTree(component, graph, builder_.location(-1));
    }

    bool readTree(const Component& component, const json& roots, std::uint32_t location)
    {
        std::vector<Waiting> waiting{{&roots, {}}};
        while (!waiting.empty()) {
            if (task_.stopRequested()) return false;
            const Waiting next = waiting.back();
            waiting.pop_back();
            if (next.children->is_object()) {
                readNode(component, *next.children, next.parent, location, waiting);
                continue;
            }
            if (!next.children->is_array()) continue;
            for (const json& one : *next.children) {
                if (one.is_array()) waiting.push_back({&one, next.parent});
                else readNode(component, one, next.parent, location, waiting);
            }
        }
        return true;
    }

    void readNode(const Component& component, const json& one, CallPathId parent, std::uint32_t location,
                  std::vector<Waiting>& waiting)
    {
        const json& node = memberOf(one, "node");
        const json& prefix = memberOf(node, "prefix");
        if (!prefix.is_string()) {
            report_.add(IssueKind::CorruptRecord, file_, "", "a node without a prefix");
            return;
        }
        const std::string name = prefix.get<std::string>();
        // What holds the trees together is nothing that ran.
        const bool made = name.starts_with("unknown-hash=") || memberOf(node, "is_dummy") == json(true);
        const CallPathId at = made ? parent : builder_.child(parent, frameOf(name));
        if (!made) addValues(component, node, at, location);
        waiting.push_back({&memberOf(one, "children"), at});
    }

    /// "generate@tests.cpp:114/outer": the place in the source stands between.
    static TreeFrame frameOf(const std::string& name)
    {
        TreeFrame frame;
        frame.name = name;
        const std::size_t begin = name.find('@'), colon = name.find(':', begin);
        if (begin == std::string::npos || colon == std::string::npos) return frame;
        const std::string_view line = std::string_view(name).substr(colon + 1);
        const auto number = parseNumber<std::uint32_t>(line.substr(0, line.find('/')));
        if (!number) return frame;
        frame.file = name.substr(begin + 1, colon - begin - 1);
        frame.line = *number;
        return frame;
    }

    void addValues(const Component& component, const json& node, CallPathId at, std::uint32_t location)
    {
        const std::uint32_t metric = builder_.metric(component.name, component.unit);
        for (const auto& [key, amount] : {std::pair("inclusive", TreeRowAmount::Inclusive),
                                          std::pair("exclusive", TreeRowAmount::Exclusive)}) {
            const json& entry = memberOf(memberOf(node, key), "entry");
            const json& value = memberOf(entry, "repr_data");
            if (value.is_number())
                builder_.add(at, location, metric, amount, component.scale * value.get<double>());
        }
        const json& laps = memberOf(memberOf(memberOf(node, "inclusive"), "entry"), "laps");
        if (laps.is_number() && component.name == "time") builder_.addCalls(at, location, laps.get<double>());
    }

    const fs::path& path_;
    std::string file_;
    const Task& task_;
    ImportReport report_;
    TreeProfileBuilder builder_;
};

Result<Experiment> readPyinstrument(const fs::path& path, const Task& task)
{
    return guardedRead(path, task, readPyinstrumentTree);
}

Result<Experiment> readTimemory(const fs::path& path, const Task& task)
{
    return guardedRead(path, task,
                       [](const fs::path& file, const Task& own) { return TimemoryReader(file, own).run(); });
}

}  // namespace
}  // namespace skein::json_trees

namespace skein {

const Importer kPyinstrumentImporter{"pyinstrument",
                                     "pyinstrument profile",
                                     &json_trees::sniffPyinstrument,
                                     &json_trees::readPyinstrument,
                                     ArchiveKind::Profile,
                                     nullptr,
                                     false,
                                     false};

const Importer kTimemoryImporter{"timemory",
                                 "timemory profile",
                                 &json_trees::sniffTimemory,
                                 &json_trees::readTimemory,
                                 ArchiveKind::Profile,
                                 nullptr,
                                 false,
                                 false};

}  // namespace skein
