// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/fuzz/fuzz_targets.h"

#include "core/io/cube/cube_importer.h"
#include "core/io/importer.h"
#include "core/io/launcher/launcher_format.h"
#include "core/io/tau_profile/packed_profile.h"
#include "core/io/tau_profile/profile_assembler.h"
#include "core/io/tau_profile/text_profile.h"
#include "core/io/tau_profile/xml_profile.h"
#include "core/io/tau_trace/trace_assembly.h"
#include "core/io/topology/topology_file.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <vector>

namespace skein::fuzz {
namespace {

constexpr std::string_view kSeparator = "\n%%%%\n";

std::vector<std::string_view> partsOf(std::string_view input)
{
    std::vector<std::string_view> parts;
    for (;;) {
        const auto end = input.find(kSeparator);
        parts.push_back(input.substr(0, end));
        if (end == std::string_view::npos) return parts;
        input.remove_prefix(end + kSeparator.size());
    }
}

void require(bool holds)
{
    if (!holds) std::abort();
}

/// One folder for all inputs of a run; its files are overwritten.
class ArchiveFolder {
public:
    ArchiveFolder()
    {
        auto pattern = (std::filesystem::temp_directory_path() / "skein-fuzz-XXXXXX").string();
        require(mkdtemp(pattern.data()) != nullptr);
        path_ = pattern;
        std::filesystem::create_directory(path_ / "traces");
    }
    ~ArchiveFolder()
    {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }
    ArchiveFolder(const ArchiveFolder&) = delete;
    ArchiveFolder& operator=(const ArchiveFolder&) = delete;

    void write(const std::vector<std::string_view>& parts) const
    {
        constexpr const char* kNames[] = {"traces.otf2",  "traces.def",   "traces/0.def", "traces/0.evt",
                                          "traces/1.def", "traces/1.evt", "traces/2.def", "traces/2.evt",
                                          "traces/3.def", "traces/3.evt"};
        for (std::size_t file = 0; file < std::size(kNames); ++file)
            std::ofstream(path_ / kNames[file], std::ios::binary)
                << (file < parts.size() ? parts[file] : std::string_view());
    }
    /// The only file of input that is one file; its name must not tell what it is.
    std::filesystem::path writeOne(std::string_view input) const
    {
        std::ofstream(path_ / "input", std::ios::binary) << input;
        return path_ / "input";
    }
    const std::filesystem::path& path() const { return path_; }

private:
    std::filesystem::path path_;
};

void checkTrace(const Experiment& experiment)
{
    const Definitions& definitions = experiment.definitions;
    require(experiment.trace->locations.size() == definitions.locations.size());
    for (const LocationTrace& location : experiment.trace->locations) {
        const CallIntervals& calls = location.intervals;
        for (std::size_t call = 0; call < calls.size(); ++call) {
            require(calls.end[call] >= calls.begin[call] && calls.begin[call] >= 0);
            require(calls.callPath[call] < experiment.callTree->size());
        }
    }
    for (const Message& message : experiment.trace->messages)
        require(message.sender.index() < definitions.locations.size());
}

/// Whether the locations hold the same, and as much was odd about them.
bool sameTrace(const Experiment& one, const Experiment& other)
{
    const auto same = [](const LocationTrace& a, const LocationTrace& b) {
        const auto equal = [](const auto& left, const auto& right) {
            return std::equal(left.begin(), left.end(), right.begin(), right.end());
        };
        return a.events == b.events && equal(a.intervals.begin, b.intervals.begin)
            && equal(a.intervals.end, b.intervals.end) && equal(a.intervals.callPath, b.intervals.callPath);
    };
    return std::equal(one.trace->locations.begin(), one.trace->locations.end(),
                      other.trace->locations.begin(), other.trace->locations.end(), same)
        && one.trace->messages.size() == other.trace->messages.size()
        && one.report.issues().size() == other.report.issues().size();
}

void checkCube(const MetricCube& cube, std::size_t items, std::size_t locations)
{
    require(cube.rows() == 0 || cube.locations() == locations);
    for (std::size_t row = 0; row < cube.rows(); ++row) {
        require(cube.items[row] < items);
        require(cube.calls[row] >= 0 && std::isfinite(cube.calls[row]));
        for (std::size_t metric = 0; metric < cube.metrics.size(); ++metric)
            require(std::isfinite(cube.inclusive[metric][row]) && std::isfinite(cube.exclusive[metric][row]));
    }
}

tau::RawProfile parse(std::string_view part, std::uint32_t number)
{
    const Task task;
    if (tau::isPackedProfile(part))
        return tau::parsePackedProfile(part, "fuzz", task).value_or(tau::RawProfile());
    if (tau::isXmlProfile(part)) return *tau::parseXmlProfile(part, "fuzz", task);
    return *tau::parseTextProfile(part, {number, 0, 0}, "fuzz", task);
}

void checkMatrix(const CommMatrix& matrix)
{
    for (const CommMatrix::Entry& entry : matrix.entries())
        require(entry.sender < matrix.ranks() && entry.receiver < matrix.ranks());
}

}  // namespace

void readCommText(std::string_view input)
{
    static const ArchiveFolder folder;
    const auto path = folder.writeOne(input);
    for (const Importer& importer : builtinImporters()) {
        if (importer.kind != ArchiveKind::Communication) continue;
        const auto read = importer.read(path, Task().withThreads(1));
        if (read && read->commMatrix) checkMatrix(*read->commMatrix);
    }
}

void readCube(std::string_view input)
{
    static const ArchiveFolder folder;
    const auto path = folder.writeOne(input);
    const auto experiment = kCubeImporter.read(path, Task().withThreads(1));
    require(experiment.has_value() || !experiment.error().text().empty());
    if (!experiment) return;
    const Definitions& definitions = experiment->definitions;
    std::shared_ptr<const Profile> profile = experiment->profile;
    for (std::size_t column = 0; column < profile->callPaths.metrics.size(); ++column) {
        auto filled = withColumn(profile, column, Task().withThreads(1));
        require(filled.has_value());
        profile = std::move(*filled);
    }
    for (const auto& [cube, items] : {std::pair(&profile->callPaths, experiment->callTree->size()),
                                      {&profile->regions, definitions.regions.size()}}) {
        require(cube->locations() == definitions.locations.size());
        for (std::size_t row = 0; row < cube->rows(); ++row) require(cube->items[row] < items);
        for (std::size_t column = 0; column < cube->metrics.size(); ++column) {
            const bool sums = definitions.metric(cube->metrics[column]).aggregation == MetricAggregation::Sum;
            require(cube->inclusive[column].size() == cube->rows());
            for (const double amount : cube->inclusive[column]) require(!sums || std::isfinite(amount));
            for (const double amount : cube->exclusive[column]) require(!sums || std::isfinite(amount));
        }
    }
    for (const EventStatistic& statistic : profile->statistics)
        require(!statistic.context.valid() || statistic.context.index() < experiment->callTree->size());
}

void readRankMap(std::string_view input)
{
    for (const LauncherFormat& format : launcherFormats()) {
        const auto map = format.read(input, {}, {});
        if (!map) continue;
        for (const auto& place : map->places) require(place.host < map->hosts.size());
    }
}

void readTopology(std::string_view input)
{
    for (const TopologyFormat& format : topologyFormats()) {
        const bool taken = format.recognizes(input);
        const auto topology = format.read(input, "topology:fuzz", Task().withThreads(1));
        require(!taken || topology.has_value() || !topology.error().text().empty());
        if (!topology) continue;
        for (LinkIndex link = 0; link < topology->links(); ++link)
            require(topology->target(link) < topology->vertices() && topology->capacity(link) > 0.0f);
    }
}

void readTauProfile(std::string_view input)
{
    tau::ProfileAssembler assembler;
    std::uint32_t number = 0;
    for (const std::string_view part : partsOf(input)) assembler.add(parse(part, number++));
    const auto experiment = std::move(assembler).finish(Task().withThreads(1));
    require(experiment.has_value());
    const Definitions& definitions = experiment->definitions;
    checkCube(experiment->profile->regions, definitions.regions.size(), definitions.locations.size());
    checkCube(experiment->profile->callPaths, experiment->callTree->size(), definitions.locations.size());
    for (const EventStatistic& statistic : experiment->profile->statistics) {
        require(statistic.metric.index() < definitions.metrics.size());
        require(!statistic.context.valid() || statistic.context.index() < experiment->callTree->size());
    }
}

void readOtf2(std::string_view input)
{
    static const ArchiveFolder folder;
    folder.write(partsOf(input));
    const auto one = openExperiment(folder.path(), Task().withThreads(1));
    const auto four = openExperiment(folder.path(), Task().withThreads(4));
    require(one.has_value() == four.has_value());
    if (!one) return;
    checkTrace(**one);
    checkTrace(**four);
    require(sameTrace(**one, **four));
}

void readTauTrace(std::string_view input)
{
    const auto parts = partsOf(input);
    const std::string_view records =
        input.substr(std::min(input.size(), parts.front().size() + kSeparator.size()));
    const auto experiment = tau::assembleTrace(parts.front(), records, Task().withThreads(1));
    if (!experiment) return;
    checkTrace(*experiment);
}

}  // namespace skein::fuzz
