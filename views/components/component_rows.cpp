// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/components/component_rows.h"

#include "core/session/experiment_titles.h"
#include "core/session/session_clock.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>

namespace skein {

std::vector<ComponentRow> makeComponentRows(const Session& session, const std::vector<TimeNs>& clockShiftsNs,
                                            const std::vector<HandOver>& handOvers)
{
    const SessionClock clock = sessionClock(session, clockShiftsNs);
    const std::vector<std::string> titles = experimentTitles(session);
    const std::vector<GlobalRanks> ranks = globalRanks(session);
    std::vector<ComponentRow> rows;
    for (std::uint32_t number = 0; number < session.experiments.size(); ++number) {
        const Experiment& experiment = *session.experiments[number];
        ComponentRow row;
        row.name = titles[number];
        row.format = experiment.format;
        row.locations = experiment.definitions.locations.size();
        row.ranks = ranks[number];
        row.hasTimes = experiment.trace != nullptr;
        if (experiment.trace) row.span = clock.toSession(number, experiment.trace->extent);
        row.shiftNs = number < clockShiftsNs.size() ? clockShiftsNs[number] : 0;
        rows.push_back(std::move(row));
    }
    for (const HandOver& handOver : handOvers) {
        ComponentRow& producer = rows[handOver.producer];
        ComponentRow& consumer = rows[handOver.consumer];
        ++producer.wrote;
        ++consumer.read;
        producer.bytes += handOver.bytes;
        consumer.bytes += handOver.bytes;
        consumer.waitedNs += handOver.waited.lengthNs();
    }
    return rows;
}

std::vector<TimeNs> shiftsToAlignStarts(const Session& session)
{
    const SessionClock clock = sessionClock(session);
    std::optional<TimeNs> earliest;
    for (std::uint32_t number = 0; number < session.experiments.size(); ++number)
        if (session.experiments[number]->trace) {
            const TimeNs begin = clock.toSession(number, session.experiments[number]->trace->extent.begin);
            earliest = std::min(earliest.value_or(begin), begin);
        }
    std::vector<TimeNs> shifts;
    for (std::uint32_t number = 0; number < session.experiments.size(); ++number) {
        const bool placed = session.experiments[number]->trace != nullptr;
        shifts.push_back(placed ? *earliest
                                 - clock.toSession(number, session.experiments[number]->trace->extent.begin)
                                : 0);
    }
    return shifts;
}

std::optional<TimeNs> parseShift(std::string_view text)
{
    const auto trim = [&] {
        while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
        while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
    };
    trim();
    if (text.starts_with('+')) text.remove_prefix(1);
    double number = 0;
    const auto parsed = std::from_chars(text.data(), text.data() + text.size(), number);
    if (parsed.ec != std::errc()) return std::nullopt;
    text.remove_prefix(static_cast<std::size_t>(parsed.ptr - text.data()));
    trim();
    constexpr std::pair<std::string_view, double> kUnits[] = {
        {"", 1e6}, {"ms", 1e6}, {"s", 1e9}, {"us", 1e3}, {"µs", 1e3}, {"ns", 1}, {"min", 60e9}};
    const auto* unit = std::find_if(std::begin(kUnits), std::end(kUnits),
                                    [&](const auto& known) { return known.first == text; });
    constexpr double kLongest = 1e17;  // three years
    if (unit == std::end(kUnits) || !std::isfinite(number) || std::abs(number * unit->second) > kLongest)
        return std::nullopt;
    return static_cast<TimeNs>(std::llround(number * unit->second));
}

}  // namespace skein
