// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "algorithms/comm/counted_messages.h"
#include "algorithms/comm/message_sums.h"
#include "algorithms/routing/traffic.h"
#include "core/base/result.h"
#include "core/base/result_store.h"
#include "core/comm/comm_matrix.h"
#include "core/machine/topology.h"
#include "core/select/scope.h"
#include "core/select/view_state.h"
#include "core/session/experiment.h"
#include "views/common/scene/data/placed_machine.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

/// Who sends how much to whom, and over which links: what all communication views show, worked out once.
namespace skein {

/// What is asked for.
struct CommunicationRequest {
    std::uint32_t experiment = 0;
    std::optional<TimeSpan> span = {};       ///< session time; nullopt: the whole run
    std::vector<Filter> filters = {};        ///< what hidden locations send and get does not count
    std::vector<TimeNs> clockShiftsNs = {};  ///< as in ViewState
    MachineChoice machine = {};
    /// Messages with an end there count, wherever the other end is; sorted, empty: all.
    std::vector<LocationRef> locations = {};

    bool operator==(const CommunicationRequest&) const = default;
};

/// The request for a scope, and for the rest of what a state shows, of this experiment. A message is in the
/// scope where it was sent in its span and its sender or its receiver is among its locations.
CommunicationRequest communicationRequest(const ViewState& state, const Scope& scope,
                                          std::uint32_t experiment);

/// What placements and routes are searched for: the marked span, or else the whole run, of all locations.
/// What a search looks for must not change because somebody zooms.
Scope searchedScope(const ViewState& state);

/// The first experiment of a session that tells who sent to whom; nullopt: none does.
std::optional<std::uint32_t> communicatingExperiment(const Session& session);

/// The ranks of its communication matrix; 0 where it tells no communication. O(locations).
std::uint32_t communicatingRanks(const Experiment& experiment);

/// Communication, and what it makes of a machine. Immutable; may cross threads.
struct SessionCommunication {
    CommunicationRequest request;
    std::shared_ptr<const CommMatrix> matrix;  ///< never null; ranks are those of the experiment
    /// Time from send to receive, of each entry of the matrix; empty where no times are known.
    std::vector<std::uint64_t> timesNs;
    bool bytesKnown = true;                        ///< else messages are what is shown
    bool messagesKnown = true;                     ///< the source tells how many messages there were
    bool timed = false;                            ///< the source has times: spans can be cut out
    std::shared_ptr<const MessageSums> sums = {};  ///< that it was made of; null where it was not
    std::string note;  ///< what of the request could not be obeyed; empty: nothing

    PlacedMachinePtr machine;    ///< null: logical communication only
    std::string machineProblem;  ///< why there is no machine though one was chosen
    Traffic traffic;             ///< of the machine; empty without

    /// Place in traffic.pairs of what one node sends another; nullopt: nothing, or the same node.
    std::optional<std::size_t> routeBetween(VertexIndex from, VertexIndex to) const;
    /// Place in traffic.pairs of the route of a pair of ranks.
    std::optional<std::size_t> routeOf(std::uint32_t sender, std::uint32_t receiver) const;
    /// Links from one rank's node to the other's on their route; 0 on one node; nullopt where it is not
    /// known.
    std::optional<std::uint32_t> hopsOf(std::uint32_t sender, std::uint32_t receiver) const;
};

using SessionCommunicationPtr = std::shared_ptr<const SessionCommunication>;

/// Works it out, or gives what another view asked for. What a machine has wrong is told by machineProblem and
/// loses nothing of the matrix. Spans of traces are cut out in O(pairs), see MessageSums; of sums over the
/// whole run not at all, which `note` says. Errors: NotRecorded where the experiment tells no communication,
/// InvalidArgument for an unknown collective algorithm, Cancelled.
Result<SessionCommunicationPtr> communicationOf(ResultStore& results, const SessionPtr& session,
                                                const CommunicationRequest& request, const Task& task);

/// Sums over a trace's messages that obey the rules; of all kept as long as the trace, of others as long as
/// somebody holds them. Errors: Cancelled, NotRecorded without a trace.
Result<std::shared_ptr<const MessageSums>> messageSumsOf(ResultStore& results, const Experiment& experiment,
                                                         const MessageRules& rules, const Task& task);

/// The amount of a rank pair in the unit that the communication has: bytes, or messages.
std::uint64_t amountOf(const SessionCommunication& communication, const CommMatrix::Entry& entry);

/// The entries of the matrix whose route goes over any of these links, as places in matrix->entries(),
/// ascending. Empty without routes (models that split messages have none). O(entries + hops).
std::vector<std::size_t> entriesOver(const SessionCommunication& communication,
                                     std::span<const LinkRef> links);

/// "Default torus:4x4 · block · dimension-order:AB · 2 ranks a node": what is assumed, for heads and
/// captions.
std::string machineText(const SessionCommunication& communication);
/// The same behind the words of a searchedScope() that was asked for: "Marked span: 12 ms from 560 ms · …".
std::string searchedText(const SessionCommunication& communication);

/// A part of what pairs of ranks sent, by the call path that sent it.
struct SendingPath {
    CallPathId callPath;
    std::uint64_t messages = 0;
    std::uint64_t bytes = 0;
    double share = 0;  ///< of all bytes of these pairs, or messages where there are no bytes; 0…1
};

/// Messages of pairs of ranks, and where in the program they were sent.
struct PairMessages {
    std::vector<MessageRef> messages;  ///< by time; the first `most` of them
    std::uint64_t count = 0;
    std::uint64_t bytes = 0;
    std::vector<SendingPath> paths;  ///< the most bytes first
};

/// The messages that these pairs sent in the request's span. `pairs` sorted. Errors: NotRecorded without a
/// trace; Cancelled. O(messages in the span).
Result<PairMessages> messagesOfPairs(ResultStore& results, const Session& session,
                                     const CommunicationRequest& request, std::span<const RankPairRef> pairs,
                                     std::size_t most, const Task& task);

/// Which messages of the request's experiment count: both ends and the message pass the filters, and one end
/// is in the scope. O(locations + call paths).
CountedMessages countedMessages(const Session& session, const CommunicationRequest& request);

/// Whose time counts: the locations of the scope that pass the filters, by number 1; empty: all.
/// O(locations).
std::vector<char> countedLocations(const Session& session, const CommunicationRequest& request);

/// "8 of 16 ranks pass the filters"; empty where all do, and where nothing is filtered. O(locations).
std::string passingRanksText(const Session& session, const SessionCommunication& communication);

/// The part of the request's span that the filters leave, on the experiment's clock; nullopt: the whole run.
std::optional<TimeSpan> experimentSpan(const Session& session, const CommunicationRequest& request);

}  // namespace skein
