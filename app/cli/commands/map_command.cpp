// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/comm/comm_matrix_of.h"
#include "algorithms/mapping/report/map_hosts.h"
#include "algorithms/mapping/report/verify_map.h"
#include "app/cli/arguments.h"
#include "app/cli/commands.h"
#include "app/cli/machine_input.h"
#include "core/base/content_hash.h"
#include "core/io/launcher/hosts.h"
#include "core/io/launcher/map_files.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <functional>
#include <sstream>

namespace skein::cli {
namespace {

struct MapOptions {
    std::string input;
    std::string from;
    std::string to;
    std::string hosts;
    std::string output;
    std::uint32_t ranksPerNode = 1;
    MapFileOptions file;
    Format format = Format::Table;
    std::string archive;
    std::string predicted;
    std::string topology;
    RoutingOptions routing;
    double tolerancePercent = 0.0;
    bool all = false;
};

using SharedOptions = std::shared_ptr<MapOptions>;

Result<std::string> textOf(const std::filesystem::path& file)
{
    std::ifstream stream(file, std::ios::binary);
    std::ostringstream text;
    text << stream.rdbuf();
    if (!stream) return fail(ErrorCode::Io, fmt::format("{} cannot be read.", file.string()));
    return std::move(text).str();
}

/// The list on the command line: what is wrong with it is wrong usage.
Result<std::vector<MapHost>> parsedHosts(const MapOptions& options)
{
    auto hosts = parseHosts(options.hosts, options.ranksPerNode);
    if (!hosts) hosts.error().code = ErrorCode::InvalidArgument;
    return hosts;
}

/// --hosts names a file, or lists the hosts itself.
Result<std::vector<MapHost>> hostsOf(const MapOptions& options)
{
    if (options.hosts.empty()) return std::vector<MapHost>{};
    std::error_code ignored;
    if (!std::filesystem::is_regular_file(options.hosts, ignored)) return parsedHosts(options);
    const auto text = textOf(options.hosts);
    if (!text) return tl::make_unexpected(text.error());
    return parseHosts(*text, options.ranksPerNode);
}

Result<const LauncherFormat*> formatOf(const std::string& id)
{
    if (id.empty()) return nullptr;
    if (const LauncherFormat* format = findLauncherFormat(id)) return format;
    std::string known;
    for (const LauncherFormat& format : launcherFormats())
        known += fmt::format("{}{}", known.empty() ? "" : ", ", format.id);
    return fail(ErrorCode::InvalidArgument, fmt::format("There is no launcher {}; there are {}.", id, known));
}

Result<RankMap> readInput(const MapOptions& options)
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

Result<ExitCode> convert(const MapOptions& options, const Invocation& invocation)
{
    const auto map = readInput(options);
    if (!map) return tl::make_unexpected(map.error());
    const auto format = formatOf(options.to);
    if (!format) return tl::make_unexpected(format.error());
    if (options.output.empty()) {
        const auto text = verifiedMapText(*map, **format, options.file);
        if (!text) return tl::make_unexpected(text.error());
        writeWarnings((*format)->warnings(*map, options.file), invocation.err);
        invocation.out.write(*text);
        return ExitCode::Fine;
    }
    const auto hash = contentHash(options.input, invocation.task);
    if (!hash) return tl::make_unexpected(hash.error());
    MapProvenance provenance;
    provenance.source = options.input;
    provenance.sourceHash = *hash;
    provenance.method = "converted";
    const auto written =
        writeMapFiles(options.output, *map, **format, options.file, provenance, std::nullopt);
    if (!written) return tl::make_unexpected(written.error());
    writeWarnings(written->warnings, invocation.err);
    for (const std::string& line : written->recipe.environment) invocation.out.write("export " + line + "\n");
    for (const std::string& line : written->recipe.commands) invocation.out.write(line + "\n");
    return ExitCode::Fine;
}

const std::vector<Field> kFindingFields{{"severity", "Severity", FieldKind::Text},
                                        {"launcher", "Launcher", FieldKind::Text},
                                        {"finding", "Finding", FieldKind::Text}};

Result<ExitCode> tryLaunchers(const MapOptions& options, const Invocation& invocation)
{
    const auto map = readInput(options);
    if (!map) return tl::make_unexpected(map.error());
    const auto only = formatOf(options.to);
    if (!only) return tl::make_unexpected(only.error());
    RecordWriter writer(invocation.out, options.format, kFindingFields);
    bool refused = false;
    for (const LauncherFormat& format : launcherFormats()) {
        if (*only && *only != &format) continue;
        const std::string id(format.id);
        if (const auto text = verifiedMapText(*map, format, options.file); !text) {
            writer.row({std::string("error"), id, text.error().message});
            refused = true;
        }
        for (const std::string& warning : format.warnings(*map, options.file))
            writer.row({std::string("warning"), id, warning});
    }
    writer.finish();
    invocation.err.write(fmt::format("{} ranks on {} hosts: every rank has a place of its own.\n",
                                     map->places.size(), map->hosts.size()));
    return *only && refused ? ExitCode::Failed : ExitCode::Fine;
}

const std::vector<Field> kLauncherFields{{"launcher", "Launcher", FieldKind::Text},
                                         {"title", "Format", FieldKind::Text},
                                         {"kind", "An entry is", FieldKind::Text},
                                         {"file", "Usual file", FieldKind::Text},
                                         {"experimental", "Experimental", FieldKind::Text}};

Result<ExitCode> launchers(const MapOptions& options, const Invocation& invocation)
{
    RecordWriter writer(invocation.out, options.format, kLauncherFields);
    for (const LauncherFormat& format : launcherFormats())
        writer.row({std::string(format.id), std::string(format.title), std::string(name(format.kind)),
                    std::string(format.fileName), std::string(format.experimental ? "yes" : "no")});
    writer.finish();
    return ExitCode::Fine;
}

const std::vector<Field> kVerifyFields{{"check", "Check", FieldKind::Text},
                                       {"item", "Item", FieldKind::Text},
                                       {"predicted", "Predicted", FieldKind::Text},
                                       {"measured", "Measured", FieldKind::Text},
                                       {"difference_percent", "Difference", FieldKind::Percent}};

using NameOf = std::function<std::string(std::uint32_t)>;

/// Prints the items that differ by more than the tolerance, or all; returns how many differ.
std::size_t writeDifferences(RecordWriter& writer, const std::vector<PredictedBytes>& items,
                             std::string_view check, const MapOptions& options, const NameOf& nameOf)
{
    std::size_t differing = 0;
    for (const PredictedBytes& item : items) {
        const double percent = 100.0 * item.relativeDifference();
        const bool differs = std::abs(percent) > options.tolerancePercent;
        differing += differs ? 1 : 0;
        if (!differs && !options.all) continue;
        writer.row({std::string(check), fmt::format("{} → {}", nameOf(item.from), nameOf(item.to)),
                    std::to_string(item.predicted), std::to_string(item.measured), percent});
    }
    return differing;
}

/// The map as it came true: ranks that ran on other hosts are there, each host's in the order of their
/// numbers.
RankMap ranMap(RankMap map, const std::vector<MisplacedRank>& misplaced)
{
    HostNumbers numbers(map.hosts);
    for (const MisplacedRank& rank : misplaced) {
        if (!rank.found.empty()) map.places[rank.rank].host = numbers.findOrAdd(rank.found);
    }
    std::vector<std::uint32_t> taken(map.hosts.size(), 0);
    for (RankPlace& place : map.places) place.slot = taken[place.host]++;
    return withRoom(std::move(map));
}

/// Compares the links under the map with what they carried where the ranks really ran; `hosts` are those of
/// the job.
Result<void> verifyLinks(const MapOptions& options, const RankMap& map,
                         const std::vector<MisplacedRank>& misplaced, const std::vector<std::string>& hosts,
                         RecordWriter& writer, const Invocation& invocation)
{
    MachineOptions machine;
    machine.topology = options.topology;
    const auto topology = topologyOf(options.topology, invocation);
    if (!topology) return tl::make_unexpected(topology.error());
    const RankMap mapped = withHosts(map, hosts, *topology);
    const RankMap ran = ranMap(mapped, misplaced);
    if (ran.hosts.size() > topology->nodes() || tellsCoordinates(mapped) != tellsCoordinates(ran)) {
        invocation.err.write("The links are not compared: ranks ran on hosts that are no nodes of the "
                             "machine by their names.\n");
        return {};
    }
    machine.comm = options.predicted;
    machine.rankMap = mapped;
    const auto predicted = openRouted(machine, options.routing, invocation);
    if (!predicted) return tl::make_unexpected(predicted.error());
    machine.comm = options.archive;
    machine.rankMap = ran;
    const auto measured = openRouted(machine, options.routing, invocation);
    if (!measured) return tl::make_unexpected(measured.error());
    const auto links = compareLinks(*topology, predicted->traffic.loads, measured->traffic.loads);
    const std::size_t differing = writeDifferences(
        writer, links, "link", options, [&](std::uint32_t vertex) { return topology->vertexName(vertex); });
    invocation.err.write(
        fmt::format("{} of {} links carried what was predicted.\n", links.size() - differing, links.size()));
    return {};
}

Result<void> verifyPairs(const MapOptions& options, const Experiment& predicted, const Experiment& measured,
                         RecordWriter& writer, const Invocation& invocation)
{
    const auto predictedMatrix = commMatrixOf(predicted, std::nullopt, invocation.task);
    if (!predictedMatrix) return tl::make_unexpected(predictedMatrix.error());
    const auto measuredMatrix = commMatrixOf(measured, std::nullopt, invocation.task);
    if (!measuredMatrix) return tl::make_unexpected(measuredMatrix.error());
    const auto pairs = comparePairs(**predictedMatrix, **measuredMatrix);
    const std::size_t differing = writeDifferences(writer, pairs, "pair", options,
                                                   [](std::uint32_t rank) { return std::to_string(rank); });
    invocation.err.write(fmt::format("{} of {} pairs of ranks sent what was predicted.\n",
                                     pairs.size() - differing, pairs.size()));
    return {};
}

/// Compares what was predicted for the map with what the rerun sent.
Result<void> verifyBytes(const MapOptions& options, const RankMap& map, const PlacementCheck& placement,
                         const Experiment& rerun, RecordWriter& writer, const Invocation& invocation)
{
    const auto opened = openSession({options.predicted}, invocation);
    if (!opened) return tl::make_unexpected(opened.error());
    const Experiment& before = *opened->session.experiments.front();
    if (const auto fine = verifyPairs(options, before, rerun, writer, invocation); !fine) return fine;
    if (options.topology.empty()) return {};
    std::vector<std::string> hosts = hostsOfRanks(rerun.definitions);
    const std::vector<std::string> earlier = hostsOfRanks(before.definitions);
    // A map made for other hosts than those of the run before has none of them.
    if (namesHosts(earlier, map)) hosts.insert(hosts.end(), earlier.begin(), earlier.end());
    return verifyLinks(options, map, placement.misplaced, hosts, writer, invocation);
}

Result<ExitCode> verify(const MapOptions& options, const Invocation& invocation)
{
    const auto map = readInput(options);
    if (!map) return tl::make_unexpected(map.error());
    const auto opened = openSession({options.archive}, invocation);
    if (!opened) return tl::make_unexpected(opened.error());
    const Experiment& rerun = *opened->session.experiments.front();
    const auto placement = checkPlacement(*map, rerun.definitions);
    if (!placement) return tl::make_unexpected(placement.error());
    RecordWriter writer(invocation.out, options.format, kVerifyFields);
    for (const MisplacedRank& rank : placement->misplaced)
        writer.row({std::string("placement"), fmt::format("rank {}", rank.rank), rank.wanted,
                    rank.found.empty() ? Cell() : Cell(rank.found), Cell()});
    if (!options.predicted.empty()) {
        if (const auto fine = verifyBytes(options, *map, *placement, rerun, writer, invocation); !fine)
            return tl::make_unexpected(fine.error());
    }
    writer.finish();
    invocation.err.write(
        fmt::format("{} of {} ranks ran on the host of the map.{}\n",
                    placement->compared - placement->misplaced.size(), placement->compared,
                    placement->unknown ? " The archive does not tell the hosts of the others." : ""));
    return placement->misplaced.empty() ? opened->exitCode() : ExitCode::Failed;
}

void addInput(CommandLine& line, MapOptions& options)
{
    line.option("MAP", options.input, "Map file").required().valueName("MAP");
    line.option("--from", options.from,
                "Launcher whose file MAP is (default: by its syntax, where that is unique)")
        .valueName("NAME");
    line.option("--hosts", options.hosts,
                "Hosts of the job in their order: a file, or a list such as a:4,b:4 or nid[08-15]:4")
        .valueName("FILE|LIST");
    line.option("--ranks-per-node", options.ranksPerNode, "Slots of hosts that are listed without a number")
        .between(1, 1 << 20)
        .valueName("N");
    line.option("--cores-per-socket", options.file.coresPerSocket,
                "Cores of a socket, for rankfiles with slot=socket:core")
        .between(1, 4096)
        .valueName("N");
    line.option("--cores-per-rank", options.file.coresPerRank, "Cores that a slot is wide (default: 1)")
        .between(1, 4096)
        .valueName("N");
}

void addProgram(CommandLine& line, MapOptions& options)
{
    line.option("--program", options.file.program,
                "Program and arguments for the job script (default: ./a.out)")
        .valueName("COMMAND");
}

using Run = Result<ExitCode> (*)(const MapOptions&, const Invocation&);

Action defineMap(CommandLine& line)
{
    auto options = std::make_shared<MapOptions>();
    auto chosen = std::make_shared<Run>(nullptr);
    line.requireCommand();
    CommandLine& converting = line.command("convert", "Write a map for another launcher");
    addInput(converting, *options);
    addProgram(converting, *options);
    converting.option("--to", options->to, "Launcher to write for: see skein-cli map launchers")
        .required()
        .valueName("NAME");
    converting
        .option("-o,--output", options->output,
                "File to write, with its table, JSON and job script beside it (default: text to stdout)")
        .valueName("FILE");
    converting.footer(
        "Examples:\n"
        "  skein-cli map convert mapping.csv --to openmpi -o rankfile --program './solver in.nml'\n"
        "  skein-cli map convert mapping.txt --from bgq --hosts hosts.txt --to hydra          to stdout\n"
        "  skein-cli map convert MPICH_RANK_ORDER --from cray --hosts nid[08-15]:4 --to slurm -o hosts\n");
    converting.whenChosen([chosen] { *chosen = convert; });

    CommandLine& checking = line.command("check", "Tell what launchers would make of a map");
    addInput(checking, *options);
    checking.option("--to", options->to, "Only this launcher").valueName("NAME");
    checking.footer(
        "Examples:\n"
        "  skein-cli map check rankfile --hosts hosts.txt          what each launcher would do with it\n"
        "  skein-cli map check mapping.csv --to cray --format json\n"
        "Exit code 1 where MAP is no map, or one that places ranks twice or two in one slot, and where\n"
        "the launcher that was named cannot take it.\n");
    addFormat(checking, options->format);
    checking.whenChosen([chosen] { *chosen = tryLaunchers; });

    CommandLine& listing = line.command("launchers", "List the launchers that maps can be written for");
    addFormat(listing, options->format);
    listing.whenChosen([chosen] { *chosen = launchers; });

    CommandLine& verifying =
        line.command("verify", "Compare a map with where the rerun ran and what it sent");
    addInput(verifying, *options);
    verifying.option("ARCHIVE", options->archive, "Archive of the rerun").required().valueName("ARCHIVE");
    verifying
        .option("--predicted", options->predicted,
                "Communication that the map was made for: compares bytes by pair")
        .valueName("COMM");
    verifying
        .option("--topology", options->topology,
                "Machine (docs/MACHINES.md): compares the bytes on links too, where the ranks ran")
        .valueName("SPEC")
        .needs("--predicted");
    addRoutingOptions(verifying, options->routing);
    verifying
        .option("--tolerance", options->tolerancePercent, "Percent by which bytes may differ (default: 0)")
        .between(0.0, 1e6)
        .valueName("PERCENT");
    verifying.flag("--all", options->all, "List what came out as predicted as well");
    addFormat(verifying, options->format);
    verifying.footer(
        "Examples:\n"
        "  skein-cli map verify rankfile rerun/                     did every rank run where the map says?\n"
        "  skein-cli map verify rankfile rerun/ --predicted run/ --tolerance 1    and were the same bytes "
        "sent?\n"
        "  skein-cli map verify rankfile rerun/ --predicted run/ --topology torus:8x8x8 --all --format csv\n"
        "Exit code 1 where a rank ran elsewhere.\n");
    verifying.whenChosen([chosen] { *chosen = verify; });
    return [options, chosen](const Invocation& invocation) { return (*chosen)(*options, invocation); };
}

}  // namespace

Command mapCommand()
{
    return {
        "map", "Convert, check and verify rank maps of launchers",
        "  skein-cli map launchers                                       the formats\n"
        "  skein-cli map convert mapping.csv --to openmpi -o rankfile    with script and command line\n"
        "  skein-cli map convert MPICH_RANK_ORDER --from cray --hosts nid[08-15]:4 --to slurm\n"
        "  skein-cli map check rankfile --hosts hosts.txt                what each launcher would do\n"
        "  skein-cli map verify rankfile rerun/ --predicted run/         did it run there, and send that?\n",
        defineMap};
}

}  // namespace skein::cli
