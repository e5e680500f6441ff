// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "algorithms/behavior/change_points.h"
#include "algorithms/behavior/trace_series.h"
#include "app/cli/command.h"
#include "app/cli/command_line.h"
#include "app/cli/output/records.h"
#include "core/base/attribute_condition.h"
#include "core/series/series_table.h"

#include <span>
#include <string>
#include <vector>

/// What commands about behaviour over time read: a table of series, or a trace of which they are made.
namespace skein::cli {

struct SeriesInput {
    std::string path;
    std::vector<std::string> entity, metrics;
    std::string time;
    std::string per = "process";
    std::vector<std::string> where;     ///< conditions on attributes of entities
    std::vector<std::string> messages;  ///< conditions on what messages are like
    std::uint32_t bins = 0;             ///< 0: as usual
    std::string byRegion;
};

/// Positional PATH|FILE.csv and the options that say what its series are.
void addSeriesInput(CommandLine& line, SeriesInput& input);

struct LoadedSeries {
    std::vector<SeriesTable> tables;  ///< one a metric; at least one
    ExitCode exitCode = ExitCode::Fine;
    bool fromTrace = false;  ///< times are ns
};

/// Reads them; findings are told on stderr. `use` is what the command does with missing values of a single
/// table. Errors: those of reading, of parseSeries() and of traceSeries().
Result<LoadedSeries> loadSeries(const SeriesInput& input, const Invocation& invocation,
                                MissingValues use = MissingValues::Mean);

/// The same for commands that know one metric only. Errors: InvalidArgument where there are several.
Result<LoadedSeries> loadOneSeries(const SeriesInput& input, const Invocation& invocation);

/// How far an entity moved, in standard deviations of what was before; empty where that was constant.
Cell deviationsCell(const EntityShift& shift);

/// Adds "findings": an array of sentences.
void addFindings(JsonObject& object, Sink& out, const SeriesTable& table,
                 MissingValues use = MissingValues::Mean);

/// Adds an array of numbers, however many.
void addNumbers(JsonObject& object, Sink& out, std::string_view key, std::span<const double> numbers);

/// Adds an array of arrays: of each `width` numbers a row.
void addMatrix(JsonObject& object, Sink& out, std::string_view key, const std::vector<double>& values,
               std::size_t width);

/// Adds an array of such matrices.
void addMatrices(JsonObject& object, Sink& out, std::string_view key, const std::vector<double>& values,
                 std::size_t rows, std::size_t width);

/// Adds an array of texts.
void addTexts(JsonObject& object, Sink& out, std::string_view key, const std::vector<std::string>& texts);

}  // namespace skein::cli
