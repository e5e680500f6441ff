// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/scene/data/session_communication.h"

#include "algorithms/comm/collective_expansion.h"
#include "algorithms/comm/comm_matrix_of.h"
#include "core/base/bucket_sort.h"
#include "core/select/filters.h"
#include "core/session/session_clock.h"
#include "views/common/scene/data/message_filters.h"
#include "views/common/scene/data/placed_machine.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <unordered_map>
#include <unordered_set>

namespace skein {
namespace {

using KeepCommunication = ResultStore::Keep;

/// Which locations the request's filters leave; empty: all.
std::vector<char> passingLocations(const Session& session, const CommunicationRequest& request)
{
    const auto kept = keptLocations(session, request.experiment, request.filters);
    if (!kept) return {};
    std::vector<char> passing(session.experiments[request.experiment]->definitions.locations.size(), 0);
    for (const LocationId id : *kept) passing[id.index()] = 1;
    return passing;
}

/// Which locations are in the request's scope; empty: all.
std::vector<char> scopeLocations(const Session& session, const CommunicationRequest& request)
{
    if (request.locations.empty()) return {};
    std::vector<char> inScope(session.experiments[request.experiment]->definitions.locations.size(), 0);
    for (const LocationRef& location : request.locations)
        if (location.experiment == request.experiment && location.id.index() < inScope.size())
            inScope[location.id.index()] = 1;
    return inScope;
}

CountedMessages countedOfRanks(const Session& session, const SessionCommunication& found, std::uint32_t ranks)
{
    return countedByRank(countedMessages(session, found.request),
                         session.experiments[found.request.experiment]->definitions, ranks);
}

std::uint32_t countRanks(const std::vector<std::int64_t>& ranks)
{
    const auto highest = std::ranges::max_element(ranks);
    return highest == ranks.end() ? 0 : static_cast<std::uint32_t>(*highest + 1);
}

/// Entries and what goes with them, summed by pairs of ranks.
struct TimedEntry {
    CommMatrix::Entry entry;
    std::uint64_t timeNs = 0;
};

/// Sums of locations as those of their ranks, by sender and receiver.
std::vector<TimedEntry> entriesOfRanks(const std::vector<PairSum>& pairs, const Experiment& experiment,
                                       const CountedMessages& counted, const Task& task)
{
    const std::vector<std::int64_t> rankOf = ranksOfLocations(experiment.definitions);
    const auto rank = [&](LocationId id) { return id.index() < rankOf.size() ? rankOf[id.index()] : -1; };
    std::vector<TimedEntry> entries;
    entries.reserve(pairs.size());
    for (const PairSum& pair : pairs) {
        const std::int64_t sender = rank(pair.sender), receiver = rank(pair.receiver);
        if (sender < 0 || receiver < 0) continue;
        if (!counted.count(pair.sender.index(), pair.receiver.index())) continue;
        entries.push_back({{static_cast<std::uint32_t>(sender), static_cast<std::uint32_t>(receiver),
                            pair.sum.messages, pair.sum.bytes},
                           pair.sum.timeNs});
    }
    sortInBuckets(
        entries, countRanks(rankOf), [](const TimedEntry& of) { return of.entry.sender; },
        [](const TimedEntry& a, const TimedEntry& b) { return a.entry.receiver < b.entry.receiver; }, task);
    std::size_t kept = 0;
    for (const TimedEntry& of : entries) {
        if (kept > 0 && entries[kept - 1].entry.sender == of.entry.sender
            && entries[kept - 1].entry.receiver == of.entry.receiver) {
            entries[kept - 1].entry.messages += of.entry.messages;
            entries[kept - 1].entry.bytes += of.entry.bytes;
            entries[kept - 1].timeNs += of.timeNs;
        } else {
            entries[kept++] = of;
        }
    }
    entries.resize(kept);
    return entries;
}

bool expandsCollectives(const MachineChoice& machine)
{
    return !machine.collectives.empty() && machine.collectives != "none";
}

/// Adds the messages that collective operations are made of; their times are not known and count as 0.
Result<void> addCollectives(ResultStore& results, const Session& session, SessionCommunication& found,
                            const Task& task)
{
    const auto algorithm = parseCollectiveAlgorithm(found.request.machine.collectives);
    if (!algorithm) return Unexpected(algorithm.error());
    const Experiment& experiment = *session.experiments[found.request.experiment];
    const auto span = experimentSpan(session, found.request);
    constexpr int kOnlyCollectives = 0;
    const auto known =
        results.get<KnownCollectives>(experiment.trace, kOnlyCollectives, KeepCommunication::WhileOwnerLives,
                                      task, [&]() -> Result<std::shared_ptr<const KnownCollectives>> {
                                          auto made = knownCollectives(experiment, task);
                                          if (!made) return Unexpected(made.error());
                                          return std::make_shared<const KnownCollectives>(std::move(*made));
                                      });
    if (!known) return Unexpected(known.error());
    if ((*known)->operations().empty() || (*known)->fromRegions())
        found.note = "Collectives: " + tellExpansion(**known, span, found.request.machine.collectives) + ".";
    auto expanded = expandCollectives(experiment, **known, span, *algorithm, task);
    if (!expanded) return Unexpected(expanded.error());
    const CountedMessages counted = countedOfRanks(session, found, expanded->ranks());
    if (!counted.all()) *expanded = countedPart(*expanded, counted, task);
    auto both = std::make_shared<const CommMatrix>(sumOf(*found.matrix, *expanded));
    std::vector<std::uint64_t> times(both->entries().size(), 0);
    std::size_t i = 0;
    const auto before = found.matrix->entries();
    for (std::size_t place = 0; place < before.size(); ++place) {
        while (both->entries()[i].sender != before[place].sender
               || both->entries()[i].receiver != before[place].receiver)
            ++i;
        times[i] = found.timesNs[place];
    }
    found.matrix = std::move(both);
    found.timesNs = std::move(times);
    return {};
}

Result<void> sumTrace(ResultStore& results, const Session& session, SessionCommunication& found,
                      const Task& task)
{
    const Experiment& experiment = *session.experiments[found.request.experiment];
    const MessageRules rules = messageRules(found.request.filters);
    const auto sums = messageSumsOf(results, experiment, rules, task);
    if (!sums) return Unexpected(sums.error());
    found.sums = *sums;
    const auto pairs = (*sums)->pairs(experimentSpan(session, found.request));
    const auto entries = entriesOfRanks(pairs, experiment, countedMessages(session, found.request), task);
    std::vector<CommMatrix::Entry> sorted;
    sorted.reserve(entries.size());
    for (const TimedEntry& of : entries) {
        sorted.push_back(of.entry);
        found.timesNs.push_back(of.timeNs);
    }
    found.matrix = std::make_shared<const CommMatrix>(countRanks(ranksOfLocations(experiment.definitions)),
                                                      std::move(sorted), task);
    found.timed = true;
    if (task.stopRequested()) return cancelled();
    if (!expandsCollectives(found.request.machine)) return {};
    if (rules.empty()) return addCollectives(results, session, found, task);
    // What they are made of is like no message that was recorded.
    found.note = "Collectives are left out: messages are filtered by what they are like.";
    return {};
}

/// Sums that were recorded over the whole run.
void takeSums(const Session& session, SessionCommunication& found, const Task& task)
{
    const Experiment& experiment = *session.experiments[found.request.experiment];
    found.matrix = experiment.commMatrix;
    const CountedMessages counted = countedOfRanks(session, found, found.matrix->ranks());
    if (!counted.all())
        found.matrix = std::make_shared<const CommMatrix>(countedPart(*found.matrix, counted, task));
    if (experimentSpan(session, found.request))
        found.note = fmt::format("{} has communication sums over the whole run and no times: all of it is "
                                 "shown, not the span.",
                                 experiment.name);
    else if (!messageRules(found.request.filters).empty())
        found.note =
            fmt::format("{} has communication sums and no single messages: filters of messages do not "
                        "count.",
                        experiment.name);
    else if (expandsCollectives(found.request.machine))
        found.note =
            fmt::format("{} has no trace, so its collective operations are not known.", experiment.name);
}

/// Traces with messages tell more than sums do.
bool sumsFromTrace(const Experiment& experiment)
{
    return experiment.trace && (!experiment.trace->messages.empty() || !experiment.commMatrix);
}

Result<void> fillMatrix(ResultStore& results, const Session& session, SessionCommunication& found,
                        const Task& task)
{
    const Experiment& experiment = *session.experiments[found.request.experiment];
    if (sumsFromTrace(experiment)) {
        const auto summed = sumTrace(results, session, found, task);
        if (!summed) return summed;
    } else if (experiment.commMatrix) {
        takeSums(session, found, task);
    } else {
        return fail(ErrorCode::NotRecorded,
                    fmt::format("{} holds no communication: neither messages nor a communication matrix. "
                                "TAU profiles have one when they are measured with TAU_COMM_MATRIX=1.",
                                experiment.name));
    }
    const std::uint64_t bytes = found.matrix->totalBytes(), messages = found.matrix->totalMessages();
    found.bytesKnown = bytes > 0 || messages == 0;
    found.messagesKnown = messages > 0 || bytes == 0;
    return {};
}

/// Routes what ranks send each other.
Result<Traffic> trafficOf(const SessionCommunication& found, const Task& task)
{
    const PlacedMachine& machine = *found.machine;
    if (machine.recordedOnly) return recordedTraffic(*machine.topology, *machine.measured);
    auto nodes = nodeTraffic(*found.matrix, machine.placement, task);
    if (!nodes) return Unexpected(nodes.error());
    return traffic(*machine.topology, machine.model, std::move(*nodes), machine.measured.get(), task);
}

/// What is wrong with the machine does not take the matrix away.
Result<void> fillMachine(ResultStore& results, const SessionPtr& session, SessionCommunication& found,
                         const Task& task)
{
    auto machine = placedMachineOf(results, session, found.request.experiment, found.request.machine,
                                   found.matrix->ranks(), task);
    if (machine) {
        found.machine = std::move(*machine);
        if (!found.machine) return {};
        auto routed = trafficOf(found, task);
        if (routed) {
            found.traffic = std::move(*routed);
            if (found.machine->unusable > 0 && found.note.empty())
                found.note = fmt::format("{} recorded routes do not fit the machine and are left out.",
                                         found.machine->unusable);
            return {};
        }
        machine = Unexpected(routed.error());
        found.machine = nullptr;
    }
    if (machine.error().cancelled()) return cancelled();
    found.machineProblem = machine.error().text();
    return {};
}

Result<SessionCommunicationPtr> makeCommunication(ResultStore& results, const SessionPtr& session,
                                                  const CommunicationRequest& request, const Task& task)
{
    if (request.experiment >= session->experiments.size())
        return fail(ErrorCode::InvalidArgument, "There is no such experiment in the session.");
    auto found = std::make_shared<SessionCommunication>();
    found->request = request;
    const auto filled = fillMatrix(results, *session, *found, task.part(0, 0.6));
    if (!filled) return Unexpected(filled.error());
    const auto placed = fillMachine(results, session, *found, task.part(0.6, 1));
    if (!placed) return Unexpected(placed.error());
    if (task.stopRequested()) return cancelled();
    return SessionCommunicationPtr(std::move(found));
}

/// Sums of what was sent in which call path.
class PathSums {
public:
    void add(const Trace& trace, const Message& message)
    {
        if (message.sendInterval == kNoInterval || !message.sender.valid()) return;
        const CallIntervals& calls = trace.locations[message.sender.index()].intervals;
        SendingPath& path = sums_[calls.callPath[message.sendInterval]];
        ++path.messages;
        path.bytes += message.bytes;
    }

    /// `whole`: of what shares are told.
    std::vector<SendingPath> ordered(const PairMessages& whole) const
    {
        std::vector<SendingPath> paths;
        for (const auto& [id, sum] : sums_) {
            paths.push_back(sum);
            paths.back().callPath = CallPathId(id);
            paths.back().share = whole.bytes > 0
                ? static_cast<double>(sum.bytes) / static_cast<double>(whole.bytes)
                : static_cast<double>(sum.messages)
                    / static_cast<double>(std::max<std::uint64_t>(1, whole.count));
        }
        std::ranges::stable_sort(paths, [](const SendingPath& a, const SendingPath& b) {
            return a.bytes != b.bytes ? a.bytes > b.bytes : a.messages > b.messages;
        });
        return paths;
    }

private:
    std::map<std::uint32_t, SendingPath> sums_;
};

}  // namespace

CountedMessages countedMessages(const Session& session, const CommunicationRequest& request)
{
    return {passingLocations(session, request), scopeLocations(session, request),
            MessageFilter(*session.experiments[request.experiment], messageRules(request.filters))};
}

std::vector<char> countedLocations(const Session& session, const CommunicationRequest& request)
{
    std::vector<char> counted = passingLocations(session, request);
    const std::vector<char> inScope = scopeLocations(session, request);
    if (counted.empty()) return inScope;
    for (std::size_t i = 0; i < inScope.size(); ++i) counted[i] = counted[i] && inScope[i] ? 1 : 0;
    return counted;
}

std::string passingRanksText(const Session& session, const SessionCommunication& communication)
{
    const Experiment& experiment = *session.experiments[communication.request.experiment];
    const std::uint32_t ranks = communication.matrix->ranks();
    const CountedMessages left{passingLocations(session, communication.request), {}};
    const std::vector<char> kept = countedByRank(left, experiment.definitions, ranks).both;
    const auto passing = std::ranges::count(kept, 1);
    if (kept.empty() || passing == ranks) return {};
    return fmt::format("{} of {} ranks pass the filters", passing, ranks);
}

CommunicationRequest communicationRequest(const ViewState& state, const Scope& scope,
                                          std::uint32_t experiment)
{
    return {experiment, scope.span, state.filters, state.clockShiftsNs, state.machine, scope.locations};
}

Scope searchedScope(const ViewState& state)
{
    if (!state.brushed) return {};
    return {Scope::Span::Marked, state.brushed, {}};
}

std::optional<std::uint32_t> communicatingExperiment(const Session& session)
{
    std::optional<std::uint32_t> silent;
    for (std::uint32_t number = 0; number < session.experiments.size(); ++number) {
        const Experiment& experiment = *session.experiments[number];
        const bool sums = experiment.commMatrix && !experiment.commMatrix->entries().empty();
        if (sums || (experiment.trace && !experiment.trace->messages.empty())) return number;
        if (!silent && tellsCommunication(experiment)) silent = number;
    }
    return silent;
}

std::uint32_t communicatingRanks(const Experiment& experiment)
{
    if (sumsFromTrace(experiment)) return countRanks(ranksOfLocations(experiment.definitions));
    return experiment.commMatrix ? experiment.commMatrix->ranks() : 0;
}

std::optional<TimeSpan> experimentSpan(const Session& session, const CommunicationRequest& request)
{
    std::optional<TimeSpan> span = request.span;
    if (const auto kept = keptSpan(request.filters)) span = span ? span->intersected(*kept) : *kept;
    if (!span) return std::nullopt;
    return sessionClock(session, request.clockShiftsNs).toExperiment(request.experiment, *span);
}

std::optional<std::size_t> SessionCommunication::routeBetween(VertexIndex from, VertexIndex to) const
{
    if (!machine || from == to) return std::nullopt;
    if (machine->recordedOnly) {
        const std::int64_t path = machine->measured->find(from, to);
        return path < 0 ? std::nullopt : std::optional(static_cast<std::size_t>(path));
    }
    const auto before = [](const NodePair& pair, const std::pair<VertexIndex, VertexIndex>& wanted) {
        return std::pair(pair.from, pair.to) < wanted;
    };
    const auto found =
        std::lower_bound(traffic.pairs.begin(), traffic.pairs.end(), std::pair(from, to), before);
    if (found == traffic.pairs.end() || found->from != from || found->to != to) return std::nullopt;
    return static_cast<std::size_t>(found - traffic.pairs.begin());
}

std::optional<std::size_t> SessionCommunication::routeOf(std::uint32_t sender, std::uint32_t receiver) const
{
    if (!machine || std::max(sender, receiver) >= machine->placement.ranks()) return std::nullopt;
    return routeBetween(machine->placement.nodeOf(sender), machine->placement.nodeOf(receiver));
}

std::optional<std::uint32_t> SessionCommunication::hopsOf(std::uint32_t sender, std::uint32_t receiver) const
{
    if (!machine || std::max(sender, receiver) >= machine->placement.ranks()) return std::nullopt;
    if (machine->placement.nodeOf(sender) == machine->placement.nodeOf(receiver)) return 0;
    const auto route = routeOf(sender, receiver);
    if (!route || *route >= traffic.paths.size()) return std::nullopt;
    return static_cast<std::uint32_t>(traffic.paths[*route].size());
}

Result<SessionCommunicationPtr> communicationOf(ResultStore& results, const SessionPtr& session,
                                                const CommunicationRequest& request, const Task& task)
{
    return results.get<SessionCommunication>(session, request, KeepCommunication::WhileHeld, task, [&] {
        return makeCommunication(results, session, request, task);
    });
}

Result<std::shared_ptr<const MessageSums>> messageSumsOf(ResultStore& results, const Experiment& experiment,
                                                         const MessageRules& rules, const Task& task)
{
    if (!experiment.trace)
        return fail(ErrorCode::NotRecorded, fmt::format("{} holds no trace.", experiment.name));
    const auto keep = rules.empty() ? KeepCommunication::WhileOwnerLives : KeepCommunication::WhileHeld;
    return results.get<MessageSums>(experiment.trace, rules, keep, task, [&] {
        return MessageSums::create(experiment.trace, MessageFilter(experiment, rules), task);
    });
}

std::uint64_t amountOf(const SessionCommunication& communication, const CommMatrix::Entry& entry)
{
    return communication.bytesKnown ? entry.bytes : entry.messages;
}

std::vector<std::size_t> entriesOver(const SessionCommunication& communication,
                                     std::span<const LinkRef> links)
{
    const Traffic& traffic = communication.traffic;
    std::vector<LinkIndex> wanted;
    for (const LinkRef link : links) wanted.push_back(link.index);
    std::ranges::sort(wanted);
    std::vector<char> over(traffic.paths.size(), 0);
    for (std::size_t route = 0; route < over.size(); ++route) {
        over[route] = std::ranges::any_of(
            traffic.paths[route], [&](LinkIndex link) { return std::ranges::binary_search(wanted, link); });
    }
    std::vector<std::size_t> found;
    const auto entries = communication.matrix->entries();
    for (std::size_t i = 0; i < entries.size(); ++i) {
        const auto route = communication.routeOf(entries[i].sender, entries[i].receiver);
        if (route && *route < over.size() && over[*route]) found.push_back(i);
    }
    return found;
}

std::string machineText(const SessionCommunication& communication)
{
    if (!communication.machineProblem.empty()) return communication.machineProblem;
    if (!communication.machine) return "No machine: logical communication only";
    const PlacedMachine& machine = *communication.machine;
    std::string text = machine.topology->spec();
    if (machine.fromArchive) text += " (from the archive)";
    text += " · placement " + machine.placementName;
    if (machine.placement.ranks() > 0)
        text += fmt::format(" · {} {} a node", machine.placement.ranksPerNode(),
                            machine.placement.ranksPerNode() == 1 ? "rank" : "ranks");
    text += machine.recordedOnly ? " · routes as recorded" : " · " + name(machine.model);
    if (!machine.recordedOnly && machine.measured) text += " beside recorded routes";
    return text;
}

std::string searchedText(const SessionCommunication& communication)
{
    const std::optional<TimeSpan>& span = communication.request.span;
    const Scope searched{span ? Scope::Span::Marked : Scope::Span::WholeRun, span, {}};
    return spanText(searched) + " · " + machineText(communication);
}

Result<PairMessages> messagesOfPairs(ResultStore& results, const Session& session,
                                     const CommunicationRequest& request, std::span<const RankPairRef> pairs,
                                     std::size_t most, const Task& task)
{
    const Experiment& experiment = *session.experiments[request.experiment];
    const auto sums = messageSumsOf(results, experiment, messageRules(request.filters), task);
    if (!sums) return Unexpected(sums.error());
    const std::vector<std::int64_t> rankOf = ranksOfLocations(experiment.definitions);
    std::unordered_set<std::uint64_t> wanted;
    for (const RankPairRef& pair : pairs) {
        if (pair.experiment == request.experiment)
            wanted.insert(std::uint64_t{pair.sender} << 32 | pair.receiver);
    }
    const CountedMessages counted = countedMessages(session, request);
    const auto rank = [&](LocationId id) {
        return static_cast<std::uint32_t>(id.index() < rankOf.size() ? rankOf[id.index()] : -1);
    };
    const auto [first, last] = (*sums)->sentIn(experimentSpan(session, request));
    PairMessages found;
    PathSums paths;
    for (std::size_t i = first; i < last; ++i) {
        if (i % kItemsBetweenStopChecks == 0 && task.stopRequested()) return cancelled();
        const std::uint32_t place = (*sums)->messageAt(i);
        const Message& message = experiment.trace->messages[place];
        if (!wanted.contains(std::uint64_t{rank(message.sender)} << 32 | rank(message.receiver))) continue;
        if (!counted.count(message.sender.index(), message.receiver.index())) continue;
        if (found.messages.size() < most) found.messages.push_back({request.experiment, place});
        ++found.count;
        found.bytes += message.bytes;
        paths.add(*experiment.trace, message);
    }
    found.paths = paths.ordered(found);
    return found;
}

}  // namespace skein
