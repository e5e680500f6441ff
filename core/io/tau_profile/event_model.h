// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/task.h"
#include "core/io/tau_profile/profile_assembler.h"
#include "core/io/tau_profile/profile_names.h"

#include <map>
#include <memory>
#include <vector>

namespace skein::tau {

/// Turns the user events of joined files into metrics, statistics and the communication matrix.
class EventModel {
public:
    EventModel(ProfileAssembler::Joined& joined, NameModel& names, Definitions& definitions)
        : joined_(joined), names_(names), definitions_(definitions)
    {
    }

    /// Defines a metric for every event and fills the tables below. False after a stop request.
    bool run(const Task& task);

    /// Sorted by metric, context and location.
    Column<EventStatistic> takeStatistics() { return Column<EventStatistic>(std::move(statistics_)); }

    /// From "Message size sent to node N" of all contexts together, never from its breakdown by call path.
    /// Receives are used only where no thread recorded a send: their lengths may be those posted. Null
    /// without either.
    std::shared_ptr<const CommMatrix> takeMatrix();

private:
    struct Meaning {
        MetricId metric;
        CallPathId context;
        std::optional<MessageEvent> message;
        bool receivedByAll = false;  ///< counts the messages that the rank received from any
        bool shown = true;
    };

    bool interpret(const Task& task);
    bool sortStatistics(const Task& task);
    void addThread(ProfileAssembler::Thread& thread, ThreadKey key, LocationId location);
    void addRow(const RawEventRow& row, ThreadKey key, LocationId location);
    void addMessages(const MessageEvent& message, const RawEventRow& row, ThreadKey key);
    void compareReceives();

    ProfileAssembler::Joined& joined_;
    NameModel& names_;
    Definitions& definitions_;
    std::vector<Meaning> meanings_;
    std::vector<EventStatistic> statistics_;
    std::vector<CommMatrix::Entry> sends_, receives_;
    std::map<std::uint32_t, double> received_;  ///< messages by rank, from whomever
};

}  // namespace skein::tau
