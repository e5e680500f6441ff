// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/session/experiment.h"

#include <string>
#include <vector>

namespace skein::test {

/// One call of a hand-written trace, in order of entry.
struct Call {
    TimeNs begin = 0;
    TimeNs end = 0;
    std::string region;
    std::uint16_t depth = 0;
};

/// Builds small experiments from lists of calls: one list a location; regions are made by name.
class ExperimentBuilder {
public:
    explicit ExperimentBuilder(std::string name) { experiment_.name = std::move(name); }

    /// Adds a process with one thread. Its calls must stand in order of entry.
    ExperimentBuilder& process(const std::string& node, const std::vector<Call>& calls);
    /// Adds a thread to the last process.
    ExperimentBuilder& thread(const std::vector<Call>& calls);
    ExperimentBuilder& message(std::uint32_t sender, TimeNs sendTime, std::uint32_t receiver,
                               TimeNs receiveTime, std::uint64_t bytes);
    ExperimentBuilder& paradigm(const std::string& region, Paradigm paradigm);
    /// Puts the region into a group; into several by several calls.
    ExperimentBuilder& group(const std::string& region, const std::string& group);
    ExperimentPtr finish();

private:
    RegionId regionOf(const std::string& name);
    void addLocation(const std::vector<Call>& calls);

    Experiment experiment_;
    Trace trace_;
    CallTreeBuilder tree_;
    std::vector<Message> messages_;
};

}  // namespace skein::test
