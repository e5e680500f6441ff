// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/behavior/change_points.h"
#include "algorithms/behavior/drifts.h"
#include "algorithms/behavior/span_levels.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <utility>

namespace skein {
namespace {

/// Changes by their rows, and what becomes of them.
struct Candidates {
    std::vector<SettledChange> list;  ///< by row

    std::vector<std::size_t> rows() const
    {
        std::vector<std::size_t> rows;
        for (const SettledChange& each : list) rows.push_back(each.row);
        return rows;
    }
    void remove(std::size_t at) { list.erase(list.begin() + static_cast<std::ptrdiff_t>(at)); }
};

Candidates candidatesOf(const SeriesTable& table, const ChangePoints& found, const ChangeParams& params)
{
    Candidates candidates;
    for (std::size_t i = 0; i < found.changes.size(); ++i)
        if (found.changes[i] > 0 && found.changes[i] + params.burnIn <= table.rows())
            candidates.list.push_back({i, found.changes[i]});
    return candidates;
}

/// How a change comes by its row.
enum class RowOf : std::uint8_t {
    Detector,  ///< it was called there
    Best,      ///< it is the best one between its neighbours
};

/// Takes the weakest change away, its two spans becoming one, while it is not plain.
void keepPlain(const ComparedEntities& entities, Candidates& candidates, const PlainRule& rule, RowOf rowOf)
{
    auto& list = candidates.list;
    if (list.empty()) return;
    std::vector<SpanLevels> levels = levelsBetween(entities, candidates.rows());
    std::vector<SpanContrast> contrasts;
    for (std::size_t i = 0; i < list.size(); ++i) contrasts.push_back(contrastOf(levels[i], levels[i + 1]));
    const auto plainAt = [&](std::size_t i) {
        if (rowOf == RowOf::Detector) return isPlain(contrasts[i], rule);
        const std::size_t last = i + 1 < list.size() ? list[i + 1].row : entities.rows();
        return isPlainAmong(contrasts[i], rule, last - (i == 0 ? 0 : list[i - 1].row));
    };
    while (!list.empty()) {
        std::size_t weakest = 0;
        for (std::size_t i = 1; i < list.size(); ++i) {
            const bool plain = plainAt(i);
            const bool weakestPlain = plainAt(weakest);
            if (plain != weakestPlain ? weakestPlain : contrasts[i].effect < contrasts[weakest].effect)
                weakest = i;
        }
        if (plainAt(weakest)) break;
        const auto at = static_cast<std::ptrdiff_t>(weakest);
        levels[weakest].append(levels[weakest + 1]);
        levels.erase(levels.begin() + at + 1);
        candidates.remove(weakest);
        contrasts.erase(contrasts.begin() + at);
        if (weakest > 0) contrasts[weakest - 1] = contrastOf(levels[weakest - 1], levels[weakest]);
        if (weakest < contrasts.size()) contrasts[weakest] = contrastOf(levels[weakest], levels[weakest + 1]);
    }
}

/// Moves changes to where they were, and adds what the detector has missed.
class Settler {
public:
    Settler(const ComparedEntities& entities, const ChangeParams& params, const PlainRule& rule)
        : entities_(entities), params_(params), rule_(rule)
    {
    }

    void settle(Candidates& candidates)
    {
        constexpr int kMostPruned = 8;
        for (int round = 0; round < kMostPruned && !candidates.list.empty(); ++round) {
            const std::vector<std::size_t> before = candidates.rows();
            for (std::size_t i = 0; i < candidates.list.size(); ++i) {
                const auto [first, last] = between(candidates, i);
                candidates.list[i].row = splitOf(first, candidates.list[i].row, last);
            }
            keepPlain(entities_, candidates, rule_, RowOf::Best);
            if (candidates.rows() == before) break;
        }
    }

    /// Binary segmentation (Scott and Knott 1974), the plainest first.
    void addMissed(Candidates& candidates)
    {
        constexpr int kMostAdded = 50;
        for (int added = 0; added < kMostAdded; ++added) {
            const std::size_t row = plainestMissed(candidates);
            if (row == 0) return;
            const std::vector<std::size_t> before = candidates.rows();
            auto& list = candidates.list;
            const auto after = std::find_if(list.begin(), list.end(),
                                            [row](const SettledChange& each) { return each.row > row; });
            list.insert(after, SettledChange{std::nullopt, row});
            settle(candidates);
            if (candidates.rows() == before) return;
        }
    }

private:
    struct Missed {
        std::size_t row = 0;  ///< 0: there is none
        double effect = 0.0;
    };

    std::pair<std::size_t, std::size_t> between(const Candidates& candidates, std::size_t i) const
    {
        const auto& list = candidates.list;
        return {i == 0 ? 0 : list[i - 1].row, i + 1 < list.size() ? list[i + 1].row : entities_.rows()};
    }

    std::size_t splitOf(std::size_t first, std::size_t at, std::size_t last)
    {
        const auto [known, isNew] = splits_.try_emplace({first, at, last}, at);
        if (isNew) known->second = bestSplit(entities_, first, at, last);
        return known->second;
    }

    std::size_t plainestMissed(const Candidates& candidates)
    {
        Missed plainest;
        for (std::size_t i = 0; i <= candidates.list.size(); ++i) {
            const std::size_t first = i == 0 ? 0 : candidates.list[i - 1].row;
            const std::size_t last = i < candidates.list.size() ? candidates.list[i].row : entities_.rows();
            const auto [known, isNew] = missed_.try_emplace({first, last});
            if (isNew) known->second = missedIn(first, last);
            if (known->second.effect > plainest.effect) plainest = known->second;
        }
        return plainest.row;
    }

    /// What is plain in a span that has room for two levels, be it with what is far out in it, which may be a
    /// level of its own, or without, which may hide one.
    Missed missedIn(std::size_t first, std::size_t last) const
    {
        if (last - first < std::size_t{2} * params_.burnIn) return {};
        const Missed plain = bestOf(entities_, first, last);
        const Missed fenced = bestOf(entities_.fenced(first, last), first, last);
        return fenced.effect > plain.effect ? fenced : plain;
    }

    Missed bestOf(const ComparedEntities& entities, std::size_t first, std::size_t last) const
    {
        // Weights by the variance within the whole span.
        const std::size_t row = bestSplit(entities, first, first, last);
        const SpanContrast contrast =
            contrastOf(levelsOf(entities, first, row), levelsOf(entities, row, last));
        // Two looks at every row.
        return isPlainUnasked(contrast, rule_, 2 * entities_.rows()) ? Missed{row, contrast.effect}
                                                                     : Missed{};
    }

    const ComparedEntities& entities_;
    const ChangeParams& params_;
    PlainRule rule_;
    std::map<std::array<std::size_t, 3>, std::size_t> splits_;  ///< by first, at, last
    std::map<std::array<std::size_t, 2>, Missed> missed_;       ///< by first, last
};

/// Of changes by their rows those that last, where entities drifted between some: one where what was before
/// the drift and what came after it stood at least as long as the drift took, in its middle; else none.
std::vector<std::size_t> withoutDrifts(const ComparedEntities& entities, const std::vector<std::size_t>& rows)
{
    const auto rowAt = [&](std::size_t i) { return i < rows.size() ? rows[i] : entities.rows(); };
    const auto rowBefore = [&](std::size_t i) { return i == 0 ? 0 : rows[i - 1]; };
    std::vector<std::size_t> lasting;
    for (std::size_t first = 0, end = 0; first < rows.size(); first = end) {
        while (end < rows.size() && isDrift(entities, rowBefore(end), rowAt(end), rowAt(end + 1))) ++end;
        if (end <= first + 1) {
            lasting.push_back(first);
            end = first + 1;
            continue;
        }
        const std::size_t last = end - 1;  // of the drift
        const std::size_t before = rows[first] - rowBefore(first), after = rowAt(end) - rows[last];
        if (std::min(before, after) >= rows[last] - rows[first])
            lasting.push_back(first + (last - first) / 2);
    }
    return lasting;
}

/// A change that took rows [first, last) to come about; first = last: none.
struct Transition {
    std::optional<std::size_t> place;
    std::size_t first = 0, last = 0;
};

/// Joins changes that are too near to each other to be two.
class Transitions {
public:
    Transitions(const ComparedEntities& entities, const Candidates& candidates, const ChangeParams& params,
                const PlainRule& rule)
        : entities_(entities), params_(params), rule_(rule)
    {
        for (const SettledChange& each : candidates.list) list_.push_back({each.place, each.row, each.row});
    }

    /// The shortest span first, compared with how long it would have to be.
    void join()
    {
        while (!list_.empty()) {
            std::size_t shortest = 0;
            double least = 1.0;
            for (std::size_t span = 0; span <= list_.size(); ++span) {
                const double part = static_cast<double>(length(span)) / wantedLength(span);
                if (part < least) {
                    least = part;
                    shortest = span;
                }
            }
            if (least >= 1.0) return;
            takeAway(shortest);
        }
    }

    /// Those that are no drift. Each is judged, and placed, between its neighbours, be these drifts.
    std::vector<SettledChange> settled() const
    {
        std::vector<std::size_t> rows;
        for (std::size_t i = 0; i < list_.size(); ++i) rows.push_back(turningRow(i));
        std::vector<SettledChange> changes;
        for (const std::size_t i : withoutDrifts(entities_, rows))
            changes.push_back({list_[i].place, isSudden(i) ? suddenRow(rows, i) : rows[i]});
        return changes;
    }

private:
    std::size_t begin(std::size_t span) const { return span == 0 ? 0 : list_[span - 1].last; }
    std::size_t end(std::size_t span) const
    {
        return span < list_.size() ? list_[span].first : entities_.rows();
    }
    std::size_t length(std::size_t span) const { return end(span) - begin(span); }
    bool isOuter(std::size_t span) const { return span == 0 || span == list_.size(); }

    bool isSudden(std::size_t i) const { return list_[i].first == list_[i].last; }
    /// Where levels turned over; where these differ by less than a standard deviation, which tells little of
    /// the row, where levels or spreads did. A burst beside a change does not draw it to itself.
    std::size_t suddenRow(const std::vector<std::size_t>& rows, std::size_t i) const
    {
        const std::size_t first = i == 0 ? 0 : rows[i - 1];
        const std::size_t last = i + 1 < rows.size() ? rows[i + 1] : entities_.rows();
        const SpanContrast contrast =
            contrastOf(levelsOf(entities_, first, rows[i]), levelsOf(entities_, rows[i], last));
        if (contrast.effect >= 1.0) return rows[i];
        return likeliestSplit(entities_.fenced(first, last), first, rows[i], last);
    }

    /// Whether behaviour is another one after the span than it was before it.
    bool turnsOver(std::size_t span) const
    {
        return isPlain(contrastOf(levelsOf(entities_, begin(span - 1), end(span - 1)),
                                  levelsOf(entities_, begin(span + 1), end(span + 1))),
                       rule_);
    }

    /// A burn-in; of what lies between two others a fifth of the shorter one.
    double wantedLength(std::size_t span) const
    {
        constexpr double kLeastPart = 0.2;
        const auto burnIn = static_cast<double>(params_.burnIn);
        if (isOuter(span)) return burnIn;
        const double wanted = kLeastPart * static_cast<double>(std::min(length(span - 1), length(span + 1)));
        const bool decides = static_cast<double>(length(span)) < wanted && wanted > burnIn;
        return decides && turnsOver(span) ? wanted : burnIn;
    }

    void takeAway(std::size_t span)
    {
        const auto at = list_.begin() + static_cast<std::ptrdiff_t>(span);
        if (span == 0) list_.erase(at);
        else if (span == list_.size()) list_.pop_back();
        else if (turnsOver(span)) {
            list_[span - 1].last = list_[span].last;
            if (!list_[span - 1].place) list_[span - 1].place = list_[span].place;
            list_.erase(at);
        } else {
            list_.erase(at - 1, at + 1);
        }
    }

    /// The row of a transition from which on it is told better by the level after it than by that before it
    /// (least squares, each entity by its own variance).
    std::size_t turningRow(std::size_t i) const
    {
        const Transition& transition = list_[i];
        if (isSudden(i)) return transition.first;
        const SpanLevels before = levelsOf(entities_, begin(i), end(i)),
                         after = levelsOf(entities_, begin(i + 1), end(i + 1));
        double nearer = 0.0, least = 0.0;  // of the rows so far: how much nearer they are to `after`
        std::size_t best = transition.first;
        for (std::size_t row = transition.first; row < transition.last; ++row) {
            nearer += nearness(before, after, row);
            if (nearer < least) {
                least = nearer;
                best = row + 1;
            }
        }
        return best;
    }

    double nearness(const SpanLevels& before, const SpanLevels& after, std::size_t row) const
    {
        double sum = 0.0;
        for (std::size_t e = 0; e < entities_.size(); ++e) {
            const double value = entities_.at(row, e);
            if (!std::isfinite(value) || before.count[e] < 1.0 || after.count[e] < 1.0) continue;
            const double moved = after.mean[e] - before.mean[e];
            const double count = before.count[e] + after.count[e];
            const double within = (before.squares[e] + after.squares[e]) / std::max(1.0, count - 2.0);
            const double variance = std::max(within, 1e-6 * moved * moved);
            if (variance > 0.0) sum += (value - 0.5 * (before.mean[e] + after.mean[e])) * moved / variance;
        }
        return sum;
    }

    const ComparedEntities& entities_;
    const ChangeParams& params_;
    PlainRule rule_;
    std::vector<Transition> list_;
};

}  // namespace

namespace {

/// The call nearest to a row, at most a burn-in away, of those that no change has yet.
std::optional<std::size_t> nearestCall(const ChangePoints& found, const std::vector<bool>& taken,
                                       std::size_t row, std::size_t burnIn)
{
    std::optional<std::size_t> nearest;
    std::size_t least = burnIn + 1;
    for (std::size_t i = 0; i < found.changes.size(); ++i) {
        const std::size_t called = found.changes[i];
        const std::size_t away = called > row ? called - row : row - called;
        if (taken[i] || away >= least) continue;
        least = away;
        nearest = i;
    }
    return nearest;
}

}  // namespace

std::vector<std::size_t> lastingChanges(const SeriesTable& table, const ChangePoints& found,
                                        const ChangeParams& params)
{
    const ComparedEntities entities(table);
    Candidates candidates = candidatesOf(table, found, params);
    keepPlain(entities, candidates, {params.alpha, 1.0}, RowOf::Detector);
    // A drift is told apart where the change was: the detector is late, and a late jump looks like a drift.
    const std::vector<std::size_t> called = candidates.rows();
    std::vector<std::size_t> rows;
    for (std::size_t i = 0; i < called.size(); ++i)
        rows.push_back(bestSplit(entities, rows.empty() ? 0 : rows.back(), called[i],
                                 i + 1 < called.size() ? called[i + 1] : entities.rows()));
    std::vector<bool> taken(found.changes.size());
    for (std::size_t i = 0; i < taken.size(); ++i)
        taken[i] = found.changes[i] == 0 || found.changes[i] + params.burnIn > table.rows();
    std::vector<std::size_t> places;
    for (const std::size_t i : withoutDrifts(entities, rows)) {
        // Where levels drift a call before stands for the change that another one told.
        const auto nearest = nearestCall(found, taken, rows[i], params.burnIn);
        places.push_back(nearest ? *nearest : *candidates.list[i].place);
        taken[places.back()] = true;
    }
    std::sort(places.begin(), places.end());
    places.erase(std::unique(places.begin(), places.end()), places.end());
    return places;
}

std::vector<SettledChange> settledChanges(const SeriesTable& table, const ChangePoints& found,
                                          const ChangeParams& params)
{
    const ComparedEntities entities(table);
    Candidates candidates = candidatesOf(table, found, params);
    PlainRule rule{params.alpha, 1.0};
    keepPlain(entities, candidates, rule, RowOf::Detector);
    rule.independent = independentShare(entities, candidates.rows());
    Settler settler(entities, params, rule);
    settler.settle(candidates);
    settler.addMissed(candidates);
    Transitions transitions(entities, candidates, params, rule);
    transitions.join();
    return transitions.settled();
}

std::vector<ReviewedChange> reviewedChanges(const SeriesTable& table, const ChangePoints& found,
                                            const ChangeParams& params)
{
    std::map<std::size_t, ReviewedChange> byRow;
    std::vector<bool> taken(found.changes.size());
    const std::vector<SettledChange> settled = settledChanges(table, found, params);
    for (const SettledChange& change : settled)
        if (change.place) taken[*change.place] = true;
    for (const SettledChange& change : settled) {
        const auto call = change.place ? change.place : nearestCall(found, taken, change.row, params.burnIn);
        if (call) taken[*call] = true;
        byRow[change.row] = {change.row, call ? std::optional(found.changes[*call]) : std::nullopt, true};
    }
    for (std::size_t i = 0; i < found.changes.size(); ++i)
        if (!taken[i])
            byRow.try_emplace(found.changes[i], ReviewedChange{found.changes[i], found.changes[i], false});
    std::vector<ReviewedChange> reviewed;
    for (const auto& [row, change] : byRow) reviewed.push_back(change);
    return reviewed;
}

}  // namespace skein
