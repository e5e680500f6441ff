// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/anomaly/critical_path.h"
#include "app/cli/arguments.h"
#include "app/cli/commands.h"
#include "app/cli/experiment_cells.h"
#include "app/cli/print_rows.h"
#include "core/base/units.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <tuple>

namespace skein::cli {
namespace {

enum class PathBy { Call, Function, Rank };

struct CriticalPathOptions {
    std::vector<std::string> paths;
    Format format = Format::Table;
    PathBy by = PathBy::Function;
    std::uint32_t gains = 32;
};

std::vector<Field> pathFields(PathBy by)
{
    const std::vector<Field> place{{"rank", "Rank", FieldKind::Id}, {"thread", "Thread", FieldKind::Id}};
    const Field function{"function", "Function", FieldKind::Text};
    const std::vector<Field> sums{{"critical_ns", "On the path", FieldKind::Duration},
                                  {"critical_percent", "Share", FieldKind::Percent}};
    std::vector<Field> fields;
    if (by != PathBy::Function) fields = place;
    if (by == PathBy::Rank) {
        fields.insert(fields.end(), sums.begin(), sums.end());
        return fields;
    }
    fields.push_back(function);
    if (by == PathBy::Call) {
        fields.push_back({"call_index", "Call", FieldKind::Id});
        fields.push_back({"begin_ns", "From", FieldKind::Time});
        fields.push_back({"critical_ns", "On the path", FieldKind::Duration});
        return fields;
    }
    fields.insert(fields.end(), sums.begin(), sums.end());
    fields.push_back({"average_ns", "A process", FieldKind::Duration});
    fields.push_back({"imbalance_ns", "Imbalance", FieldKind::Duration});
    fields.push_back({"imbalance_cost_ns", "All processes lose", FieldKind::Duration});
    fields.push_back({"gain_if_twice_as_fast_ns", "Twice as fast gains", FieldKind::Duration});
    return fields;
}

constexpr const char* kBeforeCalls = "(before the first call)";
constexpr const char* kOutsideCalls = "(outside of all calls)";

class PathPrinter {
public:
    PathPrinter(const Experiment& experiment, const FunctionsOfCalls& functions, const CriticalPath& path)
        : experiment_(experiment),
          functions_(functions),
          path_(path),
          places_(placesOf(experiment.definitions))
    {
    }

    bool print(PathBy by, const Emit& emit) const
    {
        switch (by) {
        case PathBy::Call: return calls(emit);
        case PathBy::Rank: return ranks(emit);
        case PathBy::Function: break;
        }
        return functions(emit);
    }

private:
    double percent(TimeNs ns) const
    {
        return path_.lengthNs == 0 ? 0.0
                                   : 100.0 * static_cast<double>(ns) / static_cast<double>(path_.lengthNs);
    }
    Cell rankOf(LocationId location) const
    {
        const PlaceOfLocation& place = places_[location.index()];
        return place.rank < 0 ? Cell() : Cell(place.rank);
    }

    std::string nameOf(const PathPiece& piece) const
    {
        if (piece.call == kNoInterval)
            return liesBeforeCalls(*experiment_.trace, piece) ? kBeforeCalls : kOutsideCalls;
        const CallIntervals& calls = experiment_.trace->locations[piece.location.index()].intervals;
        return functionName(experiment_.definitions, functions_.of(calls.callPath[piece.call]));
    }

    /// With what no call covers, so that all rows add up to the length of the path.
    bool functions(const Emit& emit) const
    {
        std::vector<std::pair<TimeNs, std::vector<Cell>>> rows;
        for (std::size_t i = 0; i < path_.functions.size(); ++i) {
            const CriticalFunction& each = path_.functions[i];
            rows.push_back({each.criticalNs,
                            {functionName(experiment_.definitions, each.function), each.criticalNs,
                             percent(each.criticalNs), each.averageNs, each.imbalanceNs, each.costNs,
                             i < path_.gainsOf ? Cell(each.gainNs) : Cell()}});
        }
        for (const auto& [name, ns] :
             {std::pair(kBeforeCalls, path_.beforeCallsNs), std::pair(kOutsideCalls, path_.outsideCallsNs)})
            if (ns > 0) rows.push_back({ns, {std::string(name), ns, percent(ns), {}, {}, {}, {}}});
        std::stable_sort(rows.begin(), rows.end(),
                         [](const auto& a, const auto& b) { return a.first > b.first; });
        return std::all_of(rows.begin(), rows.end(), [&](const auto& row) { return emit(row.second); });
    }

    bool ranks(const Emit& emit) const
    {
        std::map<LocationId, TimeNs> sums;
        for (const PathPiece& piece : path_.pieces) sums[piece.location] += piece.span.lengthNs();
        std::vector<std::pair<LocationId, TimeNs>> sorted(sums.begin(), sums.end());
        std::stable_sort(sorted.begin(), sorted.end(),
                         [](const auto& a, const auto& b) { return a.second > b.second; });
        for (const auto& [location, ns] : sorted)
            if (!emit({rankOf(location), std::uint64_t{places_[location.index()].thread}, ns, percent(ns)}))
                return false;
        return true;
    }

    bool calls(const Emit& emit) const
    {
        const auto numbers = callNumbers();
        for (std::size_t i = 0; i < path_.pieces.size(); ++i) {
            const PathPiece& piece = path_.pieces[i];
            const bool inCall = piece.call != kNoInterval;
            if (!emit({rankOf(piece.location), std::uint64_t{places_[piece.location.index()].thread},
                       nameOf(piece), inCall ? Cell(std::uint64_t{numbers[i]}) : Cell(), piece.span.begin,
                       piece.span.lengthNs()}))
                return false;
        }
        return true;
    }

    /// Of each piece, the number of its call among those of its function on its location.
    std::vector<std::uint32_t> callNumbers() const
    {
        std::vector<std::uint32_t> numbers(path_.pieces.size(), 0);
        std::map<LocationId, std::multimap<std::uint32_t, std::size_t>> wanted;
        for (std::size_t i = 0; i < path_.pieces.size(); ++i)
            if (path_.pieces[i].call != kNoInterval)
                wanted[path_.pieces[i].location].emplace(path_.pieces[i].call, i);
        for (const auto& [location, pieces] : wanted) {
            const CallIntervals& calls = experiment_.trace->locations[location.index()].intervals;
            std::vector<std::uint32_t> before(functions_.count(), 0);
            auto next = pieces.begin();
            for (std::uint32_t call = 0; next != pieces.end(); ++call) {
                const std::uint32_t number = before[functions_.of(calls.callPath[call])]++;
                for (; next != pieces.end() && next->first == call; ++next) numbers[next->second] = number;
            }
        }
        return numbers;
    }

    const Experiment& experiment_;
    const FunctionsOfCalls& functions_;
    const CriticalPath& path_;
    std::vector<PlaceOfLocation> places_;
};

void tellPath(const Experiment& experiment, const CriticalPath& path, Sink& err)
{
    const std::string threads = path.threads > path.processes
        ? fmt::format(" ({} of {} threads)", path.threadsOnPath, path.threads)
        : std::string();
    err.write(fmt::format("skein-cli: {}: a critical path of {} through {} of {} {}{}.\n",
                          experiment.path.string(), formatDuration(static_cast<double>(path.lengthNs)),
                          path.processesOnPath, path.processes, path.processes == 1 ? "process" : "processes",
                          threads));
    if (path.contradiction)
        err.write(
            fmt::format("skein-cli: {}: clocks contradict each other: the path stops where it would run in a "
                        "circle; --correct-clocks may help.\n",
                        experiment.path.string()));
    if (path.contradictions > 0)
        err.write(fmt::format(
            "skein-cli: {}: {} dependences were left out: what they await came after the call that "
            "awaited it, so clocks contradict each other.\n",
            experiment.path.string(), path.contradictions));
}

Result<ExitCode> criticalPathOf(const CriticalPathOptions& options, const Invocation& invocation)
{
    const WindowedOptions windowed{options.paths, options.format, ""};
    return printWindowed(windowed, "a critical path", pathFields(options.by), invocation,
                         [&](const Experiment& experiment, const auto&, const Emit& emit) -> Result<bool> {
                             const FunctionsOfCalls functions(experiment);
                             const std::size_t gains = options.by == PathBy::Function ? options.gains : 0;
                             const auto path = criticalPath(experiment, functions, gains, invocation.task);
                             if (!path) return tl::make_unexpected(path.error());
                             invocation.task.report(1.0, "");
                             tellPath(experiment, *path, invocation.err);
                             return PathPrinter(experiment, functions, *path).print(options.by, emit);
                         });
}

Action defineCriticalPath(CommandLine& line)
{
    auto options = std::make_shared<CriticalPathOptions>();
    addPaths(line, options->paths);
    addChoice<PathBy>(line, "--by", options->by,
                      {{"function", PathBy::Function}, {"rank", PathBy::Rank}, {"call", PathBy::Call}},
                      "sums by function or rank, or every piece of the path in the order of time");
    line.option("--gains", options->gains, "for how many functions a replay tells the gain");
    addFormat(line, options->format);
    return [options](const Invocation& invocation) { return criticalPathOf(*options, invocation); };
}

}  // namespace

Command criticalPathCommand()
{
    return {
        "critical-path", "Which calls on which ranks determine how long the run takes",
        "  skein-cli critical-path trace.otf2             by function, with what twice its speed would gain\n"
        "  skein-cli critical-path trace.otf2 --by rank   on which ranks the path lies\n"
        "  skein-cli critical-path trace.otf2 --by call --format csv\n",
        defineCriticalPath};
}

}  // namespace skein::cli
