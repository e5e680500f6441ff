// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/hpctoolkit/hpctoolkit_importer.h"

#include "core/base/file_bytes.h"
#include "core/base/parse_number.h"
#include "core/base/utf8.h"
#include "core/io/folder_entries.h"
#include "core/io/tree_profile/tree_profile.h"
#include "core/io/xml/xml_text.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <fmt/format.h>

namespace skein::hpctoolkit {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kSniffedBytes = 1024;
constexpr std::string_view kDataMagic = "HPCPROF-metricdb__";
constexpr std::size_t kDataHeader = 32;
constexpr std::size_t kByteOrderAt = 23, kNodesAt = 24, kMetricsAt = 28;

/// The XML has this element before or behind its document type.
bool isExperimentXml(const fs::path& file)
{
    std::error_code ignored;
    return fs::is_regular_file(file, ignored)
        && fileHead(file, kSniffedBytes).find("HPCToolkitExperiment") != std::string::npos;
}

std::optional<fs::path> sniffDatabase(const fs::path& path, const Task&)
{
    std::error_code ignored;
    fs::path file = path;
    if (fs::is_directory(path, ignored)) file = path / "experiment.xml";
    else if (path.extension() == ".metric-db") file = path.parent_path() / "experiment.xml";
    return isExperimentXml(file) ? std::optional(file) : std::nullopt;
}

template <typename Number>
Number numberOf(std::string_view attributes, std::string_view name, Number fallback)
{
    return parseNumber<Number>(xml::attribute(attributes, name)).value_or(fallback);
}

/// "CPUTIME (usec):Sum (I)" is a time in µs.
struct StoredMetric {
    std::string name;  ///< without unit and kind
    double scale = 1.0;
    std::string unit;
    TreeRowAmount amount = TreeRowAmount::Inclusive;
    std::size_t column = 0;  ///< in the metric-db files
    std::uint32_t metric = 0;
};

StoredMetric metricOf(const std::string& text, bool inclusive, std::size_t column)
{
    StoredMetric stored;
    stored.amount = inclusive ? TreeRowAmount::Inclusive : TreeRowAmount::Exclusive;
    stored.column = column;
    std::string name = text.substr(0, text.rfind(" ("));
    name = name.substr(0, name.rfind(':'));
    const std::size_t unit = name.find(" (");
    const std::string told = unit == std::string::npos ? std::string() : name.substr(unit + 2);
    stored.name = name.substr(0, unit);
    constexpr std::array<std::pair<std::string_view, double>, 4> kUnits{
        {{"usec", 1e3}, {"nsec", 1.0}, {"msec", 1e6}, {"sec", 1e9}}};
    for (const auto& [word, scale] : kUnits) {
        if (!told.starts_with(word)) continue;
        stored.scale = scale;
        stored.unit = "ns";
        break;
    }
    return stored;
}

/// A node of the XML that has values: its place in the tree.
struct Placed {
    CallPathId node;
    CallPathId parent;  ///< from whose exclusive amount a statement's is taken off
    bool statement = false;
};

class DatabaseReader {
public:
    DatabaseReader(const fs::path& file, const Task& task) : file_(file), task_(task) {}

    Result<Experiment> run()
    {
        const auto bytes = openFileBytes(file_);
        if (!bytes) return Unexpected(bytes.error());
        if (!readXml(bytes->text())) return cancelled();
        if (const auto whole = stillWhole(*bytes, file_.string()); !whole) return Unexpected(whole.error());
        if (placed_.empty() || metrics_.empty())
            return fail(ErrorCode::Malformed,
                        fmt::format("{} holds no {}{}: there is nothing to show.", file_.string(),
                                    placed_.empty() ? "call paths" : "metrics",
                                    report_.count(IssueKind::Truncated) > 0 ? ", as it was cut off" : ""));
        if (!readData()) return cancelled();
        if (!anyData_) addSums();
        auto experiment = std::move(builder_).finish(file_, "HPCToolkit profile", std::move(report_), task_);
        if (!experiment) return experiment;
        std::error_code error;
        const fs::path folder = fs::absolute(file_, error).parent_path().filename();
        if (!error && !folder.empty()) experiment->name = toValidUtf8(folder.string());
        return experiment;
    }

private:
    struct Open {
        std::string element;
        CallPathId node;
        std::string file;
        std::string callLine;  ///< of the call site above a procedure
        std::uint64_t id = 0;
    };

    bool readXml(std::string_view text)
    {
        xml::XmlScanner scanner(text);
        std::size_t pieces = 0;
        bool closed = false;
        while (const auto piece = scanner.next()) {
            if (++pieces % 4096 == 0 && task_.stopRequested()) return false;
            if (piece->kind == xml::XmlPiece::Kind::Open) open(*piece);
            else if (piece->kind == xml::XmlPiece::Kind::Close) close(piece->name);
            closed = closed
                || (piece->kind == xml::XmlPiece::Kind::Close && piece->name == "HPCToolkitExperiment");
        }
        if (scanner.truncated() || !closed || !open_.empty())
            report_.add(IssueKind::Truncated, "experiment.xml", "", "the text ends before its elements do",
                        static_cast<std::int64_t>(scanner.offset()));
        return true;
    }

    void open(const xml::XmlPiece& piece)
    {
        const std::string_view attributes = piece.attributes;
        const auto text = [&](std::string_view name) {
            return xml::unescaped(xml::attribute(attributes, name));
        };
        if (piece.name == "LoadModule") modules_[text("i")] = text("n");
        else if (piece.name == "File") files_[text("i")] = text("n");
        else if (piece.name == "Procedure") procedures_[text("i")] = text("n");
        else if (piece.name == "MetricDB") addMetric(attributes);
        else if (piece.name == "Metric") addSumMetric(attributes);
        else if (piece.name == "M" && !open_.empty()) noteSum(attributes);
        else if (piece.name == "PF" || piece.name == "C" || piece.name == "L" || piece.name == "S")
            openNode(std::string(piece.name), attributes, piece.empty);
    }

    void addMetric(std::string_view attributes)
    {
        StoredMetric stored = metricOf(xml::unescaped(xml::attribute(attributes, "n")),
                                       xml::attribute(attributes, "t") != "exclusive",
                                       numberOf<std::size_t>(attributes, "db-id", metrics_.size()));
        define(stored);
        metrics_.push_back(std::move(stored));
    }

    void addSumMetric(std::string_view attributes)
    {
        const std::string_view kind = xml::attribute(attributes, "t");
        if (kind != "inclusive" && kind != "exclusive") return;
        StoredMetric stored =
            metricOf(xml::unescaped(xml::attribute(attributes, "n")), kind == "inclusive", 0);
        define(stored);
        sumMetrics_[std::string(xml::attribute(attributes, "i"))] = std::move(stored);
    }

    /// The first time is called so, as other tools do.
    void define(StoredMetric& stored)
    {
        if (timeName_.empty() && !stored.unit.empty()) timeName_ = stored.name;
        stored.metric = builder_.metric(stored.name == timeName_ ? "time" : stored.name, stored.unit);
    }

    void noteSum(std::string_view attributes)
    {
        const auto value = parseNumber<double>(xml::attribute(attributes, "v"));
        if (value) sums_.push_back({open_.back().id, std::string(xml::attribute(attributes, "n")), *value});
    }

    std::string named(const std::map<std::string, std::string>& table, std::string_view id)
    {
        const auto found = table.find(std::string(id));
        if (found != table.end()) return found->second;
        report_.add(IssueKind::UndefinedReference, "experiment.xml", "",
                    fmt::format("a name with the number {} is not defined", toValidUtf8(id)));
        return fmt::format("<{}>", id);
    }

    void openNode(const std::string& element, std::string_view attributes, bool empty)
    {
        Open next;
        next.element = element;
        next.id = numberOf<std::uint64_t>(attributes, "i", 0);
        if (!open_.empty()) {
            next.node = open_.back().node;
            next.file = open_.back().file;
        }
        const std::string line(xml::attribute(attributes, "l"));
        const CallPathId parent = next.node;
        if (element == "C") next.callLine = line;
        else next.node = place(element, attributes, line, next);
        if (element != "C" && next.node.valid()) placed_[next.id] = {next.node, parent, element == "S"};
        if (!empty) open_.push_back(std::move(next));
    }

    /// Names are those that Hatchet gives: procedures with the line that they are called from, loops and
    /// statements by file and line.
    CallPathId place(const std::string& element, std::string_view attributes, const std::string& line,
                     Open& node)
    {
        TreeFrame frame;
        const std::string_view file = xml::attribute(attributes, "f");
        if (!file.empty()) node.file = named(files_, file);
        frame.file = node.file;
        frame.line = parseNumber<std::uint32_t>(line).value_or(0);
        const std::string place = node.file.substr(node.file.rfind('/') + 1) + ":" + line;
        if (element == "PF") {
            frame.name = named(procedures_, xml::attribute(attributes, "n"));
            frame.module = named(modules_, xml::attribute(attributes, "lm"));
            const bool called = !open_.empty() && open_.back().element == "C" && open_.back().callLine != "0";
            if (called) frame.name = open_.back().callLine + ":" + frame.name;
        } else if (element == "L") {
            frame.name = "Loop@" + place;
            frame.role = RegionRole::Loop;
        } else {
            frame.name = place;
            frame.role = RegionRole::Code;
        }
        return builder_.child(node.node, frame);
    }

    void close(std::string_view name)
    {
        if (!open_.empty() && open_.back().element == name) open_.pop_back();
    }

    bool readData()
    {
        const auto entries = folderEntries(file_.parent_path(), task_);
        if (!entries) return true;
        std::vector<fs::path> files;
        for (const fs::path& entry : *entries)
            if (entry.extension() == ".metric-db") files.push_back(entry);
        std::sort(files.begin(), files.end());
        for (std::size_t at = 0; at < files.size(); ++at) {
            if (task_.stopRequested()) return false;
            task_.report(static_cast<double>(at) / static_cast<double>(files.size()), "Reading values");
            readDataFile(files[at]);
        }
        return true;
    }

    void readDataFile(const fs::path& path)
    {
        const std::string name = toValidUtf8(path.filename().string());
        const auto bytes = openFileBytes(path);
        if (!bytes) {
            report_.add(IssueKind::Unreadable, name, "", bytes.error().message);
            return;
        }
        const std::string_view data = bytes->text();
        if (data.size() < kDataHeader || !data.starts_with(kDataMagic)) {
            report_.add(IssueKind::CorruptRecord, name, "", "the file does not begin as a metric-db does", 0);
            return;
        }
        const bool big = data[kByteOrderAt] != 'l';
        const std::uint64_t nodes = read<std::uint32_t>(data, kNodesAt, big);
        const std::uint64_t metrics = read<std::uint32_t>(data, kMetricsAt, big);
        const std::uint64_t there = (data.size() - kDataHeader) / sizeof(double);
        if (metrics == 0 || there < nodes * metrics)
            report_.add(IssueKind::Truncated, name, "", "the file ends before its values do",
                        static_cast<std::int64_t>(data.size()));
        if (metrics == 0) return;
        const std::uint32_t location = locationOf(name);
        const std::uint64_t rows = std::min(nodes, there / metrics);
        for (const auto& [id, placed] : placed_) {
            if (id == 0 || id > rows) continue;
            const std::uint64_t at = kDataHeader + (id - 1) * metrics * sizeof(double);
            for (const StoredMetric& stored : metrics_)
                if (stored.column < metrics)
                    addValue(placed, location, stored,
                             std::bit_cast<double>(
                                 read<std::uint64_t>(data, at + stored.column * sizeof(double), big)));
        }
        if (bytes->hasShrunk())
            report_.add(IssueKind::Truncated, name, "", "the file became shorter while it was read");
        anyData_ = true;
    }

    template <typename Number>
    static Number read(std::string_view data, std::uint64_t at, bool big)
    {
        Number value = 0;
        for (std::size_t byte = 0; byte < sizeof(Number); ++byte) {
            const std::size_t shift = 8 * (big ? sizeof(Number) - 1 - byte : byte);
            value |= static_cast<Number>(static_cast<Number>(static_cast<unsigned char>(data[at + byte]))
                                         << shift);
        }
        return value;
    }

    /// "1.<program>-<process>-<thread>-<host>-<pid>-0.metric-db"; a program's name may have dashes.
    std::uint32_t locationOf(const std::string& name)
    {
        std::vector<std::string_view> parts;
        std::string_view rest = name;
        while (!rest.empty()) {
            const std::size_t end = std::min(rest.find('-'), rest.size());
            parts.push_back(rest.substr(0, end));
            rest.remove_prefix(std::min(end + 1, rest.size()));
        }
        // From the end, where "metric-db" makes two parts: db, 0.metric, pid, host, thread, process.
        constexpr std::size_t kProcess = 6, kThread = 5;
        if (parts.size() <= kProcess) return builder_.location(static_cast<std::int64_t>(unnamed_++));
        const auto process = parseNumber<std::int64_t>(parts[parts.size() - kProcess]);
        const auto thread = parseNumber<std::int32_t>(parts[parts.size() - kThread]);
        if (!process || *process < 0) return builder_.location(static_cast<std::int64_t>(unnamed_++));
        return builder_.location(*process, thread.value_or(0));
    }

    /// What a statement took is in the exclusive amount of the procedure or loop around it as well.
    void addValue(const Placed& placed, std::uint32_t location, const StoredMetric& stored, double value)
    {
        const double scaled = value * stored.scale;
        builder_.add(placed.node, location, stored.metric, stored.amount, scaled);
        if (placed.statement && stored.amount == TreeRowAmount::Exclusive && placed.parent.valid())
            builder_.add(placed.parent, location, stored.metric, stored.amount, -scaled);
    }

    /// Where there are no metric-db files the XML has sums over all processes.
    void addSums()
    {
        report_.add(IssueKind::AbsentFile, "*.metric-db", "",
                    "without them there are sums over all processes and threads only");
        const std::uint32_t location = builder_.location(-1);
        for (const auto& [id, placed] : placed_)
            for (const auto& [index, stored] : sumMetrics_) addValue(placed, location, stored, 0.0);
        for (const auto& sum : sums_) {
            const auto placed = placed_.find(sum.id);
            const auto stored = sumMetrics_.find(sum.metric);
            if (placed != placed_.end() && stored != sumMetrics_.end())
                addValue(placed->second, location, stored->second, sum.value);
        }
    }

    struct Sum {
        std::uint64_t id;
        std::string metric;
        double value;
    };

    const fs::path& file_;
    const Task& task_;
    ImportReport report_;
    TreeProfileBuilder builder_;
    std::map<std::string, std::string> modules_, files_, procedures_;
    std::vector<StoredMetric> metrics_;
    std::map<std::string, StoredMetric> sumMetrics_;
    std::string timeName_;
    std::vector<Open> open_;
    std::map<std::uint64_t, Placed> placed_;
    std::vector<Sum> sums_;
    std::size_t unnamed_ = 0;
    bool anyData_ = false;
};

Result<Experiment> readDatabase(const fs::path& path, const Task& task)
{
    return guardedRead(path, task,
                       [](const fs::path& file, const Task& own) { return DatabaseReader(file, own).run(); });
}

}  // namespace
}  // namespace skein::hpctoolkit

namespace skein {

const Importer kHpctoolkitImporter{"hpctoolkit",
                                   "HPCToolkit profile",
                                   &hpctoolkit::sniffDatabase,
                                   &hpctoolkit::readDatabase,
                                   ArchiveKind::Profile,
                                   nullptr,
                                   false,
                                   false};

}  // namespace skein
