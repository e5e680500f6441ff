// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace skein {

/// What one metric of one call path was at every point of a study.
struct ScalingSeries {
    std::string path;  ///< call path, or a region's name
    std::string metric;
    std::string unit;                         ///< of the values; empty where it is not known
    std::vector<std::vector<double>> values;  ///< [point][repetition]; none where it was not measured there
};

/// The same program measured with several values of one or more parameters.
struct ScalingStudy {
    std::vector<std::string> parameters;
    std::vector<std::vector<double>> points;  ///< [point][parameter], all > 0
    std::vector<ScalingSeries> series;
    std::vector<std::string> notes;  ///< what was odd about the input, a sentence each
};

}  // namespace skein
