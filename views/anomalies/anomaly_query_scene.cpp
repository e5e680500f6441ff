// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/anomalies/anomaly_query_scene.h"

#include "core/base/parse_time.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <fmt/format.h>

namespace skein {
namespace {

std::string_view withoutEnds(std::string_view text)
{
    const auto first = text.find_first_not_of(" \t");
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

std::string inLowerCase(std::string_view text)
{
    std::string lower(text);
    for (char& letter : lower) letter = static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
    return lower;
}

template <typename Value>
std::optional<Value> numberOf(std::string_view text)
{
    Value value{};
    const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || rest != text.data() + text.size()) return std::nullopt;
    return value;
}

/// `valueOf`: a value of its text; nullopt for what is none.
template <typename Value, typename ValueOf>
std::optional<QueriedRange<Value>> rangeOf(std::string_view text, ValueOf valueOf)
{
    QueriedRange<Value> range;
    const auto dots = text.find("..");
    const std::string_view from = withoutEnds(text.substr(0, dots)),
                           to = dots == std::string_view::npos ? from : withoutEnds(text.substr(dots + 2));
    if (from.empty() && to.empty()) return std::nullopt;
    for (const auto& [part, end] : {std::pair(from, &range.least), std::pair(to, &range.most)}) {
        if (part.empty()) continue;
        const std::optional<Value> value = valueOf(part);
        if (!value) return std::nullopt;
        *end = *value;
    }
    if (!(range.least <= range.most)) return std::nullopt;
    return range;
}

template <typename Value, typename TextOf>
std::string textOfRange(const QueriedRange<Value>& range, TextOf textOf)
{
    const QueriedRange<Value> all;
    if (range.least == range.most) return textOf(range.least);
    return (range.least == all.least ? std::string() : textOf(range.least)) + ".."
        + (range.most == all.most ? std::string() : textOf(range.most));
}

std::optional<AnomalyLabel> labelNamed(std::string_view text)
{
    for (const AnomalyLabel each : {AnomalyLabel::Normal, AnomalyLabel::Consequence, AnomalyLabel::Anomaly})
        if (name(each) == text) return each;
    return std::nullopt;
}

/// Exact, and as short as it can be.
std::string timeText(TimeNs ns)
{
    for (const auto& [unit, length] :
         {std::pair("s", TimeNs{1'000'000'000}), {"ms", TimeNs{1'000'000}}, {"us", TimeNs{1'000}}})
        if (ns % length == 0 && ns != 0) return fmt::format("{}{}", ns / length, unit);
    return fmt::format("{}ns", ns);
}

/// False where the clause is none, or is there twice.
bool takeClause(AnomalyQuery& query, const std::string& what, std::string_view value)
{
    const auto take = [](auto& to, auto from) {
        if (to || !from) return false;
        to = std::move(from);
        return true;
    };
    if (what == "programs") return take(query.programs, rangeOf<std::int64_t>(value, numberOf<std::int64_t>));
    if (what == "ranks") return take(query.ranks, rangeOf<std::int64_t>(value, numberOf<std::int64_t>));
    if (what == "begins") return take(query.begins, rangeOf<TimeNs>(value, parseTime));
    if (what == "lost") return take(query.lostNs, rangeOf<TimeNs>(value, parseTime));
    if (what == "scores") return take(query.scores, rangeOf<double>(value, numberOf<double>));
    if (what == "label") return take(query.label, labelNamed(inLowerCase(value)));
    if (what != "function" || !query.function.empty() || value.empty()) return false;
    query.function = std::string(value);
    return true;
}

}  // namespace

Result<AnomalyQuery> parseAnomalyQuery(std::string_view text)
{
    AnomalyQuery query;
    while (!text.empty()) {
        const auto end = std::min(text.find(';'), text.size());
        const std::string_view clause = withoutEnds(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
        if (clause.empty()) continue;
        const auto space = std::min(clause.find(' '), clause.size());
        if (!takeClause(query, inLowerCase(clause.substr(0, space)), withoutEnds(clause.substr(space))))
            return fail(ErrorCode::InvalidArgument,
                        fmt::format("\"{}\" is no clause of a query, or there is another one of its kind. "
                                    "Clauses are ranks 2..5, programs 0, begins 1s..2s, lost 1ms.., "
                                    "scores 3.., label anomaly, function NAME, with ; between them.",
                                    clause));
    }
    return query;
}

std::string textOf(const AnomalyQuery& query)
{
    std::vector<std::string> clauses;
    const auto whole = [](std::int64_t value) { return fmt::format("{}", value); };
    const auto number = [](double value) { return fmt::format("{}", value); };
    if (query.programs) clauses.push_back("programs " + textOfRange(*query.programs, whole));
    if (query.ranks) clauses.push_back("ranks " + textOfRange(*query.ranks, whole));
    if (!query.function.empty()) clauses.push_back("function " + query.function);
    if (query.begins) clauses.push_back("begins " + textOfRange(*query.begins, timeText));
    if (query.lostNs) clauses.push_back("lost " + textOfRange(*query.lostNs, timeText));
    if (query.scores) clauses.push_back("scores " + textOfRange(*query.scores, number));
    if (query.label) clauses.push_back(fmt::format("label {}", name(*query.label)));
    return fmt::format("{}", fmt::join(clauses, "; "));
}

bool passes(const AnomalyQuery& query, const SessionAnomalies& anomalies, const AnomalyPoint& point,
            AnomalyLabel label, TimeNs begin)
{
    const std::uint32_t program = point.call.experiment;
    if (query.label && *query.label != label) return false;
    if (query.lostNs && !query.lostNs->holds(point.severityNs)) return false;
    if (query.scores && !query.scores->holds(point.score)) return false;
    if (query.begins && !query.begins->holds(begin)) return false;
    if (query.programs && !query.programs->holds(program)) return false;
    if (!query.ranks) return true;
    const PlaceOfLocation& place = anomalies.found[program]->places[point.call.location.index()];
    const auto location = static_cast<std::int64_t>(point.call.location.index());
    return query.ranks->holds(place.rank >= 0 ? place.rank : location);
}

}  // namespace skein
