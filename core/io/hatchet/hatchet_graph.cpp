// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/hatchet/hatchet_graph.h"

#include "core/base/file_bytes.h"
#include "core/base/parse_number.h"
#include "core/base/utf8.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <numeric>
#include <set>
#include <tuple>
#include <unordered_map>

namespace skein::hatchet {
namespace {

using Json = nlohmann::json;

constexpr double kNoValue = std::numeric_limits<double>::quiet_NaN();

/// Python writes NaN, Infinity and -Infinity bare: they become texts, which numberOf() understands.
std::string withQuotedSpecials(std::string_view text)
{
    std::string out;
    out.reserve(text.size());
    bool quoted = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (quoted && c == '\\' && i + 1 < text.size()) {
            out += c;
            out += text[++i];
            continue;
        }
        if (c == '"') quoted = !quoted;
        bool special = false;
        if (!quoted && (c == 'N' || c == 'I' || c == '-'))
            for (const std::string_view word : {"NaN", "Infinity", "-Infinity"})
                if (text.substr(i, word.size()) == word) {
                    out += fmt::format("\"{}\"", word);
                    i += word.size() - 1;
                    special = true;
                    break;
                }
        if (!special) out += c;
    }
    return out;
}

/// A number, or what stands for one that is none; nullopt: a text.
std::optional<double> numberOf(const Json& value)
{
    if (value.is_number()) return value.get<double>();
    if (value.is_boolean()) return value.get<bool>() ? 1.0 : 0.0;
    if (value.is_null()) return kNoValue;
    if (!value.is_string()) return std::nullopt;
    const auto& text = value.get_ref<const std::string&>();
    if (text == "NaN" || text == "nan") return kNoValue;
    if (text == "Infinity" || text == "inf") return std::numeric_limits<double>::infinity();
    if (text == "-Infinity" || text == "-inf") return -std::numeric_limits<double>::infinity();
    return std::nullopt;
}

std::string wordOf(const Json& value)
{
    if (value.is_string()) return value.get<std::string>();
    if (value.is_null()) return {};
    if (value.is_structured()) return value.is_array() ? "[…]" : "{…}";
    return value.dump(-1, ' ', false, Json::error_handler_t::replace);
}

struct RawNode {
    std::uint32_t parent = Graph::kNone;
    const Json* frame = nullptr;
    std::vector<std::uint32_t> children;
    std::string name;
    double id = kNoValue;
    bool placed = false;
};

struct RawRow {
    std::uint32_t node = 0;
    const Json* values = nullptr;
};

const Json kNothing = Json::object();

const Json& member(const Json& object, const char* key)
{
    if (!object.is_object()) return kNothing;
    const auto found = object.find(key);
    return found == object.end() ? kNothing : *found;
}

/// Hatchet orders frames by their attributes, first by the attribute's name, then by its value.
bool frameBefore(const Json& left, const Json& right)
{
    auto l = left.begin();
    auto r = right.begin();
    for (; l != left.end() && r != right.end(); ++l, ++r) {
        if (l.key() != r.key()) return l.key() < r.key();
        const bool comparable = (l->is_number() && r->is_number()) || (l->is_string() && r->is_string());
        if (comparable && *l != *r) return *l < *r;
    }
    return l == left.end() && r != right.end();
}

class GraphBuilder {
public:
    GraphBuilder(const std::string& file, ImportReport& report, const Task& task)
        : file_(file), report_(report), task_(task)
    {
    }

    Result<Graph> build(const Json& json)
    {
        if (json.is_array()) readLiteral(json);
        else readGraphFrame(json);
        if (task_.stopRequested()) return cancelled();
        if (nodes_.empty())
            return fail(ErrorCode::Malformed,
                        fmt::format("{} holds no node of a call tree: there is nothing to show.", file_));
        orderNodes();
        nameNodes();
        collectAttributes();
        if (task_.stopRequested()) return cancelled();
        return std::move(graph_);
    }

private:
    void tell(IssueKind kind, std::string detail) { report_.add(kind, file_, "", std::move(detail)); }

    /// Nested dictionaries; an own stack, as they may be nested without end.
    void readLiteral(const Json& list)
    {
        struct Open {
            const Json* children;
            std::size_t next;
            std::uint32_t parent;
        };
        std::vector<Open> open{{&list, 0, Graph::kNone}};
        while (!open.empty() && !task_.stopRequested()) {
            Open& top = open.back();
            if (!top.children->is_array() || top.next == top.children->size()) {
                open.pop_back();
                continue;
            }
            const Json& one = (*top.children)[top.next++];
            if (!one.is_object() || !member(one, "frame").is_object()) {
                tell(IssueKind::CorruptRecord,
                     "a node is no dictionary with a frame; it is left out with all below it");
                continue;
            }
            const std::uint32_t node = addLiteral(one, top.parent);
            open.push_back({&member(one, "children"), 0, node});
        }
    }

    std::uint32_t addLiteral(const Json& one, std::uint32_t parent)
    {
        const auto node = static_cast<std::uint32_t>(nodes_.size());
        RawNode raw;
        raw.parent = parent;
        raw.frame = &member(one, "frame");
        if (!raw.frame->contains("name"))
            raw.name = wordOf(member(one, "name").is_string() ? one["name"] : Json());
        const Json& metrics = member(one, "metrics");
        if (member(metrics, "_hatchet_nid").is_number()) raw.id = metrics["_hatchet_nid"].get<double>();
        nodes_.push_back(std::move(raw));
        if (parent != Graph::kNone) nodes_[parent].children.push_back(node);
        rows_.push_back({node, &metrics});
        return node;
    }

    void readGraphFrame(const Json& json)
    {
        const Json& trees = member(json, "graph");
        std::map<std::string, std::uint32_t> known;
        for (const Json& tree : trees) defineNodes(tree, known);
        for (const Json& tree : trees) joinNodes(tree, known);
        for (const Json& row : member(json, "dataframe")) {
            if (!row.is_object()) continue;
            const auto found = known.find(wordOf(member(row, "node")));
            if (found == known.end())
                tell(
                    IssueKind::UndefinedReference,
                    fmt::format("values of node {}, which is not in the graph", wordOf(member(row, "node"))));
            else rows_.push_back({found->second, &row});
        }
    }

    void defineNodes(const Json& tree, std::map<std::string, std::uint32_t>& known)
    {
        if (!tree.is_object()) return;
        for (const auto& [id, one] : tree.items()) {
            if (!known.try_emplace(id, static_cast<std::uint32_t>(nodes_.size())).second) {
                tell(IssueKind::DuplicateDefinition, fmt::format("node {} is defined twice", id));
                continue;
            }
            RawNode raw;
            raw.frame = &member(one, "data");
            raw.id = parseNumber<double>(id).value_or(kNoValue);
            nodes_.push_back(std::move(raw));
        }
    }

    void joinNodes(const Json& tree, const std::map<std::string, std::uint32_t>& known)
    {
        if (!tree.is_object()) return;
        for (const auto& [id, one] : tree.items()) {
            const std::uint32_t parent = known.at(id);
            for (const Json& child : member(one, "children")) {
                const auto found = known.find(wordOf(child));
                if (found == known.end())
                    tell(IssueKind::UndefinedReference,
                         fmt::format("node {} calls node {}, which is not defined", id, wordOf(child)));
                else if (nodes_[found->second].parent != Graph::kNone || found->second == parent)
                    tell(
                        IssueKind::ContradictoryRecord,
                        fmt::format("node {} has another caller besides node {}; it is shown below the first",
                                    wordOf(child), id));
                else {
                    nodes_[found->second].parent = parent;
                    nodes_[parent].children.push_back(found->second);
                }
            }
        }
    }

    const Json& frameOf(std::uint32_t node) const
    {
        return nodes_[node].frame->is_object() ? *nodes_[node].frame : kNothing;
    }

    void sortByFrame(std::vector<std::uint32_t>& nodes) const
    {
        std::stable_sort(nodes.begin(), nodes.end(), [&](std::uint32_t a, std::uint32_t b) {
            return frameBefore(frameOf(a), frameOf(b));
        });
    }

    /// Preorder from the roots; what no root reaches calls itself in a circle, which is cut at its first
    /// node.
    void orderNodes()
    {
        std::vector<std::uint32_t> roots;
        for (std::uint32_t node = 0; node < nodes_.size(); ++node)
            if (nodes_[node].parent == Graph::kNone) roots.push_back(node);
        sortByFrame(roots);
        for (const std::uint32_t root : roots) place(root);
        for (std::uint32_t node = 0; node < nodes_.size(); ++node) {
            if (nodes_[node].placed) continue;
            tell(
                IssueKind::ContradictoryRecord,
                fmt::format("node {} calls itself in a circle; the circle is cut above it", nodes_[node].id));
            nodes_[node].parent = Graph::kNone;
            place(node);
        }
    }

    void place(std::uint32_t root)
    {
        std::vector<std::uint32_t> open{root};
        while (!open.empty()) {
            const std::uint32_t node = open.back();
            open.pop_back();
            if (nodes_[node].placed) continue;
            nodes_[node].placed = true;
            order_.push_back(node);
            std::vector<std::uint32_t> children = nodes_[node].children;
            sortByFrame(children);
            open.insert(open.end(), children.rbegin(), children.rend());
        }
    }

    void nameNodes()
    {
        std::vector<std::uint32_t> newNumber(nodes_.size());
        std::set<double> ids;
        for (std::uint32_t i = 0; i < order_.size(); ++i) newNumber[order_[i]] = i;
        for (const std::uint32_t node : order_) {
            const RawNode& raw = nodes_[node];
            graph_.parents.push_back(raw.parent == Graph::kNone ? Graph::kNone : newNumber[raw.parent]);
            const Json& name = member(frameOf(node), "name");
            std::string text = name.is_object() ? raw.name : wordOf(name);
            if (text.empty()) text = "(no name)";
            graph_.names.push_back(toValidUtf8(text));
            if (!std::isnan(raw.id)) ids.insert(raw.id);
        }
        const bool numbered = ids.size() == nodes_.size();
        for (std::size_t i = 0; i < order_.size(); ++i)
            graph_.nodeIds.push_back(numbered ? nodes_[order_[i]].id : static_cast<double>(i));
        orderRows(newNumber);
    }

    /// By node, then as they came.
    void orderRows(const std::vector<std::uint32_t>& newNumber)
    {
        for (RawRow& row : rows_) row.node = newNumber[row.node];
        std::stable_sort(rows_.begin(), rows_.end(),
                         [](const RawRow& a, const RawRow& b) { return a.node < b.node; });
        const auto wholeNumber = [](const Json& value, std::int64_t otherwise) {
            return value.is_number_integer() ? value.get<std::int64_t>() : otherwise;
        };
        std::set<std::tuple<std::uint32_t, std::int64_t, std::int64_t>> known;
        for (const RawRow& row : rows_) {
            const std::int64_t rank = wholeNumber(member(*row.values, "rank"), -1);
            const std::int64_t thread = wholeNumber(member(*row.values, "thread"), 0);
            const bool fits = thread >= 0 && thread <= std::numeric_limits<std::int32_t>::max();
            graph_.rowNodes.push_back(row.node);
            graph_.rowRanks.push_back(rank);
            graph_.rowThreads.push_back(fits ? static_cast<std::int32_t>(thread) : 0);
            if (!known.emplace(row.node, rank, graph_.rowThreads.back()).second)
                tell(IssueKind::DuplicateDefinition,
                     fmt::format("values of '{}' are there twice for one location", graph_.names[row.node]));
        }
    }

    static bool isOwnKey(const std::string& key)
    {
        return key == "node" || key == "rank" || key == "name" || key == "_hatchet_nid";
    }

    void collectAttributes()
    {
        std::set<std::string> keys;
        const auto collect = [&](const Json& object) {
            for (const auto& [key, value] : object.items())
                if (!isOwnKey(key)) keys.insert(key);
        };
        for (const RawRow& row : rows_) {
            if (row.values->is_object()) collect(*row.values);
            collect(frameOf(order_[row.node]));
        }
        for (const std::string& key : keys) graph_.attributes.push_back(attributeOf(key));
    }

    /// The value of a row, or of its node's frame.
    const Json* valueOf(const RawRow& row, const std::string& key) const
    {
        const auto inRow = row.values->find(key);
        if (inRow != row.values->end()) return &*inRow;
        const Json& frame = frameOf(order_[row.node]);
        const auto inFrame = frame.find(key);
        return inFrame == frame.end() ? nullptr : &*inFrame;
    }

    /// Texts between numbers are damage, numbers between texts are not.
    Attribute attributeOf(const std::string& key)
    {
        std::size_t numbers = 0, texts = 0;
        for (const RawRow& row : rows_)
            if (const Json* const value = valueOf(row, key)) {
                if (!numberOf(*value)) ++texts;
                else if (!value->is_null()) ++numbers;
            }
        Attribute out;
        out.name = toValidUtf8(key);
        out.text = texts > 0 && texts >= numbers;
        for (const RawRow& row : rows_) {
            const Json* const value = valueOf(row, key);
            if (out.text) out.words.push_back(value == nullptr ? std::string() : toValidUtf8(wordOf(*value)));
            else out.numbers.push_back(value == nullptr ? kNoValue : numberIn(*value, out.name));
        }
        return out;
    }

    double numberIn(const Json& value, const std::string& attribute)
    {
        const std::optional<double> number = numberOf(value);
        if (!number)
            tell(IssueKind::CorruptRecord,
                 fmt::format("a value of '{}' is '{}' and no number", attribute, toValidUtf8(wordOf(value))));
        else if (!std::isfinite(*number) && !value.is_null())
            tell(IssueKind::UnsupportedRecord,
                 fmt::format("values of '{}' that are no finite numbers", attribute));
        return number.value_or(kNoValue);
    }

    const std::string& file_;
    ImportReport& report_;
    const Task& task_;
    std::vector<RawNode> nodes_;
    std::vector<RawRow> rows_;
    std::vector<std::uint32_t> order_;
    Graph graph_;
};

}  // namespace

bool looksLikeHatchet(std::string_view head)
{
    const std::size_t first = head.find_first_not_of(" \t\r\n");
    if (first == std::string_view::npos) return false;
    const auto has = [&](std::string_view word) { return head.find(word) != std::string_view::npos; };
    if (head[first] == '[') {
        const std::size_t second = head.find_first_not_of(" \t\r\n", first + 1);
        return second != std::string_view::npos && head[second] == '{' && has("\"frame\"");
    }
    return head[first] == '{'
        && (has("\"dataframe_indices\"") || (has("\"graph\"") && has("\"data\"") && has("\"children\"")));
}

Result<Graph> parseGraph(std::string_view text, const std::string& file, ImportReport& report,
                         const Task& task)
{
    Json json = Json::parse(withQuotedSpecials(text), nullptr, false);
    if (json.is_discarded())
        return fail(ErrorCode::Malformed, fmt::format("{} is no valid JSON: {}.", file, whyNoJson(text)));
    if (task.stopRequested()) return cancelled();
    return GraphBuilder(file, report, task).build(json);
}

Result<Graph> readGraph(const std::filesystem::path& path, ImportReport& report, const Task& task)
{
    const auto bytes = openFileBytes(path);
    if (!bytes) return tl::make_unexpected(bytes.error());
    auto graph = parseGraph(bytes->text(), toValidUtf8(path.filename().string()), report, task);
    if (const auto whole = stillWhole(*bytes, path.string()); !whole)
        return tl::make_unexpected(whole.error());
    return graph;
}

}  // namespace skein::hatchet
