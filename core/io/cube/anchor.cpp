// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/cube/anchor.h"

#include "core/base/utf8.h"
#include "core/io/xml/xml_text.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>

namespace skein::cube {
namespace {

using xml::XmlPiece;

constexpr std::size_t kPiecesBetweenStops = 4096;
/// Topologies of more dimensions are not shown.
constexpr std::size_t kMostDimensions = 16;

template <typename Number>
std::optional<Number> wholeNumber(std::string_view text)
{
    text.remove_prefix(std::min(text.find_first_not_of(" \t\r\n"), text.size()));
    Number value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc() ? std::optional(value) : std::nullopt;
}

std::string clean(std::string text)
{
    const auto from = text.find_first_not_of(" \t\r\n");
    if (from == std::string::npos) return {};
    return toValidUtf8(std::string_view(text).substr(from, text.find_last_not_of(" \t\r\n") - from + 1));
}

std::string attributeText(const XmlPiece& piece, std::string_view name)
{
    return clean(xml::unescaped(xml::attribute(piece.attributes, name)));
}

StoredAmount storedAs(std::string_view type)
{
    if (type == "INCLUSIVE") return StoredAmount::Inclusive;
    return type.find("DERIVED") == std::string_view::npos ? StoredAmount::Exclusive : StoredAmount::None;
}

class AnchorParser {
public:
    AnchorParser(std::string_view text, std::string_view file, ImportReport& report, const Task& task)
        : scanner_(text), file_(file), report_(report), task_(task)
    {
    }

    std::optional<Anchor> run()
    {
        std::size_t pieces = 0;
        while (const auto piece = scanner_.next()) {
            if (++pieces % kPiecesBetweenStops == 0 && task_.stopRequested()) return std::nullopt;
            offset_ = static_cast<std::int64_t>(piece->offset);
            if (piece->kind == XmlPiece::Kind::Text) {
                if (wantsText_) text_ += xml::clearText(*piece);
                continue;
            }
            if (piece->kind == XmlPiece::Kind::Open) open(*piece);
            if (piece->kind == XmlPiece::Kind::Close || piece->empty) close(piece->name);
        }
        if (scanner_.truncated() || depth_ > 0)
            report_.add(IssueKind::Truncated, file_, "", "an element is not closed", offset_);
        return std::move(anchor_);
    }

private:
    enum class Within { Nothing, Metric, Region, Node, System, Topology };
    enum class PlaceKind { Tree, Group, Location };
    struct OpenPlace {
        PlaceKind kind;
        std::uint32_t index;
    };

    void open(const XmlPiece& piece)
    {
        const std::string_view name = piece.name;
        text_.clear();
        wantsText_ = false;
        if (name == "cube") ++depth_;
        else if (name == "metric") openMetric(piece);
        else if (name == "region") openRegion(piece);
        else if (name == "cnode") openNode(piece);
        else if (name == "parameter") addParameter(piece);
        else if (name == "attr") addAttribute(piece);
        else if (name == "systemtreenode" || name == "machine" || name == "node") openTree(piece);
        else if (name == "locationgroup" || name == "process") openGroup(piece);
        else if (name == "location" || name == "thread") openLocation(piece);
        else if (name == "cart") openTopology(piece);
        else if (name == "dim") addDimension(piece);
        else if (name == "coord") openCoordinates(piece);
        else wantsText_ = within_ != Within::Nothing;
    }

    void close(std::string_view name)
    {
        if (name == "cube" && depth_ > 0) --depth_;
        else if (name == "metric") leave(openMetrics_, Within::Metric);
        else if (name == "region") within_ = Within::Nothing;
        else if (name == "cnode") leave(openNodes_, Within::Node);
        else if (name == "systemtreenode" || name == "machine" || name == "node" || name == "locationgroup"
                 || name == "process" || name == "location" || name == "thread")
            leave(openPlaces_, Within::System);
        else if (name == "cart") within_ = openPlaces_.empty() ? Within::Nothing : Within::System;
        else if (name == "coord") closeCoordinates();
        else if (wantsText_) take(name);
        wantsText_ = false;
    }

    template <typename Entry>
    void leave(std::vector<Entry>& openEntries, Within kind)
    {
        if (!openEntries.empty()) openEntries.pop_back();
        within_ = openEntries.empty() ? Within::Nothing : kind;
    }

    /// The text of an element that holds nothing else.
    void take(std::string_view name)
    {
        if (within_ == Within::Metric && !openMetrics_.empty()) takeOfMetric(name);
        else if (within_ == Within::Region && !anchor_.regions.empty()) takeOfRegion(name);
        else if (within_ == Within::System && !openPlaces_.empty()) takeOfPlace(name);
    }

    std::uint64_t idOf(const XmlPiece& piece, std::string_view what)
    {
        auto text = xml::attribute(piece.attributes, "id");
        if (text.empty()) text = xml::attribute(piece.attributes, "Id");
        const auto id = wholeNumber<std::uint64_t>(text);
        if (!id)
            report_.add(IssueKind::CorruptRecord, file_, "", fmt::format("a {} without a number", what),
                        offset_);
        return id.value_or(~std::uint64_t{0});
    }

    void openMetric(const XmlPiece& piece)
    {
        AnchorMetric metric;
        metric.id = idOf(piece, "metric");
        metric.parent = openMetrics_.empty() ? kNoEntry : openMetrics_.back();
        metric.stored = storedAs(xml::attribute(piece.attributes, "type"));
        openMetrics_.push_back(static_cast<std::uint32_t>(anchor_.metrics.size()));
        anchor_.metrics.push_back(std::move(metric));
        within_ = Within::Metric;
    }

    void takeOfMetric(std::string_view name)
    {
        AnchorMetric& metric = anchor_.metrics[openMetrics_.back()];
        if (name == "uniq_name") metric.uniqueName = clean(text_);
        else if (name == "disp_name") metric.displayName = clean(text_);
        else if (name == "dtype") metric.dataType = clean(text_);
        else if (name == "uom") metric.unit = clean(text_);
        else if (name == "descr") metric.description = clean(text_);
        else if (name == "expression") metric.expression = clean(text_);
    }

    void openRegion(const XmlPiece& piece)
    {
        AnchorRegion region;
        region.id = idOf(piece, "region");
        region.module = attributeText(piece, "mod");
        region.beginLine = wholeNumber<std::int64_t>(xml::attribute(piece.attributes, "begin")).value_or(-1);
        region.endLine = wholeNumber<std::int64_t>(xml::attribute(piece.attributes, "end")).value_or(-1);
        anchor_.regions.push_back(std::move(region));
        within_ = Within::Region;
    }

    void takeOfRegion(std::string_view name)
    {
        AnchorRegion& region = anchor_.regions.back();
        if (name == "name") region.name = clean(text_);
        else if (name == "mangled_name") region.mangledName = clean(text_);
        else if (name == "paradigm") region.paradigm = clean(text_);
        else if (name == "role") region.role = clean(text_);
        else if (name == "descr") region.description = clean(text_);
    }

    void openNode(const XmlPiece& piece)
    {
        AnchorNode node;
        node.id = idOf(piece, "call path");
        const auto callee = wholeNumber<std::uint64_t>(xml::attribute(piece.attributes, "calleeId"));
        node.region = callee.value_or(~std::uint64_t{0});
        node.parent = openNodes_.empty() ? kNoEntry : openNodes_.back();
        node.line = wholeNumber<std::int64_t>(xml::attribute(piece.attributes, "line")).value_or(-1);
        node.module = attributeText(piece, "mod");
        openNodes_.push_back(static_cast<std::uint32_t>(anchor_.nodes.size()));
        anchor_.nodes.push_back(std::move(node));
        within_ = Within::Node;
    }

    void addParameter(const XmlPiece& piece)
    {
        if (within_ != Within::Node || openNodes_.empty()) return;
        AnchorParameter parameter{attributeText(piece, "parkey"), attributeText(piece, "parvalue")};
        anchor_.nodes[openNodes_.back()].parameters.push_back(std::move(parameter));
    }

    void addAttribute(const XmlPiece& piece)
    {
        Property property{attributeText(piece, "key"), attributeText(piece, "value")};
        if (property.name.empty()) return;
        if (within_ == Within::Nothing) anchor_.properties.push_back(std::move(property));
        else if (within_ == Within::System && !openPlaces_.empty())
            place(openPlaces_.back()).properties.push_back(std::move(property));
    }

    AnchorPlace& place(const OpenPlace& open)
    {
        if (open.kind == PlaceKind::Tree) return anchor_.systemTree[open.index];
        return open.kind == PlaceKind::Group ? anchor_.groups[open.index] : anchor_.locations[open.index];
    }

    std::uint32_t innermost(PlaceKind kind) const
    {
        for (auto open = openPlaces_.rbegin(); open != openPlaces_.rend(); ++open)
            if (open->kind == kind) return open->index;
        return kNoEntry;
    }

    template <typename Table>
    auto& openPlace(Table& table, PlaceKind kind)
    {
        openPlaces_.push_back({kind, static_cast<std::uint32_t>(table.size())});
        within_ = Within::System;
        return table.emplace_back();
    }

    void openTree(const XmlPiece& piece)
    {
        const std::uint32_t parent = innermost(PlaceKind::Tree);
        AnchorPlace& opened = openPlace(anchor_.systemTree, PlaceKind::Tree);
        opened.id = idOf(piece, "part of the system");
        opened.parent = parent;
        opened.className =
            piece.name == "systemtreenode" ? attributeText(piece, "class") : std::string(piece.name);
    }

    void openGroup(const XmlPiece& piece)
    {
        const std::uint32_t creator = innermost(PlaceKind::Group), parent = innermost(PlaceKind::Tree);
        AnchorGroup& opened = openPlace(anchor_.groups, PlaceKind::Group);
        opened.id = idOf(piece, "process");
        opened.parent = parent;
        opened.creator = creator;
        if (piece.name == "process") opened.className = "process";
    }

    void openLocation(const XmlPiece& piece)
    {
        const std::uint32_t parent = innermost(PlaceKind::Group);
        AnchorPlace& opened = openPlace(anchor_.locations, PlaceKind::Location);
        opened.id = idOf(piece, "location");
        opened.parent = parent;
        if (piece.name == "thread") opened.className = "thread";
    }

    void takeOfPlace(std::string_view name)
    {
        AnchorPlace& open = place(openPlaces_.back());
        if (name == "name") open.name = clean(text_);
        else if (name == "class" || name == "type") open.className = clean(text_);
        else if (name == "rank") open.rank = wholeNumber<std::int64_t>(text_).value_or(-1);
    }

    void openTopology(const XmlPiece& piece)
    {
        anchor_.topologies.push_back({attributeText(piece, "name"), {}, {}});
        within_ = Within::Topology;
    }

    void addDimension(const XmlPiece& piece)
    {
        if (within_ != Within::Topology || anchor_.topologies.back().dimensions.size() == kMostDimensions)
            return;
        const std::string periodic = attributeText(piece, "periodic");
        anchor_.topologies.back().dimensions.push_back(
            {attributeText(piece, "name"),
             wholeNumber<std::uint32_t>(xml::attribute(piece.attributes, "size")).value_or(0),
             periodic == "true" || periodic == "1"});
    }

    void openCoordinates(const XmlPiece& piece)
    {
        if (within_ != Within::Topology) return;
        AnchorTopology::Coordinates coordinates;
        for (const std::string_view key : {"locId", "thrdId", "lgId", "procId"}) {
            const auto id = wholeNumber<std::uint64_t>(xml::attribute(piece.attributes, key));
            if (!id) continue;
            coordinates.id = *id;
            coordinates.ofGroup = key == "lgId" || key == "procId";
            coordinates_ = std::move(coordinates);
            wantsText_ = true;
            return;
        }
    }

    void closeCoordinates()
    {
        if (within_ != Within::Topology || !wantsText_) return;
        std::string_view rest = text_;
        while (coordinates_.position.size() < anchor_.topologies.back().dimensions.size()) {
            rest.remove_prefix(std::min(rest.find_first_not_of(" \t\r\n"), rest.size()));
            const auto number = wholeNumber<std::uint32_t>(rest);
            if (!number) break;
            coordinates_.position.push_back(*number);
            rest.remove_prefix(std::min(rest.find_first_of(" \t\r\n"), rest.size()));
        }
        if (coordinates_.position.size() == anchor_.topologies.back().dimensions.size())
            anchor_.topologies.back().coordinates.push_back(std::move(coordinates_));
        else report_.add(IssueKind::CorruptRecord, file_, "", "coordinates that cannot be read", offset_);
        coordinates_ = {};
    }

    xml::XmlScanner scanner_;
    std::string_view file_;
    ImportReport& report_;
    const Task& task_;
    Anchor anchor_;
    Within within_ = Within::Nothing;
    std::vector<std::uint32_t> openMetrics_, openNodes_;
    std::vector<OpenPlace> openPlaces_;
    AnchorTopology::Coordinates coordinates_;
    std::string text_;
    bool wantsText_ = false;
    std::int64_t offset_ = 0;
    int depth_ = 0;
};

}  // namespace

std::optional<Anchor> parseAnchor(std::string_view text, std::string_view file, ImportReport& report,
                                  const Task& task)
{
    return AnchorParser(text, file, report, task).run();
}

}  // namespace skein::cube
