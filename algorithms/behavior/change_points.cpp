// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/behavior/change_points.h"

#include "algorithms/behavior/leading_component.h"

#include <algorithm>
#include <cmath>

namespace skein {
namespace {

/// Values gone through between two questions whether to stop.
constexpr std::size_t kValuesBetweenQuestions = std::size_t{1} << 20;

void noteBlindRow(std::vector<BlindZone>& zones, std::size_t row)
{
    if (!zones.empty() && zones.back().last == row) ++zones.back().last;
    else zones.push_back({row, row + 1});
}

/// Mean and variance (divisor n − 1) of a column's finite values in rows [first, last).
struct ColumnLevel {
    double count = 0.0;
    double mean = 0.0;
    double squares = 0.0;

    double variance() const { return count > 1.0 ? squares / (count - 1.0) : 0.0; }
};

ColumnLevel columnLevel(const SeriesTable& table, std::size_t column, std::size_t first, std::size_t last)
{
    ColumnLevel level;
    for (std::size_t row = first; row < last; ++row) {
        const double value = table.at(row, column);
        if (!std::isfinite(value)) continue;
        const double distance = value - level.mean;
        level.mean += distance / ++level.count;
        level.squares += distance * (value - level.mean);
    }
    return level;
}

}  // namespace

namespace {

/// Whether squares of the values are beyond the numbers of the machine.
bool isTooLarge(std::span<const double> row)
{
    constexpr double kSquareRootOfMost = 1e150;
    return std::any_of(row.begin(), row.end(), [](double value) {
        return std::isfinite(value) && std::abs(value) > kSquareRootOfMost;
    });
}

struct Representative {
    std::vector<double> scores;
    std::vector<std::size_t> rowsStill;  ///< as in LeadingComponent; empty: of a single series
};

Result<Representative> representativeOf(const SeriesTable& table, const Task& task)
{
    const auto tooLarge =
        fail(ErrorCode::InvalidArgument, "The values are too large for changes to be told.");
    if (table.columns.size() == 1) {
        if (isTooLarge(table.values)) return tooLarge;
        return Representative{table.values, {}};
    }
    LeadingComponent component(table.columns.size());
    Representative found;
    found.scores.reserve(table.rows());
    std::size_t values = 0;
    for (std::size_t row = 0; row < table.rows(); ++row) {
        found.scores.push_back(component.add(table.row(row)));
        if (!std::isfinite(found.scores.back()) && isTooLarge(table.row(row))) return tooLarge;
        found.rowsStill.push_back(component.rowsStill());
        values += table.columns.size();
        if (values < kValuesBetweenQuestions) continue;
        values = 0;
        if (task.stopRequested()) return cancelled();
        task.report(static_cast<double>(row) / static_cast<double>(table.rows()), "finding changes");
    }
    return found;
}

ChangePoints changesOf(Representative series, const ChangeParams& params)
{
    ChangePoints found;
    ChangeDetector detector(params);
    for (std::size_t row = 0; row < series.scores.size(); ++row) {
        const std::size_t still = series.rowsStill.empty() ? 0 : series.rowsStill[row];
        const ChangeStep step = detector.add(series.scores[row], still);
        found.pValues.push_back(step.pValue);
        if (step.change) found.changes.push_back(row);
        if (step.blind) noteBlindRow(found.blind, row);
    }
    found.representative = std::move(series.scores);
    return found;
}

}  // namespace

Result<std::vector<double>> representativeSeries(const SeriesTable& table, const Task& task)
{
    auto series = representativeOf(table, task);
    if (!series) return Unexpected(series.error());
    return std::move(series->scores);
}

Result<ChangePoints> findChangesOf(std::vector<double> series, const ChangeParams& params)
{
    if (const auto good = checkChangeParams(params); !good) return Unexpected(good.error());
    return changesOf({std::move(series), {}}, params);
}

Result<ChangePoints> findChanges(const SeriesTable& table, const ChangeParams& params, const Task& task)
{
    if (const auto good = checkChangeParams(params); !good) return Unexpected(good.error());
    auto series = representativeOf(table, task);
    if (!series) return Unexpected(series.error());
    return changesOf(std::move(*series), params);
}

std::vector<EntityShift> explainChange(const SeriesTable& table, const ChangePoints& found,
                                       std::size_t change, std::size_t most, std::size_t reach)
{
    const std::size_t at = found.changes[change];
    std::size_t first = change == 0 ? 0 : found.changes[change - 1];
    std::size_t last = change + 1 < found.changes.size() ? found.changes[change + 1] : table.rows();
    first = std::max(first, at > reach ? at - reach : 0);
    last = std::min(last, at + reach);
    std::vector<EntityShift> shifts;
    for (std::size_t column = 0; column < table.columns.size(); ++column) {
        const ColumnLevel before = columnLevel(table, column, first, at);
        const ColumnLevel after = columnLevel(table, column, at, last);
        if (before.count == 0.0 || after.count == 0.0) continue;
        const double deviation = std::sqrt(before.variance());
        const double moved = after.mean - before.mean;
        shifts.push_back({column, before.mean, after.mean,
                          deviation > 0.0 ? std::optional(moved / deviation) : std::nullopt});
    }
    const auto size = [](const EntityShift& shift) { return std::abs(shift.after - shift.before); };
    std::stable_sort(shifts.begin(), shifts.end(),
                     [&](const EntityShift& a, const EntityShift& b) { return size(a) > size(b); });
    shifts.resize(std::min(most, shifts.size()));
    return shifts;
}

}  // namespace skein
