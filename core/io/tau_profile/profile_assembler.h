// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/base/task.h"
#include "core/io/tau_profile/raw_profile.h"
#include "core/session/experiment.h"

#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

namespace skein::tau {

/// Joins the files of one profile into an Experiment.
///
/// Regions come from the flat rows; only a region that a thread has in call paths alone is summed from these.
/// The call tree has a node for every prefix of every recorded call path. Where TAU_CALLPATH_DEPTH cut paths
/// off at their outer end, they start in the middle of the stack: such a path's first timer is a root of the
/// tree, without values of its own. The values of a timer that was called with nothing below it (".TAU
/// application", or the first timer of a thread) are what its flat row has more than all paths that end in
/// it: TAU writes no path row for it. A profile without any call path has an empty tree.
///
/// Rows that break down others (samples, contexts, unwound frames, call sites, parameter values) are kept as
/// regions and nodes of their own with role Artificial; their values are part of other rows' values.
///
/// Contexts of user events start below ".TAU application" or in the middle as well. They are looked up as the
/// end of a recorded path; where that is not unique they get a chain of nodes of their own.
class ProfileAssembler {
public:
    /// Takes over what one file held. Files must come in a fixed order; the first that names a user event of
    /// a thread wins, as every metric's folder repeats them. Entries of one name within a file are joined.
    void add(RawProfile raw);

    bool empty() const { return threads_.empty(); }

    /// Builds definitions, call tree, profile and communication matrix. Cancelled is the only error.
    Result<Experiment> finish(const Task& task) &&;

    struct CallRow {
        std::uint32_t timer = 0;
        std::uint32_t source = 0;  ///< number of the add()
        double calls = 0;
        double subroutines = 0;
    };
    struct ValueRow {
        std::uint32_t timer = 0;
        std::uint32_t metric = 0;
        double exclusive = 0;
        double inclusive = 0;
    };
    struct EventRow {
        RawEventRow row;
        std::uint32_t source = 0;
    };
    using Properties = std::shared_ptr<const std::vector<Property>>;
    struct Thread {
        Properties common;  ///< metadata that the thread shares with the others of its file
        std::vector<Property> metadata;
        std::vector<CallRow> calls;
        std::vector<ValueRow> values;
        std::vector<EventRow> events;
    };
    /// Everything that was added, with names numbered over all files.
    struct Joined {
        std::vector<RawMetric> metrics;
        std::vector<RawTimer> timers;
        std::vector<std::string> events;
        std::map<ThreadKey, Thread> threads;
        std::string fileStem;  ///< of files of one thread, before the numbers: "profile"
        ImportReport report;
    };

private:
    using Names = std::unordered_map<std::string, std::uint32_t>;

    static void addMetadata(const Properties& common, RawThread& from, Thread& thread);
    std::vector<std::uint32_t> numberTimers(const RawProfile& raw);
    std::vector<std::uint32_t> numberMetrics(const RawProfile& raw);
    std::vector<std::uint32_t> numberEvents(const RawProfile& raw);

    Joined joined_;
    std::map<ThreadKey, Thread>& threads_ = joined_.threads;
    Names timerNumbers_, eventNumbers_, metricNumbers_;
    std::uint32_t sources_ = 0;
};

}  // namespace skein::tau
