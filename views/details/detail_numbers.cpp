// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/details/detail_numbers.h"

#include "algorithms/comm/comm_matrix_of.h"
#include "algorithms/profile/region_table.h"
#include "algorithms/timeline/outlier_points.h"
#include "core/base/units.h"
#include "core/select/translate.h"
#include "views/common/scene/axes/time_axis.h"
#include "views/common/scene/color/palette.h"
#include "views/common/scene/data/message_filters.h"
#include "views/common/scene/data/session_communication.h"
#include "views/common/scene/data/session_profiles.h"
#include "views/common/scene/data/shared_results.h"
#include "views/details/detail_anomalies.h"
#include "views/details/detail_behavior.h"
#include "views/details/detail_machine.h"
#include "views/details/detail_messages.h"
#include "views/details/detail_spans.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <map>
#include <utility>

namespace skein {
namespace {

std::string duration(double ns) { return formatDuration(ns); }
std::string duration(TimeNs ns) { return formatDuration(static_cast<double>(ns)); }
std::string countText(double count) { return formatGrouped(static_cast<std::int64_t>(std::llround(count))); }
std::string percent(double part, double whole)
{
    return whole > 0 ? fmt::format("{:.1f} %", 100 * part / whole) : "–";
}

template <typename T>
bool contains(const std::vector<T>& sorted, const T& item)
{
    return std::binary_search(sorted.begin(), sorted.end(), item);
}

class NumberWriter {
public:
    NumberWriter(const DetailRequest& request, const Task& task)
        : request_(request),
          session_(*request.session),
          selected_(request.state.selected),
          scope_(scopeOf(request.state)),
          clock_(sessionClock(session_, request.state.clockShiftsNs)),
          task_(task)
    {
    }

    Result<std::vector<DetailTable>> write() &&
    {
        for (DetailTable& table : messageDetails(session_, request_.state)) keep(std::move(table));
        addCalls();
        for (DetailTable& table : anomalyDetails(request_, task_)) keep(std::move(table));
        addCauses();
        addPairs();
        addCollectives();
        if (selected_.messages.empty() && selected_.collectives.empty()) addSums();
        addMachine();
        addHandOvers();
        for (DetailTable& table : behaviorDetails(request_.behavior, selected_)) keep(std::move(table));
        if (task_.stopRequested()) return cancelled();
        return std::move(tables_);
    }

private:
    const Experiment& experiment(std::uint32_t index) const { return *session_.experiments[index]; }
    std::string at(std::uint32_t index, TimeNs time) const
    {
        return exactTime(clock_.toSession(index, time));
    }
    std::string locationName(std::uint32_t index, LocationId id) const
    {
        std::string name = displayName(experiment(index).definitions, id);
        return session_.experiments.size() < 2 ? name : experiment(index).name + ": " + name;
    }
    std::string rankName(std::uint32_t index, std::uint32_t rank) const
    {
        const std::string name = fmt::format("Rank {}", rank);
        return session_.experiments.size() < 2 ? name : experiment(index).name + ": " + name;
    }
    std::optional<TimeSpan> windowOf(std::uint32_t index) const
    {
        return scope_.span ? std::optional(clock_.toExperiment(index, *scope_.span)) : std::nullopt;
    }
    void keep(DetailTable table)
    {
        if (!table.rows.empty()) tables_.push_back(std::move(table));
    }
    static bool full(DetailTable& table)
    {
        if (table.rows.size() < kMostDetailRows) return false;
        ++table.left;
        return true;
    }

    /// Single calls against the others of their regions, and what they waited for.
    void addCalls()
    {
        DetailTable table{"Calls",
                          {"Call", "Location", "Begin", "Duration", "Usual", "× usual", "Waited", "For"},
                          {},
                          0,
                          {}};
        if (!selected_.messages.empty() || !selected_.collectives.empty()) return;
        const SessionWaitsPtr waits = knownWaits();
        std::map<std::uint32_t, std::optional<CallTotals>> totals;
        for (const IntervalRef& call : selected_.intervals) {
            if (!exists(session_, call) || full(table)) continue;
            const auto [known, added] = totals.try_emplace(call.experiment);
            if (added) known->second = totalsOf(call.experiment);
            addCall(table, call, known->second, waits);
        }
        keep(std::move(table));
    }

    void addCall(DetailTable& table, IntervalRef call, const std::optional<CallTotals>& totals,
                 const SessionWaitsPtr& waits)
    {
        const Experiment& owner = experiment(call.experiment);
        const TimeSpan span = owner.trace->locations[call.location.index()].intervals.span(call.index);
        const RegionId region = regionOf(session_, callPathOf(session_, call)).id;
        const bool usual = totals && totals->hasUsual(region);
        const double usualNs = usual ? totals->usualNs(region, span.lengthNs()) : 0;
        const WaitState* wait = waits ? waitOf(session_, *waits, call) : nullptr;
        table.rows.push_back(
            {displayName(owner.definitions.region(region)), locationName(call.experiment, call.location),
             at(call.experiment, span.begin), duration(span.lengthNs()), usual ? duration(usualNs) : "–",
             usualNs > 0 ? fmt::format("{:.3g}", static_cast<double>(span.lengthNs()) / usualNs) : "–",
             wait ? duration(wait->lengthNs()) : "–", wait ? causeName(owner, wait->cause) : ""});
        table.spans.push_back(clock_.toSession(call.experiment, span));
    }

    /// Why the selected call lasted longer than usual, or what it cost all others, where that is shown.
    void addCauses()
    {
        const CauseLinks* causes = shownCauses(request_.state);
        if (!causes) return;
        const bool back = causes->direction == CauseDirection::Back;
        DetailTable table{
            fmt::format("{}: {}", back ? "Why it lasted longer" : "What it cost all others",
                        duration(causes->lostNs)),
            {back ? "Because of" : "Whose", "Location", "Wait at", "Lost", "Share", "Came through"},
            {},
            0,
            {}};
        const auto share = [&](TimeNs part) {
            return percent(static_cast<double>(part), static_cast<double>(causes->lostNs));
        };
        for (const CauseLink& link : causes->links) {
            const IntervalRef& end = back ? link.cause : link.waiting;
            const LocationRef where = back ? link.causeLocation : locationOf(link.waiting);
            if (full(table)) continue;
            table.rows.push_back({exists(session_, end) ? callName(end) : "not known",
                                  exists(session_, where) ? locationName(where.experiment, where.id) : "–",
                                  at(link.waiting.experiment, link.span.begin), duration(link.attributedNs),
                                  share(link.attributedNs), duration(link.throughNs)});
            table.spans.emplace_back();
        }
        if (causes->restNs > 0)
            table.rows.push_back({"In the call itself, and not explained", "–", "–", duration(causes->restNs),
                                  share(causes->restNs), "–"});
        keep(std::move(table));
    }

    std::string callName(IntervalRef call) const
    {
        return displayName(experiment(call.experiment)
                               .definitions.region(regionOf(session_, callPathOf(session_, call)).id));
    }

    std::optional<CallTotals> totalsOf(std::uint32_t index)
    {
        const auto found = timelineIndexOf(*request_.results, experiment(index), task_);
        auto totals = found ? callTotals(experiment(index), **found, task_) : Unexpected(found.error());
        return totals ? std::optional(std::move(*totals)) : std::nullopt;
    }

    /// Not looked for only for this.
    SessionWaitsPtr knownWaits()
    {
        if (request_.state.waitMarks != WaitMarks::Shown) return nullptr;
        const auto waits = waitsOf(*request_.results, session_, task_);
        return waits ? *waits : nullptr;
    }

    void addPairs()
    {
        DetailTable table{
            "Messages between ranks",
            {"From → to", "Messages", "Bytes", "Share", "Mean size", "Mean under way", "Longest"},
            {},
            0,
            {}};
        std::map<std::uint32_t, std::shared_ptr<const CommMatrix>> matrices;
        for (const RankPairRef& pair : selected_.rankPairs) {
            if (pair.experiment >= session_.experiments.size() || full(table)) continue;
            const auto [known, added] = matrices.try_emplace(pair.experiment);
            if (added) known->second = matrixOf(pair.experiment);
            if (!known->second) continue;
            addPair(table, pair, *known->second);
        }
        keep(std::move(table));
    }

    std::shared_ptr<const CommMatrix> matrixOf(std::uint32_t index)
    {
        const Experiment& owner = experiment(index);
        if (!tellsCommunication(owner)) return nullptr;
        const auto window = owner.trace ? windowOf(index) : std::nullopt;
        const auto matrix =
            commMatrixOf(owner, window, owner.trace ? filterOf(index) : MessageFilter(), task_);
        return matrix ? *matrix : nullptr;
    }

    MessageFilter filterOf(std::uint32_t index) const
    {
        return MessageFilter(experiment(index), messageRules(request_.state.filters));
    }

    void addPair(DetailTable& table, RankPairRef pair, const CommMatrix& matrix)
    {
        if (pair.sender >= matrix.ranks()) return;
        const auto row = matrix.row(pair.sender);
        const auto entry = std::find_if(row.begin(), row.end(), [&](const CommMatrix::Entry& one) {
            return one.receiver == pair.receiver;
        });
        const CommMatrix::Entry found =
            entry == row.end() ? CommMatrix::Entry{pair.sender, pair.receiver, 0, 0} : *entry;
        const Flights flights = flightsOfSets(pair.experiment, {{{pair.sender, pair.receiver}}}).front();
        const auto mean = flights.meanNs;
        table.rows.push_back(
            {rankName(pair.experiment, pair.sender) + " → " + rankName(pair.experiment, pair.receiver),
             found.messages > 0 ? countText(static_cast<double>(found.messages)) : "–",
             formatBytes(static_cast<double>(found.bytes)),
             percent(static_cast<double>(found.bytes), static_cast<double>(matrix.totalBytes())),
             found.messages > 0
                 ? formatBytes(static_cast<double>(found.bytes) / static_cast<double>(found.messages))
                 : "–",
             mean ? duration(*mean) : "–", mean ? duration(flights.longestNs) : "–"});
        table.spans.push_back(flights.span ? std::optional(clock_.toSession(pair.experiment, *flights.span))
                                           : std::nullopt);
    }

    /// Of messages that were sent in the scope.
    std::vector<Flights> flightsOfSets(std::uint32_t index,
                                       const std::vector<std::vector<RankPair>>& sets) const
    {
        return flightsOf(experiment(index), sets, windowOf(index), filterOf(index), task_);
    }

    void addCollectives()
    {
        DetailTable table{"Collectives",
                          {"Operation", "Communicator", "Members", "First came", "Last came", "Last was",
                           "Spread", "Took", "Sent"},
                          {},
                          0,
                          {}};
        for (const CollectiveRef& collective : selected_.collectives)
            if (exists(session_, collective) && !full(table)) addCollective(table, collective);
        const bool single = table.rows.size() == 1;
        keep(std::move(table));
        if (single) addMembers(selected_.collectives.front());
    }

    std::vector<CollectiveMember> membersOf(CollectiveRef collective) const
    {
        const Trace& trace = *experiment(collective.experiment).trace;
        const CollectiveOperation& operation = trace.collectives[collective.index];
        std::vector<CollectiveMember> members;
        for (std::uint64_t at = operation.firstMember;
             at < operation.firstMember + operation.memberCount && at < trace.collectiveMembers.size(); ++at)
            members.push_back(trace.collectiveMembers[at]);
        std::stable_sort(members.begin(), members.end(),
                         [](const auto& a, const auto& b) { return a.begin < b.begin; });
        return members;
    }

    void addCollective(DetailTable& table, CollectiveRef collective)
    {
        const Experiment& owner = experiment(collective.experiment);
        const CollectiveOperation& operation = owner.trace->collectives[collective.index];
        const auto members = membersOf(collective);
        if (members.empty()) return;
        double sent = 0;
        for (const CollectiveMember& member : members) sent += static_cast<double>(member.bytesSent);
        const bool named = operation.communicator.valid()
            && operation.communicator.index() < owner.definitions.communicators.size();
        table.rows.push_back(
            {std::string(name(operation.kind)),
             named ? owner.definitions.communicators[operation.communicator.index()].name : "–",
             countText(static_cast<double>(members.size())), at(collective.experiment, members.front().begin),
             at(collective.experiment, members.back().begin),
             locationName(collective.experiment, members.back().location),
             duration(members.back().begin - members.front().begin),
             duration(operation.end - operation.begin), formatBytes(sent)});
        table.spans.push_back(
            clock_.toSession(collective.experiment, TimeSpan{operation.begin, operation.end}));
    }

    /// Who came when, and how long it waited for the last.
    void addMembers(CollectiveRef collective)
    {
        DetailTable table{"Members, as they came",
                          {"Location", "Came at", "Before the last", "Left at", "Sent", "Received"},
                          {},
                          0,
                          {}};
        const auto members = membersOf(collective);
        for (const CollectiveMember& member : members) {
            if (full(table)) continue;
            table.rows.push_back(
                {locationName(collective.experiment, member.location),
                 at(collective.experiment, member.begin), duration(members.back().begin - member.begin),
                 at(collective.experiment, member.end), formatBytes(static_cast<double>(member.bytesSent)),
                 formatBytes(static_cast<double>(member.bytesReceived))});
        }
        keep(std::move(table));
    }

    /// Regions, call paths and locations over the scope.
    void addSums()
    {
        const bool paths = !selected_.callPaths.empty() && selected_.callPaths.size() <= kMostDetailRows;
        if (selected_.regions.empty() && selected_.locations.empty()) return;
        ProfileQuery query{scope_.span,
                           filtersOf(scope_, request_.state.filters),
                           {},
                           request_.state.clockShiftsNs,
                           request_.results};
        const SessionProfiles profiles(session_, query);
        const std::string where = " · " + scopeText(session_, scope_);
        const std::vector<std::string> balance{"Calls",    "Inclusive", "Exclusive", "Share", "Mean a call",
                                               "Max/mean", "σ",         "Lost",      "Worst"};
        DetailTable regions{"Regions" + where, {"Region"}, {}, 0, {}};
        DetailTable callPaths{"Call paths" + where, {"Call path"}, {}, 0, {}};
        for (DetailTable* table : {&regions, &callPaths})
            table->columns.insert(table->columns.end(), balance.begin(), balance.end());
        DetailTable locations{"Locations" + where,
                              {"Location", "Calls", "In calls", "In MPI", "Sent", "To", "Received", "From"},
                              {},
                              0,
                              {}};
        for (std::uint32_t index = 0; index < session_.experiments.size() && !task_.stopRequested();
             ++index) {
            if (!concerns(index) || !profiles.canTell(index)) continue;
            const auto found = profiles.of(index, task_);
            if (!found || !found->column) continue;
            addRegions(regions, index, *found);
            if (paths && selected_.regions.size() <= 1) addCallPaths(callPaths, index, *found);
            addLocations(locations, index, *found);
        }
        keep(std::move(regions));
        if (callPaths.rows.size() > 1 || !selected_.intervals.empty()) keep(std::move(callPaths));
        keep(std::move(locations));
    }

    bool concerns(std::uint32_t index) const
    {
        const auto isOf = [index](const auto& ref) { return ref.experiment == index; };
        return std::any_of(selected_.regions.begin(), selected_.regions.end(), isOf)
            || std::any_of(selected_.locations.begin(), selected_.locations.end(), isOf);
    }

    static std::vector<std::string> balanceCells(const Experiment& owner, const ProfileValues& values,
                                                 const LocationBalance& balance, double whole, bool time)
    {
        const auto amount = [&](double value) { return time ? duration(value) : formatCount(value); };
        const auto mean = values.mean();
        const auto imbalance = balance.imbalance();
        return {countText(values.calls),
                amount(values.inclusive),
                amount(values.exclusive),
                percent(values.exclusive, whole),
                mean && time ? duration(*mean) : "–",
                imbalance ? fmt::format("{:.3f}", *imbalance) : "–",
                amount(balance.deviation),
                amount(balance.lost()),
                balance.worst.valid() ? displayName(owner.definitions, balance.worst) : "–"};
    }

    void addRegions(DetailTable& table, std::uint32_t index, const QueriedProfile& found)
    {
        const Experiment& owner = experiment(index);
        const auto rows = profileByRegion(owner, *found.profile, *found.column, found.locations);
        const double whole = wholeExclusive(rows);
        const bool time = isTime(owner, found.cube(), *found.column);
        for (const RegionRow& row : rows) {
            const bool meant = std::any_of(row.regions.begin(), row.regions.end(), [&](RegionId id) {
                return contains(selected_.regions, RegionRef{index, id});
            });
            if (!meant || full(table)) continue;
            std::vector<std::string> cells{displayName(owner.definitions.region(row.regions.front()))};
            for (std::string& cell : balanceCells(owner, row.values, row.balance, whole, time))
                cells.push_back(std::move(cell));
            table.rows.push_back(std::move(cells));
        }
    }

    void addCallPaths(DetailTable& table, std::uint32_t index, const QueriedProfile& found)
    {
        const Experiment& owner = experiment(index);
        const auto rows = profileByCallPath(owner, *found.profile, *found.column, found.locations);
        const double whole = wholeExclusive(rows);
        const bool time = isTime(owner, found.cube(), *found.column);
        for (std::size_t at = 0; at < rows.size(); ++at) {
            const CallPathRow& row = rows[at];
            const bool meant = std::any_of(row.callPaths.begin(), row.callPaths.end(), [&](CallPathId id) {
                return contains(selected_.callPaths, CallPathRef{index, id});
            });
            if (!meant || full(table)) continue;
            std::string path = row.name;
            for (std::ptrdiff_t above = row.parent; above >= 0;
                 above = rows[static_cast<std::size_t>(above)].parent)
                path = rows[static_cast<std::size_t>(above)].name + " / " + path;
            std::vector<std::string> cells{std::move(path)};
            for (std::string& cell : balanceCells(owner, row.values, row.balance, whole, time))
                cells.push_back(std::move(cell));
            table.rows.push_back(std::move(cells));
        }
    }

    void addLocations(DetailTable& table, std::uint32_t index, const QueriedProfile& found)
    {
        const Experiment& owner = experiment(index);
        const bool time = isTime(owner, found.cube(), *found.column);
        std::shared_ptr<const CommMatrix> matrix;
        std::vector<double> inMpi;
        std::vector<LocationRow> rows;
        for (const LocationRef& location : selected_.locations) {
            if (location.experiment != index || !exists(session_, location) || full(table)) continue;
            if (rows.empty()) {
                rows = profileByLocation(owner, *found.profile, *found.column);
                inMpi = exclusiveInMpi(owner, found);
                matrix = matrixOf(index);
            }
            if (location.id.index() >= rows.size()) continue;
            const LocationRow& row = rows[location.id.index()];
            const double all = row.values.inclusive, mpi = inMpi[location.id.index()];
            std::vector<std::string> cells{locationName(index, location.id), countText(row.values.calls),
                                           time ? duration(all) : formatCount(all),
                                           time ? duration(mpi) + " (" + percent(mpi, all) + ")" : "–"};
            for (std::string& cell : trafficOf(owner, location.id, matrix.get()))
                cells.push_back(std::move(cell));
            table.rows.push_back(std::move(cells));
        }
    }

    static std::vector<double> exclusiveInMpi(const Experiment& owner, const QueriedProfile& found)
    {
        const RegionTable sums = regionTable(owner, *found.profile, *found.column);
        std::vector<double> inMpi(owner.definitions.locations.size(), 0);
        for (std::size_t location = 0; location < std::min(sums.locations(), inMpi.size()); ++location)
            for (const RegionCell& cell : sums.cellsOf(location)) {
                const RegionRow& row = sums.regions[cell.region];
                if (!row.breakdown && !row.regions.empty()
                    && paletteGroupOf(owner.definitions.region(row.regions.front()), owner.definitions)
                        == PaletteGroup::Mpi)
                    inMpi[location] += cell.exclusive;
            }
        return inMpi;
    }

    /// Sent and received: amount and number of peers.
    static std::vector<std::string> trafficOf(const Experiment& owner, LocationId location,
                                              const CommMatrix* matrix)
    {
        const auto ranks = ranksOfLocations(owner.definitions);
        const std::int64_t rank = ranks[location.index()];
        if (!matrix || rank < 0 || rank >= matrix->ranks()) return {"–", "–", "–", "–"};
        std::uint64_t sent = 0, received = 0, messagesOut = 0, messagesIn = 0, to = 0, from = 0;
        for (const CommMatrix::Entry& entry : matrix->entries()) {
            if (entry.sender == rank) {
                sent += entry.bytes;
                messagesOut += entry.messages;
                ++to;
            }
            if (entry.receiver == rank) {
                received += entry.bytes;
                messagesIn += entry.messages;
                ++from;
            }
        }
        const auto both = [](std::uint64_t bytes, std::uint64_t messages) {
            const std::string size = formatBytes(static_cast<double>(bytes));
            return messages > 0 ? fmt::format("{} in {}", size, countText(static_cast<double>(messages)))
                                : size;
        };
        return {both(sent, messagesOut), fmt::format("{} ranks", to), both(received, messagesIn),
                fmt::format("{} ranks", from)};
    }

    void addMachine()
    {
        if (selected_.links.empty() && selected_.nodes.empty() && selected_.rankPairs.empty()) return;
        const auto talking = communicatingExperiment(session_);
        if (!talking) return;
        const auto found = communicationOf(*request_.results, request_.session,
                                           communicationRequest(request_.state, scope_, *talking), task_);
        if (!found) return;
        const auto spansOf = [&](const std::vector<std::vector<RankPair>>& sets) {
            std::vector<std::optional<TimeSpan>> spans;
            for (const Flights& flights : flightsOfSets(*talking, sets))
                spans.push_back(flights.span ? std::optional(clock_.toSession(*talking, *flights.span))
                                             : std::nullopt);
            return spans;
        };
        for (DetailTable& table : machineDetails(**found, selected_, spansOf)) keep(std::move(table));
    }

    void addHandOvers()
    {
        if (selected_.handOvers.empty()) return;
        const auto found = handOversOf(*request_.results, request_.session, task_);
        if (!found) return;
        const auto& all = (*found)->placed.handOvers;
        DetailTable table{
            "Hand-overs",
            {"Output", "Size", "From", "To", "Written at", "Writing", "Taken at", "Waited", "Lay ready"},
            {},
            0,
            {}};
        for (const HandOverRef& ref : selected_.handOvers) {
            if (ref.index >= all.size() || full(table)) continue;
            const HandOver& one = all[ref.index];
            const TimeSpan written = clock_.toSession(one.producer, one.written);
            const TimeSpan waited = clock_.toSession(one.consumer, one.waited);
            table.rows.push_back({fmt::format("Output {}, part {}", one.output, one.part),
                                  formatBytes(static_cast<double>(one.bytes)),
                                  locationName(one.producer, one.from), locationName(one.consumer, one.to),
                                  exactTime(written.end), duration(written.lengthNs()), exactTime(waited.end),
                                  duration(waited.lengthNs()), duration(waited.end - written.end)});
            table.spans.push_back(
                written.united({waited.begin, clock_.toSession(one.consumer, one.readEnd)}));
        }
        keep(std::move(table));
    }

    const DetailRequest& request_;
    const Session& session_;
    const Selection& selected_;
    const Scope scope_;
    const SessionClock clock_;
    const Task& task_;
    std::vector<DetailTable> tables_;
};

}  // namespace

Result<std::vector<DetailTable>> detailNumbers(const DetailRequest& request, const Task& task)
{
    return NumberWriter(request, task).write();
}

}  // namespace skein
