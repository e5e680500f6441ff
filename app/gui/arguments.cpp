// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/arguments.h"

#include "app/cli/index_options.h"
#include "app/gui/session_file.h"
#include "app/gui/view_list.h"
#include "core/io/coupling/coupling_file.h"

#include <CLI/CLI.hpp>

#include <charconv>

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

void require(bool condition, const std::string& message)
{
    if (!condition) throw CLI::ValidationError(message);
}

void check(const Arguments& arguments)
{
    require(arguments.render.empty() || isView(arguments.render),
            "--render knows these views: " + viewNames() + ".");
    require(arguments.render.empty() || !arguments.output.empty(),
            "--render needs -o FILE.png, FILE.svg or FILE.pdf.");
    require(arguments.session.empty() || isSessionFile(QString::fromStdString(arguments.session)),
            "--session wants a file that ends in .session.json.");
    require(arguments.session.empty() || (arguments.paths.empty() && arguments.coupling.empty()),
            "--session names its archives itself: leave PATH and --coupling out.");
    require(!arguments.headless() || !arguments.sources().empty(), "Name at least one PATH to draw.");
    require(arguments.coupling.empty() || isCouplingFile(arguments.coupling),
            "--coupling wants a table of hand-overs, see docs/FORMATS.md.");
    require(arguments.output.empty() || arguments.output.ends_with(".png")
                || arguments.output.ends_with(".svg") || arguments.output.ends_with(".pdf"),
            "The name of the output ends in .png, .svg or .pdf.");
}

}  // namespace

ParsedArguments parseArguments(int argc, char** argv, const disk::IndexSettings& index)
{
    ParsedArguments parsed;
    Arguments& arguments = parsed.arguments;
    arguments.index = index;
    std::string size;
    CLI::App app("Shows where the time and the network of a parallel program went", "skein");
    app.set_version_flag("--version", "skein " SKEIN_VERSION);
    app.footer(kFooter);
    app.add_option("PATH", arguments.paths, "Traces and profiles: any file of an archive, or its folder");
    app.add_option("--session", arguments.session,
                   "Open what File > Save Session has written (*.session.json)")
        ->option_text("FILE");
    app.add_option("--coupling", arguments.coupling,
                   "Table of what the components of a workflow handed over (coupling.csv)");
    app.add_option("--render", arguments.render, "Draw a view to a file: " + viewNames());
    app.add_option("-o,--output", arguments.output, "File to write, .png, .svg or .pdf");
    app.add_option("--tour", arguments.tour, "Draw every view into this folder and print a summary");
    app.add_option("--size", size, "Size of the picture in pixels, WxH (default 1600x1000)");
    app.add_option("--theme", arguments.theme, "light or dark")->check(CLI::IsMember({"light", "dark"}));
    app.add_option("--outliers", arguments.outliers,
                   "What a dot of the view outliers stands for: a call (calls, the default) or a location "
                   "(aggregated)")
        ->check(CLI::IsMember({"calls", "aggregated"}));
    app.add_option("--range", arguments.range, "Span to show, for example 12.5ms:20ms");
    cli::defineIndexOptions(app, arguments.index);
    cli::defineMemoryLimit(app);
    try {
        app.parse(argc, argv);
        require(size.empty() || parseSize(size, arguments), "--size is WxH in pixels, 16 to 16384 each.");
        check(arguments);
    } catch (const CLI::ParseError& error) {
        parsed.exitCode = app.exit(error) == 0 ? 0 : 2;
    }
    return parsed;
}

}  // namespace skein::gui
