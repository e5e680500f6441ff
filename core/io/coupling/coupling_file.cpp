// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/coupling/coupling_file.h"

#include "core/base/parse_number.h"
#include "core/io/comm_text/text_input.h"
#include "core/session/session_clock.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <string_view>
#include <unordered_map>

namespace skein {
namespace {

constexpr std::string_view kCouplingHeader =
    "side,output_index,sim_rank,analysis_rank,t_begin_us,t_available_us,t_end_us,bytes";
constexpr std::size_t kFields = 8;
constexpr std::uint64_t kLatestUs = std::uint64_t{1} << 53;
constexpr std::int64_t kNsPerUs = 1000;

std::vector<std::string_view> fieldsOf(std::string_view line)
{
    std::vector<std::string_view> fields;
    for (;;) {
        const std::size_t comma = line.find(',');
        fields.push_back(line.substr(0, comma));
        if (comma == std::string_view::npos) return fields;
        line.remove_prefix(comma + 1);
    }
}

/// False where the fields are no line of the table.
bool parseHandOver(const std::vector<std::string_view>& fields, CouplingTable& table)
{
    if (fields.size() != kFields || (fields[0] != "put" && fields[0] != "get")) return false;
    const bool get = fields[0] == "get";
    std::uint64_t numbers[kFields] = {};
    for (std::size_t field = 1; field < kFields; ++field) {
        const bool needed = get || (field != 3 && field != 5);
        const auto number = parseNumber<std::uint64_t>(fields[field]);
        if (needed && !number) return false;
        numbers[field] = number.value_or(0);
    }
    const bool sensible = numbers[1] <= 0xFFFFFFFFu && numbers[2] <= comm_text::kMaximumNumber
        && numbers[3] <= comm_text::kMaximumNumber
        && std::max({numbers[4], numbers[5], numbers[6]}) <= kLatestUs && numbers[4] <= numbers[6];
    if (!sensible) return false;
    const auto ns = [&](std::size_t field) { return static_cast<std::int64_t>(numbers[field]) * kNsPerUs; };
    (get ? table.gets : table.puts)
        .push_back({static_cast<std::uint32_t>(numbers[1]), static_cast<std::uint32_t>(numbers[2]),
                    static_cast<std::uint32_t>(numbers[3]), ns(4), ns(5), ns(6), numbers[7]});
    return true;
}

/// Where one experiment's ranks are, and when they recorded.
class RecordedRanks {
public:
    explicit RecordedRanks(const Experiment& experiment)
    {
        const auto start = startUnixNs(experiment.definitions);
        if (!start || !experiment.trace) return;
        start_ = *start;
        known_ = true;
        for (std::uint32_t id = 0;
             id < experiment.definitions.locations.size() && id < experiment.trace->locations.size(); ++id) {
            const Location& location = experiment.definitions.locations[id];
            if (location.rank < 0 || experiment.trace->locations[id].events == 0) continue;
            const auto [known, isNew] =
                locations_.try_emplace(static_cast<std::uint64_t>(location.rank), LocationId(id));
            if (!isNew && location.thread < experiment.definitions.location(known->second).thread)
                known->second = LocationId(id);
        }
        extent_ = experiment.trace->extent;
    }

    bool known() const { return known_; }
    TimeNs toTrace(std::int64_t unixNs) const { return unixNs - start_; }
    LocationId location(std::uint32_t rank) const
    {
        const auto found = locations_.find(rank);
        return found == locations_.end() ? LocationId() : found->second;
    }
    bool holds(std::uint32_t rank, std::int64_t beginNs, std::int64_t endNs) const
    {
        return location(rank).valid() && toTrace(beginNs) >= extent_.begin && toTrace(endNs) <= extent_.end;
    }

private:
    bool known_ = false;
    std::int64_t start_ = 0;
    TimeSpan extent_;
    std::unordered_map<std::uint64_t, LocationId> locations_;
};

std::uint64_t fitting(const RecordedRanks& ranks, const std::vector<CouplingLine>& lines,
                      std::uint32_t CouplingLine::*rank)
{
    return static_cast<std::uint64_t>(
        std::count_if(lines.begin(), lines.end(), [&](const CouplingLine& line) {
            return ranks.holds(line.*rank, line.beginNs, line.endNs);
        }));
}

struct Roles {
    std::uint32_t producer = 0;
    std::uint32_t consumer = 0;
};

/// The pair that most lines fit. Of equals, one in which the consumer has no more ranks than are named: the
/// smaller one.
std::optional<Roles> rolesOf(const std::vector<RecordedRanks>& ranks, const CouplingTable& table)
{
    std::optional<Roles> best;
    std::uint64_t bestFit = 0;
    for (std::uint32_t producer = 0; producer < ranks.size(); ++producer) {
        const std::uint64_t puts = fitting(ranks[producer], table.puts, &CouplingLine::writerRank);
        for (std::uint32_t consumer = 0; consumer < ranks.size(); ++consumer) {
            if (consumer == producer || puts == 0) continue;
            const std::uint64_t gets = fitting(ranks[consumer], table.gets, &CouplingLine::readerRank);
            if (gets == 0 || puts + gets <= bestFit) continue;
            bestFit = puts + gets;
            best = Roles{producer, consumer};
        }
    }
    return best;
}

HandOver handOverOf(const Roles& roles, const std::vector<RecordedRanks>& ranks, const CouplingLine& put,
                    const CouplingLine& get)
{
    const RecordedRanks& from = ranks[roles.producer];
    const RecordedRanks& to = ranks[roles.consumer];
    const TimeNs begin = to.toTrace(get.beginNs), end = to.toTrace(get.endNs);
    const TimeNs available = std::clamp(to.toTrace(get.availableNs), begin, end);
    return {roles.producer,
            roles.consumer,
            from.location(put.writerRank),
            to.location(get.readerRank),
            {from.toTrace(put.beginNs), from.toTrace(put.endNs)},
            {begin, available},
            end,
            get.bytes,
            get.output,
            get.writerRank};
}

}  // namespace

bool isCouplingFile(const std::filesystem::path& path)
{
    const auto start = comm_text::readStart(path, kCouplingHeader.size());
    return start && *start == kCouplingHeader;
}

Result<CouplingTable> readCoupling(const std::filesystem::path& path, const Task& task)
{
    const auto text = comm_text::readWhole(path, task);
    if (!text) return tl::make_unexpected(text.error());
    CouplingTable table;
    comm_text::Lines lines(*text);
    comm_text::LineFindings findings(table.report, path.filename().string());
    std::string_view line;
    if (!lines.next(line) || line != kCouplingHeader)
        return fail(ErrorCode::Malformed,
                    fmt::format("{} is no table of hand-overs: its first line is not \"{}\".", path.string(),
                                kCouplingHeader));
    while (lines.next(line)) {
        if (lines.number() % comm_text::kLinesBetweenStopChecks == 0 && task.stopRequested())
            return cancelled();
        if (line.empty()) continue;
        if (!parseHandOver(fieldsOf(line), table))
            findings.add(lines.unfinished() ? IssueKind::Truncated : IssueKind::CorruptRecord, lines.number(),
                         "a line that is neither a put nor a get");
    }
    return table;
}

std::optional<std::filesystem::path> findCouplingFile(const Session& session)
{
    constexpr int kFoldersAbove = 2;
    if (session.experiments.size() < 2) return std::nullopt;
    std::filesystem::path common = session.experiments.front()->path;
    for (const ExperimentPtr& experiment : session.experiments) {
        const auto& path = experiment->path;
        const auto end = std::mismatch(common.begin(), common.end(), path.begin(), path.end()).first;
        std::filesystem::path shared;
        for (auto part = common.begin(); part != end; ++part) shared /= *part;
        common = shared;
    }
    for (int up = 0; up <= kFoldersAbove && !common.empty(); ++up) {
        if (const auto candidate = common / "coupling.csv"; isCouplingFile(candidate)) return candidate;
        if (common == common.parent_path()) break;
        common = common.parent_path();
    }
    return std::nullopt;
}

Result<PlacedHandOvers> placeCoupling(const Session& session, const CouplingTable& table)
{
    std::vector<RecordedRanks> ranks;
    for (const ExperimentPtr& experiment : session.experiments) ranks.emplace_back(*experiment);
    if (std::count_if(ranks.begin(), ranks.end(), [](const RecordedRanks& one) { return one.known(); }) < 2)
        return fail(ErrorCode::NotRecorded,
                    "Hand-overs need two traces that know when they were recorded; open both components of "
                    "the workflow.");
    const auto roles = rolesOf(ranks, table);
    if (!roles)
        return fail(
            ErrorCode::InvalidArgument,
            "The hand-overs are of other runs: no two of the open traces have their ranks and times.");
    std::map<std::pair<std::uint32_t, std::uint32_t>, const CouplingLine*> puts;
    for (const CouplingLine& put : table.puts) puts.try_emplace({put.output, put.writerRank}, &put);
    PlacedHandOvers placed;
    std::map<std::pair<std::uint32_t, std::uint32_t>, bool> read;
    for (const CouplingLine& get : table.gets) {
        const auto put = puts.find({get.output, get.writerRank});
        if (put == puts.end()) {
            ++placed.unwritten;
            continue;
        }
        read[put->first] = true;
        const bool fits =
            ranks[roles->producer].holds(get.writerRank, put->second->beginNs, put->second->endNs)
            && ranks[roles->consumer].holds(get.readerRank, get.beginNs, get.endNs);
        if (fits) placed.handOvers.push_back(handOverOf(*roles, ranks, *put->second, get));
        else ++placed.misplaced;
    }
    placed.unread = puts.size() - read.size();
    std::stable_sort(placed.handOvers.begin(), placed.handOvers.end(),
                     [](const HandOver& a, const HandOver& b) {
                         return std::pair(a.output, a.part) < std::pair(b.output, b.part);
                     });
    return placed;
}

}  // namespace skein
