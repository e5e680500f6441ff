// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/session/experiment.h"

#include <cstdint>
#include <string>
#include <vector>

namespace skein {

/// The functions of an experiment, as calls are compared: regions of one name are one, whatever process
/// defined them, and a function is the first region of its name.
class FunctionsOfCalls {
public:
    explicit FunctionsOfCalls(const Experiment& experiment);

    std::size_t count() const { return blocking_.size(); }
    /// Of a node of the call tree.
    std::uint32_t of(std::uint32_t callPath) const { return functionOfPath_[callPath]; }
    /// Whether its calls end only when another process or thread has done something: of operations of MPI
    /// those that are not local, and barriers. What they last tells nothing of themselves.
    bool blocks(std::uint32_t function) const { return blocking_[function] != 0; }
    /// Whether it belongs to MPI and not to the program.
    bool isMpi(std::uint32_t function) const { return mpi_[function] != 0; }
    const std::vector<std::uint32_t>& byPath() const { return functionOfPath_; }

private:
    std::vector<std::uint32_t> functionOfPath_;
    std::vector<std::uint8_t> blocking_, mpi_;  ///< by function
};

/// Of a function, or of the number that calls of nothing that is defined have: "not defined".
std::string functionName(const Definitions& definitions, std::uint32_t function);

/// Who runs what: the rank of each location, and which of the rank's locations it is, from 0 in the archive's
/// order.
struct PlaceOfLocation {
    std::int64_t rank = -1;
    std::uint32_t thread = 0;
};
std::vector<PlaceOfLocation> placesOf(const Definitions& definitions);

}  // namespace skein
