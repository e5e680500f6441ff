// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/random_trace.h"

#include <algorithm>
#include <bit>
#include <fmt/format.h>
#include <map>
#include <tuple>

namespace skein::test {
namespace {

/// splitmix64 (Steele, Lea, Flood 2014): the same numbers on every platform, unlike the distributions of
/// <random>.
class Random {
public:
    explicit Random(std::uint64_t seed) : state_(seed) {}
    std::uint64_t next()
    {
        std::uint64_t z = (state_ += 0x9E3779B97F4A7C15ull);
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
        z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
        return z ^ (z >> 31);
    }
    std::uint64_t below(std::uint64_t bound) { return bound == 0 ? 0 : next() % bound; }
    bool chance(double probability) { return static_cast<double>(next() >> 11) * 0x1.0p-53 < probability; }

private:
    std::uint64_t state_;
};

struct Calls {
    std::vector<TimeNs> begin, end;
    std::vector<std::uint32_t> callPath;
    std::vector<std::uint16_t> depth;

    /// The deepest call that is open at a time.
    std::uint32_t at(TimeNs time) const
    {
        std::uint32_t found = kNoInterval;
        for (std::size_t i = 0; i < begin.size(); ++i)
            if (begin[i] <= time && time < end[i]) found = static_cast<std::uint32_t>(i);
        return found;
    }
};

class Generator {
public:
    Generator(std::uint64_t seed, const RandomTraceOptions& options) : random_(seed), options_(options) {}

    Experiment experiment()
    {
        define();
        for (std::size_t i = 0; i < experiment_.definitions.locations.size(); ++i)
            calls_.push_back(randomCalls(i));
        extents_.assign(calls_.size(), {kNoTime, kNoTime});
        events_.assign(calls_.size(), 0);
        for (const Calls& calls : calls_)
            for (const TimeNs end : calls.end) length_ = std::max(length_, end);
        addMessages();
        addCollectives();
        addMetrics();
        finish();
        return std::move(experiment_);
    }

private:
    std::size_t locationOf(std::size_t process) const { return process * options_.threadsPerProcess; }

    void define()
    {
        Definitions& definitions = experiment_.definitions;
        experiment_.name = "random";
        experiment_.path = "random";
        experiment_.format = "random";
        definitions.clock.present = true;
        definitions.systemTree = {{"machine", "machine", {}, {}},
                                  {"node0", "node", SystemTreeNodeId(0), {}},
                                  {"node1", "node", SystemTreeNodeId(0), {}}};
        definitions.regionGroups = {{"USER"}, {"MPI"}};
        Communicator world{"MPI_COMM_WORLD", {}, {}, 0};
        for (std::uint32_t rank = 0; rank < options_.processes; ++rank) {
            world.members.emplace_back(locationOf(rank));
            defineProcess(rank);
        }
        definitions.communicators = {world, {"MPI_COMM_SELF_OTHER", CommunicatorId(0), world.members, 1}};
        if (!options_.regionsPerProcess) defineRegions();
        definitions.metrics = {
            {"PAPI_TOT_CYC", "", "#", MetricKind::Papi, MetricMode::AccumulatedStart, MetricValueType::Uint64,
             false, 0},
            {"load", "", "", MetricKind::User, MetricMode::AbsolutePoint, MetricValueType::Double, false, 0}};
    }

    void defineProcess(std::uint32_t rank)
    {
        Definitions& definitions = experiment_.definitions;
        const LocationGroupId group(definitions.locationGroups.size());
        definitions.locationGroups.push_back({fmt::format("MPI Rank {}", rank),
                                              LocationGroupKind::Process,
                                              SystemTreeNodeId(1 + rank % 2),
                                              {},
                                              rank,
                                              {}});
        for (std::uint32_t thread = 0; thread < options_.threadsPerProcess; ++thread)
            definitions.locations.push_back({fmt::format("thread {}", thread),
                                             LocationKind::CpuThread,
                                             group,
                                             rank,
                                             static_cast<std::int32_t>(thread),
                                             std::uint64_t{rank} * 1000 + thread,
                                             {}});
        if (options_.regionsPerProcess) defineRegions();
    }

    void defineRegions()
    {
        for (std::uint32_t number = 0; number < options_.regions; ++number) {
            Region region;
            region.name =
                number % 3 == 2 ? fmt::format("MPI_Call{}", number) : fmt::format("region {}", number);
            region.paradigm = number % 3 == 2 ? Paradigm::Mpi : Paradigm::User;
            region.groups = {RegionGroupId(number % 3 == 2 ? 1 : 0)};
            experiment_.definitions.regions.push_back(region);
        }
    }

    TimeNs step()
    {
        return random_.chance(0.15)
            ? 0
            : static_cast<TimeNs>(random_.below(2 * static_cast<std::uint64_t>(options_.meanStepNs) + 1));
    }

    Calls randomCalls(std::size_t location)
    {
        Calls calls;
        std::vector<std::size_t> open;
        const std::uint32_t firstRegion = options_.regionsPerProcess
            ? static_cast<std::uint32_t>(location / options_.threadsPerProcess) * options_.regions
            : 0;
        TimeNs time = location == 0 ? 0 : step();
        while (calls.begin.size() < options_.intervalsPerLocation) {
            if (open.empty() || (open.size() < options_.maximumDepth && random_.chance(0.5))) {
                const CallPathId parent =
                    open.empty() ? CallPathId() : CallPathId(calls.callPath[open.back()]);
                const RegionId region(firstRegion
                                      + static_cast<std::uint32_t>(random_.below(options_.regions)));
                calls.callPath.push_back(tree_.child(parent, region).value());
                calls.depth.push_back(static_cast<std::uint16_t>(open.size()));
                open.push_back(calls.begin.size());
                calls.begin.push_back(time);
                calls.end.push_back(time);
            } else {
                calls.end[open.back()] = time;
                open.pop_back();
            }
            time += step();
        }
        for (; !open.empty(); open.pop_back(), time += step()) calls.end[open.back()] = time;
        return calls;
    }

    void note(std::size_t location, TimeNs time)
    {
        TimeSpan& extent = extents_[location];
        extent = extent.begin == kNoTime ? TimeSpan{time, time} : extent.united({time, time});
        ++events_[location];
    }

    void addMessages()
    {
        if (options_.processes == 0) return;
        for (std::uint32_t i = 0; i < options_.messages; ++i) {
            Message message;
            message.sender = LocationId(locationOf(random_.below(options_.processes)));
            message.receiver = LocationId(locationOf(random_.below(options_.processes)));
            message.communicator = CommunicatorId(static_cast<std::uint32_t>(random_.below(2)));
            message.tag = static_cast<std::uint32_t>(random_.below(3));
            message.bytes = random_.below(5000);
            message.sendTime = static_cast<TimeNs>(random_.below(static_cast<std::uint64_t>(length_) + 1));
            message.receiveTime = message.sendTime + 1 + step() / 2;
            messages_.push_back(message);
        }
        orderReceives();
        cutSome();
        for (Message& message : messages_) attach(message);
        for (Message& message : lostReceives_) attach(message);
    }

    /// First in, first out: within a queue the k-th send is received k-th.
    void orderReceives()
    {
        const auto bySend = [](const Message& a, const Message& b) {
            return std::tuple(a.sendTime, a.sender, a.receiver, a.communicator, a.tag)
                < std::tuple(b.sendTime, b.sender, b.receiver, b.communicator, b.tag);
        };
        std::stable_sort(messages_.begin(), messages_.end(), bySend);
        std::map<std::tuple<LocationId, LocationId, CommunicatorId, std::uint32_t>, TimeNs> last;
        for (Message& message : messages_) {
            TimeNs& before = last[{message.sender, message.receiver, message.communicator, message.tag}];
            message.receiveTime = before = std::max(before, message.receiveTime);
        }
    }

    /// A queue that a receive of went missing has its last sends left over, so only the newest of a queue are
    /// cut.
    void cutSome()
    {
        for (auto message = messages_.rbegin(); message != messages_.rend(); ++message) {
            if (!random_.chance(options_.unmatchedShare)) continue;
            const bool newest = std::none_of(messages_.rbegin(), message, [&](const Message& later) {
                return later.matched() && later.sender == message->sender
                    && later.receiver == message->receiver && later.communicator == message->communicator
                    && later.tag == message->tag;
            });
            if (!newest) continue;
            Message lost = *message;
            message->receiveTime = kNoTime;
            if (!random_.chance(0.5)) continue;
            lost.sendTime = kNoTime;
            lost.tag = 77;
            lostReceives_.push_back(lost);
        }
        std::sort(lostReceives_.begin(), lostReceives_.end(), [](const Message& a, const Message& b) {
            return std::tuple(a.receiveTime, a.receiver, a.sender)
                < std::tuple(b.receiveTime, b.receiver, b.sender);
        });
    }

    void attach(Message& message)
    {
        if (message.sendTime != kNoTime) {
            note(message.sender.index(), message.sendTime);
            message.sendInterval = calls_[message.sender.index()].at(message.sendTime);
        }
        if (message.receiveTime == kNoTime) return;
        note(message.receiver.index(), message.receiveTime);
        message.receiveInterval = calls_[message.receiver.index()].at(message.receiveTime);
    }

    void addCollectives()
    {
        static constexpr CollectiveKind kKinds[]{CollectiveKind::Barrier, CollectiveKind::AllReduce,
                                                 CollectiveKind::Broadcast};
        TimeNs time = 0;
        for (std::uint32_t i = 0; i < options_.collectives && options_.processes > 0; ++i) {
            CollectiveOperation operation;
            operation.kind = kKinds[random_.below(3)];
            operation.communicator = CommunicatorId(0);
            if (operation.kind == CollectiveKind::Broadcast) operation.root = LocationId(0);
            operation.firstMember = members_.size();
            operation.memberCount = options_.processes;
            operation.begin = time;
            std::vector<TimeNs> begins;
            for (std::uint32_t rank = 0; rank < options_.processes; ++rank) begins.push_back(time + step());
            operation.begin = *std::min_element(begins.begin(), begins.end());
            operation.end = addMembers(begins, operation.kind == CollectiveKind::Barrier ? 0 : 64);
            collectives_.push_back(operation);
            time = operation.end + step();
        }
    }

    /// Nobody leaves before the last has entered. Returns when the last left.
    TimeNs addMembers(const std::vector<TimeNs>& begins, std::uint64_t bytes)
    {
        const TimeNs lastBegin = *std::max_element(begins.begin(), begins.end());
        TimeNs lastEnd = lastBegin;
        for (std::size_t rank = 0; rank < begins.size(); ++rank) {
            const std::size_t location = locationOf(rank);
            CollectiveMember member{begins[rank],         lastBegin + 1 + step() / 10,      bytes, bytes,
                                    LocationId(location), calls_[location].at(begins[rank])};
            note(location, member.begin);
            note(location, member.end);
            lastEnd = std::max(lastEnd, member.end);
            members_.push_back(member);
        }
        return lastEnd;
    }

    void addMetrics()
    {
        for (std::size_t location = 0; location < calls_.size() && options_.metricSamples > 0; ++location) {
            MetricStream stream;
            stream.recorder = stream.scopeLocation = LocationId(location);
            stream.metrics = {MetricId(0), MetricId(1)};
            std::vector<TimeNs> times;
            std::vector<std::uint64_t> values;
            TimeNs time = step();
            std::uint64_t cycles = 0;
            for (std::uint32_t i = 0; i < options_.metricSamples; ++i, time += step()) {
                note(location, time);
                times.push_back(time);
                values.push_back(cycles += random_.below(1000));
                values.push_back(std::bit_cast<std::uint64_t>(static_cast<double>(random_.below(100)) / 4.0));
            }
            stream.times = Column<TimeNs>(std::move(times));
            stream.values = Column<std::uint64_t>(std::move(values));
            streams_.push_back(std::move(stream));
        }
    }

    void finish()
    {
        auto trace = std::make_shared<Trace>();
        TimeSpan whole{0, 0};
        for (std::size_t location = 0; location < calls_.size(); ++location) {
            Calls& calls = calls_[location];
            for (std::size_t i = 0; i < calls.begin.size(); ++i) {
                note(location, calls.begin[i]);
                note(location, calls.end[i]);
            }
            if (events_[location] == 0) extents_[location] = {};
            whole = whole.united(extents_[location]);
            trace->locations.push_back(
                {{Column<TimeNs>(std::move(calls.begin)), Column<TimeNs>(std::move(calls.end)),
                  Column<std::uint32_t>(std::move(calls.callPath)),
                  Column<std::uint16_t>(std::move(calls.depth))},
                 {},
                 events_[location],
                 extents_[location]});
        }
        trace->extent = whole;
        trace->metricStreams = std::move(streams_);
        trace->messages = Column<Message>(std::move(messages_));
        trace->unmatchedReceives = Column<Message>(std::move(lostReceives_));
        trace->collectives = Column<CollectiveOperation>(std::move(collectives_));
        trace->collectiveMembers = Column<CollectiveMember>(std::move(members_));
        experiment_.trace = std::move(trace);
        experiment_.callTree = std::make_shared<const CallTree>(std::move(tree_).finish());
    }

    Random random_;
    RandomTraceOptions options_;
    Experiment experiment_;
    CallTreeBuilder tree_;
    std::vector<Calls> calls_;
    std::vector<TimeSpan> extents_;
    std::vector<std::uint64_t> events_;
    std::vector<Message> messages_, lostReceives_;
    std::vector<CollectiveOperation> collectives_;
    std::vector<CollectiveMember> members_;
    std::vector<MetricStream> streams_;
    TimeNs length_ = 0;
};

}  // namespace

Experiment randomExperiment(std::uint64_t seed, const RandomTraceOptions& options)
{
    return Generator(seed, options).experiment();
}

}  // namespace skein::test
