// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "algorithms/behavior/change_detector.h"
#include "core/base/result.h"
#include "core/base/task.h"
#include "core/series/series_table.h"

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

/// When the behaviour of many entities changed (Kesavan et al., "A Visual Analytics Framework for Reviewing
/// Streaming Performance Data", PacificVis 2020, section 4.2.1; the golden README tells where the code that
/// was published with it is not followed).
namespace skein {

/// Rows [first, last) in which no change can be found: the burn-in.
struct BlindZone {
    std::size_t first = 0;
    std::size_t last = 0;
};

/// Where a series changed.
struct ChangePoints {
    std::vector<std::size_t> changes;    ///< rows, from 0
    std::vector<double> representative;  ///< one value a row that stands for all entities; NaN in a gap
    std::vector<double> pValues;         ///< one a row; 0.5 where nothing can be found
    std::vector<BlindZone> blind;
};

/// One series for many: each row's score on the first principal component of all rows up to it, the sign
/// following on from the row before. A table of one column stands for itself. O(values). Errors:
/// InvalidArgument (values beyond 1e150), Cancelled.
Result<std::vector<double>> representativeSeries(const SeriesTable& table, const Task& task);

/// Changes of a series as they would have been found while it came. O(values).
/// Errors: InvalidArgument (params).
Result<ChangePoints> findChangesOf(std::vector<double> series, const ChangeParams& params);

/// Changes of all entities together, by their representative series. Errors: InvalidArgument, Cancelled.
Result<ChangePoints> findChanges(const SeriesTable& table, const ChangeParams& params, const Task& task);

/// Of the changes that were found those after which entities stayed on other levels, as it looks in
/// hindsight: the detector is quick, and calls out what was over soon or never was. At least `burnIn` rows
/// must follow. From all changes the weakest is taken away, its two spans becoming one, until at each of the
/// others the levels of both spans differ by more than a third of the entities' standard deviations within
/// them (root mean square over the entities) and by more than chance does (α / 2 of a normal distribution for
/// the mean F). Drifts are no changes, as in settledChanges(). Of more than 4096 entities as many are looked
/// at. Gives places in found.changes. O(values + changes · (changes + entities)).
std::vector<std::size_t> lastingChanges(const SeriesTable& table, const ChangePoints& found,
                                        const ChangeParams& params);

/// A change that lasts, and where it was.
struct SettledChange {
    std::optional<std::size_t> place;  ///< in found.changes; nullopt: the detector has missed it
    std::size_t row = 0;  ///< from which on entities are on the other level, as it looks in hindsight
};

/// The changes that last, as the whole series shows them:
/// 1. Each is moved to the row between its neighbours at which the entities' series are best told as two
///    levels (least squares, each entity by its own variance), for the detector is late where a change falls
///    into a burn-in; what is no change any more when its neighbours have moved is left out.
/// 2. What the detector has missed, because entities moved against each other and not their representative,
///    is added: the best split of a span, with and without what is far out (Tukey's fences), where levels
///    differ by a standard deviation (root mean square) and by more than chance does at the best of all rows
///    (χ² with Bonferroni's correction).
/// 3. Two with less than a burn-in between them are one that took its time, or none where things are as
/// before;
///    where behaviour turns over also with less than a fifth of the shorter one of the levels around: a burst
///    on the way is no level of its own. Such a change is at the row from which on it is nearer to what
///    follows.
/// O(a few times values; with added ones values · changes at worst).
std::vector<SettledChange> settledChanges(const SeriesTable& table, const ChangePoints& found,
                                          const ChangeParams& params);

/// A change as it is shown once everything is known.
struct ReviewedChange {
    std::size_t row = 0;                ///< where it was if it lasts, else where it was called
    std::optional<std::size_t> called;  ///< the row at which the detector called it; nullopt: it missed it
    bool lasts = false;

    bool operator==(const ReviewedChange&) const = default;
};

/// settledChanges() and what else was called, by row; one a row. What settled without having been called is
/// what was called within a burn-in of it, if anything was. O(what settledChanges() takes).
std::vector<ReviewedChange> reviewedChanges(const SeriesTable& table, const ChangePoints& found,
                                            const ChangeParams& params);

/// How an entity's level moved at a change.
struct EntityShift {
    std::size_t entity = 0;  ///< column
    double before = 0.0;     ///< mean of the rows since the change before
    double after = 0.0;      ///< mean of the rows from the change to the next one
    /// The difference over the standard deviation of what was before; nullopt where that was constant.
    std::optional<double> deviations;
};

/// Why a change was called: the `most` entities that moved farthest between the rows before `change` and
/// those from it on, by their part in the representative series: |after − before| in the entity's unit, the
/// largest first, then by column. At most `reach` rows on either side are looked at. `change` is a place in
/// found.changes. O(columns · reach).
std::vector<EntityShift> explainChange(const SeriesTable& table, const ChangePoints& found,
                                       std::size_t change, std::size_t most, std::size_t reach);

}  // namespace skein
