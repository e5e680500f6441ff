// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/time_span.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace skein {

/// Names from the root on.
using NamePath = std::vector<std::string>;

/// Says that a call path of the other runs is one of the first run, though it is called otherwise or stands
/// elsewhere. All below it comes along.
struct PathMatch {
    NamePath other;
    NamePath first;

    bool operator==(const PathMatch&) const = default;
};

/// What amounts are divided by before they are compared.
enum class ComparePer : std::uint8_t { Total, Rank, Location, Call, Phase };

/// A run of the session, or a part of it.
struct ComparedPart {
    std::uint32_t experiment = 0;
    std::optional<TimeSpan> span = {};  ///< session time; nullopt: the whole run
    /// Repeated runs of the same: amounts are means over all of them, and differences have intervals. Sorted.
    std::vector<std::uint32_t> also = {};

    bool operator==(const ComparedPart&) const = default;
};

/// Which two runs, or two parts of one, the user compares, and how. Views show them beside each other while
/// `shown` is set.
struct ComparisonChoice {
    bool shown = false;
    ComparedPart a, b{1, {}, {}};
    ComparePer per = ComparePer::Total;
    std::string phaseRegion;         ///< of ComparePer::Phase: a phase is one call of it on a rank
    std::vector<PathMatch> matches;  ///< that the user has confirmed: `other` is of b, `first` of a

    bool operator==(const ComparisonChoice&) const = default;
};

/// The choice with parts that a session of so many experiments has.
inline ComparisonChoice withinSession(ComparisonChoice choice, std::size_t experiments)
{
    const auto last = static_cast<std::uint32_t>(experiments == 0 ? 0 : experiments - 1);
    if (choice.a.experiment > last) choice.a = {last, {}, {}};
    if (choice.b.experiment > last) choice.b = {last, choice.b.span, {}};
    for (ComparedPart* part : {&choice.a, &choice.b})
        std::erase_if(part->also, [&](std::uint32_t run) { return run > last || run == part->experiment; });
    return choice;
}

}  // namespace skein
