// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/cube/cube_importer.h"

#include "core/base/utf8.h"
#include "core/io/cube/anchor.h"
#include "core/io/cube/presence_scan.h"
#include "core/io/folder_entries.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <new>
#include <tuple>

namespace skein::cube {
namespace {

namespace fs = std::filesystem;

/// Where a folder holds no file with the usual ending, so many files are looked at.
constexpr std::size_t kMostOthersLookedAt = 64;
/// Names that measurements give every profile: the folder's name tells more.
constexpr std::array<std::string_view, 4> kUsualNames{"profile.cubex", "summary.cubex", "trace.cubex",
                                                      "scout.cubex"};

bool endsLikeCube(const fs::path& file)
{
    const std::string name = file.filename().string();
    return name.ends_with(".cubex") || name.ends_with(".cubex.gz");
}

/// The profiles directly in a folder: the ones with usual names first, then by name.
std::vector<fs::path> profilesIn(const fs::path& folder, const Task& task)
{
    const auto entries = folderEntries(folder, task);
    if (!entries) return {};
    std::vector<fs::path> found;
    for (const fs::path& entry : *entries) {
        std::error_code ignored;
        if (task.stopRequested()) return {};
        if (endsLikeCube(entry) && fs::is_regular_file(entry, ignored) && isCubeFile(entry))
            found.push_back(entry);
    }
    if (found.empty() && entries->size() <= kMostOthersLookedAt)
        for (const fs::path& entry : *entries) {
            std::error_code ignored;
            if (fs::is_regular_file(entry, ignored) && isCubeFile(entry)) found.push_back(entry);
        }
    const auto place = [](const fs::path& file) {
        return std::find(kUsualNames.begin(), kUsualNames.end(), file.filename().string());
    };
    std::stable_sort(found.begin(), found.end(),
                     [&](const fs::path& a, const fs::path& b) { return place(a) < place(b); });
    return found;
}

std::optional<fs::path> sniffCube(const fs::path& path, const Task& task)
{
    std::error_code ignored;
    // One that was cut off at once is told to be one, but no archive of its folder.
    if (!fs::is_directory(path, ignored))
        return isCubeFile(path) || isCubeStub(path) ? std::optional(path) : std::nullopt;
    const auto found = profilesIn(path, task);
    return found.empty() ? std::nullopt : std::optional(found.front());
}

class CubeReader {
public:
    CubeReader(const fs::path& path, const Task& task)
        : path_(path), task_(task), file_(toValidUtf8(path.filename().string()))
    {
    }

    Result<Experiment> run()
    {
        task_.report(0.0, "Reading definitions");
        auto archive = TarArchive::open(path_, report_, task_);
        if (!archive) return Unexpected(std::move(archive.error()));
        archive_ = std::make_shared<const TarArchive>(std::move(*archive));
        if (auto read = readAnchor(); !read) return Unexpected(std::move(read.error()));
        if (auto read = openColumns(); !read) return Unexpected(std::move(read.error()));
        if (auto read = readProfile(); !read) return Unexpected(std::move(read.error()));
        if (archive_->hasShrunk())
            return fail(ErrorCode::Io,
                        fmt::format("{} became shorter while it was read. Open it again.", path_.string()));
        return finish();
    }

private:
    Result<void> readAnchor()
    {
        const auto member = archive_->member("anchor.xml");
        if (!member)
            return fail(ErrorCode::Malformed,
                        fmt::format("{} is a Cube profile that was cut off or never finished: it holds no "
                                    "anchor.xml, without which its values cannot be named.",
                                    path_.string()));
        const auto plain = unpackedWherePacked(member->bytes, task_);
        if (!plain) return cancelled();
        if (!plain->whole)
            report_.add(plain->overLimit ? IssueKind::CorruptRecord : IssueKind::Truncated, "anchor.xml", "",
                        plain->overLimit
                            ? "unpacks to far more than definitions can take; the rest is left out"
                            : "the packed data ends or is damaged here",
                        static_cast<std::int64_t>(plain->bytes.size()));
        auto anchor = parseAnchor(plain->bytes, "anchor.xml", report_, task_);
        if (!anchor) return cancelled();
        if (anchor->locations.empty() || anchor->nodes.empty())
            return fail(ErrorCode::Malformed,
                        fmt::format("{} defines no {}{}: there is nothing to show.", path_.string(),
                                    anchor->nodes.empty() ? "call paths" : "locations",
                                    report_.count(IssueKind::Truncated) > 0
                                        ? ", as its anchor.xml ends in the middle"
                                        : ""));
        anchor_ = std::move(*anchor);
        defined_ = defineCube(anchor_, "anchor.xml", report_);
        tree_ = std::make_shared<const CallTree>(std::move(defined_.tree));
        for (const StoredAmount amount : {StoredAmount::Exclusive, StoredAmount::Inclusive})
            nodeOfNumber_[static_cast<std::size_t>(amount)] =
                std::make_shared<const std::vector<std::uint32_t>>(numberedNodes(anchor_.nodes, amount));
        return {};
    }

    /// A metric without files has no data.
    Result<void> openColumns()
    {
        std::shared_ptr<const MetricData> data;
        std::uint32_t opened = kNoEntry;
        for (const StoredMetric& stored : defined_.stored) {
            if (task_.stopRequested()) return cancelled();
            const AnchorMetric& metric = anchor_.metrics[stored.anchor];
            if (opened != stored.anchor) data = openData(stored);
            opened = stored.anchor;
            if (!data) continue;
            const ColumnSource source{stored, metric.stored,
                                      defined_.definitions.metric(stored.metric).aggregation, data,
                                      nodeOfNumber_[static_cast<std::size_t>(metric.stored)]};
            (stored.format.shape == ValueShape::Atomic ? atomics_ : columns_).push_back(source);
        }
        orderColumns();
        return {};
    }

    std::shared_ptr<const MetricData> openData(const StoredMetric& stored)
    {
        const AnchorMetric& metric = anchor_.metrics[stored.anchor];
        const std::string number = fmt::format("{}", metric.id);
        const auto index = archive_->member(number + ".index"), data = archive_->member(number + ".data");
        if (!index && !data) return nullptr;
        if (!index || !data) {
            report_.add(IssueKind::AbsentFile, number + (index ? ".data" : ".index"), "",
                        fmt::format("of the metric {}", metric.uniqueName));
            return nullptr;
        }
        const DataShape shape{anchor_.nodes.size(), anchor_.locations.size(), stored.format.bytes};
        auto found = MetricData::open(*index, *data, shape, number, report_, task_);
        return found ? std::make_shared<const MetricData>(std::move(*found)) : nullptr;
    }

    /// The time first: it is what views begin with. Extremes last.
    void orderColumns()
    {
        const auto rank = [&](const ColumnSource& column) {
            const Metric& metric = defined_.definitions.metric(column.stored.metric);
            if (metric.name == "time") return 0;
            if (column.aggregation != MetricAggregation::Sum) return 3;
            return metric.unit == "ns" ? 1 : 2;
        };
        std::stable_sort(columns_.begin(), columns_.end(),
                         [&](const ColumnSource& a, const ColumnSource& b) { return rank(a) < rank(b); });
    }

    Result<void> readProfile()
    {
        profile_ = std::make_shared<Profile>();
        profile_->artificial = ArtificialRegions::Measured;
        const std::size_t locations = anchor_.locations.size();
        PresenceBits presence(tree_->size(), locations);
        for (std::size_t column = 0; column < columns_.size(); ++column) {
            task_.report(0.2 + 0.6 * static_cast<double>(column) / static_cast<double>(columns_.size()),
                         "Reading values");
            const std::string& name = defined_.definitions.metric(columns_[column].stored.metric).name;
            std::vector<std::uint32_t> unknown;
            if (!scanColumn(columns_[column], defined_.columns, name, presence, unknown, report_, task_))
                return cancelled();
            markUnknownExclusives(columns_[column], unknown, *tree_, name, report_);
        }
        presence.spreadUpwards(*tree_);
        BlockStorage storage;
        auto rows = makeCubeRows(presence, *tree_, locations, storage, task_);
        if (!rows) return cancelled();
        const auto source = std::make_shared<CubeColumns>(archive_, path_.string(), columns_,
                                                          defined_.columns, std::move(*rows), tree_);
        if (auto filled = fillCubes(*source); !filled) return filled;
        profile_->source = source;
        return readUserEvents();
    }

    Result<void> fillCubes(CubeColumns& source)
    {
        const CubeRows& rows = source.rows();
        for (MetricCube* cube : {&profile_->callPaths, &profile_->regions}) {
            for (const ColumnSource& column : columns_) cube->metrics.push_back(column.stored.metric);
            cube->inclusive.resize(columns_.size());
            cube->exclusive.resize(columns_.size());
        }
        profile_->callPaths.locationOffsets = rows.pathOffsets;
        profile_->callPaths.items = rows.paths;
        profile_->regions.locationOffsets = rows.regionOffsets;
        profile_->regions.items = rows.regions;
        const auto visits = std::find_if(columns_.begin(), columns_.end(), [&](const ColumnSource& column) {
            return defined_.definitions.metric(column.stored.metric).name == "visits";
        });
        if (visits == columns_.end()) {
            profile_->callPaths.calls = Column<double>(std::vector<double>(rows.paths.size()));
            profile_->regions.calls = Column<double>(std::vector<double>(rows.regions.size()));
            return {};
        }
        auto calls = source.read(static_cast<std::size_t>(visits - columns_.begin()), task_);
        if (!calls) return Unexpected(std::move(calls.error()));
        source.setCalls(calls->callPathsExclusive);
        profile_->callPaths.calls = std::move(calls->callPathsExclusive);
        profile_->regions.calls = std::move(calls->regionsExclusive);
        return {};
    }

    Result<void> readUserEvents()
    {
        std::vector<EventStatistic> all;
        for (const ColumnSource& source : atomics_) {
            const auto statistics = readStatistics(source, defined_.columns, *tree_, task_);
            if (!statistics) return cancelled();
            all.insert(all.end(), statistics->begin(), statistics->end());
        }
        std::sort(all.begin(), all.end(), [](const EventStatistic& a, const EventStatistic& b) {
            return std::tuple(a.metric, a.context, a.location) < std::tuple(b.metric, b.context, b.location);
        });
        profile_->statistics = Column<EventStatistic>(std::move(all));
        return {};
    }

    Experiment finish()
    {
        Experiment experiment;
        experiment.path = path_;
        experiment.name = title();
        experiment.format = "Cube profile";
        experiment.definitions = std::move(defined_.definitions);
        experiment.callTree = tree_;
        experiment.profile = std::move(profile_);
        experiment.report = std::move(report_);
        return experiment;
    }

    std::string title() const
    {
        std::error_code error;
        const fs::path whole = fs::absolute(path_, error);
        const bool usual =
            std::find(kUsualNames.begin(), kUsualNames.end(), path_.filename().string()) != kUsualNames.end();
        const fs::path folder = whole.parent_path().filename();
        return usual && !error && !folder.empty() ? toValidUtf8(folder.string()) : file_;
    }

    const fs::path& path_;
    const Task& task_;
    std::string file_;
    ImportReport report_;
    std::shared_ptr<const TarArchive> archive_;
    Anchor anchor_;
    CubeDefinitions defined_;
    std::shared_ptr<const CallTree> tree_;
    std::array<std::shared_ptr<const std::vector<std::uint32_t>>, 2> nodeOfNumber_;
    std::vector<ColumnSource> columns_, atomics_;
    std::shared_ptr<Profile> profile_;
};

Result<Experiment> readCube(const fs::path& path, const Task& task)
{
    try {
        return CubeReader(path, task).run();
    } catch (const std::bad_alloc&) {
        return fail(ErrorCode::OutOfMemory,
                    fmt::format("There is not enough memory to open {}.", path.string()));
    }
}

}  // namespace
}  // namespace skein::cube

namespace skein {

const Importer kCubeImporter{
    "cube", "Cube profile", &cube::sniffCube, &cube::readCube, ArchiveKind::Profile, nullptr, true, false};

}  // namespace skein
