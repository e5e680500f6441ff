// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/balance/balance_phases_scene.h"

#include "algorithms/behavior/repeating_regions.h"
#include "core/base/units.h"
#include "core/select/filters.h"
#include "core/session/experiment_titles.h"
#include "core/session/session_clock.h"
#include "views/common/scene/data/session_profiles.h"

#include <algorithm>
#include <fmt/format.h>
#include <set>

namespace skein {
namespace {

std::string phaseRegionWord(const Session& session, const std::string& name)
{
    for (const ExperimentPtr& experiment : session.experiments)
        for (const Region& region : experiment->definitions.regions)
            if (region.name == name) return displayName(region);
    return name;
}

class PhaseMaker {
public:
    PhaseMaker(const Session& session, const PhaseRequest& request)
        : session_(session),
          request_(request),
          query_{request.span, request.filters, {}, request.clockShiftsNs},
          profiles_(session, query_),
          clock_(sessionClock(session, request.clockShiftsNs)),
          titles_(experimentTitles(session))
    {
    }

    /// Errors: Cancelled.
    Result<PhaseRun> runOf(std::uint32_t number, const Task& task) const
    {
        const ExperimentPtr& experiment = session_.experiments[number];
        PhaseRun run{experiment, titles_[number], {}, {}};
        if (!experiment->trace) {
            run.message = "Only traces have phases.";
        } else if (keptLocations(session_, number, request_.filters)) {
            // Of some of the processes they would say what they do not mean.
            run.message = "Efficiencies are of all processes: pin the panel to a scope with all locations.";
        } else if (auto phases = request_.region.empty() ? ofMarks(number, task) : ofCalls(number, task)) {
            run.phases = std::move(*phases);
            if (run.phases.empty()) run.message = nothingText();
        } else if (phases.error().cancelled()) {
            return tl::make_unexpected(phases.error());
        } else {
            run.message =
                phases.error().code == ErrorCode::NotRecorded ? nothingText() : phases.error().text();
        }
        return run;
    }

private:
    std::string nothingText() const
    {
        return request_.region.empty()
            ? "No span is marked in the scope: drag over the time and press M."
            : "No process called " + phaseRegionWord(session_, request_.region) + " in the scope.";
    }

    Result<std::vector<BalancePhase>> ofCalls(std::uint32_t number, const Task& task) const
    {
        auto found =
            efficiencyByPhase(*session_.experiments[number], request_.region, profiles_.spanOf(number), task);
        if (!found) return tl::make_unexpected(std::move(found.error()));
        std::vector<BalancePhase> phases;
        phases.reserve(found->size());
        for (const Efficiency& phase : *found)
            phases.push_back({phase, clock_.toSession(number, phase.span), {}});
        return phases;
    }

    Result<std::vector<BalancePhase>> ofMarks(std::uint32_t number, const Task& task) const
    {
        std::vector<BalancePhase> phases;
        std::size_t phase = 0;
        for (const Mark& mark : request_.marks) {
            const auto& scope = profiles_.span();
            if (mark.span.empty() || (scope && !scope->contains(mark.span.begin))) continue;
            ++phase;
            auto found =
                efficiencyOf(*session_.experiments[number], clock_.toExperiment(number, mark.span), task);
            if (!found) return tl::make_unexpected(std::move(found.error()));
            found->phase = phase;
            if (found->processes > 0) phases.push_back({*found, mark.span, mark.note});
        }
        return phases;
    }

    const Session& session_;
    const PhaseRequest& request_;
    ProfileQuery query_;
    SessionProfiles profiles_;
    SessionClock clock_;
    std::vector<std::string> titles_;
};

std::vector<TableCell> phaseCells(const PhaseRun& run, const BalancePhase& phase)
{
    const Efficiency& found = phase.efficiency;
    return {static_cast<double>(found.phase),
            static_cast<double>(phase.span.begin),
            found.parallelEfficiency(),
            found.loadBalance(),
            found.communicationEfficiency(),
            found.usefulNs,
            found.mostUsefulNs,
            displayName(run.experiment->definitions, found.most),
            found.runtimeNs,
            static_cast<double>(found.processes),
            phase.note,
            run.title};
}

}  // namespace

std::size_t BalancePhases::count() const
{
    std::size_t most = 0;
    for (const PhaseRun& run : runs)
        if (!run.phases.empty()) most = std::max(most, run.phases.back().efficiency.phase);
    return most;
}

Result<BalancePhases> makeBalancePhases(const Session& session, const PhaseRequest& request, const Task& task)
{
    const PhaseMaker maker(session, request);
    BalancePhases phases;
    phases.what =
        request.region.empty() ? "marked spans" : "calls of " + phaseRegionWord(session, request.region);
    const auto done =
        forEachExperiment(session, task, [&](std::uint32_t number, const Task& part) -> std::optional<Error> {
            auto run = maker.runOf(number, part);
            if (!run) return run.error();
            phases.runs.push_back(std::move(*run));
            return std::nullopt;
        });
    if (!done) return tl::make_unexpected(done.error());
    return phases;
}

std::vector<std::string> proposedPhaseRegions(const Session& session, const Task& task)
{
    std::vector<std::string> names;
    for (const ExperimentPtr& experiment : session.experiments) {
        std::set<std::string> useless;
        for (const Region& region : experiment->definitions.regions)
            if (isMpi(region)) useless.insert(displayName(region));
        for (std::string& name : repeatingRegions(*experiment, task))
            if (!useless.contains(name) && std::find(names.begin(), names.end(), name) == names.end())
                names.push_back(std::move(name));
    }
    return names;
}

std::string phaseRunText(const PhaseRun& run)
{
    if (run.phases.empty()) return run.message;
    const auto [least, most] = std::minmax_element(
        run.phases.begin(), run.phases.end(), [](const BalancePhase& a, const BalancePhase& b) {
            return a.efficiency.parallelEfficiency() < b.efficiency.parallelEfficiency();
        });
    std::string text = fmt::format("{} phases · parallel efficiency {:.1f} % to {:.1f} %, least in phase {}",
                                   formatGrouped(static_cast<std::int64_t>(run.phases.size())),
                                   100 * least->efficiency.parallelEfficiency(),
                                   100 * most->efficiency.parallelEfficiency(), least->efficiency.phase);
    const std::size_t first = run.phases.front().efficiency.processes;
    const std::size_t last = run.phases.back().efficiency.processes;
    if (first != last) text += fmt::format(" · {} processes have the first phase, {} the last", first, last);
    return text;
}

PhaseTable phaseTable(const BalancePhases& phases)
{
    constexpr std::size_t kMostRows = 20'000;
    PhaseTable table;
    for (std::size_t run = 0; run < phases.runs.size(); ++run)
        for (std::size_t phase = 0; phase < phases.runs[run].phases.size(); ++phase) {
            if (table.rows.size() == kMostRows) {
                ++table.left;
                continue;
            }
            table.rows.push_back(phaseCells(phases.runs[run], phases.runs[run].phases[phase]));
            table.places.push_back({run, phase});
        }
    return table;
}

}  // namespace skein
