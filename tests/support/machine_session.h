// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/session/experiment.h"
#include "views/common/scene/data/session_communication.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

/// Sums of communication on a machine, for tests of scenes.
namespace skein::test {

inline SessionPtr sessionOfSums(std::uint32_t ranks, std::vector<std::vector<CommMatrix::Entry>> experiments)
{
    auto session = std::make_shared<Session>();
    for (std::vector<CommMatrix::Entry>& entries : experiments) {
        Experiment experiment;
        experiment.name = "run " + std::to_string(session->experiments.size() + 1);
        experiment.commMatrix = std::make_shared<const CommMatrix>(ranks, std::move(entries));
        session->experiments.push_back(std::make_shared<const Experiment>(std::move(experiment)));
    }
    return session;
}

inline SessionCommunicationPtr communicationOn(const SessionPtr& session, const std::string& topology,
                                               std::uint32_t experiment = 0,
                                               const std::string& placement = {})
{
    ResultStore results;
    CommunicationRequest request;
    request.experiment = experiment;
    request.machine.topology = topology;
    request.machine.placement = placement;
    return communicationOf(results, session, request, Task()).value();
}

}  // namespace skein::test
