// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/behavior/stream_transform.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_map>

namespace skein {
namespace {

constexpr std::size_t kLeftOut = static_cast<std::size_t>(-1);
constexpr double kNothing = std::numeric_limits<double>::quiet_NaN();

/// ‖a − b‖ / ‖b‖ over what both have; what only one has is a change whatever its size.
double shareMoved(const std::vector<double>& now, const std::vector<double>& before)
{
    double moved = 0, length = 0;
    for (std::size_t i = 0; i < now.size(); ++i) {
        const bool was = i < before.size() && std::isfinite(before[i]);
        if (was != std::isfinite(now[i])) return std::numeric_limits<double>::infinity();
        if (!was) continue;
        moved += (now[i] - before[i]) * (now[i] - before[i]);
        length += before[i] * before[i];
    }
    if (moved == 0) return 0;
    return length > 0 ? std::sqrt(moved / length) : std::numeric_limits<double>::infinity();
}

}  // namespace

Result<void> checkStreamTransform(const StreamTransformParams& params)
{
    if (params.every < 1 || params.rows < 1)
        return fail(ErrorCode::InvalidArgument, "Of a stream one row at least has to be taken and joined.");
    if (!(params.leastInterval >= 0) || !std::isfinite(params.leastInterval))
        return fail(ErrorCode::InvalidArgument, "The least interval must be a number that is not negative.");
    if (!(params.leastChange >= 0) || !std::isfinite(params.leastChange))
        return fail(ErrorCode::InvalidArgument, "The least change must be a number that is not negative.");
    return {};
}

std::string_view upToLevel(std::string_view path, std::size_t level)
{
    std::size_t end = 0;
    for (std::size_t i = 0; i < level && end != std::string_view::npos; ++i)
        end = path.find('/', i == 0 ? 0 : end + 1);
    return path.substr(0, end);
}

bool StreamTransform::keeps(const std::string& name, std::size_t entity, const AttributeOf& attributeOf) const
{
    const bool fits = params_.entities.empty()
        || std::any_of(params_.entities.begin(), params_.entities.end(),
                       [&](const std::string& pattern) { return fitsPattern(name, pattern); });
    return fits && allHold(params_.where, [&](std::string_view asked) {
               return attributeOf ? attributeOf(entity, asked) : std::nullopt;
           });
}

std::optional<std::size_t> StreamTransform::placeOf(std::size_t entity) const
{
    if (entity >= target_.size() || target_[entity] == kLeftOut) return std::nullopt;
    return target_[entity];
}

void StreamTransform::setEntities(std::span<const std::string> names, std::span<const std::string> groups,
                                  const AttributeOf& attributeOf)
{
    if (names.size() == target_.size()) return;
    std::unordered_map<std::string_view, std::size_t> places;
    for (std::size_t i = 0; i < out_.size(); ++i) places.emplace(out_[i], i);
    // Names in the map are those of out_ or of the arguments, which outlive it; out_ may move its texts.
    std::vector<std::string_view> fresh;
    for (std::size_t i = target_.size(); i < names.size(); ++i) {
        if (!keeps(names[i], i, attributeOf)) {
            target_.push_back(kLeftOut);
            continue;
        }
        std::string_view name = names[i];
        if (params_.level > 0)
            name = upToLevel(i < groups.size() && !groups[i].empty() ? std::string_view(groups[i]) : name,
                             params_.level);
        const auto [place, isNew] = places.try_emplace(name, out_.size() + fresh.size());
        if (isNew) fresh.push_back(name);
        target_.push_back(place->second);
        joined_.resize(out_.size() + fresh.size());
        ++joined_[place->second];
    }
    for (const std::string_view name : fresh) out_.emplace_back(name);
}

bool StreamTransform::sampled(double time)
{
    const bool turn = seen_++ % params_.every == 0;
    if (!turn || (lastTaken_ && time - *lastTaken_ < params_.leastInterval)) return false;
    lastTaken_ = time;
    return true;
}

void StreamTransform::join(Join& into, std::size_t at, double value) const
{
    if (!std::isfinite(value)) return;
    double& sum = into.value[at];
    if (into.count[at]++ == 0) sum = value;
    else if (params_.join == StreamJoin::Least) sum = std::min(sum, value);
    else if (params_.join == StreamJoin::Most) sum = std::max(sum, value);
    else sum += value;
}

std::vector<double> StreamTransform::joined(const Join& from) const
{
    std::vector<double> values(out_.size(), kNothing);
    for (std::size_t i = 0; i < from.value.size(); ++i)
        if (from.count[i] > 0)
            values[i] = params_.join == StreamJoin::Mean ? from.value[i] / from.count[i] : from.value[i];
    return values;
}

std::optional<TransformedRow> StreamTransform::add(double time, std::span<const double> values)
{
    if (!sampled(time)) return std::nullopt;
    if (params_.entities.empty() && params_.where.empty() && params_.level == 0 && params_.rows == 1) {
        std::vector<double> all(values.begin(), values.end());
        all.resize(out_.size(), kNothing);
        return passOn({time, std::move(all)});
    }
    Join row{std::vector<double>(out_.size(), 0.0), std::vector<double>(out_.size(), 0.0)};
    for (std::size_t i = 0; i < std::min(values.size(), target_.size()); ++i)
        if (target_[i] != kLeftOut) join(row, target_[i], values[i]);
    std::vector<double> one = joined(row);
    if (params_.rows == 1) return passOn({time, std::move(one)});
    if (waitingRows_++ == 0) {
        waiting_ = {std::vector<double>(out_.size(), 0.0), std::vector<double>(out_.size(), 0.0)};
        waitingTime_ = time;
    }
    waiting_.value.resize(out_.size());
    waiting_.count.resize(out_.size());
    for (std::size_t i = 0; i < one.size(); ++i) join(waiting_, i, one[i]);
    return waitingRows_ < params_.rows ? std::nullopt : flush();
}

std::optional<TransformedRow> StreamTransform::flush()
{
    if (waitingRows_ == 0) return std::nullopt;
    waitingRows_ = 0;
    return passOn({waitingTime_, joined(waiting_)});
}

std::optional<TransformedRow> StreamTransform::passOn(TransformedRow row)
{
    if (params_.leastChange > 0) {
        if (passed_ > 0 && !(shareMoved(row.values, last_) > params_.leastChange)) {
            ++withheld_;
            return std::nullopt;
        }
        last_ = row.values;
    }
    ++passed_;
    return row;
}

}  // namespace skein
