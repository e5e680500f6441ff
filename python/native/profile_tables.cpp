// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/comm/comm_matrix_of.h"
#include "algorithms/profile/summarize.h"
#include "python/native/archive.h"
#include "python/native/arrays.h"

#include <cstddef>
#include <optional>
#include <pybind11/stl.h>

namespace skein::python {
namespace {

std::string metricName(const Archive& archive, MetricId metric)
{
    return metric.valid() ? archive.experiment->definitions.metric(metric).name : std::string("time");
}

void addDurations(py::dict& fields, const CallDurations& durations)
{
    if (durations.empty()) return;
    fields["duration_sum"] = columnArray(durations.sum);
    fields["duration_min"] = columnArray(durations.minimum);
    fields["duration_max"] = columnArray(durations.maximum);
}

/// The columns of a cube that are there; the offsets say which rows are a location's.
py::dict cubeFields(const Archive& archive, const MetricCube& cube)
{
    py::dict inclusive, exclusive, fields;
    for (std::size_t column = 0; column < cube.metrics.size(); ++column) {
        if (cube.inclusive[column].size() != cube.rows()) continue;
        const py::str metric = textOf(metricName(archive, cube.metrics[column]));
        inclusive[metric] = columnArray(cube.inclusive[column]);
        exclusive[metric] = columnArray(cube.exclusive[column]);
    }
    fields["location_offsets"] = columnArray(cube.locationOffsets);
    fields["items"] = columnArray(cube.items);
    fields["calls"] = columnArray(cube.calls);
    fields["inclusive"] = inclusive;
    fields["exclusive"] = exclusive;
    addDurations(fields, cube.durations);
    return fields;
}

py::dict cubes(const Archive& archive, const std::string& metric, const Window& window, int threads,
               const py::object& progress)
{
    const auto span = spanOf(window);
    const auto profile = made({progress, threads}, [&](const Task& task) {
        return profileOf(*archive.experiment, span, metric, task);
    });
    py::dict both;
    both["callpath"] = cubeFields(archive, profile->callPaths);
    both["region"] = cubeFields(archive, profile->regions);
    return both;
}

py::tuple commMatrix(const Archive& archive, const Window& window, int threads, const py::object& progress)
{
    using Entry = CommMatrix::Entry;
    const auto span = spanOf(window);
    const auto matrix = made({progress, threads},
                             [&](const Task& task) { return commMatrixOf(*archive.experiment, span, task); });
    const py::dtype type = RowType(sizeof(Entry))
                               .add("sender", "<u4", offsetof(Entry, sender))
                               .add("receiver", "<u4", offsetof(Entry, receiver))
                               .add("messages", "<u8", offsetof(Entry, messages))
                               .add("bytes", "<u8", offsetof(Entry, bytes))
                               .finish();
    const auto entries = matrix->entries();
    return py::make_tuple(
        matrix->ranks(),
        sharedArray(matrix, {entries.data(), type, {static_cast<py::ssize_t>(entries.size())}}));
}

}  // namespace

void defineProfileTables(py::module_& module)
{
    module.def("cubes", &cubes, py::arg("archive"), py::arg("metric") = "", py::arg("window") = py::none(),
               py::arg("threads") = 0, py::arg("progress") = py::none());
    module.def("comm_matrix", &commMatrix, py::arg("archive"), py::arg("window") = py::none(),
               py::arg("threads") = 0, py::arg("progress") = py::none());
}

}  // namespace skein::python
