// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/prediction/prediction_data_scene.h"

#include "algorithms/comm/comm_phases.h"
#include "algorithms/comm/communication_time.h"
#include "algorithms/routing/phase_replay.h"
#include "core/base/units.h"

#include <algorithm>
#include <fmt/format.h>

namespace skein {
namespace {

constexpr double kNsASecond = 1e9;

std::string obstacleToReplay(const SessionCommunication& communication)
{
    if (!communication.machine)
        return communication.machineProblem.empty()
            ? "Messages are replayed over the links of a machine: describe one in the panel Machine."
            : communication.machineProblem;
    if (communication.machine->recordedOnly
        || communication.machine->placement.ranks() < communication.matrix->ranks())
        return "It is not known where the ranks run: choose a placement in the panel Machine.";
    if (!communication.bytesKnown) return "The source tells no bytes, so there is no time to predict.";
    if (communication.machine->model.splits())
        return "By this routing a message takes several ways at once: choose another in the panel Machine.";
    return {};
}

Result<std::vector<PhaseReplay>> replayed(const Session& session, const SessionCommunication& base,
                                          const PlacedMachine& machine, const Task& task)
{
    const ReplayMachine on{*machine.topology, machine.placement, machine.model, machine.measured.get()};
    const Experiment& experiment = *session.experiments[base.request.experiment];
    const ReplayedRun run{experiment, *base.matrix, experimentSpan(session, base.request),
                          base.request.machine.collectives, countedMessages(session, base.request)};
    return replayPhases(run, on, {}, task);
}

/// Time in MPI of each phase; empty where the experiment has no times.
Result<std::vector<double>> measuredSeconds(const Session& session, const SessionCommunication& of,
                                            const Task& task)
{
    const Experiment& experiment = *session.experiments[of.request.experiment];
    if (!experiment.trace) return std::vector<double>();
    const auto phases = commPhases(experiment, experimentSpan(session, of.request), task);
    if (!phases) return Unexpected(phases.error());
    auto times = communicationTimes(experiment, *phases, countedLocations(session, of.request), task);
    if (!times) return times;
    for (double& time : *times) time /= kNsASecond;
    return times;
}

Result<void> addMeasured(const Session& session, const SessionCommunication& of, Prediction& prediction,
                         std::optional<double> PredictedPhase::*member, const Task& task)
{
    const auto seconds = measuredSeconds(session, of, task);
    if (!seconds) return Unexpected(seconds.error());
    if (seconds->empty()) return {};
    if (seconds->size() != prediction.phases.size()) {
        prediction.note = fmt::format("The runs have {} and {} phases: they are not told one by one.",
                                      prediction.phases.size(), seconds->size());
        return {};
    }
    for (std::size_t i = 0; i < seconds->size(); ++i) prediction.phases[i].*member = (*seconds)[i];
    return {};
}

/// What links should carry if the messages of this run were sent on the placement of the other.
Result<void> addLinks(const SessionCommunication& base, const SessionCommunication& other,
                      Prediction& prediction, const Task& task)
{
    const PlacedMachine& machine = *other.machine;
    if (machine.placement.ranks() < base.matrix->ranks()) {
        prediction.note = "The other run has fewer ranks: links are not compared.";
        return {};
    }
    auto nodes = nodeTraffic(*base.matrix, machine.placement, task);
    if (!nodes) return Unexpected(nodes.error());
    const auto expected =
        traffic(*machine.topology, machine.model, std::move(*nodes), machine.measured.get(), task);
    if (!expected) return Unexpected(expected.error());
    for (LinkIndex link = 0; link < machine.topology->links(); ++link) {
        const PredictedLink both{link, expected->loads[link], other.traffic.loads[link]};
        if (both.predicted > 0 || both.measured > 0) prediction.links.push_back(both);
    }
    std::ranges::stable_sort(prediction.links, [](const PredictedLink& a, const PredictedLink& b) {
        return std::max(a.predicted, a.measured) > std::max(b.predicted, b.measured);
    });
    return {};
}

Result<void> addTrial(const Session& session, const SessionCommunication& base,
                      const SessionCommunication& other, Prediction& prediction, const Task& task)
{
    if (const std::string obstacle = obstacleToReplay(other); !obstacle.empty()) {
        prediction.note = obstacle;
        return {};
    }
    if (other.machine->placement.ranks() >= base.matrix->ranks()) {
        const auto tried = replayed(session, base, *other.machine, task.part(0.5, 0.9));
        if (!tried) return Unexpected(tried.error());
        for (std::size_t i = 0; i < tried->size(); ++i)
            prediction.phases[i].tried = (*tried)[i].replay.seconds;
    }
    prediction.rerun = other.request.experiment != base.request.experiment;
    if (!prediction.rerun) return {};
    const auto measured = addMeasured(session, other, prediction, &PredictedPhase::rerun, task);
    if (!measured) return measured;
    return addLinks(base, other, prediction, task);
}

std::string secondsText(double seconds) { return formatDuration(seconds * kNsASecond); }

std::string timeChangeText(double before, double after)
{
    if (before <= 0) return {};
    const double percent = 100 * (after / before - 1);
    return fmt::format(" ({:.1f} % {})", std::abs(percent), percent < 0 ? "less" : "more");
}

}  // namespace

std::optional<double> Prediction::sum(std::optional<double> PredictedPhase::*of) const
{
    double all = 0;
    for (const PredictedPhase& phase : phases) {
        if (!(phase.*of)) return std::nullopt;
        all += *(phase.*of);
    }
    return phases.empty() ? std::nullopt : std::optional(all);
}

std::optional<double> Prediction::agreement() const
{
    if (!rerun || links.empty()) return std::nullopt;
    double predicted = 0, where = 0;
    for (const PredictedLink& link : links) {
        predicted += static_cast<double>(link.predicted);
        where += static_cast<double>(std::min(link.predicted, link.measured));
    }
    return predicted > 0 ? std::optional(where / predicted) : std::nullopt;
}

Result<PredictionPtr> predictionOf(const Session& session, SessionCommunicationPtr base,
                                   SessionCommunicationPtr other, const std::string& trial, const Task& task)
{
    if (const std::string obstacle = obstacleToReplay(*base); !obstacle.empty())
        return fail(ErrorCode::InvalidArgument, obstacle);
    auto prediction = std::make_shared<Prediction>();
    const auto phases = replayed(session, *base, *base->machine, task.part(0, 0.5));
    if (!phases) return Unexpected(phases.error());
    for (const PhaseReplay& phase : *phases)
        prediction->phases.push_back(
            {phase.span, phase.messages, phase.bytes, phase.replay.seconds, {}, {}, {}});
    const auto measured = addMeasured(session, *base, *prediction, &PredictedPhase::measured, task);
    if (!measured) return Unexpected(measured.error());
    if (other) {
        prediction->trial = trial;
        const auto added = addTrial(session, *base, *other, *prediction, task);
        if (!added) return Unexpected(added.error());
    }
    prediction->scope = passingRanksText(session, *base);
    prediction->base = std::move(base);
    if (task.stopRequested()) return cancelled();
    return PredictionPtr(std::move(prediction));
}

std::string predictionText(const Prediction& prediction)
{
    std::string text =
        fmt::format("{} {}", prediction.phases.size(), prediction.phases.size() == 1 ? "phase" : "phases");
    if (!prediction.scope.empty()) text += " · " + prediction.scope;
    const auto now = prediction.sum(&PredictedPhase::asItIs), tried = prediction.sum(&PredictedPhase::tried);
    if (now) text += " · predicted " + secondsText(*now) + " as it is";
    if (now && tried)
        text += fmt::format(", {} with {}{}", secondsText(*tried), prediction.trial,
                            timeChangeText(*now, *tried));
    const auto here = prediction.sum(&PredictedPhase::measured),
               there = prediction.sum(&PredictedPhase::rerun);
    if (here) text += " · in MPI " + secondsText(*here);
    if (here && there)
        text +=
            fmt::format(", {} in {}{}", secondsText(*there), prediction.trial, timeChangeText(*here, *there));
    if (const auto part = prediction.agreement())
        text += fmt::format(" · {:.1f} % of the predicted bytes are on the link where they were predicted",
                            100 * *part);
    if (!prediction.note.empty()) text += " · " + prediction.note;
    return text + " · " + machineText(*prediction.base);
}

}  // namespace skein
