// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/arguments.h"

#include "app/cli/command_line.h"
#include "app/cli/index_options.h"
#include "app/gui/session/session_file.h"
#include "app/gui/window/view_list.h"
#include "app/gui/window/workspaces.h"
#include "core/io/coupling/coupling_file.h"

#include <charconv>
#include <iostream>
#include <string_view>
#include <utility>

namespace skein::gui {
namespace {

constexpr auto kFooter = R"(
Examples:
  skein                              open an empty window
  skein lulesh-8/trace-otf2          open an archive by its folder, or by any of its files
  skein sim/traces.otf2 ana/traces.otf2
                                     open two components of a workflow as one session
  skein sim/traces.otf2 ana/traces.otf2 --coupling coupling.csv
                                     with what one handed over to the other
  skein --session halo.session.json  open what was saved: archives, filters, marks, layout
  skein --render timeline traces.otf2 -o timeline.svg --range 10ms:25ms
  skein --render outliers traces.otf2 -o outliers.png --outliers aggregated
                                     the locations with most calls much longer than usual
  skein --render window traces.otf2 -o window.png --size 3840x2160 --theme dark
  skein --tour pictures/ traces.otf2 draw every view into a folder

Exit codes: 0 fine, 1 failed, 2 wrong usage.)";

std::string viewNames()
{
    std::string names;
    for (const ViewDescription& view : viewList()) names += std::string(view.id) + ", ";
    return names + "window";
}

bool parseSize(const std::string& text, Arguments& into)
{
    const char* end = text.data() + text.size();
    const auto width = std::from_chars(text.data(), end, into.width);
    if (width.ec != std::errc() || width.ptr == end || *width.ptr != 'x') return false;
    const auto height = std::from_chars(width.ptr + 1, end, into.height);
    const auto sensible = [](int length) { return length >= 16 && length <= 16384; };
    return height.ec == std::errc() && height.ptr == end && sensible(into.width) && sensible(into.height);
}

bool isView(const std::string& id) { return id == "window" || findView(QString::fromStdString(id)); }

/// An empty text is a variable of a script that was not set, and not an option that was left out.
std::optional<std::string> emptyText(const std::string& text)
{
    return text.empty() ? std::optional<std::string>("the text may not be empty") : std::nullopt;
}

std::vector<std::string> layoutNames()
{
    std::vector<std::string> names;
    for (const Workspace& workspace : workspaces()) names.emplace_back(workspace.id);
    return names;
}

/// The first thing that is wrong with arguments that make sense each by itself; empty: nothing.
std::string objectionTo(const Arguments& arguments)
{
    const std::pair<bool, std::string> demands[] = {
        {arguments.render.empty() || isView(arguments.render),
         "--render knows these views: " + viewNames() + "."},
        {arguments.render.empty() || !arguments.output.empty(),
         "--render needs -o FILE.png, FILE.svg or FILE.pdf."},
        {arguments.session.empty() || isSessionFile(QString::fromStdString(arguments.session)),
         "--session wants a file that ends in .session.json."},
        {arguments.session.empty() || (arguments.paths.empty() && arguments.coupling.empty()),
         "--session names its archives itself: leave PATH and --coupling out."},
        {!arguments.headless() || !arguments.sources().empty(), "Name at least one PATH to draw."},
        {arguments.coupling.empty() || isCouplingFile(arguments.coupling),
         "--coupling wants a table of hand-overs, see docs/FORMATS.md."},
        {arguments.output.empty() || arguments.output.ends_with(".png") || arguments.output.ends_with(".svg")
             || arguments.output.ends_with(".pdf"),
         "The name of the output ends in .png, .svg or .pdf."},
    };
    for (const auto& [met, message] : demands)
        if (!met) return message;
    return {};
}

int refuse(const std::string& problem)
{
    std::cerr << problem << "\nRun with --help for more information.\n" << std::flush;
    return 2;
}

/// The machine in the words of skein-cli.
void defineMachine(cli::CommandLine& line, MachineChoice& machine)
{
    line.option("--topology", machine.topology,
                "The machine that communication is shown on (docs/MACHINES.md): torus:4x4x4x16x2, "
                "dragonfly:9x4x2, topology:FILE; none for no machine")
        .check(emptyText)
        .valueName("SPEC");
    line.option("--placement", machine.placement,
                "Where ranks run: block, cyclic, ABCDET, hosts, or a map file; of several archives with ; "
                "between")
        .check(emptyText)
        .needs("--topology");
    line.option("--ranks-per-node", machine.ranksPerNode, "Ranks on each node; by default as few as hold all")
        .between(1, 1 << 20)
        .needs("--topology");
    line.option("--routing", machine.routing, "How messages go; by default as fits the machine")
        .check(emptyText)
        .needs("--topology");
    line.option("--routes", machine.routes, "Recorded routes, which win over the model")
        .check(emptyText)
        .needs("--topology");
}

void define(cli::CommandLine& line, Arguments& arguments, std::string& size)
{
    line.version("skein " SKEIN_VERSION);
    line.footer(kFooter);
    line.option("PATH", arguments.paths, "Traces and profiles: any file of an archive, or its folder");
    line.option("--session", arguments.session, "Open what File > Save Session has written (*.session.json)")
        .check(emptyText)
        .valueName("FILE");
    line.option("--coupling", arguments.coupling,
                "Table of what the components of a workflow handed over (coupling.csv)")
        .check(emptyText);
    line.option("--render", arguments.render, "Draw a view to a file: " + viewNames()).check(emptyText);
    line.option("-o,--output", arguments.output, "File to write, .png, .svg or .pdf").check(emptyText);
    line.option("--tour", arguments.tour, "Draw every view into this folder and print a summary")
        .check(emptyText);
    line.option("--size", size,
                "Size of the picture in pixels, WxH (default 1600x1000, tables as high as their content)")
        .check(emptyText);
    line.option("--theme", arguments.theme, "light or dark").oneOf({"light", "dark"});
    line.option("--layout", arguments.layout,
                "How the panels of the window stand; without it as suits what is opened")
        .oneOf(layoutNames());
    line.option("--outliers", arguments.outliers,
                "What a dot of the view outliers stands for: a call (calls, the default) or a location "
                "(aggregated)")
        .oneOf({"calls", "aggregated"});
    line.option("--range", arguments.range, "Span to show, for example 12.5ms:20ms").check(emptyText);
    defineMachine(line, arguments.machine);
    line.option(
            "--choose", arguments.choices,
            "What a choice of a panel is set to, as NAME=TEXT: communication.lines=Routes. The names stand "
            "in docs/COMMUNICATION.md")
        .check([](const std::string& text) {
            return text.find('=') == std::string::npos || text.front() == '='
                ? std::optional<std::string>(text + " is not of the form NAME=TEXT")
                : std::nullopt;
        });
    line.flag(
        "--no-scripts", [&arguments] { arguments.scripts = false; },
        "Let no script see or change what the window shows (docs/WINDOW_SOCKET.md)");
    cli::defineIndexOptions(line, arguments.index);
    cli::defineMemoryLimit(line);
}

}  // namespace

ParsedArguments parseArguments(int argc, char** argv, const disk::IndexSettings& index)
{
    ParsedArguments parsed;
    Arguments& arguments = parsed.arguments;
    arguments.index = index;
    std::string size;
    cli::CommandLine line("skein", "Shows where the time and the network of a parallel program went");
    define(line, arguments, size);
    using End = cli::CommandLine::Parsed::End;
    const auto [end, text] = line.parse({argv + 1, argv + argc});
    if (end == End::Told) {
        std::cout << text << std::flush;
        parsed.exitCode = 0;
    } else if (end == End::Wrong) {
        parsed.exitCode = refuse(text);
    } else if (!size.empty() && !parseSize(size, arguments)) {
        parsed.exitCode = refuse("--size is WxH in pixels, 16 to 16384 each.");
    } else if (const std::string objection = objectionTo(arguments); !objection.empty()) {
        parsed.exitCode = refuse(objection);
    }
    arguments.sizeGiven = !size.empty();
    return parsed;
}

}  // namespace skein::gui
