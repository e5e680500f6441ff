// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/support/catch.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>
#include <vector>

/// Golden files of numbers: lists, lists of rows, and "nan" and "inf" as texts.
namespace skein::test {

inline nlohmann::json readGolden(const std::filesystem::path& file)
{
    std::ifstream stream(file);
    REQUIRE(stream.good());
    return nlohmann::json::parse(stream);
}

inline double goldenNumber(const nlohmann::json& value)
{
    if (value.is_number()) return value.get<double>();
    if (value.is_string() && value == "inf") return std::numeric_limits<double>::infinity();
    if (value.is_string() && value == "-inf") return -std::numeric_limits<double>::infinity();
    return std::nan("");
}

/// The numbers of nested lists, one after the other.
inline void appendGolden(std::vector<double>& out, const nlohmann::json& value)
{
    if (!value.is_array()) {
        out.push_back(goldenNumber(value));
        return;
    }
    for (const nlohmann::json& one : value) appendGolden(out, one);
}

inline std::vector<double> goldenNumbers(const nlohmann::json& value)
{
    std::vector<double> out;
    appendGolden(out, value);
    return out;
}

template <typename Number>
std::vector<Number> goldenIndexes(const nlohmann::json& value)
{
    std::vector<Number> out;
    for (const nlohmann::json& one : value) out.push_back(one.get<Number>());
    return out;
}

inline double largestOf(const std::vector<double>& values)
{
    double largest = 0.0;
    for (const double value : values)
        if (std::isfinite(value)) largest = std::max(largest, std::abs(value));
    return largest;
}

/// The largest difference of two lists of one length; NaN against NaN is none, against a number infinite.
inline double largestDifference(const std::vector<double>& a, const std::vector<double>& b)
{
    REQUIRE(a.size() == b.size());
    double largest = 0.0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        if (std::isnan(a[i]) && std::isnan(b[i])) continue;
        const double difference = std::abs(a[i] - b[i]);
        largest =
            std::isnan(difference) ? std::numeric_limits<double>::infinity() : std::max(largest, difference);
    }
    return largest;
}

}  // namespace skein::test
