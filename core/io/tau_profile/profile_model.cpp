// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/tau_profile/profile_model.h"

#include "core/base/parallel_for.h"
#include "core/base/unfinished.h"
#include "core/base/utf8.h"
#include "core/io/tau/tau_locations.h"
#include "core/io/tau_profile/event_model.h"
#include "core/io/tau_profile/location_rows.h"
#include "core/io/tau_profile/profile_checks.h"
#include "core/io/tau_profile/profile_names.h"

#include <algorithm>
#include <numeric>

namespace skein::tau {
namespace {

using Joined = ProfileAssembler::Joined;
using Thread = ProfileAssembler::Thread;

/// What an item of a location's rows is: a number for each timer, or none for those that do not count.
using ItemOfTimer = std::vector<std::uint32_t>;
constexpr std::uint32_t kNoItem = TimerMeaning::kNone;

/// Sums the rows of one thread by item. Calls come from the file that was added first: every metric's folder
/// repeats them. `outermost` says whether the timer's inclusive values count.
LocationRows sumRows(const Thread& thread, const ItemOfTimer& itemOf, const std::vector<bool>& outermost,
                     std::size_t metrics)
{
    std::vector<std::uint32_t> items;
    for (const auto& call : thread.calls)
        if (itemOf[call.timer] != kNoItem) items.push_back(itemOf[call.timer]);
    LocationRows rows(std::move(items), metrics);
    std::vector<std::uint32_t> source(rows.size(), kNoItem);
    for (const auto& call : thread.calls) {
        if (itemOf[call.timer] == kNoItem) continue;
        const std::size_t row = rows.find(itemOf[call.timer]);
        if (source[row] == kNoItem) source[row] = call.source;
        if (source[row] != call.source) continue;
        rows.calls(row) += call.calls;
        rows.subroutines(row) += call.subroutines;
    }
    for (const auto& value : thread.values) {
        if (itemOf[value.timer] == kNoItem) continue;
        const std::size_t row = rows.find(itemOf[value.timer]);
        rows.exclusive(row, value.metric) += value.exclusive;
        if (outermost[value.timer]) rows.inclusive(row, value.metric) += value.inclusive;
    }
    return rows;
}

/// The rows of `base` and those of `more`, whose items are none of base's.
LocationRows withMoreRows(const LocationRows& base, const LocationRows& more,
                          const std::vector<std::uint32_t>& moreRows)
{
    if (moreRows.empty()) return base;
    std::vector<std::uint32_t> items;
    for (std::size_t row = 0; row < base.size(); ++row) items.push_back(base.item(row));
    for (const std::uint32_t row : moreRows) items.push_back(more.item(row));
    LocationRows rows(std::move(items), base.metrics());
    for (std::size_t row = 0; row < base.size(); ++row) rows.addRow(rows.find(base.item(row)), base, row);
    for (const std::uint32_t row : moreRows) rows.addRow(rows.find(more.item(row)), more, row);
    return rows;
}

/// Flat rows completed by the sums of regions that have paths alone.
LocationRows completed(const LocationRows& flat, const LocationRows& ofPaths)
{
    std::vector<std::uint32_t> absent;
    for (std::uint32_t row = 0; row < ofPaths.size(); ++row)
        if (flat.find(ofPaths.item(row)) == LocationRows::kAbsent) absent.push_back(row);
    return withMoreRows(flat, ofPaths, absent);
}

/// What the flat rows have more than all paths: the calls at the bottom of the stack. Items are regions.
LocationRows withoutPaths(const LocationRows& flat, const LocationRows& ofPaths,
                          const std::vector<Region>& regions)
{
    std::vector<std::uint32_t> items;
    for (std::size_t row = 0; row < flat.size(); ++row) {
        const std::size_t path = ofPaths.find(flat.item(row));
        const double calls = flat.calls(row) - (path == LocationRows::kAbsent ? 0.0 : ofPaths.calls(path));
        if (calls >= 0.5 && regions[flat.item(row)].role != RegionRole::Artificial)
            items.push_back(flat.item(row));
    }
    LocationRows rows(std::move(items), flat.metrics());
    for (std::size_t row = 0; row < rows.size(); ++row) {
        const std::size_t from = flat.find(rows.item(row));
        rows.addRow(row, flat, from);
        const std::size_t path = ofPaths.find(rows.item(row));
        if (path == LocationRows::kAbsent) continue;
        rows.calls(row) -= ofPaths.calls(path);
        rows.subroutines(row) = std::max(0.0, rows.subroutines(row) - ofPaths.subroutines(path));
        for (std::size_t metric = 0; metric < rows.metrics(); ++metric) {
            rows.exclusive(row, metric) =
                std::max(0.0, rows.exclusive(row, metric) - ofPaths.exclusive(path, metric));
            rows.inclusive(row, metric) =
                std::max(0.0, rows.inclusive(row, metric) - ofPaths.inclusive(path, metric));
        }
    }
    return rows;
}

/// The same rows with other items. The new items must be distinct.
LocationRows renumbered(const LocationRows& rows, const std::vector<std::uint32_t>& numbers)
{
    std::vector<std::uint32_t> items;
    for (std::size_t row = 0; row < rows.size(); ++row) items.push_back(numbers[rows.item(row)]);
    LocationRows result(std::move(items), rows.metrics());
    for (std::size_t row = 0; row < rows.size(); ++row)
        result.addRow(result.find(numbers[rows.item(row)]), rows, row);
    return result;
}

class Builder {
public:
    Builder(Joined joined, const Task& task) : joined_(std::move(joined)), task_(task) {}

    Result<Experiment> run()
    {
        checkThreads(joined_);
        orderMetrics();
        auto meanings = names_.interpret(joined_.timers, joined_.report, task_);
        if (!meanings) return cancelled();
        meanings_ = *std::move(meanings);
        if (!sumThreads() || !addRoots()) return cancelled();
        defineMetrics();
        if (!defineThreads()) return cancelled();
        if (!events_.run(task_)) return cancelled();
        makeProfile();
        if (task_.stopRequested()) return cancelled();
        return finish();
    }

private:
    /// TIME first, then the others by name: the first metric is what views start with.
    void orderMetrics()
    {
        order_.resize(joined_.metrics.size());
        std::iota(order_.begin(), order_.end(), 0u);
        const auto rank = [&](std::uint32_t metric) {
            const std::string& name = joined_.metrics[metric].name;
            return std::pair(name == "TIME" ? 0 : isTimeMetric(name) ? 1 : 2, name);
        };
        std::sort(order_.begin(), order_.end(),
                  [&](std::uint32_t a, std::uint32_t b) { return rank(a) < rank(b); });
        std::vector<std::uint32_t> position(order_.size());
        for (std::uint32_t at = 0; at < order_.size(); ++at) position[order_[at]] = at;
        for (auto& [key, thread] : joined_.threads)
            for (auto& value : thread.values) value.metric = position[value.metric];
    }

    /// For each thread the sums of flat rows, of paths by node, and of paths by region.
    bool sumThreads()
    {
        const std::size_t timers = joined_.timers.size();
        ItemOfTimer flat(timers, kNoItem), node(timers, kNoItem), ofPath(timers, kNoItem);
        std::vector<bool> all(timers, true), outermost(timers, true);
        for (std::size_t timer = 0; timer < timers; ++timer) {
            const TimerMeaning& meaning = meanings_[timer];
            (meaning.isPath() ? ofPath : flat)[timer] = meaning.region;
            node[timer] = meaning.node;
            outermost[timer] = !meaning.recursive;
        }
        for (const auto& [key, thread] : joined_.threads) threads_.push_back(&thread);
        const std::size_t count = threads_.size();
        flat_.resize(count);
        paths_.resize(count);
        roots_.resize(count);
        const std::size_t metrics = order_.size();
        return parallelFor(count, task_, [&](std::size_t index) {
            const LocationRows flatRows = sumRows(*threads_[index], flat, all, metrics);
            const LocationRows ofPaths = sumRows(*threads_[index], ofPath, outermost, metrics);
            paths_[index] = sumRows(*threads_[index], node, all, metrics);
            if (names_.nodes() > 0) roots_[index] = withoutPaths(flatRows, ofPaths, names_.regions());
            flat_[index] = completed(flatRows, ofPaths);
        });
    }

    /// Adds what was called at the bottom of the stacks to the tree; its nodes come after those of the paths.
    bool addRoots()
    {
        std::vector<std::uint32_t> rootOf(names_.regions().size(), kNoItem);
        std::vector<bool> wanted(rootOf.size(), false);
        for (const LocationRows& rows : roots_)
            for (std::size_t row = 0; row < rows.size(); ++row) wanted[rows.item(row)] = true;
        for (std::uint32_t region = 0; region < wanted.size(); ++region)
            if (wanted[region]) rootOf[region] = names_.root(region).value();
        return parallelFor(threads_.size(), task_, [&](std::size_t index) {
            const LocationRows roots = renumbered(roots_[index], rootOf);
            std::vector<std::uint32_t> all(roots.size());
            std::iota(all.begin(), all.end(), 0u);
            paths_[index] = withMoreRows(paths_[index], roots, all);
        });
    }

    void defineMetrics()
    {
        for (const std::uint32_t metric : order_) {
            const RawMetric& raw = joined_.metrics[metric];
            definitions_.metrics.push_back(makeTimerMetric(raw.name, raw.unit));
            scales_.push_back(timerScale(raw.name));
            timerMetrics_.push_back(MetricId(definitions_.metrics.size() - 1));
        }
    }

    bool defineThreads()
    {
        for (auto& [key, thread] : joined_.threads)
            described_.push_back({key, std::move(thread.metadata), std::move(thread.common)});
        return defineLocations(described_, definitions_, task_);
    }

    void makeProfile()
    {
        profile_ = std::make_shared<Profile>();
        profile_->regions = makeCube(flat_, timerMetrics_, scales_, task_);
        if (names_.nodes() > 0) profile_->callPaths = makeCube(paths_, timerMetrics_, scales_, task_);
        profile_->statistics = events_.takeStatistics();
    }

    Result<Experiment> finish()
    {
        Experiment experiment;
        experiment.format = "TAU profile";
        experiment.commMatrix = events_.takeMatrix();
        CallTree tree;
        std::move(names_).moveInto(definitions_, tree);
        experiment.definitions = std::move(definitions_);
        experiment.callTree = std::make_shared<const CallTree>(std::move(tree));
        experiment.profile = std::move(profile_);
        experiment.report = std::move(joined_.report);
        return experiment;
    }

    Joined joined_;
    const Task& task_;
    NameModel names_;
    Definitions definitions_;
    EventModel events_{joined_, names_, definitions_};
    std::vector<TimerMeaning> meanings_;
    std::vector<std::uint32_t> order_;
    std::vector<const Thread*> threads_;
    std::vector<ThreadDescription> described_;
    std::vector<LocationRows> flat_, paths_, roots_;
    std::vector<MetricId> timerMetrics_;
    std::vector<double> scales_;
    std::shared_ptr<Profile> profile_;
};

}  // namespace

Result<Experiment> buildProfileExperiment(Joined joined, const Task& task)
{
    const Unfinished<Builder> builder(task, std::move(joined), task);
    return builder->run();
}

}  // namespace skein::tau
