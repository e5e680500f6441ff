// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/remote/shared_state.h"

#include "core/select/translate.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>

namespace skein::gui {
namespace {

using Json = nlohmann::json;

constexpr std::size_t kMostShared = std::size_t{1} << 20;  ///< rows of a list that are told

Unexpected refused(std::string sentence) { return fail(ErrorCode::InvalidArgument, std::move(sentence)); }

Json spanJson(const std::optional<TimeSpan>& span)
{
    return span ? Json::array({span->begin, span->end}) : Json();
}

template <typename Row, typename Write>
Json listJson(const std::vector<Row>& rows, const Write& write)
{
    Json list = Json::array();
    for (std::size_t i = 0; i < std::min(rows.size(), kMostShared); ++i) list.push_back(write(rows[i]));
    return list;
}

template <typename IdType>
Json refsJson(const std::vector<Ref<IdType>>& refs)
{
    return listJson(refs, [](const Ref<IdType>& ref) {
        return Json::array({ref.experiment, ref.id.value()});
    });
}

Json selectionJson(const Selection& selected)
{
    return {{"call_paths", refsJson(selected.callPaths)},
            {"regions", refsJson(selected.regions)},
            {"locations", refsJson(selected.locations)},
            {"calls",
             listJson(selected.intervals,
                      [](const IntervalRef& call) {
                          return Json::array({call.experiment, call.location.value(), call.index});
                      })},
            {"messages",
             listJson(selected.messages,
                      [](const MessageRef& message) {
                          return Json::array({message.experiment, message.index});
                      })},
            {"links", listJson(selected.links, [](const LinkRef& link) { return Json(link.index); })},
            {"rank_pairs", listJson(selected.rankPairs, [](const RankPairRef& pair) {
                 return Json::array({pair.experiment, pair.sender, pair.receiver});
             })}};
}

/// Rows of whole numbers, each of so many.
Result<std::vector<std::vector<std::uint32_t>>> numberRows(const Json& list, const std::string& name,
                                                           std::size_t width)
{
    std::vector<std::vector<std::uint32_t>> rows;
    if (!list.is_array() || list.size() > kMostShared)
        return refused(name + " is a list of at most 2^20 rows.");
    for (const Json& row : list) {
        if (!row.is_array() || row.size() != width)
            return refused(fmt::format("{} is a list of rows of {} whole numbers.", name, width));
        std::vector<std::uint32_t> numbers;
        for (const Json& number : row) {
            if (!number.is_number_unsigned() || number.get<std::uint64_t>() >= CallPathId::kNone)
                return refused(fmt::format("{} is a list of rows of {} whole numbers.", name, width));
            numbers.push_back(number.get<std::uint32_t>());
        }
        rows.push_back(std::move(numbers));
    }
    return rows;
}

template <typename RefType>
Result<std::vector<RefType>> refsOf(const Json& list, const std::string& name, const Session& session)
{
    const auto rows = numberRows(list, name, 2);
    if (!rows) return Unexpected(rows.error());
    std::vector<RefType> refs;
    for (const auto& row : *rows) {
        const RefType ref{row[0], decltype(RefType::id)(row[1])};
        if (!exists(session, ref))
            return refused(
                fmt::format("{} names [{}, {}], which the session does not have.", name, row[0], row[1]));
        refs.push_back(ref);
    }
    std::ranges::sort(refs);
    refs.erase(std::unique(refs.begin(), refs.end()), refs.end());
    return refs;
}

Result<Selection> messagesOf(const Json& list, const Session& session)
{
    const auto rows = numberRows(list, "messages", 2);
    if (!rows) return Unexpected(rows.error());
    std::vector<Selection> parts;
    parts.reserve(rows->size());
    for (const auto& row : *rows) {
        const MessageRef message{row[0], row[1]};
        if (!exists(session, message))
            return refused(
                fmt::format("messages names [{}, {}], which the session does not have.", row[0], row[1]));
        parts.push_back(select(session, message));
    }
    return unitedParts(std::move(parts));
}

/// Links of the machine that is shown; views leave out what it does not have.
Result<Selection> linksOf(const Json& list)
{
    if (!list.is_array() || list.size() > kMostShared)
        return refused("links is a list of at most 2^20 whole numbers.");
    Selection all;
    for (const Json& number : list) {
        if (!number.is_number_unsigned()
            || number.get<std::uint64_t>() > std::numeric_limits<std::uint32_t>::max())
            return refused("links is a list of whole numbers.");
        all.links.push_back({number.get<std::uint32_t>()});
    }
    std::ranges::sort(all.links);
    all.links.erase(std::unique(all.links.begin(), all.links.end()), all.links.end());
    return all;
}

/// Adds what one list of a selection means.
Result<Selection> selectionOfList(const std::string& name, const Json& list, const Session& session)
{
    if (name == "call_paths") {
        const auto refs = refsOf<CallPathRef>(list, name, session);
        return refs ? Result<Selection>(select(session, *refs)) : Unexpected(refs.error());
    }
    if (name == "regions") {
        const auto refs = refsOf<RegionRef>(list, name, session);
        return refs ? Result<Selection>(select(session, *refs)) : Unexpected(refs.error());
    }
    if (name == "locations") {
        const auto refs = refsOf<LocationRef>(list, name, session);
        return refs ? Result<Selection>(select(session, *refs)) : Unexpected(refs.error());
    }
    if (name == "messages") return messagesOf(list, session);
    if (name == "links") return linksOf(list);
    const bool pairs = name == "rank_pairs";
    if (!pairs && name != "calls")
        return refused("A selection has no list \"" + name + "\" that can be set.");
    const auto rows = numberRows(list, name, 3);
    if (!rows) return Unexpected(rows.error());
    std::vector<Selection> parts;
    for (const auto& row : *rows) {
        const IntervalRef call{row[0], LocationId(row[1]), row[2]};
        if (row[0] >= session.experiments.size() || (!pairs && !exists(session, call)))
            return refused(fmt::format("{} names [{}, {}, {}], which the session does not have.", name,
                                       row[0], row[1], row[2]));
        parts.push_back(pairs ? select(session, RankPairRef{row[0], row[1], row[2]}) : select(session, call));
    }
    return unitedParts(std::move(parts));
}

Result<Selection> selectionOf(const Json& wanted, const Session& session)
{
    if (wanted.is_null()) return Selection();
    if (!wanted.is_object()) return refused("A selection is an object of lists.");
    Selection all;
    for (const auto& [name, list] : wanted.items()) {
        const auto part = selectionOfList(name, list, session);
        if (!part) return part;
        all = united(all, *part);
    }
    return all;
}

Result<std::optional<TimeSpan>> spanOfJson(const Json& wanted, const std::string& name)
{
    if (wanted.is_null()) return std::optional<TimeSpan>();
    const bool two = wanted.is_array() && wanted.size() == 2 && wanted[0].is_number_integer()
        && wanted[1].is_number_integer();
    if (!two) return refused("A " + name + " is null or [begin, end] in whole ns.");
    const TimeSpan span{wanted[0].get<TimeNs>(), wanted[1].get<TimeNs>()};
    constexpr TimeNs kFarthest = TimeNs{1} << 61;
    if (span.empty() || span.begin < -kFarthest || span.end > kFarthest)
        return refused("A " + name + " ends after it begins.");
    return std::optional(span);
}

Result<TreeEdits> treeOf(TreeEdits edits, const Json& wanted, const Session& session)
{
    if (!wanted.is_object()) return refused("The tree is an object with query, collapsed and removed.");
    for (const auto& [name, value] : wanted.items()) {
        if (name == "query") {
            if (!value.is_string()) return refused("A query is a text.");
            edits.query = value.get<std::string>();
            continue;
        }
        if (name != "collapsed" && name != "removed") return refused("The tree has no \"" + name + "\".");
        auto refs = refsOf<CallPathRef>(value, name, session);
        if (!refs) return Unexpected(refs.error());
        (name == "collapsed" ? edits.collapsed : edits.removed) = std::move(*refs);
    }
    return edits;
}

Result<MetricRef> metricOf(const Json& wanted, const Session& session)
{
    if (wanted.is_null()) return MetricRef();
    if (!wanted.is_string()) return refused("A metric is null, for the time, or its name.");
    const auto name = wanted.get<std::string>();
    for (std::uint32_t experiment = 0; experiment < session.experiments.size(); ++experiment) {
        const auto& metrics = session.experiments[experiment]->definitions.metrics;
        for (std::uint32_t id = 0; id < metrics.size(); ++id)
            if (metrics[id].name == name) return MetricRef{experiment, MetricId(id)};
    }
    return refused("No archive has a metric \"" + name + "\".");
}

Json metricJson(MetricRef metric, const Session& session)
{
    if (!metric.valid() || metric.experiment >= session.experiments.size()) return {};
    const auto& metrics = session.experiments[metric.experiment]->definitions.metrics;
    return metric.id.index() < metrics.size() ? Json(metrics[metric.id.index()].name) : Json();
}

}  // namespace

Json sharedState(const ViewState& state, const Session& session)
{
    return {{"span", spanJson(state.visible)},
            {"marked", spanJson(state.brushed)},
            {"selection", selectionJson(state.selected)},
            {"metric", metricJson(state.metric, session)},
            {"tree",
             {{"query", state.tree.query},
              {"collapsed", refsJson(state.tree.collapsed)},
              {"removed", refsJson(state.tree.removed)}}}};
}

Result<ViewState> withShared(ViewState state, const Json& wanted, const Session& session)
{
    if (!wanted.is_object()) return refused("A state is an object.");
    for (const auto& [name, value] : wanted.items()) {
        std::optional<Error> wrong;
        const auto take = [&wrong](auto part, auto& place) {
            if (part) place = std::move(*part);
            else wrong = part.error();
        };
        if (name == "span") take(spanOfJson(value, name), state.visible);
        else if (name == "marked") take(spanOfJson(value, name), state.brushed);
        else if (name == "selection") take(selectionOf(value, session), state.selected);
        else if (name == "metric") take(metricOf(value, session), state.metric);
        else if (name == "tree") take(treeOf(state.tree, value, session), state.tree);
        else return refused("A state has no part \"" + name + "\".");
        if (wrong) return Unexpected(std::move(*wrong));
    }
    return state;
}

std::vector<std::string> namesOfShared(ViewParts parts)
{
    std::vector<std::string> names;
    if (parts.has(ViewParts::kVisible)) names.emplace_back("span");
    if (parts.has(ViewParts::kBrushed)) names.emplace_back("marked");
    if (parts.has(ViewParts::kSelected)) names.emplace_back("selection");
    if (parts.has(ViewParts::kMetric)) names.emplace_back("metric");
    if (parts.has(ViewParts::kTree)) names.emplace_back("tree");
    return names;
}

}  // namespace skein::gui
