// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/caliper/caliper_columns.h"

#include <algorithm>
#include <vector>

namespace skein::caliper {
namespace {

std::vector<std::string_view> operatorsOf(std::string_view column)
{
    std::vector<std::string_view> parts;
    while (true) {
        const std::size_t end = std::min(column.find('#'), column.size());
        parts.push_back(column.substr(0, end));
        if (end == column.size()) return parts;
        column.remove_prefix(end + 1);
    }
}

bool holds(const std::vector<std::string_view>& parts, std::string_view word)
{
    return std::find(parts.begin(), parts.end(), word) != parts.end();
}

}  // namespace

ColumnMeaning meaningOf(std::string_view column, std::string_view alias, std::string_view unit,
                        double timeScale)
{
    using Kind = ColumnMeaning::Kind;
    ColumnMeaning meaning;
    if (column == "mpi.rank" || column == "rank") {
        meaning.kind = Kind::Rank;
        return meaning;
    }
    const std::vector<std::string_view> parts = operatorsOf(column);
    const std::string_view base = parts.back();
    if (column == "count" || column == "sum#region.count" || column == "sum#count") {
        meaning.kind = Kind::Calls;
        return meaning;
    }
    meaning.kind = Kind::Amount;
    const bool time =
        base.find("time") != std::string_view::npos || base.find("duration") != std::string_view::npos;
    if (unit == "sec") meaning.scale = 1e9;
    else if (unit == "usec" || unit == "us") meaning.scale = 1e3;
    else if (unit == "msec" || unit == "ms") meaning.scale = 1e6;
    else if (time && unit.empty()) meaning.scale = base.ends_with(".ns") ? 1.0 : timeScale;
    const bool isTime =
        unit.ends_with("sec") || unit == "us" || unit == "ms" || unit == "ns" || (time && unit.empty());
    meaning.unit = isTime ? "ns" : std::string(unit);
    if (holds(parts, "inclusive")) meaning.amount = TreeRowAmount::Inclusive;
    if (parts.size() > 1 && parts.front() == "min") meaning.aggregation = MetricAggregation::Minimum;
    if (parts.size() > 1 && parts.front() == "max") meaning.aggregation = MetricAggregation::Maximum;
    const bool plain = std::all_of(parts.begin(), parts.end() - 1, [](std::string_view part) {
        return part == "sum" || part == "inclusive";
    });
    const bool usual = base == "time.duration" || base == "time.duration.ns" || column == "time";
    if (usual && plain) meaning.name = "time";
    else if (!alias.empty()) meaning.name = alias;
    else meaning.name = column;
    return meaning;
}

}  // namespace skein::caliper
