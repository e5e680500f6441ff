// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/base/result_store.h"
#include "core/base/task.h"
#include "core/machine/topology.h"
#include "core/select/machine_choice.h"
#include "core/session/experiment.h"
#include "views/common/scene/data/placed_machine.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

/// What becomes of a machine while it is being described.
namespace skein {

/// What of a choice a sentence is about.
enum class MachinePart : std::uint8_t { None, Topology, Placement, Routing, Routes, Collectives };

struct MachineCheck {
    MachineChoice choice;
    std::shared_ptr<const Topology> topology;  ///< also where something else is wrong; null: no machine
    PlacedMachinePtr machine;                  ///< null: none, or something is wrong
    MachinePart wrong = MachinePart::None;
    std::string problem;  ///< one sentence about what is wrong; empty: nothing
    std::string facts;    ///< "Torus of 64 nodes and 256 links. 32 ranks …": what is assumed, in sentences

    bool good() const { return problem.empty(); }
};

/// Checks all parts of a choice, the machine first. `ranks` communicate. Errors: Cancelled only.
Result<MachineCheck> checkMachine(ResultStore& results, const SessionPtr& session, std::uint32_t experiment,
                                  const MachineChoice& choice, std::uint32_t ranks, const Task& task);

/// The choice with a file that was opened or dropped: a machine's description, a launcher's map, recorded
/// routes, or an archive with a Cartesian topology, whichever its content is. Errors: NotRecognized, with
/// what would have been understood; Cancelled.
Result<MachineChoice> choiceWithFile(MachineChoice choice, const std::filesystem::path& file,
                                     const Task& task);

/// The texts that `--routing` takes on a machine, the usual one first.
std::vector<std::string> routingsOf(const Topology& topology);

/// The algorithms that `--collectives` takes, "none" first.
std::vector<std::string> collectiveChoices();

}  // namespace skein
