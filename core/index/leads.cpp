// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/index/leads.h"

#include "core/base/block_storage.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <vector>

namespace skein {
namespace {

constexpr TimeNs kNever = std::numeric_limits<TimeNs>::max();
constexpr std::uint32_t kNobody = CallPathId::kNone;
constexpr std::uint32_t kChangesBetweenQuestions = 1 << 14;

}  // namespace

/// One location on its way through time.
class LeadMember {
public:
    explicit LeadMember(const CallIntervals& calls)
        : calls_(&calls), count_(static_cast<std::uint32_t>(calls.size()))
    {
    }

    /// When the innermost call may be another one.
    TimeNs nextChange() const
    {
        const TimeNs entry = next_ < count_ ? calls_->begin[next_] : kNever;
        return open_.empty() ? entry : std::min(entry, calls_->end[open_.back()]);
    }

    /// Goes to the time of the next change.
    void advance(TimeNs time)
    {
        instant_ = kNobody;
        leaveEnded(time);
        for (; next_ < count_ && calls_->begin[next_] <= time; leaveEnded(time)) {
            if (calls_->depth[next_] == 0 && calls_->end[next_] <= time && instant_ == kNobody)
                instant_ = calls_->callPath[next_];
            open_.push_back(next_++);
        }
    }

    std::uint32_t callPath() const { return open_.empty() ? kNobody : calls_->callPath[open_.back()]; }
    /// That of the first call without duration outside all others at the time that was advanced to.
    std::uint32_t instant() const { return instant_; }

private:
    void leaveEnded(TimeNs time)
    {
        while (!open_.empty() && calls_->end[open_.back()] <= time) open_.pop_back();
    }

    const CallIntervals* calls_;
    std::uint32_t count_;
    std::uint32_t next_ = 0;
    std::uint32_t instant_ = kNobody;
    std::vector<std::uint32_t> open_;
};

/// The earliest of a number of times, of which one changes at a time: a tournament. O(log number) a change.
class EarliestChange {
public:
    explicit EarliestChange(std::size_t count)
        : leaves_(std::bit_ceil(std::max<std::size_t>(count, 2))), times_(leaves_, kNever), winner_(leaves_)
    {
        for (std::size_t match = leaves_; match-- > 1;) play(match);
    }

    void set(std::size_t number, TimeNs time)
    {
        times_[number] = time;
        for (std::size_t match = (number + leaves_) / 2; match > 0; match /= 2) play(match);
    }
    std::size_t number() const { return winner_[1]; }
    TimeNs time() const { return times_[winner_[1]]; }

private:
    void play(std::size_t match)
    {
        const std::uint32_t a = playerOf(2 * match), b = playerOf(2 * match + 1);
        winner_[match] = times_[b] < times_[a] ? b : a;
    }
    std::uint32_t playerOf(std::size_t place) const
    {
        return place < leaves_ ? winner_[place] : static_cast<std::uint32_t>(place - leaves_);
    }

    std::size_t leaves_;
    std::vector<TimeNs> times_;
    std::vector<std::uint32_t> winner_;
};

/// Goes through the calls of all locations together in the order of time.
class LeadFinder {
public:
    LeadFinder(std::span<const CallIntervals* const> locations,
               std::span<const std::uint32_t> regionOfCallPath, std::uint32_t regionCount)
        : regionOf_(regionOfCallPath),
          earliest_(locations.size()),
          paths_(regionOfCallPath.size()),
          regions_(regionCount, 0),
          tally_(regionOfCallPath, regionCount),
          debts_(regionCount)
    {
        for (const CallIntervals* calls : locations) members_.emplace_back(*calls);
        for (std::size_t member = 0; member < members_.size(); ++member)
            earliest_.set(member, members_[member].nextChange());
    }

    std::optional<Leads> find(const Task& task)
    {
        if (earliest_.time() == kNever) return Leads();
        if (earliest_.time() > 0) begin(0, kNobody);
        while (earliest_.time() != kNever) {
            step(earliest_.time());
            if (changes_ < kChangesBetweenQuestions) continue;
            changes_ = 0;
            if (task.stopRequested()) return std::nullopt;
        }
        if (instantEnd_ != kNever) begin(instantEnd_, kNobody);
        Leads leads;
        leads.begin_ = begin_.finish();
        leads.callPath_ = callPath_.finish();
        leads.share_ = share_.finish();
        leads.others_ = others_.finish();
        return leads;
    }

private:
    struct Path {
        std::uint32_t members = 0;  ///< in which it is the innermost
        std::uint32_t place = 0;    ///< among active_, where there are any
        bool runs = false;          ///< stands in running_
        TimeNs since = 0;           ///< up to when its time is counted
        TimeNs time = 0;            ///< in all members, of the lead
    };

    /// All that changes at one time.
    void step(TimeNs time)
    {
        std::uint32_t instant = kNobody;
        if (instantEnd_ < time) begin(instantEnd_, kNobody);
        now_ = time;
        while (earliest_.time() == time) {
            const std::size_t number = earliest_.number();
            LeadMember& member = members_[number];
            const std::uint32_t before = member.callPath();
            member.advance(time);
            if (instant == kNobody) instant = member.instant();
            if (member.callPath() != before) replace(before, member.callPath());
            earliest_.set(number, member.nextChange());
            ++changes_;
        }
        if (active_.empty() && instant != kNobody) return beginInstant(instant);
        const std::uint32_t leader = leaderOf();
        if (leader != leader_ || instantEnd_ != kNever || begin_.empty()) return begin(time, leader);
        if (leader == kNobody) return;
        const std::uint32_t members = regions_[leader];
        if (members > 2 * least_ || 2 * members < most_) return begin(time, leader);
        least_ = std::min(least_, members);
        most_ = std::max(most_, members);
    }

    /// Shows a call without duration.
    void beginInstant(std::uint32_t callPath)
    {
        begin(now_, kNobody);
        callPath_.back() = callPath;
        share_.back() = 1;
        instantEnd_ = now_ + 1;
    }

    void replace(std::uint32_t before, std::uint32_t after)
    {
        if (before != kNobody) {
            Path& path = paths_[before];
            count(path);
            --regions_[regionOf_[before]];
            if (--path.members == 0) {
                paths_[active_.back()].place = path.place;
                active_[path.place] = active_.back();
                active_.pop_back();
            }
        }
        if (after == kNobody) return;
        Path& path = paths_[after];
        count(path);
        ++regions_[regionOf_[after]];
        if (path.members++ == 0) {
            path.place = static_cast<std::uint32_t>(active_.size());
            active_.push_back(after);
        }
        join(after);
    }

    /// Up to now.
    void count(Path& path)
    {
        path.time += static_cast<TimeNs>(path.members) * (now_ - path.since);
        path.since = now_;
    }

    /// Its time counts from now on.
    void join(std::uint32_t callPath)
    {
        Path& path = paths_[callPath];
        if (path.runs) return;
        path.runs = true;
        path.time = 0;
        path.since = now_;
        running_.push_back(callPath);
    }

    /// The region in most members; kNobody without any.
    std::uint32_t leaderOf() const
    {
        std::uint32_t best = leader_ != kNobody && regions_[leader_] > 0 ? leader_ : kNobody;
        for (const std::uint32_t callPath : active_) {
            const std::uint32_t region = regionOf_[callPath];
            if (best == kNobody || regions_[region] > regions_[best]
                || (regions_[region] == regions_[best] && best != leader_ && region < best))
                best = region;
        }
        return best;
    }

    void begin(TimeNs time, std::uint32_t region)
    {
        close(time);
        instantEnd_ = kNever;
        leader_ = region;
        begin_.push(time);
        callPath_.push(kNobody);
        share_.push(0);
        others_.push({});
        if (region == kNobody) return;
        least_ = most_ = regions_[region];
        for (const std::uint32_t callPath : active_) join(callPath);
    }

    /// The lead that lasts until then gets its call path, and what ran beside.
    void close(TimeNs end)
    {
        times_.clear();
        for (const std::uint32_t callPath : running_) {
            Path& path = paths_[callPath];
            count(path);
            path.runs = false;
            if (path.time > 0) times_.push_back({callPath, path.time});
        }
        running_.clear();
        if (leader_ == kNobody || times_.empty()) return;
        const auto division = tally_.divide(times_, debts_, leader_);
        const double whole = static_cast<double>(end - begin_.back()) * static_cast<double>(members_.size());
        callPath_.back() = division.first.callPath;
        others_.back() = division.others(whole);
        share_.back() = static_cast<std::uint8_t>(
            std::clamp(static_cast<int>(static_cast<double>(division.first.time) / whole * 254), 1, 254));
    }

    std::span<const std::uint32_t> regionOf_;
    std::vector<LeadMember> members_;
    EarliestChange earliest_;
    std::vector<Path> paths_;
    std::vector<std::uint32_t> regions_;  ///< members in each
    std::vector<std::uint32_t> active_;   ///< call paths with members
    std::vector<std::uint32_t> running_;  ///< call paths that have members or had some since the lead began
    std::vector<PathTime> times_;         ///< theirs
    RegionTally tally_;
    RestDebts debts_;
    std::uint32_t leader_ = kNobody;  ///< region
    std::uint32_t least_ = 0;         ///< members that it was in since it leads
    std::uint32_t most_ = 0;
    std::uint32_t changes_ = 0;  ///< since whether to stop was asked
    TimeNs now_ = 0;
    TimeNs instantEnd_ = kNever;  ///< of a call without duration that leads
    ColumnBuilder<TimeNs> begin_;
    ColumnBuilder<std::uint32_t> callPath_;
    ColumnBuilder<std::uint8_t> share_;
    ColumnBuilder<OtherRegions> others_;
};

std::optional<Leads> findLeads(std::span<const CallIntervals* const> locations,
                               std::span<const std::uint32_t> regionOfCallPath, std::uint32_t regionCount,
                               const Task& task)
{
    return LeadFinder(locations, regionOfCallPath, regionCount).find(task);
}

void Leads::moveTo(BlockStorage& storage) { storage.move(begin_, callPath_, share_, others_); }

}  // namespace skein
