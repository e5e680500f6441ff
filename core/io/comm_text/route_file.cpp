// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/comm_text/route_file.h"

#include "core/base/utf8.h"
#include "core/io/comm_text/comm_experiment.h"
#include "core/io/comm_text/text_input.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <span>
#include <tuple>
#include <unordered_map>

namespace skein::comm_text {
namespace {

constexpr std::size_t kRouteSniffedBytes = 1u << 14;
constexpr std::size_t kMaximumCoordinates = 16;
constexpr std::uint64_t kMaximumHop = 4095;

/// One line; the coordinates of both ends stand in the reader's common array.
struct HopLine {
    std::uint32_t source = 0;
    std::uint32_t destination = 0;
    std::uint32_t hop = 0;
    std::uint32_t from = 0;
    std::uint32_t to = 0;
    std::uint32_t firstCoordinate = 0;
    std::uint32_t message = 0;
    std::int64_t line = 0;
};

/// Reads one line from its beginning; every step says whether the text went on as expected.
class Scanner {
public:
    explicit Scanner(std::string_view text) : at_(text.data()), end_(text.data() + text.size()) {}
    bool text(std::string_view expected)
    {
        if (!std::string_view(at_, static_cast<std::size_t>(end_ - at_)).starts_with(expected)) return false;
        at_ += expected.size();
        return true;
    }
    bool number(std::uint32_t& value, std::uint64_t maximum)
    {
        const auto [next, error] = std::from_chars(at_, end_, value);
        if (error != std::errc() || value > maximum) return false;
        at_ = next;
        return true;
    }
    /// Numbers with blanks between, in parentheses.
    bool coordinates(std::vector<std::uint32_t>& values)
    {
        if (!text("(")) return false;
        for (std::size_t count = 0; count < kMaximumCoordinates; ++count) {
            std::uint32_t value = 0;
            if (!number(value, kMaximumNumber)) return false;
            values.push_back(value);
            if (text(")")) return true;
            if (!text(" ")) return false;
        }
        return false;
    }
    bool atEnd() const { return at_ == end_; }

private:
    const char* at_;
    const char* end_;
};

bool parseHop(std::string_view line, HopLine& hop, std::vector<std::uint32_t>& coordinates)
{
    Scanner scanner(line);
    return scanner.text("Hop ") && scanner.number(hop.hop, kMaximumHop) && hop.hop > 0 && scanner.text(": [")
        && scanner.number(hop.source, kMaximumNumber) && scanner.text("-")
        && scanner.number(hop.destination, kMaximumNumber) && scanner.text("] ")
        && scanner.number(hop.from, kMaximumNumber) && scanner.text(" ") && scanner.coordinates(coordinates)
        && scanner.text(" -> ") && scanner.number(hop.to, kMaximumNumber) && scanner.text(" ")
        && scanner.coordinates(coordinates) && scanner.atEnd();
}

/// Node number of a Cray XC with 12 cabinet columns, from coordinates A BC D E or A B C D E without the core.
std::uint64_t crayNodeNumber(std::span<const std::uint32_t> at)
{
    const bool merged = at.size() == 4;
    const std::uint64_t b = merged ? at[1] / 3 : at[1];
    const std::uint64_t c = merged ? at[1] % 3 : at[2];
    return 2304 * b + 192 * std::uint64_t{at[0]} + 64 * c + 4 * std::uint64_t{at[at.size() - 2]}
    + at[at.size() - 1];
}

class RouteReader {
public:
    RouteReader(std::string_view text, std::string_view file, ImportReport& report, const Task& task)
        : task_(task), lines_(text), findings_(report, std::string(file)), file_(file)
    {
    }

    Result<RouteSet> read()
    {
        if (!readLines()) return cancelled();
        if (hops_.empty())
            return fail(ErrorCode::Malformed,
                        fmt::format("{} holds no line \"Hop k: [src-dst] …\" that can be read.", file_));
        cray_ = looksLikeCray();
        groupMessages();
        std::sort(hops_.begin(), hops_.end(), [](const HopLine& a, const HopLine& b) {
            return std::tie(a.source, a.destination, a.message, a.hop)
                < std::tie(b.source, b.destination, b.message, b.hop);
        });
        return build();
    }

private:
    bool readLines()
    {
        std::string_view line;
        std::vector<std::uint32_t> coordinates;
        while (lines_.next(line)) {
            if (lines_.number() % kLinesBetweenStopChecks == 0 && task_.stopRequested()) return false;
            if (line.empty()) continue;
            HopLine hop;
            coordinates.clear();
            const bool read = parseHop(line, hop, coordinates) || salvage(line, hop, coordinates);
            if (read && count_ == 0) count_ = coordinates.size() / 2;
            if (!read || coordinates.size() != 2 * count_ || count_ < 2) {
                reject(line);
                continue;
            }
            hop.line = lines_.number();
            hop.firstCoordinate = static_cast<std::uint32_t>(coordinates_.size());
            coordinates_.insert(coordinates_.end(), coordinates.begin(), coordinates.end());
            hops_.push_back(hop);
        }
        return true;
    }

    /// Two writers may have collided: a whole hop that stands at the end of a garbled line counts.
    bool salvage(std::string_view line, HopLine& hop, std::vector<std::uint32_t>& coordinates)
    {
        const std::size_t last = line.rfind("Hop ");
        coordinates.clear();
        if (last == std::string_view::npos || last == 0 || !parseHop(line.substr(last), hop, coordinates))
            return false;
        reject(line);
        return true;
    }

    void reject(std::string_view line)
    {
        const IssueKind kind = lines_.unfinished() ? IssueKind::Truncated : IssueKind::CorruptRecord;
        findings_.add(kind, lines_.number(),
                      fmt::format("no hop of a route in \"{}\"", toValidUtf8(line.substr(0, 80))));
    }

    std::span<const std::uint32_t> from(const HopLine& hop) const
    {
        return {coordinates_.data() + hop.firstCoordinate, count_ - 1};
    }
    std::span<const std::uint32_t> to(const HopLine& hop) const
    {
        return {coordinates_.data() + hop.firstCoordinate + count_, count_ - 1};
    }

    /// On some machines stale numbers are printed, so that most lines must do.
    bool looksLikeCray() const
    {
        if (count_ != 5 && count_ != 6) return false;
        const auto agrees = [&](const HopLine& hop) {
            return crayNodeNumber(to(hop)) == hop.to && hop.to > 0;
        };
        return 2 * static_cast<std::size_t>(std::count_if(hops_.begin(), hops_.end(), agrees)) > hops_.size();
    }

    /// Gives each hop the number of its message among those of its pair.
    void groupMessages()
    {
        std::unordered_map<std::uint64_t, std::pair<std::uint32_t, std::vector<bool>>> open;
        for (HopLine& hop : hops_) {
            auto& [message, seen] = open[(std::uint64_t{hop.source} << 32) | hop.destination];
            if (hop.hop < seen.size() && seen[hop.hop]) {
                ++message;
                seen.clear();
            }
            if (hop.hop >= seen.size()) seen.resize(std::size_t{hop.hop} + 1);
            seen[hop.hop] = true;
            hop.message = message;
        }
    }

    RouteSet build()
    {
        RouteSet routes(static_cast<std::uint32_t>(dimensions()),
                        cray_ ? EndpointKind::NodeNumbers : EndpointKind::Ranks);
        const auto numbers = endPoints();
        for (std::size_t begin = 0; begin < hops_.size();) {
            std::size_t end = begin;
            while (end < hops_.size() && sameMessage(hops_[begin], hops_[end])) ++end;
            addRoute({hops_.data() + begin, end - begin}, numbers, routes);
            begin = end;
        }
        if (cray_) routes.setEndpointNumbers(numbers);
        return routes;
    }

    static bool sameMessage(const HopLine& a, const HopLine& b)
    {
        return a.source == b.source && a.destination == b.destination && a.message == b.message;
    }

    std::size_t dimensions() const { return cray_ ? 5 : count_ - 1; }

    std::vector<std::uint32_t> endPoints() const
    {
        std::vector<std::uint32_t> numbers;
        if (!cray_) return numbers;
        for (const HopLine& hop : hops_) numbers.insert(numbers.end(), {hop.source, hop.destination});
        return distinctNumbers(std::move(numbers));
    }

    void addRoute(std::span<const HopLine> hops, std::span<const std::uint32_t> numbers, RouteSet& routes)
    {
        std::size_t present = 0;
        while (present < hops.size() && hops[present].hop == present + 1) ++present;
        if (present == 0) {
            findings_.add(IssueKind::Truncated, hops.front().line,
                          fmt::format("the first hop from {} to {} is missing", hops.front().source,
                                      hops.front().destination));
            return;
        }
        RouteSet::Route route;
        route.sender = numbers.empty() ? hops.front().source : positionOf(numbers, hops.front().source);
        route.receiver =
            numbers.empty() ? hops.front().destination : positionOf(numbers, hops.front().destination);
        positions_.clear();
        append(from(hops.front()));
        for (std::size_t i = 0; i < present; ++i) {
            if (i > 0 && !std::equal(from(hops[i]).begin(), from(hops[i]).end(), to(hops[i - 1]).begin()))
                findings_.add(IssueKind::ContradictoryRecord, hops[i].line,
                              "a hop does not begin where the one before ended; it is taken to");
            append(to(hops[i]));
        }
        route.complete = present == hops.size() && arrives(hops[present - 1]);
        if (!route.complete)
            findings_.add(IssueKind::Truncated, hops[present - 1].line,
                          fmt::format("the route from {} to {} ends after {} hops before its destination",
                                      hops.front().source, hops.front().destination, present));
        routes.add(route, positions_);
    }

    bool arrives(const HopLine& hop) const
    {
        return (cray_ ? crayNodeNumber(to(hop)) : hop.to) == hop.destination;
    }

    void append(std::span<const std::uint32_t> position)
    {
        if (!cray_ || position.size() == 5) {
            positions_.insert(positions_.end(), position.begin(), position.end());
            return;
        }
        positions_.insert(positions_.end(),
                          {position[0], position[1] / 3, position[1] % 3, position[2], position[3]});
    }

    const Task& task_;
    Lines lines_;
    LineFindings findings_;
    std::string file_;
    std::size_t count_ = 0;  ///< coordinates of a stop with its core; 0 before the first hop
    bool cray_ = false;
    std::vector<HopLine> hops_;
    std::vector<std::uint32_t> coordinates_;
    std::vector<std::uint32_t> positions_;
};

/// The first lines may be garbled: one good line among them is enough.
std::optional<std::filesystem::path> sniffRoutes(const std::filesystem::path& path, const Task&)
{
    const auto start = readStart(path, kRouteSniffedBytes);
    if (!start) return std::nullopt;
    Lines lines(*start);
    std::string_view line;
    std::vector<std::uint32_t> coordinates;
    HopLine hop;
    while (lines.next(line)) {
        coordinates.clear();
        if (parseHop(line, hop, coordinates)) return path;
    }
    return std::nullopt;
}

CommMatrix matrixOfRoutes(const RouteSet& routes)
{
    std::vector<CommMatrix::Entry> entries;
    auto ranks = static_cast<std::uint32_t>(routes.endpointNumbers().size());
    for (const RouteSet::Route& route : routes.routes()) {
        entries.push_back({route.sender, route.receiver, route.messages, route.bytes});
        ranks = std::max({ranks, route.sender + 1, route.receiver + 1});
    }
    return CommMatrix(ranks, std::move(entries));
}

Result<Experiment> readRoutes(const std::filesystem::path& path, const Task& task)
{
    const auto text = readWhole(path, task);
    if (!text) return Unexpected(text.error());
    ImportReport report;
    auto routes = parseRoutes(*text, path.filename().string(), report, task);
    if (!routes) return Unexpected(routes.error());
    Experiment experiment = makeCommExperiment(path, "Route file", matrixOfRoutes(*routes),
                                               routes->endpointNumbers(), std::move(report));
    experiment.routes = std::make_shared<const RouteSet>(std::move(*routes));
    return experiment;
}

}  // namespace

Result<RouteSet> parseRoutes(std::string_view text, std::string_view file, ImportReport& report,
                             const Task& task)
{
    return RouteReader(text, file, report, task).read();
}

const Importer kRouteImporter{"routes", "Route file (bgqroute)", sniffRoutes, readRoutes,
                              ArchiveKind::Communication};

}  // namespace skein::comm_text
