// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/cli.h"
#include "app/cli/described_commands.h"
#include "core/index/disk/open_archive.h"
#include "python/native/archive.h"

#include <deque>
#include <map>
#include <pybind11/stl.h>

namespace skein::python {
namespace {

/// Gives commands the archives that are open already, by their labels and in the order in which they were
/// named; other paths are opened.
class OpenedBefore {
public:
    explicit OpenedBefore(const Archives& archives)
    {
        for (const ArchivePtr& archive : archives) waiting_[archive->label].push_back(archive->experiment);
    }

    Result<ExperimentPtr> open(const std::filesystem::path& path, const Task& task)
    {
        const auto found = waiting_.find(path.string());
        if (found == waiting_.end()) return openIndexed(path, task);
        ExperimentPtr experiment = found->second.front();
        if (found->second.size() > 1) found->second.pop_front();
        return experiment;
    }

private:
    static Result<ExperimentPtr> openIndexed(const std::filesystem::path& path, const Task& task)
    {
        auto opened = disk::openArchive(path, disk::settingsFromEnvironment(), task);
        if (!opened) return Unexpected(std::move(opened.error()));
        return std::move(opened->experiment);
    }

    std::map<std::string, std::deque<ExperimentPtr>> waiting_;
};

/// What a command printed, and how it ended.
struct Printed {
    int code = 0;
    std::string out, err;
};

/// With archives that are open already commands open through them, else just as the program does.
Printed runCommand(const std::vector<std::string>& arguments, const Archives& archives, const Task& task)
{
    Printed printed;
    OpenedBefore before(archives);
    cli::Opener open;
    if (!archives.empty())
        open = [&before](const std::filesystem::path& path, const Task& part) {
            return before.open(path, part);
        };
    cli::Sink out(printed.out), err(printed.err);
    printed.code = cli::run(arguments, out, err, task, open);
    return printed;
}

/// The exit code, what was printed as bytes, and the sentences for the user.
py::tuple run(const std::vector<std::string>& arguments, const Archives& archives, const py::object& progress)
{
    Printed printed;
    runAside({progress, 0}, [&](const Task& task) { printed = runCommand(arguments, archives, task); });
    return py::make_tuple(printed.code, py::bytes(printed.out), textOf(printed.err));
}

py::dict optionFields(const cli::OptionText& option)
{
    py::dict fields;
    fields["name"] = option.name;
    fields["value"] = option.value;
    fields["help"] = option.help;
    fields["positional"] = option.positional;
    fields["flag"] = option.flag;
    fields["required"] = option.required;
    fields["repeatable"] = option.repeatable;
    return fields;
}

py::dict commandFields(const cli::CommandText& command)
{
    py::list options, steps;
    for (const cli::OptionText& option : command.options) options.append(optionFields(option));
    for (const cli::CommandText& step : command.steps) steps.append(commandFields(step));
    py::dict fields;
    fields["name"] = command.name;
    fields["summary"] = command.summary;
    fields["examples"] = command.examples;
    fields["options"] = options;
    fields["steps"] = steps;
    return fields;
}

py::list commands()
{
    py::list all;
    for (const cli::CommandText& command : cli::describedCommands()) all.append(commandFields(command));
    return all;
}

}  // namespace

void defineCommands(py::module_& module)
{
    module.def("run", &run, py::arg("arguments"), py::arg("archives") = Archives(),
               py::arg("progress") = py::none());
    module.def("commands", &commands);
}

}  // namespace skein::python
