// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/file_bytes.h"
#include "core/base/parse_number.h"
#include "core/base/utf8.h"
#include "core/io/caliper/caliper_columns.h"
#include "core/io/caliper/caliper_importer.h"

#include <cmath>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <optional>

namespace skein::caliper {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr std::size_t kJsonHeadBytes = 4096;
constexpr double kNsPerMicrosecond = 1e3, kNsPerSecond = 1e9;
/// Columns that hold call paths, the first that is there counts; and those of sampled places in the source.
constexpr std::string_view kPathColumns[]{"path", "source.function#callpath.address", "function",
                                          "annotation", "region"};
constexpr std::string_view kPlaceColumn = "sourceloc#cali.sampler.pc";

std::optional<fs::path> sniffCaliperJson(const fs::path& path, const Task&)
{
    std::error_code ignored;
    if (!fs::is_regular_file(path, ignored)) return std::nullopt;
    const std::string head = fileHead(path, kJsonHeadBytes);
    const std::size_t first = head.find_first_not_of(" \t\r\n");
    if (first == std::string::npos || head[first] != '{') return std::nullopt;
    const std::size_t key = head.find_first_not_of(" \t\r\n", first + 1);
    if (key == std::string::npos || head.compare(key, 6, "\"data\"") != 0) return std::nullopt;
    const std::size_t value = head.find_first_not_of(" \t\r\n:", key + 6);
    return value != std::string::npos && head[value] == '[' ? std::optional(path) : std::nullopt;
}

class SplitReader {
public:
    SplitReader(const fs::path& path, const Task& task)
        : path_(path), file_(toValidUtf8(path.filename().string())), task_(task)
    {
    }

    Result<Experiment> run()
    {
        const auto bytes = openFileBytes(path_);
        if (!bytes) return Unexpected(bytes.error());
        const json document = json::parse(bytes->text(), nullptr, false);
        if (const auto whole = stillWhole(*bytes, path_.string()); !whole) return Unexpected(whole.error());
        if (document.is_discarded())
            return fail(ErrorCode::Malformed,
                        fmt::format("{} is no valid JSON: {}.", path_.string(), whyNoJson(bytes->text())));
        if (!isSplit(document))
            return fail(
                ErrorCode::Malformed,
                fmt::format("{} lacks data, columns or nodes of Caliper's json-split.", path_.string()));
        data_ = &document["data"];
        readColumns(document);
        if (pathColumn_ < 0)
            return fail(
                ErrorCode::Malformed,
                fmt::format("{} has no column of call paths: write it with path or function in the key.",
                            path_.string()));
        nodes_ = &document["nodes"];
        placed_.resize(nodes_->size());
        for (const json& row : *data_) {
            if (task_.stopRequested()) return cancelled();
            addRow(row);
        }
        return std::move(builder_).finish(path_, "Caliper profile", std::move(report_), task_);
    }

private:
    static bool isSplit(const json& document)
    {
        const auto isArray = [&](const char* key) {
            const auto found = document.find(key);
            return found != document.end() && found->is_array();
        };
        return document.is_object() && isArray("data") && isArray("columns") && isArray("nodes");
    }

    void tell(IssueKind kind, std::string detail) { report_.add(kind, file_, "", std::move(detail)); }

    /// Caliper wrote µs, as whole numbers, before it wrote seconds.
    double timeScaleOf(std::size_t column) const
    {
        for (const json& row : *data_)
            if (row.is_array() && column < row.size() && row[column].is_number()
                && row[column].get<double>() != std::floor(row[column].get<double>()))
                return kNsPerSecond;
        return kNsPerMicrosecond;
    }

    void readColumns(const json& document)
    {
        const json& columns = document["columns"];
        const json none = json::array();
        const auto found = document.find("column_metadata");
        const json& metadata = found != document.end() && found->is_array() ? *found : none;
        for (std::size_t at = 0; at < columns.size(); ++at) {
            const std::string name = columns[at].is_string() ? columns[at].get<std::string>() : std::string();
            const auto told = [&](const char* key) {
                const bool there =
                    at < metadata.size() && metadata[at].is_object() && metadata[at].contains(key);
                return there && metadata[at][key].is_string() ? metadata[at][key].get<std::string>()
                                                              : std::string();
            };
            meanings_.push_back(
                meaningOf(name, told("attribute.alias"), told("attribute.unit"), timeScaleOf(at)));
            const bool value = at >= metadata.size() || !metadata[at].is_object()
                || !metadata[at].contains("is_value") || metadata[at]["is_value"] == json(true);
            if (!value) meanings_.back().kind = ColumnMeaning::Kind::Other;
            if (name == kPlaceColumn) placeColumn_ = static_cast<std::ptrdiff_t>(at);
            names_.push_back(name);
        }
        for (const std::string_view wanted : kPathColumns)
            for (std::size_t at = 0; at < names_.size() && pathColumn_ < 0; ++at)
                if (names_[at] == wanted) pathColumn_ = static_cast<std::ptrdiff_t>(at);
    }

    std::optional<std::size_t> nodeIn(const json& row, std::ptrdiff_t column)
    {
        if (column < 0 || static_cast<std::size_t>(column) >= row.size()) return std::nullopt;
        const json& cell = row[static_cast<std::size_t>(column)];
        if (cell.is_null()) return std::nullopt;
        if (cell.is_number_unsigned() && cell.get<std::uint64_t>() < nodes_->size())
            return cell.get<std::size_t>();
        tell(IssueKind::UndefinedReference, "a row names a node that is not defined");
        return std::nullopt;
    }

    /// The node in the tree; its parents first, along an own stack. A circle ends at the node where it was
    /// met.
    CallPathId place(std::size_t node)
    {
        std::vector<std::size_t> way;
        CallPathId at;
        for (std::size_t one = node;;) {
            if (placed_[one].valid()) {
                at = placed_[one];
                break;
            }
            if (way.size() > nodes_->size()) {
                tell(IssueKind::ContradictoryRecord, "a node is its own parent");
                way.resize(1);
                break;
            }
            way.push_back(one);
            const json& own = (*nodes_)[one];
            const auto parent = own.is_object() ? own.find("parent") : own.end();
            if (!own.is_object() || parent == own.end() || !parent->is_number_unsigned()) break;
            one = parent->get<std::size_t>();
            if (one < nodes_->size()) continue;
            tell(IssueKind::UndefinedReference, "a node names a parent that is not defined");
            break;
        }
        for (; !way.empty(); way.pop_back()) {
            TreeFrame frame;
            frame.name = labelOf(way.back());
            at = placed_[way.back()] = builder_.child(at, frame);
        }
        return at;
    }

    std::string labelOf(std::size_t node) const
    {
        const json& own = (*nodes_)[node];
        const auto label = own.is_object() ? own.find("label") : own.end();
        return own.is_object() && label != own.end() && label->is_string() ? label->get<std::string>()
                                                                           : std::string();
    }

    /// The statement below a function at which it was sampled, as Hatchet names it.
    CallPathId statement(CallPathId function, std::size_t place)
    {
        const std::string label = labelOf(place);
        const std::size_t colon = label.rfind(':');
        TreeFrame frame;
        frame.file = label.substr(0, colon);
        frame.line =
            colon == std::string::npos ? 0 : parseNumber<std::uint32_t>(label.substr(colon + 1)).value_or(0);
        frame.name = label.substr(label.rfind('/') + 1);
        frame.role = RegionRole::Code;
        return builder_.child(function, frame);
    }

    void addRow(const json& row)
    {
        if (!row.is_array()) return tell(IssueKind::CorruptRecord, "a row of the data is no list");
        const auto function = nodeIn(row, pathColumn_);
        if (!function) return;
        CallPathId node = place(*function);
        if (const auto where = nodeIn(row, placeColumn_)) node = statement(node, *where);
        std::int64_t rank = -1;
        for (std::size_t at = 0; at < std::min(row.size(), meanings_.size()); ++at)
            if (meanings_[at].kind == ColumnMeaning::Kind::Rank && row[at].is_number_integer())
                rank = row[at].get<std::int64_t>();
        const std::uint32_t location = builder_.location(rank);
        for (std::size_t at = 0; at < std::min(row.size(), meanings_.size()); ++at) {
            const ColumnMeaning& meaning = meanings_[at];
            if (!row[at].is_number()) continue;
            const double value = row[at].get<double>();
            if (meaning.kind == ColumnMeaning::Kind::Calls) builder_.addCalls(node, location, value);
            if (meaning.kind != ColumnMeaning::Kind::Amount) continue;
            const std::uint32_t metric = builder_.metric(meaning.name, meaning.unit, meaning.aggregation);
            builder_.add(node, location, metric, meaning.amount, value * meaning.scale);
        }
    }

    const fs::path& path_;
    std::string file_;
    const Task& task_;
    ImportReport report_;
    TreeProfileBuilder builder_;
    const json* data_ = nullptr;
    const json* nodes_ = nullptr;
    std::vector<std::string> names_;
    std::vector<ColumnMeaning> meanings_;
    std::vector<CallPathId> placed_;
    std::ptrdiff_t pathColumn_ = -1, placeColumn_ = -1;
};

Result<Experiment> readCaliperJson(const fs::path& path, const Task& task)
{
    return guardedRead(path, task,
                       [](const fs::path& file, const Task& own) { return SplitReader(file, own).run(); });
}

}  // namespace
}  // namespace skein::caliper

namespace skein {

const Importer kCaliperJsonImporter{"caliper-json",
                                    "Caliper JSON",
                                    &caliper::sniffCaliperJson,
                                    &caliper::readCaliperJson,
                                    ArchiveKind::Profile,
                                    nullptr,
                                    false,
                                    false};

}  // namespace skein
