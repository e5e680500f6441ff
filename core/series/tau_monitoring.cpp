// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/series/tau_monitoring.h"

#include "core/base/text_pattern.h"
#include "core/series/text_fields.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <fmt/format.h>
#include <fstream>
#include <map>
#include <optional>
#include <tuple>
#include <unordered_map>

namespace skein {
namespace {

constexpr std::size_t kSamplesBetweenQuestions = std::size_t{1} << 14;
constexpr std::size_t kMetricsNamed = 8;
constexpr std::size_t kMonitoringHeadBytes = 4096;

struct MonitoringSample {
    double step = 0;
    std::uint32_t metric = 0;
    std::uint32_t rank = 0;  ///< place in the order of their coming
    double value = 0;
    std::uint32_t occurrence = 0;  ///< samples before of the same step, metric and rank
};

/// Texts in the order in which they come first.
class NamesSeen {
public:
    std::uint32_t placeOf(std::string_view name)
    {
        const auto [found, isNew] =
            places_.try_emplace(std::string(name), static_cast<std::uint32_t>(names_.size()));
        if (isNew) names_.emplace_back(name);
        return found->second;
    }
    const std::vector<std::string>& names() const { return names_; }

private:
    std::unordered_map<std::string, std::uint32_t> places_;
    std::vector<std::string> names_;
};

struct Monitoring {
    NamesSeen metrics, ranks;
    std::vector<MonitoringSample> samples;
    SeriesNotes notes;
};

Result<void> checkRankConditions(const AttributeConditions& where, std::string_view file)
{
    for (const AttributeCondition& condition : where)
        if (!sameInAnyCase(condition.name, "rank"))
            return fail(
                ErrorCode::InvalidArgument,
                fmt::format("What {} tells of is a rank and has no attribute \"{}\".", file, condition.name));
    return {};
}

Result<Monitoring> readMonitoring(std::string_view text, const AttributeConditions& where,
                                  std::string_view file, const Task& task)
{
    Monitoring read;
    TextFields lines(text);
    TauMonitoringColumns columns;
    if (!lines.next() || !findTauMonitoringColumns(lines.fields(), columns))
        return fail(ErrorCode::Malformed,
                    fmt::format("{} does not begin with the columns rank, name, step and value.", file));
    if (const auto known = checkRankConditions(where, file); !known) return Unexpected(known.error());
    std::map<std::pair<std::uint32_t, std::uint32_t>, double> last;
    bool any = false;
    for (std::size_t count = 0; lines.next(); ++count) {
        if (count % kSamplesBetweenQuestions == 0) {
            if (task.stopRequested()) return cancelled();
            task.report(lines.fraction(), "reading series");
        }
        const auto& fields = lines.fields();
        if (fields.size() != columns.count) {
            ++read.notes.unevenRows;
            continue;
        }
        const FieldNumber step = fieldNumber(fields[columns.step]),
                          value = fieldNumber(fields[columns.value]);
        read.notes.texts += (step.text ? 1U : 0U) + (value.text ? 1U : 0U);
        if (!std::isfinite(step.value)) continue;
        any = true;
        const std::string_view ofRank = fields[columns.rank];
        if (!allHold(where, [&](std::string_view) { return std::optional(ofRank); })) continue;
        const std::uint32_t metric = read.metrics.placeOf(fields[columns.name]);
        const std::uint32_t rank = read.ranks.placeOf(fields[columns.rank]);
        const auto [before, isNew] = last.try_emplace({metric, rank}, step.value);
        read.notes.backwardTimes += step.value < before->second ? 1 : 0;
        before->second = step.value;
        read.samples.push_back({step.value, metric, rank, value.value, 0});
    }
    if (any && read.samples.empty())
        return fail(ErrorCode::InvalidArgument,
                    fmt::format("No rank of {} is like {}.", file, textOf(where)));
    if (read.samples.empty()) return fail(ErrorCode::Malformed, fmt::format("{} holds no sample.", file));
    return read;
}

Result<std::vector<std::uint32_t>> wantedMetrics(const Monitoring& read,
                                                 const std::vector<std::string>& asked, std::string_view file)
{
    const std::vector<std::string>& known = read.metrics.names();
    std::vector<std::uint32_t> wanted;
    if (asked.empty())
        for (std::uint32_t i = 0; i < known.size(); ++i) wanted.push_back(i);
    for (const std::string& name : asked) {
        const auto found = std::find(known.begin(), known.end(), name);
        if (found != known.end()) {
            wanted.push_back(static_cast<std::uint32_t>(found - known.begin()));
            continue;
        }
        std::string some;
        for (std::size_t i = 0; i < std::min(known.size(), kMetricsNamed); ++i)
            some += fmt::format("{}\"{}\"", i ? ", " : "", known[i]);
        return fail(ErrorCode::InvalidArgument,
                    fmt::format("{} has no metric \"{}\"; it has {}{}.", file, name, some,
                                known.size() > kMetricsNamed
                                    ? fmt::format(" and {} more", known.size() - kMetricsNamed)
                                    : std::string()));
    }
    return wanted;
}

/// The column of each rank: by number, what is no number by its text behind them.
std::vector<std::size_t> rankColumns(const std::vector<std::string>& ranks, std::vector<std::string>& names)
{
    std::vector<std::size_t> order(ranks.size()), columns(ranks.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    const auto key = [&](std::size_t rank) {
        const FieldNumber number = fieldNumber(ranks[rank]);
        const bool known = std::isfinite(number.value);
        return std::tuple(known ? number.value : std::numeric_limits<double>::infinity(),
                          known ? std::string() : ranks[rank]);
    };
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return key(a) < key(b); });
    for (std::size_t column = 0; column < order.size(); ++column) {
        columns[order[column]] = column;
        const std::string& rank = ranks[order[column]];
        names.push_back(fieldIsNumber(rank) ? "Rank " + rank : rank);
    }
    return columns;
}

/// Tells samples of one step, metric and rank apart, and gives each step as many rows as it needs.
std::map<double, std::size_t> rowsOfSteps(std::vector<MonitoringSample>& samples, std::vector<double>& times,
                                          SeriesNotes& notes)
{
    std::stable_sort(samples.begin(), samples.end(), [](const auto& a, const auto& b) {
        return std::tie(a.step, a.metric, a.rank) < std::tie(b.step, b.metric, b.rank);
    });
    std::map<double, std::size_t> firstRow;
    for (std::size_t i = 0; i < samples.size(); ++i) {
        MonitoringSample& sample = samples[i];
        const auto [first, isNew] = firstRow.try_emplace(sample.step, times.size());
        if (!isNew
            && std::tie(samples[i - 1].metric, samples[i - 1].rank) == std::tie(sample.metric, sample.rank)) {
            sample.occurrence = samples[i - 1].occurrence + 1;
            ++notes.repeatedTimes;
        }
        if (first->second + sample.occurrence >= times.size())
            times.resize(first->second + sample.occurrence + 1, sample.step);
    }
    return firstRow;
}

}  // namespace

bool findTauMonitoringColumns(const std::vector<std::string_view>& fields, TauMonitoringColumns& columns)
{
    const auto find = [&](std::string_view name, std::size_t& place) {
        const auto found = std::find(fields.begin(), fields.end(), name);
        place = static_cast<std::size_t>(found - fields.begin());
        return found != fields.end();
    };
    columns.count = fields.size();
    return find("rank", columns.rank) && find("name", columns.name) && find("step", columns.step)
        && find("value", columns.value);
}

bool looksLikeTauMonitoring(std::string_view text)
{
    TextFields lines(text.substr(0, kMonitoringHeadBytes));
    TauMonitoringColumns columns;
    return lines.next() && findTauMonitoringColumns(lines.fields(), columns);
}

bool isTauMonitoringFile(const std::filesystem::path& path)
{
    std::error_code problem;
    if (!std::filesystem::is_regular_file(path, problem)) return false;
    std::ifstream file(path, std::ios::binary);
    std::string head(kMonitoringHeadBytes, '\0');
    file.read(head.data(), static_cast<std::streamsize>(head.size()));
    head.resize(static_cast<std::size_t>(file.gcount()));
    return looksLikeTauMonitoring(head);
}

Result<std::vector<SeriesTable>> parseTauMonitoring(std::string_view text, const TauMonitoringParams& params,
                                                    std::string_view name, const Task& task)
{
    auto read = readMonitoring(text, params.where, name, task);
    if (!read) return Unexpected(read.error());
    const auto wanted = wantedMetrics(*read, params.metrics, name);
    if (!wanted) return Unexpected(wanted.error());
    std::erase_if(read->samples, [&](const MonitoringSample& sample) {
        return std::find(wanted->begin(), wanted->end(), sample.metric) == wanted->end();
    });
    SeriesTable shape;
    const std::vector<std::size_t> columnOf = rankColumns(read->ranks.names(), shape.columns);
    const auto firstRow = rowsOfSteps(read->samples, shape.times, read->notes);
    shape.notes = read->notes;
    const auto fits = checkSeriesSize(shape.rows(), shape.columns.size() * wanted->size());
    if (!fits) return Unexpected(fits.error());
    shape.values.assign(shape.times.size() * shape.columns.size(), std::nan(""));
    std::vector<SeriesTable> tables(wanted->size(), shape);
    for (std::size_t i = 0; i < tables.size(); ++i) tables[i].metric = read->metrics.names()[(*wanted)[i]];
    for (const MonitoringSample& sample : read->samples)
        for (std::size_t i = 0; i < tables.size(); ++i) {
            if ((*wanted)[i] != sample.metric) continue;
            const std::size_t row = firstRow.at(sample.step) + sample.occurrence;
            tables[i].values[row * shape.columns.size() + columnOf[sample.rank]] = sample.value;
        }
    for (SeriesTable& table : tables) tidySeries(table);
    return tables;
}

}  // namespace skein
