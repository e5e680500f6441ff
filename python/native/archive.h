// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result_store.h"
#include "core/base/time_span.h"
#include "core/session/experiment.h"
#include "python/native/work.h"

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace skein::python {

/// An archive that is open, as Python holds it.
struct Archive {
    ExperimentPtr experiment;
    std::string label;               ///< the path as the user wrote it
    std::vector<std::string> notes;  ///< what there is to know about the opening
};

using ArchivePtr = std::shared_ptr<Archive>;
using Archives = std::vector<ArchivePtr>;

/// A part of the time, as Python tells it.
using Window = std::optional<std::pair<TimeNs, TimeNs>>;
/// Throws skein.Error for one that ends before it begins.
std::optional<TimeSpan> spanOf(const Window& window);

/// Results that pictures of the same data share, for the whole process.
ResultStore& sharedResults();

/// Each adds the functions of one topic to the module.
void defineOpening(py::module_& module);
void defineDefinitions(py::module_& module);
void defineTraceTables(py::module_& module);
void defineProfileTables(py::module_& module);
void defineMachine(py::module_& module);
void defineCommands(py::module_& module);
void definePictures(py::module_& module);

}  // namespace skein::python
