// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/launcher/map_files.h"

#include "core/base/content_hash.h"
#include "core/base/output_file.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

namespace skein {
namespace {

namespace fs = std::filesystem;

constexpr std::uintmax_t kLargestMapFile = std::uintmax_t{1} << 32;

Result<std::string> readText(const fs::path& file)
{
    std::error_code error;
    const auto size = fs::file_size(file, error);
    if (error)
        return fail(ErrorCode::NotFound,
                    fmt::format("{} cannot be read: {}.", file.string(), error.message()));
    if (size == 0) return std::string();
    if (size > kLargestMapFile)
        return fail(ErrorCode::Unsupported, fmt::format("{} is too large for a map.", file.string()));
    std::ifstream stream(file, std::ios::binary);
    std::ostringstream text;
    text << stream.rdbuf();
    if (!stream || !text) return fail(ErrorCode::Io, fmt::format("{} cannot be read.", file.string()));
    return std::move(text).str();
}

struct NamedText {
    fs::path file;
    std::string text;
};

/// All of them or, where one cannot be written, none.
Result<void> writeTexts(const std::vector<NamedText>& texts)
{
    std::vector<OutputFile> outputs;
    for (const NamedText& named : texts) {
        auto output = OutputFile::create(named.file);
        if (!output) return tl::make_unexpected(std::move(output.error()));
        if (auto written = output->write(named.text); !written) return written;
        outputs.push_back(std::move(*output));
    }
    for (OutputFile& output : outputs)
        if (auto done = output.commit(); !done) return done;
    return {};
}

std::size_t movedRanks(const RankMap& map, const std::optional<RankMap>& before)
{
    if (!before) return 0;
    std::size_t moved = 0;
    for (std::size_t rank = 0; rank < map.places.size(); ++rank)
        moved += rank >= before->places.size() || before->hostOf(rank).name != map.hostOf(rank).name
            || before->places[rank].slot != map.places[rank].slot;
    return moved;
}

std::string sidecarText(const RankMap& map, const LauncherFormat& format, const MapProvenance& provenance,
                        const std::optional<RankMap>& before, const std::string& mapHash)
{
    nlohmann::ordered_json json;
    json["format"] = format.id;
    json["kind"] = name(format.kind);
    json["experimental"] = format.experimental;
    json["ranks"] = map.places.size();
    json["hosts"] = map.hosts.size();
    json["moved_ranks"] =
        before ? nlohmann::ordered_json(movedRanks(map, before)) : nlohmann::ordered_json(nullptr);
    json["map_hash"] = mapHash;
    json["source"] = provenance.source;
    json["source_hash"] = provenance.sourceHash;
    json["objective"] = provenance.objective;
    json["objective_before"] = provenance.objectiveBefore;
    json["objective_after"] = provenance.objectiveAfter;
    json["method"] = provenance.method;
    json["seed"] = provenance.seed;
    json["steps"] = provenance.steps;
    json["seconds"] = provenance.seconds;
    return json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

fs::path beside(const fs::path& file, std::string_view suffix) { return file.string() + std::string(suffix); }

}  // namespace

bool sameMap(const RankMap& a, const RankMap& b, MapFileDetail detail)
{
    if (a.places.size() != b.places.size()) return false;
    for (std::size_t rank = 0; rank < a.places.size(); ++rank) {
        if (a.hostOf(rank).name != b.hostOf(rank).name) return false;
        if (detail == MapFileDetail::HostAndSlot && a.places[rank].slot != b.places[rank].slot) return false;
    }
    return true;
}

std::string mappingTable(const RankMap& map, const std::optional<RankMap>& before, std::uint32_t coresPerRank)
{
    std::string text = "rank,host,slot,core,coords,old_host,old_slot\n";
    for (std::size_t rank = 0; rank < map.places.size(); ++rank) {
        const RankPlace place = map.places[rank];
        const MapHost& host = map.hosts[place.host];
        fmt::format_to(std::back_inserter(text), "{},{},{},{},{},", rank, host.name, place.slot,
                       place.slot * coresPerRank, fmt::join(host.coordinates, " "));
        if (before && rank < before->places.size())
            fmt::format_to(std::back_inserter(text), "{},{}", before->hostOf(rank).name,
                           before->places[rank].slot);
        else text += ',';
        text += '\n';
    }
    return text;
}

Result<std::string> verifiedMapText(const RankMap& map, const LauncherFormat& format,
                                    const MapFileOptions& options)
{
    if (auto valid = checkRankMap(map); !valid) return tl::make_unexpected(valid.error());
    auto text = format.write(map, options);
    if (!text) return text;
    const auto back = format.read(*text, map.hosts, options);
    if (!back) return tl::make_unexpected(back.error());
    if (!sameMap(map, *back, format.detail))
        return fail(
            ErrorCode::Unsupported,
            fmt::format("{} cannot say what this map says: read back, ranks are elsewhere.", format.title));
    return text;
}

Result<WrittenMap> writeMapFiles(const fs::path& file, const RankMap& map, const LauncherFormat& format,
                                 const MapFileOptions& options, const MapProvenance& provenance,
                                 const std::optional<RankMap>& before)
{
    // The sidecar's hash is of the map without its header, so that the header can carry it.
    const auto bare = verifiedMapText(map, format, options);
    if (!bare) return tl::make_unexpected(bare.error());
    const std::string mapHash = contentHash(mappingTable(map, std::nullopt, options.coresPerRank));
    MapFileOptions withHash = options;
    withHash.header = fmt::format("{}{}map {}", options.header, options.header.empty() ? "" : "; ", mapHash);
    const auto text = verifiedMapText(map, format, withHash);
    if (!text) return tl::make_unexpected(text.error());

    WrittenMap written{file,
                       beside(file, ".mapping.csv"),
                       beside(file, ".json"),
                       beside(file, ".sh"),
                       format.warnings(map, options),
                       format.recipe(map, options, file.string())};
    if (format.experimental)
        written.warnings.insert(
            written.warnings.begin(),
            fmt::format("{}: this format was not verified against the launcher itself.", format.title));
    std::vector<NamedText> texts{
        {written.map, *text},
        {written.table, mappingTable(map, before, options.coresPerRank)},
        {written.sidecar, sidecarText(map, format, provenance, before, mapHash)},
        {written.script, written.recipe.jobScript},
    };
    // A format without a launcher has no script.
    std::erase_if(texts, [](const NamedText& named) { return named.text.empty(); });
    if (auto done = writeTexts(texts); !done) return tl::make_unexpected(done.error());
    const auto back = readMapFile(file, &format, map.hosts, options);
    if (!back || !sameMap(map, *back, format.detail))
        return fail(ErrorCode::Io, fmt::format("{} does not read back as it was written.", file.string()));
    return written;
}

Result<RankMap> readMapFile(const fs::path& file, const LauncherFormat* format,
                            const std::vector<MapHost>& hosts, const MapFileOptions& options)
{
    const auto text = readText(file);
    if (!text) return tl::make_unexpected(text.error());
    if (!format) format = recognizeLauncherFormat(*text);
    if (!format)
        return fail(
            ErrorCode::NotRecognized,
            fmt::format("{} could be a map of several launchers, or of none: say which.", file.string()));
    return format->read(*text, hosts, options);
}

}  // namespace skein
