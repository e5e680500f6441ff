// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/version.h"
#include "python/native/archive.h"

/// What the package `skein` is made of; its Python files say what users see.
PYBIND11_MODULE(_native, module)
{
    using namespace skein::python;
    module.doc() = "The parts of the package skein that are written in C++.";
    module.attr("version") = std::string(skein::cli::version());
    defineOpening(module);
    defineDefinitions(module);
    defineTraceTables(module);
    defineProfileTables(module);
    defineMachine(module);
    defineCommands(module);
    definePictures(module);
}
