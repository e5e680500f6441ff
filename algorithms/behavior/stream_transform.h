// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/attribute_condition.h"
#include "core/base/result.h"
#include "core/base/text_pattern.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace skein {

/// How values of several time points or entities become one. Values that are missing do not count.
enum class StreamJoin : std::uint8_t { Mean, Sum, Least, Most };

/// What is done to rows of a stream before anything looks at them (Kesavan et al. 2020, sections 4.1 and 7);
/// steps in this order.
struct StreamTransformParams {
    std::size_t every = 1;                   ///< sampling: of so many rows one is taken, ≥ 1
    double leastInterval = 0;                ///< … and none so soon after the last one, in units of time
    std::vector<std::string> entities = {};  ///< filter: names with * and ?; empty: all
    AttributeConditions where = {};          ///< filter: what entities are like when they come
    /// filter: of messages only those of a type that fits one of these; empty: all
    std::vector<std::string> messageTypes = {};
    std::size_t level = 0;  ///< entities of one group of this level, from 1 at the root, are joined; 0: none
    std::size_t rows = 1;   ///< so many rows are joined to one, which has the time of the first, ≥ 1
    StreamJoin join = StreamJoin::Mean;
    /// Only rows are passed on that have moved since the last one by more than this share of its length.
    double leastChange = 0;

    bool operator==(const StreamTransformParams&) const = default;
};

/// Errors: InvalidArgument, naming what is out of its range.
Result<void> checkStreamTransform(const StreamTransformParams& params);

/// The first levels of a path of groups, which are parted by '/'; all of it where it has no more.
std::string_view upToLevel(std::string_view path, std::size_t level);

/// A row as it is passed on.
struct TransformedRow {
    double time = 0;
    std::vector<double> values;  ///< of entities(); NaN: none
};

/// Thins, filters and joins rows of one metric as they come. The same rows give the same bits. Not
/// thread-safe.
class StreamTransform {
public:
    /// `params` as checkStreamTransform() lets pass.
    explicit StreamTransform(StreamTransformParams params) : params_(std::move(params)) {}

    /// An attribute of an entity by its place and the attribute's name.
    using AttributeOf = std::function<std::optional<std::string_view>(std::size_t, std::string_view)>;
    /// What comes from now on; names only become more. `groups`: of each entity, levels parted by '/', or
    /// empty: then their names are looked at. Without `attributeOf` nothing is known of them.
    void setEntities(std::span<const std::string> names, std::span<const std::string> groups,
                     const AttributeOf& attributeOf = {});
    /// The place in entities() of what came as the entity at a place; none where it is left out.
    std::optional<std::size_t> placeOf(std::size_t entity) const;
    /// How many entities are joined at a place of entities().
    std::size_t joinedAt(std::size_t place) const { return joined_[place]; }
    /// The entities that are passed on: those kept, or their groups, in the order in which they came.
    const std::vector<std::string>& entities() const { return out_; }

    /// A row of values of the entities; fewer where some are newer. O(values).
    std::optional<TransformedRow> add(double time, std::span<const double> values);
    /// The rows that wait to be joined.
    std::optional<TransformedRow> flush();

    const StreamTransformParams& params() const { return params_; }
    /// Rows that came, whatever became of them.
    std::uint64_t seen() const { return seen_; }
    std::uint64_t passed() const { return passed_; }
    /// Of those not passed on: rows that had not moved enough.
    std::uint64_t withheld() const { return withheld_; }

private:
    struct Join {
        std::vector<double> value, count;
    };
    bool keeps(const std::string& name, std::size_t entity, const AttributeOf& attributeOf) const;
    bool sampled(double time);
    void join(Join& into, std::size_t at, double value) const;
    std::vector<double> joined(const Join& from) const;
    std::optional<TransformedRow> passOn(TransformedRow row);

    StreamTransformParams params_;
    std::vector<std::size_t> target_;  ///< place in out_ of each entity; beyond it: left out
    std::vector<std::string> out_;
    std::vector<std::size_t> joined_;  ///< entities of each of out_
    std::optional<double> lastTaken_;
    std::uint64_t seen_ = 0, passed_ = 0, withheld_ = 0;
    Join waiting_;  ///< rows that are joined
    std::size_t waitingRows_ = 0;
    double waitingTime_ = 0;
    std::vector<double> last_;  ///< passed on
};

}  // namespace skein
