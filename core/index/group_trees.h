// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/memory_limit.h"
#include "core/base/result.h"
#include "core/base/task.h"
#include "core/index/time_tree.h"
#include "core/session/experiment.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <span>
#include <vector>

namespace skein {

/// Trees of locations that share a row and are no bundle of the index, as those of a collapsed node. They are
/// made when such a row has been drawn without, so that drawing it costs its columns from then on.
/// Thread-safe.
class GroupTrees {
public:
    static constexpr std::size_t kMostLocations =
        256;  ///< of a group: larger ones are summed up over bundles

    /// 512 MiB, but no more than an eighth of a memory limit.
    static std::size_t usualMostBytes(std::optional<std::uint64_t> memoryLimit);

    /// With so many bytes of trees no more are made.
    explicit GroupTrees(std::size_t mostBytes = usualMostBytes(memoryLimit())) : mostBytes_(mostBytes) {}

    /// The tree of exactly these locations of an experiment, ascending; null where there is none: then it is
    /// wanted, unless they are too many, or one. O(locations · log groups).
    std::shared_ptr<const BundleTree> find(std::uint32_t experiment, std::span<const LocationId> locations);

    bool anyWanted() const;

    /// Makes what was wanted until now, of the session's experiments, in parallel. What is there when it is
    /// stopped stays, the rest goes on being wanted. Errors: Cancelled. O(calls of the locations · log).
    Result<void> make(const Session& session, const Task& task);

private:
    /// An experiment, and locations.
    using Key = std::pair<std::uint32_t, std::vector<LocationId>>;

    bool makeOne(const Session& session, const Key& key, const Task& task);

    const std::size_t mostBytes_;
    mutable std::mutex mutex_;
    std::map<Key, std::shared_ptr<const BundleTree>> trees_;
    std::set<Key> wanted_;
    std::size_t bytes_ = 0;
};

}  // namespace skein
