// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/index/disk/index_cache.h"
#include "core/select/machine_choice.h"

#include <optional>
#include <string>
#include <vector>

namespace skein::gui {

/// What the command line of `skein` asks for.
struct Arguments {
    std::vector<std::string> paths;
    std::string session;    ///< *.session.json to open; empty: none
    std::string coupling;   ///< table of hand-overs between the components; empty: what is found beside them
    std::string render;     ///< id of a view, or "window"; empty: open a window
    std::string output;     ///< file that --render writes
    std::string tour;       ///< folder that --tour writes to; empty: no tour
    std::string theme;      ///< "light", "dark" or empty
    std::string outliers;   ///< "calls", "aggregated" or empty: what a dot of the view "outliers" stands for
    std::string range;      ///< "A:B" in session time; empty: everything
    MachineChoice machine;  ///< that communication is shown on; all empty: as the archive or the session says
    std::vector<std::string> choices;  ///< "communication.lines=Routes": choices of panels, by name
    std::string layout;                ///< id of a workspace; empty: that of what is opened
    bool scripts = true;               ///< scripts of the same user are let in, see remote/window_server.h
    int width = 1600;
    int height = 1000;
    bool sizeGiven = false;  ///< else tables and the like are as high as their content
    disk::IndexSettings index = disk::settingsFromEnvironment();

    /// All that is to be opened together.
    std::vector<std::string> sources() const
    {
        std::vector<std::string> all = paths;
        if (!session.empty()) all.push_back(session);
        if (!coupling.empty()) all.push_back(coupling);
        return all;
    }
    bool headless() const { return !render.empty() || !tour.empty(); }
};

/// Either arguments to work with or an exit code, after the text was printed: 0 for --help and --version, 2
/// for usage.
struct ParsedArguments {
    Arguments arguments;
    std::optional<int> exitCode;
};

/// `index` counts where the command line says nothing else.
ParsedArguments parseArguments(int argc, char** argv,
                               const disk::IndexSettings& index = disk::settingsFromEnvironment());

}  // namespace skein::gui
