// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/timeline/correct_clocks.h"
#include "core/index/disk/open_archive.h"
#include "core/index/trace_summary.h"
#include "core/io/archive_search.h"
#include "python/native/archive.h"

#include <pybind11/stl.h>

namespace skein::python {
namespace {

struct OpeningWishes {
    std::string path;
    bool index = true;
    std::string indexFolder;
    bool correctClocks = false;
};

disk::IndexSettings settingsOf(const OpeningWishes& wishes)
{
    disk::IndexSettings settings = disk::settingsFromEnvironment();
    settings.enabled = wishes.index;
    if (!wishes.indexFolder.empty()) settings.folder = wishes.indexFolder;
    return settings;
}

Result<ExperimentPtr> corrected(ExperimentPtr experiment, const Task& task)
{
    if (!experiment->trace) return experiment;
    const auto offsets = clockOffsetsOf(*experiment, task);
    if (!offsets) return Unexpected(offsets.error());
    auto moved = correctClocks(*experiment, *offsets, task);
    if (!moved) return Unexpected(std::move(moved.error()));
    return std::make_shared<const Experiment>(std::move(*moved));
}

Result<Archive> openArchive(const OpeningWishes& wishes, const Task& task)
{
    const disk::IndexSettings settings = settingsOf(wishes);
    auto opened = disk::openArchive(wishes.path, settings, task.part(0.0, 0.9));
    if (!opened) return Unexpected(std::move(opened.error()));
    Archive archive{std::move(opened->experiment), wishes.path, {}};
    if (opened->unsaved) {
        const auto saved = disk::saveIndex(*opened->unsaved, settings, task.part(0.9, 1.0));
        if (!saved && !saved.error().cancelled()) archive.notes.push_back(saved.error().text());
    }
    if (!wishes.correctClocks) return archive;
    auto moved = corrected(std::move(archive.experiment), task);
    if (!moved) return Unexpected(std::move(moved.error()));
    archive.experiment = std::move(*moved);
    return archive;
}

ArchivePtr open(const std::string& path, bool index, const std::string& indexFolder, bool correctClocks,
                int threads, const py::object& progress)
{
    const OpeningWishes wishes{path, index, indexFolder, correctClocks};
    return std::make_shared<Archive>(
        made({progress, threads}, [&](const Task& task) { return openArchive(wishes, task); }));
}

/// The archive that a path leads to: its anchor file, or its folder.
py::str archiveOf(const std::string& path)
{
    return pathOf(made({py::none(), 0}, [&](const Task& task) -> Result<std::string> {
        const auto found = findArchive(path, task);
        if (!found) return Unexpected(found.error());
        return found->chosen.archive.string();
    }));
}

}  // namespace

std::optional<TimeSpan> spanOf(const Window& window)
{
    if (!window) return std::nullopt;
    if (window->second <= window->first)
        raiseError({ErrorCode::InvalidArgument, "A window ends after it begins.", {}});
    return TimeSpan{window->first, window->second};
}

ResultStore& sharedResults()
{
    static ResultStore results;
    return results;
}

void defineOpening(py::module_& module)
{
    py::class_<Archive, ArchivePtr>(module, "Archive")
        .def_property_readonly("name", [](const Archive& a) { return textOf(a.experiment->name); })
        .def_property_readonly("label", [](const Archive& a) { return pathOf(a.label); })
        .def_property_readonly("path", [](const Archive& a) { return pathOf(a.experiment->path.string()); })
        .def_property_readonly("format", [](const Archive& a) { return textOf(a.experiment->format); })
        .def_property_readonly("has_trace", [](const Archive& a) { return a.experiment->trace != nullptr; })
        .def_property_readonly("has_profile",
                               [](const Archive& a) { return a.experiment->profile != nullptr; })
        .def_property_readonly("lost_data", [](const Archive& a) { return a.experiment->report.lostData(); })
        .def_property_readonly("notes", [](const Archive& a) {
            py::list notes;
            for (const std::string& note : a.notes) notes.append(textOf(note));
            return notes;
        });
    module.def("archive_of", &archiveOf, py::arg("path"));
    module.def("open", &open, py::arg("path"), py::arg("index") = true, py::arg("index_dir") = "",
               py::arg("correct_clocks") = false, py::arg("threads") = 0, py::arg("progress") = py::none());
}

}  // namespace skein::python
