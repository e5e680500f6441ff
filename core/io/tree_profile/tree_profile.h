// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/import_report.h"
#include "core/base/result.h"
#include "core/base/task.h"
#include "core/session/experiment.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace skein {

/// What a node of a call tree is called, and where its source is.
struct TreeFrame {
    std::string name;
    std::string file;
    std::uint32_t line = 0;
    RegionRole role = RegionRole::Function;
    std::string module = {};  ///< library or program

    bool operator<(const TreeFrame& other) const;
};

enum class TreeRowAmount : std::uint8_t { Exclusive, Inclusive };

/// Makes an experiment out of what tools write down as a tree: nodes with values of some metrics. What is
/// given of a metric only inclusively or only exclusively is completed with the other. Not thread-safe.
class TreeProfileBuilder {
public:
    /// The node of a frame below another (invalid: a root); equal frames below one node are one.
    CallPathId child(CallPathId parent, const TreeFrame& frame);
    /// The location of a thread of a rank; rank -1: the only one there is.
    std::uint32_t location(std::int64_t rank, std::int32_t thread = 0);
    /// A metric by its name; the first call of a name defines it.
    std::uint32_t metric(const std::string& name, const std::string& unit,
                         MetricAggregation aggregation = MetricAggregation::Sum);
    /// Adds an amount: sums of sums, extremes of extremes.
    void add(CallPathId node, std::uint32_t location, std::uint32_t metric, TreeRowAmount amount,
             double value);
    void addCalls(CallPathId node, std::uint32_t location, double calls);
    std::size_t nodes() const { return tree_.size(); }

    /// Errors: Malformed where there is no node or no value; Cancelled.
    Result<Experiment> finish(const std::filesystem::path& path, std::string format, ImportReport report,
                              const Task& task) &&;

private:
    struct Column {
        std::vector<double> inclusive, exclusive;
        bool hasInclusive = false, hasExclusive = false;
    };

    std::size_t row(CallPathId node, std::uint32_t location);
    void addAncestors();
    std::vector<std::size_t> sortRows();
    void complete(Column& column, const Metric& metric, const std::vector<std::size_t>& order) const;
    MetricCube pathCube(const std::vector<std::size_t>& order) const;
    MetricCube regionCube(const MetricCube& paths, const CallTree& tree) const;

    CallTreeBuilder tree_;
    Definitions definitions_;
    std::map<TreeFrame, std::uint32_t> regions_;
    std::map<std::pair<std::int64_t, std::int32_t>, std::uint32_t> locations_;
    std::map<std::int64_t, std::uint32_t> groups_;
    std::unordered_map<std::string, std::uint32_t> metrics_;
    std::vector<Column> columns_;
    std::unordered_map<std::uint64_t, std::size_t> rows_;
    std::vector<std::uint32_t> rowNodes_, rowLocations_;
    std::vector<double> calls_;
};

/// "out of memory" as an error instead of an exception.
Result<Experiment> guardedRead(const std::filesystem::path& path, const Task& task,
                               Result<Experiment> (*read)(const std::filesystem::path&, const Task&));

}  // namespace skein
