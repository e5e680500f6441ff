// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/import_report.h"
#include "core/definitions/definitions.h"
#include "core/io/tau/tau_names.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace skein::tau {

/// Metrics of one file beyond so many are taken for damage.
inline constexpr std::size_t kMaximumMetrics = 1000;

/// A timer as its file names it: a function, a call path "a => b", or a row that breaks one of these down.
struct RawTimer {
    std::string name;
    std::string groups;      ///< "MPI|TAU_CALLPATH"
    bool throttled = false;  ///< a row of it has TAU's mark, which joined timers do not have in their names
};

struct RawMetric {
    std::string name;
    std::string unit;  ///< empty: not told
};

struct RawTimerRow {
    std::uint32_t timer = 0;  ///< index into RawProfile::timers
    double calls = 0;
    double subroutines = 0;
};

/// What one metric says about one row, in the file's unit.
struct RawValue {
    std::uint32_t row = 0;     ///< index into RawThread::timerRows
    std::uint32_t metric = 0;  ///< index into RawProfile::metrics
    double exclusive = 0;
    double inclusive = 0;
};

struct RawEventRow {
    std::uint32_t event = 0;  ///< index into RawProfile::events
    double count = 0;
    double maximum = 0;
    double minimum = 0;
    double mean = 0;
    double sumOfSquares = 0;
};

struct RawThread {
    ThreadKey key;
    std::vector<Property> metadata;
    std::vector<RawTimerRow> timerRows;
    std::vector<RawValue> values;  ///< rows do not decrease
    std::vector<RawEventRow> eventRows;
};

/// What one file of any of TAU's profile formats holds, before it is joined with the others.
/// All numbers are finite and not negative; what was not is 0 and stands in the report.
struct RawProfile {
    std::vector<RawMetric> metrics;
    std::vector<RawTimer> timers;
    std::vector<std::string> events;
    std::vector<Property> metadata;  ///< of all threads
    std::vector<RawThread> threads;
    std::string fileStem;  ///< where each thread has a file of its own: what its name begins with, "profile"
    ImportReport report;
};

/// True for numbers that a profile can hold: finite, not negative, and small enough to be added up.
bool isProfileValue(double value);

/// The value when it is a number that a profile can hold, else 0 and a CorruptRecord in the report.
double checkedValue(double value, ImportReport& report, std::string_view file, std::int64_t offset);

/// Removes the next number from the text; nullopt where it does not begin with one that ends at a blank.
/// What is too large for a double is infinity.
std::optional<double> takeNumber(std::string_view& text);

}  // namespace skein::tau
