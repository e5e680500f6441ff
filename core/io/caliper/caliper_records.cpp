// SPDX-License-Identifier: GPL-3.0-or-later
// Caliper's native format: one record a line.
#include "core/base/file_bytes.h"
#include "core/base/parse_number.h"
#include "core/base/utf8.h"
#include "core/io/caliper/caliper_columns.h"
#include "core/io/caliper/caliper_importer.h"

#include <algorithm>
#include <cstdint>
#include <fmt/format.h>
#include <optional>
#include <unordered_map>

namespace skein::caliper {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kRecordHeadBytes = 256;
constexpr std::string_view kRecordMark = "__rec=";
/// Attributes that the format itself has.
constexpr std::uint64_t kNameAttribute = 8, kPropertiesAttribute = 10;
/// Values of this attribute nest: they are the call path.
constexpr std::uint64_t kNestedProperty = 256;
constexpr double kNsOfSecond = 1e9;
constexpr std::size_t kLongestPath = 1u << 20;

std::optional<fs::path> sniffRecords(const fs::path& path, const Task&)
{
    std::error_code ignored;
    if (!fs::is_regular_file(path, ignored)) return std::nullopt;
    return fileHead(path, kRecordHeadBytes).starts_with(kRecordMark) ? std::optional(path) : std::nullopt;
}

/// A field of a record: its key and its values, unescaped.
struct RecordField {
    std::string key;
    std::vector<std::string> values;
};

/// "key=value=value,key=value"; a backslash takes the next character as it is.
std::vector<RecordField> fieldsOf(std::string_view line)
{
    std::vector<RecordField> fields;
    std::string text;
    RecordField field;
    bool inKey = true;
    const auto endText = [&] {
        if (inKey) field.key = text;
        else field.values.push_back(text);
        text.clear();
    };
    for (std::size_t at = 0; at < line.size(); ++at) {
        const char c = line[at];
        if (c == '\\' && at + 1 < line.size()) {
            const char next = line[++at];
            text += next == 'n' ? '\n' : next;
        } else if (c == '=') {
            endText();
            inKey = false;
        } else if (c == ',') {
            endText();
            fields.push_back(std::move(field));
            field = {};
            inKey = true;
        } else text += c;
    }
    endText();
    fields.push_back(std::move(field));
    return fields;
}

struct RecordNode {
    std::uint64_t attribute = 0;
    std::string data;
    std::optional<std::uint64_t> parent;
    CallPathId placed;
};

struct RecordAttribute {
    ColumnMeaning meaning;
    bool nested = false;
};

class RecordReader {
public:
    RecordReader(const fs::path& path, const Task& task)
        : path_(path), file_(toValidUtf8(path.filename().string())), task_(task)
    {
    }

    Result<Experiment> run()
    {
        const auto bytes = openFileBytes(path_);
        if (!bytes) return Unexpected(bytes.error());
        std::string_view text = bytes->text();
        while (!text.empty()) {
            if (++line_ % 256 == 0 && task_.stopRequested()) return cancelled();
            const std::size_t end = text.find('\n');
            if (end == std::string_view::npos) takeCutLine();
            else takeLine(text.substr(0, end));
            text.remove_prefix(std::min(end, text.size() - 1) + 1);
        }
        if (const auto whole = stillWhole(*bytes, path_.string()); !whole) return Unexpected(whole.error());
        const std::string lost = whatWasCut();
        auto experiment = std::move(builder_).finish(path_, "Caliper profile", std::move(report_), task_);
        if (!experiment && experiment.error().code == ErrorCode::Malformed && !lost.empty())
            return fail(ErrorCode::Malformed,
                        fmt::format("{} {} before the first value of a call path: there is nothing to show.",
                                    path_.string(), lost));
        return experiment;
    }

private:
    void tell(IssueKind kind, std::string detail) { report_.add(kind, file_, "", std::move(detail), line_); }

    /// Caliper ends every line: of one without an end the last number may lack digits.
    void takeCutLine()
    {
        cut_ = true;
        tell(IssueKind::Truncated, "the file ends within this record, which is left out");
    }

    /// Files end with what is true of the whole run; empty where this one does, too.
    std::string whatWasCut() const
    {
        if (cut_) return fmt::format("was cut off in line {},", line_);
        return ended_ ? "" : "ends without its last record (globals),";
    }

    void takeLine(std::string_view line)
    {
        if (line.ends_with('\r')) line.remove_suffix(1);
        if (line.empty()) return;
        if (!line.starts_with(kRecordMark)) return tell(IssueKind::CorruptRecord, "a line is no record");
        const std::vector<RecordField> fields = fieldsOf(line);
        const std::string_view kind =
            fields.front().values.empty() ? "" : std::string_view(fields.front().values[0]);
        if (kind == "node") takeNode(fields);
        else if (kind == "ctx") takeContext(fields);
        else if (kind == "globals") ended_ = true;
        else tell(IssueKind::UnsupportedRecord, fmt::format("a record of the kind '{}'", toValidUtf8(kind)));
    }

    static const std::vector<std::string>* valuesOf(const std::vector<RecordField>& fields,
                                                    std::string_view key)
    {
        for (const RecordField& field : fields)
            if (field.key == key) return &field.values;
        return nullptr;
    }

    static std::optional<std::uint64_t> numberOf(const std::vector<RecordField>& fields, std::string_view key)
    {
        const auto* const values = valuesOf(fields, key);
        return values == nullptr || values->empty() ? std::nullopt
                                                    : parseNumber<std::uint64_t>(values->front());
    }

    void takeNode(const std::vector<RecordField>& fields)
    {
        const auto id = numberOf(fields, "id"), attribute = numberOf(fields, "attr");
        if (!id || !attribute)
            return tell(IssueKind::CorruptRecord, "a node without a number or an attribute");
        RecordNode node;
        node.attribute = *attribute;
        if (const auto* const data = valuesOf(fields, "data"); data != nullptr && !data->empty()) {
            node.data = data->front();
            for (std::size_t at = 1; at < data->size(); ++at) node.data += "=" + (*data)[at];
        }
        node.parent = numberOf(fields, "parent");
        if (!nodes_.emplace(*id, std::move(node)).second)
            tell(IssueKind::DuplicateDefinition, fmt::format("node {} is defined twice", *id));
    }

    /// The attribute that a node with a name defines; what else is said of it stands above that node.
    const RecordAttribute* attributeOf(std::uint64_t id)
    {
        if (const auto known = attributes_.find(id); known != attributes_.end()) return &known->second;
        const auto found = nodes_.find(id);
        if (found == nodes_.end() || found->second.attribute != kNameAttribute) return nullptr;
        RecordAttribute attribute;
        std::string alias, unit;
        std::optional<std::uint64_t> at = found->second.parent;
        for (std::size_t step = 0; at && step < nodes_.size(); ++step) {
            const auto above = nodes_.find(*at);
            if (above == nodes_.end()) break;
            const RecordNode& node = above->second;
            if (node.attribute == kPropertiesAttribute)
                attribute.nested = (parseNumber<std::uint64_t>(node.data).value_or(0) & kNestedProperty) != 0;
            const auto named = nodes_.find(node.attribute);
            if (named != nodes_.end() && named->second.data == "attribute.alias") alias = node.data;
            if (named != nodes_.end() && named->second.data == "attribute.unit") unit = node.data;
            at = node.parent;
        }
        const std::string& name = found->second.data;
        attribute.meaning = meaningOf(name.empty() ? fmt::format("attribute {} without a name", id) : name,
                                      alias, unit, kNsOfSecond);
        return &attributes_.emplace(id, std::move(attribute)).first->second;
    }

    /// The call path that a node and those above it are, as far as their attributes nest.
    CallPathId place(std::uint64_t id, CallPathId below)
    {
        std::vector<RecordNode*> way;
        std::optional<std::uint64_t> at = id;
        while (at) {
            const auto found = nodes_.find(*at);
            if (found == nodes_.end() || way.size() > std::min(nodes_.size(), kLongestPath)) {
                if (*at >= kFirstOwnNode)
                    tell(found == nodes_.end() ? IssueKind::UndefinedReference
                                               : IssueKind::ContradictoryRecord,
                         fmt::format("node {} is {}", *at,
                                     found == nodes_.end() ? "not defined" : "below itself"));
                break;
            }
            way.push_back(&found->second);
            at = found->second.parent;
        }
        for (auto node = way.rbegin(); node != way.rend(); ++node) {
            const RecordAttribute* const attribute = attributeOf((*node)->attribute);
            if (attribute == nullptr) continue;
            if (attribute->meaning.kind == ColumnMeaning::Kind::Rank)
                rank_ = parseNumber<std::int64_t>((*node)->data).value_or(rank_);
            if (!attribute->nested) continue;
            TreeFrame frame;
            frame.name = (*node)->data;
            below = builder_.child(below, frame);
        }
        return below;
    }

    void takeContext(const std::vector<RecordField>& fields)
    {
        rank_ = -1;
        CallPathId node;
        if (const auto* const references = valuesOf(fields, "ref"))
            for (const std::string& reference : *references)
                if (const auto id = parseNumber<std::uint64_t>(reference)) node = place(*id, node);
        const auto* const attributes = valuesOf(fields, "attr");
        const auto* const data = valuesOf(fields, "data");
        if (!node.valid() || attributes == nullptr || data == nullptr) return;
        if (attributes->size() != data->size())
            tell(IssueKind::CorruptRecord, "a record has another number of values than of attributes");
        const std::size_t count = std::min(attributes->size(), data->size());
        for (std::size_t at = 0; at < count; ++at) {
            const auto id = parseNumber<std::uint64_t>((*attributes)[at]);
            const RecordAttribute* const attribute = id ? attributeOf(*id) : nullptr;
            if (attribute != nullptr && attribute->meaning.kind == ColumnMeaning::Kind::Rank)
                rank_ = parseNumber<std::int64_t>((*data)[at]).value_or(rank_);
        }
        const std::uint32_t location = builder_.location(rank_);
        for (std::size_t at = 0; at < count; ++at) {
            const auto id = parseNumber<std::uint64_t>((*attributes)[at]);
            const auto value = parseNumber<double>((*data)[at]);
            const RecordAttribute* const attribute = id ? attributeOf(*id) : nullptr;
            if (attribute == nullptr || !value) continue;
            const ColumnMeaning& meaning = attribute->meaning;
            if (meaning.kind == ColumnMeaning::Kind::Calls) builder_.addCalls(node, location, *value);
            if (meaning.kind != ColumnMeaning::Kind::Amount) continue;
            const std::uint32_t metric = builder_.metric(meaning.name, meaning.unit, meaning.aggregation);
            builder_.add(node, location, metric, meaning.amount, *value * meaning.scale);
        }
    }

    static constexpr std::uint64_t kFirstOwnNode = 12;

    const fs::path& path_;
    std::string file_;
    const Task& task_;
    ImportReport report_;
    TreeProfileBuilder builder_;
    std::unordered_map<std::uint64_t, RecordNode> nodes_;
    std::unordered_map<std::uint64_t, RecordAttribute> attributes_;
    std::int64_t rank_ = -1, line_ = 0;
    bool cut_ = false, ended_ = false;
};

Result<Experiment> readRecords(const fs::path& path, const Task& task)
{
    return guardedRead(path, task,
                       [](const fs::path& file, const Task& own) { return RecordReader(file, own).run(); });
}

}  // namespace
}  // namespace skein::caliper

namespace skein {

const Importer kCaliperImporter{"caliper",
                                "Caliper profile",
                                &caliper::sniffRecords,
                                &caliper::readRecords,
                                ArchiveKind::Profile,
                                nullptr,
                                false,
                                false};

}  // namespace skein
