// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/arguments.h"
#include "app/cli/commands.h"
#include "core/base/content_hash.h"
#include "core/io/launcher/hosts.h"
#include "core/io/launcher/map_files.h"

#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <sstream>

namespace skein::cli {
namespace {

struct Options {
    std::string input;
    std::string from;
    std::string to;
    std::string hosts;
    std::string output;
    std::uint32_t ranksPerNode = 1;
    MapFileOptions file;
    Format format = Format::Table;
};

using SharedOptions = std::shared_ptr<Options>;

Result<std::string> textOf(const std::filesystem::path& file)
{
    std::ifstream stream(file, std::ios::binary);
    std::ostringstream text;
    text << stream.rdbuf();
    if (!stream) return fail(ErrorCode::Io, fmt::format("{} cannot be read.", file.string()));
    return std::move(text).str();
}

/// --hosts names a file, or lists the hosts itself.
Result<std::vector<MapHost>> hostsOf(const Options& options)
{
    if (options.hosts.empty()) return std::vector<MapHost>{};
    std::error_code ignored;
    if (!std::filesystem::is_regular_file(options.hosts, ignored)) return parseHosts(options.hosts, options.ranksPerNode);
    const auto text = textOf(options.hosts);
    if (!text) return tl::make_unexpected(text.error());
    return parseHosts(*text, options.ranksPerNode);
}

Result<const LauncherFormat*> formatOf(const std::string& id)
{
    if (id.empty()) return nullptr;
    if (const LauncherFormat* format = findLauncherFormat(id)) return format;
    std::string known;
    for (const LauncherFormat& format : launcherFormats()) known += fmt::format("{}{}", known.empty() ? "" : ", ", format.id);
    return fail(ErrorCode::InvalidArgument, fmt::format("There is no launcher {}; there are {}.", id, known));
}

Result<RankMap> readInput(const Options& options)
{
    const auto hosts = hostsOf(options);
    if (!hosts) return tl::make_unexpected(hosts.error());
    const auto format = formatOf(options.from);
    if (!format) return tl::make_unexpected(format.error());
    auto map = readMapFile(options.input, *format, *hosts, options.file);
    if (!map && map.error().code == ErrorCode::NotRecognized)
        return fail(ErrorCode::InvalidArgument, fmt::format("{} Use --from.", map.error().message));
    return map;
}

void tell(const Invocation& invocation, const std::vector<std::string>& warnings)
{
    for (const std::string& warning : warnings) invocation.err.write(fmt::format("warning: {}\n", warning));
}

Result<ExitCode> convert(const Options& options, const Invocation& invocation)
{
    const auto map = readInput(options);
    if (!map) return tl::make_unexpected(map.error());
    const auto format = formatOf(options.to);
    if (!format) return tl::make_unexpected(format.error());
    if (options.output.empty()) {
        const auto text = verifiedMapText(*map, **format, options.file);
        if (!text) return tl::make_unexpected(text.error());
        tell(invocation, (*format)->warnings(*map, options.file));
        invocation.out.write(*text);
        return ExitCode::Fine;
    }
    const auto hash = contentHash(options.input, invocation.task);
    if (!hash) return tl::make_unexpected(hash.error());
    MapProvenance provenance;
    provenance.source = options.input;
    provenance.sourceHash = *hash;
    provenance.method = "converted";
    const auto written = writeMapFiles(options.output, *map, **format, options.file, provenance, std::nullopt);
    if (!written) return tl::make_unexpected(written.error());
    tell(invocation, written->warnings);
    for (const std::string& line : written->recipe.environment) invocation.out.write("export " + line + "\n");
    for (const std::string& line : written->recipe.commands) invocation.out.write(line + "\n");
    return ExitCode::Fine;
}

const std::vector<Field> kFindingFields{{"severity", "Severity", FieldKind::Text}, {"launcher", "Launcher", FieldKind::Text},
                                        {"finding", "Finding", FieldKind::Text}};

Result<ExitCode> check(const Options& options, const Invocation& invocation)
{
    const auto map = readInput(options);
    if (!map) return tl::make_unexpected(map.error());
    const auto only = formatOf(options.to);
    if (!only) return tl::make_unexpected(only.error());
    RecordWriter writer(invocation.out, options.format, kFindingFields);
    for (const LauncherFormat& format : launcherFormats()) {
        if (*only && *only != &format) continue;
        const std::string id(format.id);
        if (const auto text = verifiedMapText(*map, format, options.file); !text)
            writer.row({std::string("error"), id, text.error().message});
        for (const std::string& warning : format.warnings(*map, options.file)) writer.row({std::string("warning"), id, warning});
    }
    writer.finish();
    invocation.err.write(fmt::format("{} ranks on {} hosts: every rank has a place of its own.\n", map->places.size(),
                                     map->hosts.size()));
    return ExitCode::Fine;
}

const std::vector<Field> kLauncherFields{{"launcher", "Launcher", FieldKind::Text}, {"title", "Format", FieldKind::Text},
                                         {"kind", "An entry is", FieldKind::Text}, {"file", "Usual file", FieldKind::Text},
                                         {"experimental", "Experimental", FieldKind::Text}};

Result<ExitCode> launchers(const Options& options, const Invocation& invocation)
{
    RecordWriter writer(invocation.out, options.format, kLauncherFields);
    for (const LauncherFormat& format : launcherFormats())
        writer.row({std::string(format.id), std::string(format.title), std::string(name(format.kind)),
                    std::string(format.fileName), std::string(format.experimental ? "yes" : "no")});
    writer.finish();
    return ExitCode::Fine;
}

void addInput(CLI::App& app, Options& options)
{
    app.add_option("MAP", options.input, "Map file")->required();
    app.add_option("--from", options.from, "Launcher whose file MAP is (default: by its syntax, where that is unique)");
    app.add_option("--hosts", options.hosts, "Hosts of the job in their order: a file, or a list such as a:4,b:4 or nid[08-15]:4");
    app.add_option("--ranks-per-node", options.ranksPerNode, "Slots of hosts that are listed without a number")
        ->check(CLI::Range(1u, 1u << 20));
    app.add_option("--cores-per-rank", options.file.coresPerRank, "Cores that a slot is wide")->check(CLI::Range(1u, 4096u));
    app.add_option("--program", options.file.program, "Program and arguments for the command line");
}

using Run = Result<ExitCode> (*)(const Options&, const Invocation&);

Action define(CLI::App& app)
{
    auto options = std::make_shared<Options>();
    auto chosen = std::make_shared<Run>(nullptr);
    app.require_subcommand(1);
    CLI::App* converting = app.add_subcommand("convert", "Write a map for another launcher");
    addInput(*converting, *options);
    converting->add_option("--to", options->to, "Launcher to write for: see `skein-cli map launchers`")->required();
    converting->add_option("-o,--output", options->output,
                           "File to write, with its table, JSON and job script beside it (default: text to stdout)");
    converting->callback([chosen] { *chosen = convert; });

    CLI::App* checking = app.add_subcommand("check", "Tell what launchers would make of a map");
    addInput(*checking, *options);
    checking->add_option("--to", options->to, "Only this launcher");
    addFormat(*checking, options->format);
    checking->callback([chosen] { *chosen = check; });

    CLI::App* listing = app.add_subcommand("launchers", "List the launchers that maps can be written for");
    addFormat(*listing, options->format);
    listing->callback([chosen] { *chosen = launchers; });
    return [options, chosen](const Invocation& invocation) { return (*chosen)(*options, invocation); };
}

}  // namespace

Command mapCommand()
{
    return {"map", "Convert and check rank maps of launchers",
            "  skein-cli map launchers                                       the formats\n"
            "  skein-cli map convert mapping.csv --to openmpi -o rankfile    with script and command line\n"
            "  skein-cli map convert MPICH_RANK_ORDER --from cray --hosts nid[08-15]:4 --to slurm\n"
            "  skein-cli map check rankfile --hosts hosts.txt                what each launcher would do\n",
            define};
}

}  // namespace skein::cli
