// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/comm_text/matrix_market.h"

#include "core/base/parse_number.h"
#include "core/io/comm_text/comm_experiment.h"
#include "core/io/comm_text/text_input.h"

#include <algorithm>
#include <fmt/format.h>

namespace skein::comm_text {
namespace {

constexpr std::string_view kBanner = "%%MatrixMarket";

struct MarketHeader {
    bool coordinate = true;
    bool pattern = false;
    bool mirrored = false;  ///< only one triangle is stored
    std::uint64_t rows = 0;
    std::uint64_t columns = 0;
    std::uint64_t entries = 0;
};

class MarketReader {
public:
    MarketReader(std::string_view text, const std::string& file, ImportReport& report, const Task& task)
        : task_(task), lines_(text), file_(file), findings_(report, file)
    {
    }

    Result<CommMatrix> read()
    {
        if (auto done = readBanner(); !done) return Unexpected(done.error());
        if (auto done = readSizes(); !done) return Unexpected(done.error());
        std::string_view line;
        while (nextContent(line)) {
            if (lines_.number() % kLinesBetweenStopChecks == 0 && task_.stopRequested()) return cancelled();
            header_.coordinate ? addCoordinate(line) : addArray(line);
        }
        const std::uint64_t wanted = header_.coordinate ? header_.entries : header_.rows * header_.columns;
        const bool whole = header_.mirrored && !header_.coordinate ? row_ == 0 && column_ == header_.columns
                                                                   : seen_ >= wanted;
        if (!whole)
            findings_.add(IssueKind::Truncated, lines_.number(),
                          fmt::format("{} of {} entries are there", seen_, wanted));
        CommMatrix matrix(static_cast<std::uint32_t>(std::max(header_.rows, header_.columns)),
                          std::move(entries_), task_);
        return task_.stopRequested() ? Result<CommMatrix>(cancelled()) : std::move(matrix);
    }

private:
    Result<void> readBanner()
    {
        std::string_view line;
        lines_.next(line);
        splitFields(line, fields_);
        if (fields_.size() < 5 || fields_[0] != kBanner || fields_[1] != "matrix")
            return malformed("has no line \"%%MatrixMarket matrix …\"");
        header_.coordinate = fields_[2] == "coordinate";
        header_.pattern = fields_[3] == "pattern";
        header_.mirrored = fields_[4] != "general";
        if (!header_.coordinate && fields_[2] != "array") return malformed("is neither coordinate nor array");
        if (fields_[3] == "complex")
            return fail(ErrorCode::Unsupported,
                        fmt::format("{} holds complex numbers, which are no bytes.", file_));
        return {};
    }

    Result<void> readSizes()
    {
        std::string_view line;
        if (!nextContent(line)) return malformed("ends before the sizes of its matrix");
        splitFields(line, fields_);
        const std::size_t wanted = header_.coordinate ? 3 : 2;
        if (fields_.size() != wanted) return malformed("has no line with the sizes of its matrix");
        const auto rows = parseNumber<std::uint64_t>(fields_[0]);
        const auto columns = parseNumber<std::uint64_t>(fields_[1]);
        const auto entries = parseNumber<std::uint64_t>(fields_.back());
        if (!rows || !columns || !entries) return malformed("has no line with the sizes of its matrix");
        if (*rows > kMaximumNumber || *columns > kMaximumNumber || *rows == 0 || *columns == 0)
            return fail(ErrorCode::Unsupported,
                        fmt::format("{} has {} × {} entries; 1 to {} ranks are handled.", file_, *rows,
                                    *columns, kMaximumNumber));
        header_.rows = *rows;
        header_.columns = *columns;
        header_.entries = *entries;
        return {};
    }

    bool nextContent(std::string_view& line)
    {
        while (lines_.next(line))
            if (!line.empty() && line.front() != '%') return true;
        return false;
    }

    void addCoordinate(std::string_view line)
    {
        splitFields(line, fields_);
        const std::size_t wanted = header_.pattern ? 2 : 3;
        const auto row = fields_.size() == wanted ? parseNumber<std::uint64_t>(fields_[0]) : std::nullopt;
        const auto column = fields_.size() == wanted ? parseNumber<std::uint64_t>(fields_[1]) : std::nullopt;
        const auto value = header_.pattern || fields_.size() != wanted ? std::optional<std::uint64_t>(1)
                                                                       : parseAmount(fields_[2]);
        ++seen_;
        if (!row || !column || !value || *row == 0 || *column == 0 || *row > header_.rows
            || *column > header_.columns)
            return reject();
        add(*row - 1, *column - 1, *value);
    }

    void addArray(std::string_view line)
    {
        splitFields(line, fields_);
        const auto value = fields_.size() == 1 ? parseAmount(fields_[0]) : std::nullopt;
        ++seen_;
        if (column_ >= header_.columns) return reject();
        if (value && *value > 0) add(row_, column_, *value);
        else if (!value) reject();
        if (++row_ < header_.rows) return;
        ++column_;
        row_ = header_.mirrored && column_ < header_.columns ? column_ : 0;
    }

    void add(std::uint64_t row, std::uint64_t column, std::uint64_t value)
    {
        const auto entry = [&](std::uint64_t sender, std::uint64_t receiver) {
            entries_.push_back({static_cast<std::uint32_t>(sender), static_cast<std::uint32_t>(receiver),
                                header_.pattern ? value : 0, header_.pattern ? 0 : value});
        };
        entry(row, column);
        if (header_.mirrored && row != column && column < header_.rows && row < header_.columns)
            entry(column, row);
    }

    void reject()
    {
        findings_.add(lines_.unfinished() ? IssueKind::Truncated : IssueKind::CorruptRecord, lines_.number(),
                      "no entry of the matrix");
    }

    Unexpected malformed(std::string_view what) const
    {
        return fail(ErrorCode::Malformed, fmt::format("{} {}.", file_, what));
    }

    const Task& task_;
    Lines lines_;
    std::string file_;
    LineFindings findings_;
    MarketHeader header_;
    std::vector<std::string_view> fields_;
    std::vector<CommMatrix::Entry> entries_;
    std::uint64_t seen_ = 0;
    std::uint64_t row_ = 0;
    std::uint64_t column_ = 0;
};

std::optional<std::filesystem::path> sniffMatrixMarket(const std::filesystem::path& path, const Task&)
{
    const auto start = readStart(path, kBanner.size());
    return start && *start == kBanner ? std::optional(path) : std::nullopt;
}

Result<Experiment> readMatrixMarket(const std::filesystem::path& path, const Task& task)
{
    if (task.stopRequested()) return cancelled();
    const auto text = readWhole(path, task);
    if (!text) return Unexpected(text.error());
    ImportReport report;
    auto matrix = MarketReader(*text, path.filename().string(), report, task).read();
    if (!matrix) return Unexpected(matrix.error());
    return makeCommExperiment(path, "Matrix Market", std::move(*matrix), {}, std::move(report));
}

}  // namespace

const Importer kMatrixMarketImporter{"matrix-market", "Matrix Market file", sniffMatrixMarket,
                                     readMatrixMarket, ArchiveKind::Communication};

}  // namespace skein::comm_text
