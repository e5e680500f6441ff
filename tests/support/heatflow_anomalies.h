// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/io/importer.h"
#include "tests/support/catch.h"
#include "tests/support/paths.h"
#include "views/common/scene/data/session_anomalies.h"

#include <memory>

namespace skein::test {

/// What is found in examples/heatflow-16x2 by the usual rules; found once a process.
inline SessionAnomaliesPtr heatflowAnomalies()
{
    static const SessionAnomaliesPtr anomalies = [] {
        const auto experiment = openExperiment(sourcePath("examples/heatflow-16x2/trace-otf2"), Task());
        REQUIRE(experiment.has_value());
        const auto session = std::make_shared<const Session>(Session{{*experiment}});
        const auto made = makeSessionAnomalies(session, {}, Task());
        REQUIRE(made.has_value());
        return *made;
    }();
    return anomalies;
}

}  // namespace skein::test
